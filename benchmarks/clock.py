"""Whether the house players that think for so many seconds keep to their clock: none late, none illegal.

Each plays against itself under a referee with a clock of 50 ms a move, being told to think for 50 ms, until
there are enough moves. Run it on an idle machine: what else runs takes the time that is measured.

    scripts/bench clock [--moves 10000] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from touchline.bots import make
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import Event, Moved
from touchline.drivers.match import agreed, play_now

SECONDS = 0.05
PLAYERS: tuple[tuple[str, str, dict[str, Any], int], ...] = (
    ("mcts", "hexapawn", {"rows": 6, "cols": 6}, 2),
    ("mcts", "fish", {"rows": 8, "cols": 8}, 3),
    ("mcts", "labyrinth", {}, 2),
    ("perfect", "hexapawn", {"rows": 6, "cols": 6}, 2),
    ("perfect", "hexapawn", {"rows": 7, "cols": 7}, 2),
    ("shark", "fish", {"rows": 5, "cols": 5}, 2),
    ("shark", "fish", {"rows": 8, "cols": 8}, 4),
    ("minotaur", "labyrinth", {}, 2),
    ("minotaur", "labyrinth", {}, 4),
)


def one_match(name: str, game_name: str, options: dict[str, Any], seats: int, seed: int) -> dict[str, Any]:
    """How many moves it took, the slowest of them, and what went wrong."""
    game = registry.game(game_name, options)
    took: list[int] = []

    def see(event: Event) -> None:
        if isinstance(event, Moved):
            took.append(event.took)

    word = f"{name}:seconds={SECONDS}"
    bots = [make(word, game, f"{seed} {seat}") for seat in range(seats)]
    limits = Limits(clock=Clock(per_move=micros(SECONDS)))
    result = play_now(agreed(game, [word] * seats, seed, limits=limits, turn_cap=120), bots, [see])
    return {
        "player": f"{name} in {game_name} for {seats}", "moves": len(took), "slowest": max(took, default=0),
        "wrong": [f"{fault.offence.value}: {fault.reason}" for fault in result.faults],
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--moves", type=int, default=10_000, help="moves in all (10000)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    moves = seed = 0
    with ProcessPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:  # the other half is for the system
        while moves < options.moves:
            for found in pool.map(one_match, *zip(*PLAYERS, strict=True), [seed] * len(PLAYERS)):
                row = rows.setdefault(found["player"], {"moves": 0, "slowest": 0, "wrong": []})
                row["moves"] += found["moves"]
                row["slowest"] = max(row["slowest"], found["slowest"])
                row["wrong"] += found["wrong"]
                moves += found["moves"]
            seed += 1
            print(f"\r{moves:,} of {options.moves:,} moves", end="", file=sys.stderr)
    print(file=sys.stderr)
    wrong = sum(len(row["wrong"]) for row in rows.values())
    if options.json:
        print(json.dumps({"moves": moves, "wrong": wrong, "players": rows}))
    else:
        for name, row in rows.items():
            bad = (
                f"{len(row['wrong'])} WRONG: {row['wrong'][0]}" if row["wrong"] else "none late, none illegal"
            )
            print(f"{name:<28} {row['moves']:>6} moves  slowest {row['slowest'] / 1000:6.1f} ms  {bad}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
