"""The fast lane leads where the referee leads: the same events, clocks and questions, move by move."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from touchline.bots.random import Random as RandomBot
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Conduct, ladder
from touchline.core.events import Event, Faulted, Moved, PassedOver
from touchline.core.fast_lane import FastLane
from touchline.core.happenings import Heard, Lapsed, Note
from touchline.core.messages import Act, Garbled, Ready
from touchline.drivers.match import agreed, opened, play_now, referee_for
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth

if TYPE_CHECKING:
    from collections.abc import Container

    from touchline.core.happenings import Effect
    from touchline.core.referee import Referee
    from touchline.drivers.match import MatchSpec

TABLES: list[tuple[Any, int]] = [
    (Hexapawn(rows=4, cols=4), 2),
    (Fish(rows=4, cols=4, holes=2), 4),
    (Fish(rows=4, cols=5, rules="commercial"), 2),
    (Labyrinth(rows=3, cols=5), 2),
]
MILD = Conduct(
    name="mild",
    illegal=ladder("retry 3", "expel", counted="row"),
    late=ladder("expel"),
    gone=ladder("expel"),
    out_of_turn=ladder("expel"),
)
CLOCKS = [Clock(per_move=100), Clock(per_move=100, bank=50, increment=5), Clock(per_move=None)]


def started(spec: MatchSpec) -> Referee:
    seats = range(len(spec.names))
    referee = referee_for(spec, opened(spec), seats)
    referee.begin()
    for seat in seats:
        referee.take(Heard(seat, Ready()))
    return referee


def agreement(table: int, clock: Clock = CLOCKS[0], cap: int = 200, seed: int = 1) -> MatchSpec:
    game, seats = TABLES[table]
    names = [f"player {seat}" for seat in range(seats)]
    return agreed(game, names, seed, limits=Limits(clock=clock), turn_cap=cap, conduct=MILD)


def lane_of(referee: Referee, events: list[Event], seats: Container[int] = range(9)) -> FastLane:
    return FastLane(referee, seats, events.append)


def ended_lane(lane: FastLane, referee: Referee) -> list[Effect]:
    """What the referee says when the lane has ended."""
    lane.end()
    return referee.proceed()


def judged(spec: MatchSpec, said: list[tuple[Any, int, int]]) -> tuple[Referee, list[Event]]:
    """What the referee makes of these moves."""
    referee, events = started(spec), list[Event]()
    for move, took, wire in said:
        seat = referee.state.to_move
        assert seat is not None
        effects = referee.take(Heard(seat, Act(move, referee.turn), took, wire))
        events += [effect.event for effect in effects if isinstance(effect, Note)]
    return referee, events


def same(one: Referee, other: Referee) -> None:
    assert one.state == other.state
    assert one.turn == other.turn
    assert one.awaited == other.awaited
    assert one.clocks == other.clocks
    assert one.result == other.result


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_the_lane_does_what_the_referee_does(table: int, clock: Clock, seed: int) -> None:
    """The same moves at the same times lead to the same record, the same clocks and the same question."""
    rng = Random(seed)
    spec = agreement(table, clock, rng.choice((7, 30)), seed)
    referee, events, said = started(spec), list[Event](), list[tuple[Any, int, int]]()
    lane = lane_of(referee, events)
    while lane.seat is not None:
        move, took, wire = rng.choice(lane.state.legal_moves()), rng.randrange(60), rng.choice((0, 3))
        assert lane.move(move, took, wire)
        said.append((move, took, wire))
    events += [effect.event for effect in ended_lane(lane, referee) if isinstance(effect, Note)]
    other, noted = judged(spec, said)
    assert events == noted
    same(referee, other)


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_an_illegal_move_is_left_to_the_referee(table: int) -> None:
    """Every move of the game that is not legal now changes nothing."""
    spec = agreement(table)
    referee, events = started(spec), list[Event]()
    lane, legal = lane_of(referee, events), set(referee.state.legal_moves())
    wrong = [move for move in spec.game.all_moves() if move not in legal]
    assert wrong
    for move in wrong[:50]:
        assert not lane.move(move, 5)
    assert (lane.state, lane.turn, events) == (referee.state, 0, [])


def test_a_late_move_is_left_to_the_referee() -> None:
    """A move that took longer than the seat has changes nothing, not even its clock."""
    spec = agreement(0, Clock(per_move=100, bank=50))
    referee, events = started(spec), list[Event]()
    lane = lane_of(referee, events)
    move = lane.state.legal_moves()[0]
    assert not lane.move(move, 151)
    assert (lane.turn, lane.seat, events, referee.clocks[0].budget) == (0, 0, [], 150)
    assert lane.move(move, 150)
    assert referee.clocks[0].budget == 100


def test_the_turn_cap_ends_the_lane() -> None:
    """No seat is asked in a turn past the cap, and the match is void."""
    spec = agreement(0, cap=3)
    referee = started(spec)
    lane = lane_of(referee, [])
    for _ in range(3):
        assert lane.seat is not None
        assert lane.move(lane.state.legal_moves()[0], 5)
    assert lane.seat is None
    ended_lane(lane, referee)
    assert referee.result is not None
    assert referee.result.verdict == "void"


def test_a_lane_at_the_turn_cap_asks_nobody() -> None:
    referee = started(agreement(0, cap=3))
    referee.turn = 3
    assert lane_of(referee, []).seat is None


def test_a_seat_that_the_driver_cannot_ask_ends_the_lane() -> None:
    """The referee asks it."""
    referee = started(agreement(0))
    lane = lane_of(referee, [], seats={0})
    assert lane.move(lane.state.legal_moves()[0], 5)
    assert lane.seat is None
    ended_lane(lane, referee)
    assert referee.awaited == {1: 100}


def test_a_seat_that_was_asked_is_not_asked_again() -> None:
    """The question that the driver asked on the lane stands."""
    referee = started(agreement(0))
    lane = lane_of(referee, [])
    assert lane.move(lane.state.legal_moves()[0], 5)
    assert lane.seat == 1
    assert ended_lane(lane, referee) == []
    assert referee.awaited == {1: 100}


def test_a_good_move_on_the_lane_ends_a_row_of_faults() -> None:
    """As it does for the referee: what is counted in a row is counted anew."""
    spec = agreement(0)
    referee = started(spec)
    wrong = next(move for move in spec.game.all_moves() if move not in set(referee.state.legal_moves()))
    for _ in range(2):
        referee.take(Heard(0, Act(wrong, 0)))
    lane = lane_of(referee, [])
    for _ in range(2):
        assert lane.move(lane.state.legal_moves()[0], 5)
    ended_lane(lane, referee)
    for _ in range(3):
        referee.take(Heard(0, Act(wrong, 2)))
    assert [fault.sanction.value for fault in referee.faults] == ["retry"] * 5


def test_a_move_on_the_lane_is_no_longer_owed() -> None:
    """A seat was late once and then moves on the lane: what it sends later is judged as in the replay.

    It answers the question of its own turn there, so it no longer owes an answer to the old one.
    """
    late = Conduct(
        name="late", illegal=ladder("retry 3", "expel"), late=ladder("default"), gone=ladder("expel"),
        out_of_turn=ladder("expel"),
    )  # fmt: skip
    spec = replace(agreement(0), conduct=late)
    verdicts = []
    for fast in (True, False):
        referee = started(spec)
        referee.take(Lapsed(0))
        for _ in range(4):
            seat, move = referee.state.to_move, referee.state.legal_moves()[0]
            assert seat is not None
            if fast:
                lane = lane_of(referee, [])
                assert lane.move(move, 1)
                ended_lane(lane, referee)
            else:
                referee.take(Heard(seat, Act(move, referee.turn), 1))
        while referee.state.to_move != 0:
            referee.take(Heard(1, Act(referee.state.legal_moves()[0], referee.turn), 1))
        verdicts.append(
            [effect for effect in referee.take(Heard(0, Garbled("what?"))) if isinstance(effect, Note)]
        )
    assert verdicts[0] == verdicts[1]
    assert isinstance(verdicts[0][0].event, Faulted)


def test_who_is_passed_over_is_noted() -> None:
    """After every move that leaves seats without one, the event names them."""
    noted = 0
    for seed in range(20):
        events: list[Event] = []
        spec = agreed(Fish(rows=3, cols=4), "ab", seed=seed)
        play_now(spec, [RandomBot(Random(seed)), RandomBot(Random(seed + 1))], [events.append])
        state = opened(spec)
        for event, following in pairwise(events):
            if isinstance(event, Moved):
                state = state.play(event.move)
                said = following.seats if isinstance(following, PassedOver) else ()
                assert said == state.passed_over
                noted += bool(said)
    assert noted
