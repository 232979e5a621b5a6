"""Whole matches in simulated time with seeded faults, through both drivers."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from touchline import game
from touchline.conducts.base import read
from touchline.core.conduct import Conduct, ladder
from touchline.core.registry import CONDUCTS
from touchline.records.replay import Replay
from touchline.testing.simulation import Trace, simulated

if TYPE_CHECKING:
    from touchline.core.events import Result

TABLES: list[tuple[Any, int]] = [
    (game("hexapawn", {"rows": 6, "cols": 6}), 2),
    (game("fish", {"rows": 6, "cols": 5, "holes": 3}), 4),
    (game("fish", {"rules": "commercial"}), 3),
    (game("labyrinth", {"rows": 3, "cols": 5}), 2),
]
MILD = read(
    'name = "mild"\nlike = "seed-001"\nidle = 5\n'
    '[gone]\nsteps = ["random"]\n[flood]\nsteps = ["default"]\n'
    '[late]\nsteps = ["default 3", "skip 2", "expel"]\n',
    "mild",
)
STRICT = Conduct(
    name="strict",
    illegal=ladder("random 2", "void"),
    late=ladder("retry", "expel", counted="row"),
    gone=ladder("void"),
    out_of_turn=ladder("retry 2", "forfeit"),
)
CONDUCT = [*CONDUCTS.values(), MILD, STRICT]
FAULTS = (0.0, 0.01, 0.05, 0.3)
TURNS_A_CHUNK = 100_000


def match(number: int, *, on_loop: bool) -> tuple[Result, Trace]:
    """The match of that number: which game, conduct and rate of faults follow from it."""
    kind, seats = TABLES[number % len(TABLES)]
    conduct = CONDUCT[number // 4 % len(CONDUCT)]
    faults = FAULTS[number // 32 % len(FAULTS)]
    return simulated(kind, seats, number, conduct, faults=faults, on_loop=on_loop)


def hold(result: Result, trace: Trace, faults: float) -> None:
    """What must be true of every match."""
    assert result.verdict in ("finished", "forfeited", "void")
    assert trace.lines[-1].startswith(b'{"type":"ended"')
    assert sum(line.startswith(b'{"type":"ended"') for line in trace.lines) == 1
    if faults == 0:
        assert not result.faults
        assert not result.expelled


@pytest.mark.parametrize("first", range(0, 256, 32))
def test_both_drivers_play_the_same_match(first: int) -> None:
    """The event loop and the worker write the same trace, and it replays to the same bytes."""
    for number in range(first, first + 32):
        faults = FAULTS[number // 32 % len(FAULTS)]
        on_loop, loop_trace = match(number, on_loop=True)
        by_worker, worker_trace = match(number, on_loop=False)
        assert loop_trace.lines == worker_trace.lines, number
        assert on_loop == by_worker
        hold(on_loop, loop_trace, faults)
        Replay(b"\n".join(loop_trace.lines) + b"\n", f"match {number}").verify()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("chunk", range(20))
def test_two_million_simulated_turns(chunk: int) -> None:
    """A hundred thousand turns a chunk, a third of the matches on the loop; the same seed, the same trace."""
    turns = 0
    for number in count(1_000_000 * (chunk + 1)):
        on_loop = number % 3 == 0
        result, trace = match(number, on_loop=on_loop)
        turns += result.turns
        hold(result, trace, FAULTS[number // 32 % len(FAULTS)])
        if number % 50 == 0:
            again, other = match(number, on_loop=not on_loop)
            assert (again, other.digest) == (result, trace.digest), number
            Replay(b"\n".join(trace.lines) + b"\n", f"match {number}").verify()
        if turns >= TURNS_A_CHUNK:
            return
