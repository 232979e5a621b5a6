"""Processor time: it is measured, a program can be frozen, and a starved turn is told from a slow one."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest

from players.programs import HONEST
from players.survivors import until
from touchline.core.conduct import Offence, Sanction, ladder
from touchline.core.events import Faulted, Moved, encode
from touchline.core.happenings import Lapsed
from touchline.drivers.match import agreed
from touchline.drivers.programs import play_local
from touchline.games.hexapawn import Hexapawn
from touchline.players.process import Program
from touchline.records.replay import Replay
from touchline.sandbox.launch import Sandbox
from touchline.sandbox.tiers import problem
from touchline.sandbox.usage import Usage

TIERS = [tier for tier in ("A", "B", "C", "none") if problem(tier) is None]
COUNTER = "import os\nif os.fork(): pass\nn = 0\nwhile True: n += 1"
"""Two processes that use all the processor time they get."""


@pytest.mark.parametrize("tier", TIERS)
def test_a_frozen_program_uses_no_processor(tier: str) -> None:
    """With all its processes; thawed, it goes on."""
    program = Program([sys.executable, "-I", "-S", "-c", COUNTER], sandbox=Sandbox(tier=tier, freezes=True))
    try:
        assert until(lambda: used(program) > 50_000, 60), "it runs"
        program.let_think(False)
        assert until(lambda: stands_still(program), 60), "it stands still"
        program.let_think(True)
        before = used(program)
        assert until(lambda: used(program) > before, 60), "it goes on"
    finally:
        program.stop()


def used(program: Program) -> int:
    program.usage.asked()
    program.usage._looked_at = 0
    return program.usage._cpu()


def stands_still(program: Program) -> bool:
    before = used(program)
    return not until(lambda: used(program) > before, 0.3)


def test_the_processor_time_of_a_turn_is_in_the_record() -> None:
    """Beside the thinking time; the record verifies with it."""
    events: list[Any] = []
    programs = [Program(HONEST), Program(HONEST)]
    try:
        play_local(agreed(Hexapawn(), ["a", "b"], 1), programs, [events.append])
    finally:
        for program in programs:
            program.stop()
    moves = [event for event in events if isinstance(event, Moved)]
    assert moves
    assert all(isinstance(move.cpu, int) for move in moves)
    assert any(move.cpu for move in moves)
    Replay(b"".join(encode(event) + b"\n" for event in events), "this match").verify()


@pytest.mark.parametrize("ponders", [True, False])
def test_a_match_is_the_same_whether_programs_ponder(ponders: bool) -> None:
    """Freezing changes nothing but the time that is used."""
    programs = [Program(HONEST, sandbox=Sandbox(freezes=not ponders)) for _ in range(2)]
    try:
        result = play_local(agreed(Hexapawn(), ["a", "b"], 1, ponders=ponders), programs)
    finally:
        for program in programs:
            program.stop()
    assert (result.verdict, result.faults) == ("finished", ())


class Measured(Usage):
    """A usage with given readings, in µs."""

    def __init__(self, cpu: int, waited: int) -> None:
        super().__init__(os.getpid())
        self._readings = (cpu, waited)

    def spent(self, took: int) -> int:
        return self._readings[0]

    def _waited(self) -> int:
        return self._readings[1]


@pytest.mark.parametrize(
    ("cpu", "waited", "starved"),
    [
        (1_000_000, 0, False), (10_000, 0, False), (10_000, 700_000, False), (10_000, 800_000, True),
        (200_000, 790_000, True), (300_000, 790_000, False), (2_000_000, 900_000, False),
    ],
)  # fmt: skip
def test_what_starves(cpu: int, waited: int, starved: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn of a second: busy, asleep, or most of it spent waiting for a processor that others had."""
    monkeypatch.setattr("touchline.sandbox.usage._stolen", lambda: 0)
    assert Measured(cpu, waited).starved(1_000_000) is starved


def test_time_that_the_hypervisor_stole_counts_as_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured from the question on, also though the process tree is looked at again at the end."""
    stolen = iter((5_000_000, 5_900_000))
    monkeypatch.setattr("touchline.sandbox.usage._stolen", lambda: next(stolen))
    usage = Usage(os.getpid())
    usage.asked()
    assert usage.starved(1_000_000)


def test_the_conduct_may_ask_a_starved_seat_again() -> None:
    """With its whole time; the record says so and verifies."""
    from msgspec.structs import replace

    from touchline.conducts.course import CONDUCT
    from touchline.core.clock import Clock, Limits
    from touchline.drivers.match import announced, opened, referee_for

    kind = replace(CONDUCT, starved=ladder("retry", "expel"))
    limits = Limits(clock=Clock(per_move=1000))
    spec = agreed(Hexapawn(), ["a", "b"], 1, conduct=kind, limits=limits)
    referee = referee_for(spec, opened(spec))
    seen: list[Any] = [announced(spec, opened(spec))]
    for happening in (None, Lapsed(0, True, 17), Lapsed(0, True)):
        effects = referee.begin() if happening is None else referee.take(happening)
        seen += [effect.event for effect in effects if hasattr(effect, "event")]
        if happening is not None and referee.result is None and not referee.expelled:
            assert referee.awaited == {0: 1000}
    faults = [event for event in seen if isinstance(event, Faulted)]
    assert [(fault.offence, fault.sanction) for fault in faults] == [
        (Offence.STARVED, Sanction.RETRY), (Offence.STARVED, Sanction.EXPEL),
    ]  # fmt: skip
    assert faults[0].cpu == 17
    Replay(b"".join(encode(event) + b"\n" for event in seen), "this match").verify()
