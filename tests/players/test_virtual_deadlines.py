"""Deadlines in virtual time: no stall makes an honest player late."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.rogue_tables import table_with, thinker
from players.tables import TABLES, played, terms, tired
from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.events import Ignored, Moved
from touchline.core.registry import CONDUCTS
from touchline.testing.rogues import Script, Scripted, legal, seated
from touchline.testing.scripts import Read, Sleep, Write

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.testing import virtual_time


def stalled(at: float, length: float) -> Callable[[virtual_time.VirtualLoop], None]:
    """Let the machine stand still for so long at that time."""

    def plan(loop: virtual_time.VirtualLoop) -> None:
        loop.call_at(at, loop.stall, length)

    return plan


@pytest.mark.parametrize("thought", [0.0, 0.5, 0.999])
@pytest.mark.parametrize("stall", [0.021, 0.05, 0.3, 1.0, 5.0, 100.0])
@pytest.mark.parametrize("at", [0.0, 0.4, 0.9, 0.9989, 1.5, 2.2])
def test_a_stall_never_makes_an_honest_player_late(thought: float, stall: float, at: float) -> None:
    """If the machine stands still while a player thinks, that is not the player's fault."""
    game, seats = TABLES["hexapawn"]
    players = [Scripted(thinker(thought), game) for _ in range(seats)]
    match = played(terms(game, seats), players, stalled(at, stall))
    assert match.result.faults == ()
    assert match.result.verdict == "finished"


@settings(max_examples=150, deadline=None)
@given(
    thought=st.floats(0, 0.999),
    stalls=st.lists(st.tuples(st.floats(0, 6), st.floats(0, 3)), min_size=1, max_size=4),
)
def test_stalls_of_any_length_never_make_an_honest_player_late(
    thought: float, stalls: list[tuple[float, float]]
) -> None:
    """However long, however often and whenever the machine stands still, thinking in time is in time."""
    game, seats = TABLES["hexapawn"]

    def plan(loop: virtual_time.VirtualLoop) -> None:
        for at, length in stalls:
            loop.call_at(at, loop.stall, length)

    match = played(terms(game, seats), [Scripted(thinker(thought), game) for _ in range(seats)], plan)
    assert match.result.faults == ()


@pytest.mark.parametrize("stall", [0.002, 0.005, 0.019])
def test_a_short_stall_at_the_deadline_never_makes_an_honest_player_late(stall: float) -> None:
    """A player that answers just in time is in time, even if we look a few milliseconds late."""
    game, seats = TABLES["hexapawn"]
    players = [Scripted(thinker(0.9995), game) for _ in range(seats)]
    match = played(terms(game, seats), players, stalled(0.999, stall))
    assert match.result.faults == ()


@pytest.mark.parametrize("late_by", [-2, -1, 0, 1, 2])
def test_the_deadline_is_exact(late_by: int) -> None:
    """A microsecond before the end is in time, one after it is not, and at the end it is one of both."""
    game, seats = TABLES["hexapawn"]
    players = [Scripted(thinker(1 + late_by / 1e6), game), Scripted(tired, game)]
    match = played(terms(game, seats), players)
    late = match.offences(0) == [Offence.LATE]
    assert late or match.offences(0) == []
    assert late_by == 0 or late == (late_by > 0)
    moved = [event for event in match.events if isinstance(event, Moved) and event.seat == 0]
    assert bool(moved) != late


def test_a_late_answer_is_ignored_and_noted() -> None:
    """Under a conduct that skips, the answer to the turn before is not taken for this one."""
    game, seats = TABLES["fish"]
    match = table_with({0: "late"}, game, seats, CONDUCTS["seed-001"])
    assert match.offences(0)[0] is Offence.LATE
    assert any(isinstance(event, Ignored) and event.seat == 0 for event in match.events)


def test_the_bank_pays_for_a_long_thought() -> None:
    """A player may take longer than a move has, as long as the bank lasts."""
    game, seats = TABLES["hexapawn"]
    limits = Limits(clock=Clock(per_move=micros(0.5), bank=micros(1)))
    match = played(terms(game, seats, limits=limits), [Scripted(thinker(0.9), game), Scripted(tired, game)])
    assert match.offences(0) == [Offence.LATE]
    assert len([event for event in match.events if isinstance(event, Moved) and event.seat == 0]) == 2


def test_the_clock_starts_when_the_question_is_handed_over() -> None:
    """What a player needs to take the question from its pipe is not charged to it."""
    game, seats = TABLES["hexapawn"]

    def slow_reader() -> Script:
        rules = yield from seated()
        while True:
            yield Sleep(0.9)
            said = yield Read()
            if said["type"] == "your_turn":
                yield Sleep(0.9)
                yield Write(legal(rules, said))

    spec = terms(game, seats)
    size = 400
    match = played(spec, [Scripted(slow_reader, game, pipe=size), Scripted(tired, game)])
    assert match.unharmed(1)
    took = [event.took for event in match.events if isinstance(event, Moved) and event.seat == 0]
    assert all(time <= micros(1) for time in took)


def test_without_a_clock_nobody_is_late() -> None:
    """A player that takes an hour is in time where there is no time."""
    game, seats = TABLES["hexapawn"]
    match = played(terms(game, seats, limits=UNTIMED), [Scripted(thinker(3600), game), Scripted(tired, game)])
    assert match.result.faults == ()
