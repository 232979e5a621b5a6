"""What the cage costs: turns a second and starting a program, in each tier beside no isolation.

Two programs play Hexapawn 8 x 8, a thousand matches in each tier if `--rounds` allows; every round plays some
of each tier, so that whatever the machine does meanwhile meets all alike. A start is measured until the
program's first byte has come.
"""

from __future__ import annotations

import select
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from measure import Claim, in_rounds, report

from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import Moved
from touchline.drivers.match import agreed
from touchline.drivers.programs import play_local
from touchline.games.hexapawn import Hexapawn
from touchline.players.process import Program
from touchline.sandbox.launch import Sandbox
from touchline.sandbox.tiers import problem

if TYPE_CHECKING:
    from rows import Measure

PAWN = [sys.executable, str(Path(__file__).parent / "players" / "pawn.py")]
SHELL = ["sh", "-c", "echo here; cat > /dev/null"]
GAME = Hexapawn(rows=8, cols=8)
LONG = Limits(clock=Clock(micros(60)))
MATCHES = 40
"""Matches of each kind in a round; 25 rounds play a thousand."""
ROUNDS = 25
STARTS = 10
"""Starts of each kind in a round."""
TIERS = [tier for tier in ("none", "C", "B", "A") if problem(tier) is None]
FROZEN = "A, frozen between turns"
LEAST_TURNS = 0.9
MOST_MILLISECONDS = 60


def turns(sandbox: Sandbox) -> float:
    """Return the turns a second of one match between two programs, from its first move to its last."""
    programs, moved = [Program(PAWN, sandbox=sandbox) for _ in range(2)], list[float]()

    def see(event: Any) -> None:
        if type(event) is Moved:
            moved.append(time.perf_counter())

    spec = agreed(GAME, ["a", "b"], seed=1, limits=LONG, ponders=not sandbox.freezes)
    try:
        result = play_local(spec, programs, [see])
    finally:
        for program in programs:
            program.stop()
    assert not result.faults, result.faults
    return (len(moved) - 1) / (moved[-1] - moved[0])


def rounds_of_turns(name: str, sandbox: Sandbox) -> dict[str, float]:
    return {f"turns, {name}": median([turns(sandbox) for _ in range(MATCHES)])}


def starts(name: str, sandbox: Sandbox) -> dict[str, float]:
    """Return how many programs can be started one after the other in a second."""
    took = []
    for _ in range(STARTS):
        begin = time.perf_counter()
        program = Program(SHELL, sandbox=sandbox)
        select.select([program.stdout], [], [])
        took.append(time.perf_counter() - begin)
        program.stop()
    return {f"starts, {name}": 1 / median(took)}


def main() -> int:
    kinds = {tier: Sandbox(tier=tier) for tier in TIERS}
    if "A" in kinds:
        kinds[FROZEN] = Sandbox(tier="A", freezes=True)
    measured: dict[str, Measure] = {}
    for name, sandbox in kinds.items():
        measured[f"turns, {name}"] = partial(rounds_of_turns, name, sandbox)
        measured[f"starts, {name}"] = partial(starts, name, sandbox)
    rates = in_rounds(measured, ROUNDS)
    claims = [Claim("turns/s in A : without isolation", "turns, A", "turns, none", LEAST_TURNS)]
    code = report(rates, claims if "A" in TIERS else [])
    plain = 1000 / median(rates["starts, none"])
    for tier in TIERS[1:]:
        more = 1000 / median(rates[f"starts, {tier}"]) - plain
        bar = (
            ""
            if tier != "A"
            else f" (bar {MOST_MILLISECONDS}: {'kept' if more <= MOST_MILLISECONDS else 'missed'})"
        )
        print(f"starting a program in {tier}: {more:+.1f} ms{bar}", file=sys.stderr)
        code = code or int(tier == "A" and more > MOST_MILLISECONDS)
    return code


if __name__ == "__main__":
    sys.exit(main())
