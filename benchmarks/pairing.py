"""How long Swiss and ladder take to pair a round, and how that grows with the number of entrants.

Run it by itself: `python benchmarks/pairing.py`. It plays cups with random results and prints, for each size
of the field, the time of the slowest round, which draws all rounds before it again, and the slope: 1 is
linear, 2 quadratic. A ladder of as many rounds as entrants has n² / 2 games, so its last round is not linear.
"""

from __future__ import annotations

import sys
import time
from math import log2
from random import Random
from typing import TYPE_CHECKING

from touchline.testing.format_check import ranked
from touchline.tournament.formats.ladder import Ladder
from touchline.tournament.formats.swiss import Swiss

if TYPE_CHECKING:
    from touchline.tournament.formats.base import Format
    from touchline.tournament.pairing import Played

SIZES = (50, 100, 200, 400, 800, 1600)
MOST_SECONDS = 2.0
"""What a round of 1,000 entrants may take; the field of 1,600 is measured against it, too."""


def slowest_round(rules: Format, entrants: int) -> float:
    """Return the processor time of the slowest draw of a cup, in seconds."""
    rng, names = Random(entrants), [f"e{number:04}" for number in range(entrants)]
    played: list[Played] = []
    worst = 0.0
    while True:
        before = time.process_time()
        due = rules.due(names, played)
        worst = max(worst, time.process_time() - before)
        if due is None:
            return worst
        for game in due:
            seats = len(game.entrants)
            played.append(ranked(game, rng.sample(range(1, seats + 1), seats)))


def main() -> int:
    held = True
    formats: dict[str, Format] = {
        "swiss, 11 rounds": Swiss(rounds=11),
        "swiss, 11 rounds, 3 boards": Swiss(rounds=11, boards=3),
        "swiss, 11 rounds, 4 seats": Swiss(rounds=11, seats=4),
        "ladder, 20 rounds": Ladder(rounds=20),
    }
    for name, rules in formats.items():
        times = [slowest_round(rules, entrants) for entrants in SIZES]
        slope = log2(times[-1] / times[0]) / log2(SIZES[-1] / SIZES[0])
        fits = max(times) <= MOST_SECONDS and slope <= 2
        held &= fits
        shown = "  ".join(f"{size}: {seconds:.3f} s" for size, seconds in zip(SIZES, times, strict=True))
        print(f"{name}: {shown}; slope {slope:.2f}{'' if fits else ' TOO SLOW'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
