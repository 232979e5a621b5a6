"""The fast way is the way of the referee: move by move the same events, clocks and questions."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Conduct, ladder
from touchline.core.events import Event
from touchline.core.messages import Act, Ready
from touchline.core.referee import Heard, Note, Referee
from touchline.dialects.native import Native
from touchline.drivers.fast_lane import Sprint
from touchline.drivers.match import Watchers, agreed, opened, referee_for
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth

if TYPE_CHECKING:
    from touchline.core.events import Result
    from touchline.core.referee import Effect
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


class Resumed:
    """Whoever is handed a match back, and keeps what the referee says to that."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self.effects: list[Effect] = []

    def hand_back(self, *where: Any) -> None:
        self.effects = self._referee.resume(*where)


def handed_back(sprint: Sprint, referee: Referee) -> list[Effect]:
    """What the referee says when it has the match again."""
    resumed = Resumed(referee)
    sprint.hand_back(cast("Any", resumed))
    return resumed.effects


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


def sprinting(referee: Referee, spec: MatchSpec, events: list[Event], talks: Any = range(9)) -> Sprint:
    return Sprint(referee, Watchers([events.append]), Native(spec.game).decode_answer, talks)


def act(turn: Any, move: Any) -> bytes:
    return msgspec.json.encode({"type": "act", "turn": turn, "move": move})


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
def test_a_sprint_is_what_the_referee_would_have_done(table: int, clock: Clock, seed: int) -> None:
    """The same moves at the same times lead to the same record, the same clocks and the same question."""
    rng = Random(seed)
    spec = agreement(table, clock, rng.choice((7, 30)), seed)
    referee, events, said = started(spec), list[Event](), list[tuple[Any, int, int]]()
    sprint = sprinting(referee, spec, events)
    while sprint.asked is not None:
        budget, credit = sprint.budget(), rng.choice((0, 3))
        assert budget == referee.clocks[sprint.asked].budget
        move, spent = rng.choice(sprint.state.legal_moves()), rng.randrange(60)
        assert sprint.take(act(sprint.turn, move), spent, credit)
        said.append((move, spent - min(spent, credit), min(spent, credit)))
    events += [effect.event for effect in handed_back(sprint, referee) if isinstance(effect, Note)]
    other, noted = judged(spec, said)
    assert events == noted
    same(referee, other)


@pytest.mark.parametrize("frame", [
    act(0, None), act(5, None), act(-1, None), act("4", None), act(None, None),
    b'{"type":"ready"}', b'{"type":"resign"}', b"", b"[]", b"\xff", b"{",
])  # fmt: skip
def test_anything_else_is_for_the_referee(frame: bytes) -> None:
    """An answer with another number, or that is none, changes nothing: it must be judged."""
    spec = agreement(0)
    referee, events = started(spec), list[Event]()
    sprint = sprinting(referee, spec, events)
    for _ in range(4):
        assert sprint.take(act(sprint.turn, sprint.state.legal_moves()[0]), 5)
    legal = msgspec.json.encode(sprint.state.legal_moves()[0])
    before = sprint.state, sprint.turn, sprint.asked, list(referee.clocks), list(events)
    assert not sprint.take(frame.replace(b'"move":null', b'"move":' + legal), 5)
    assert before == (sprint.state, sprint.turn, sprint.asked, list(referee.clocks), events)


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_a_move_against_the_rules_is_for_the_referee(table: int) -> None:
    """Every move of the game that is not legal now is left to it."""
    spec = agreement(table)
    referee, events = started(spec), list[Event]()
    sprint, legal = sprinting(referee, spec, events), set(referee.state.legal_moves())
    wrong = [move for move in spec.game.all_moves() if move not in legal]
    assert wrong
    for move in wrong[:50]:
        assert not sprint.take(act(0, move), 5)
    assert (sprint.state, sprint.turn, events) == (referee.state, 0, [])


def test_the_cap_ends_a_sprint() -> None:
    """Nobody is asked in a turn that there is not, and the match is void."""
    spec = agreement(0, cap=3)
    referee = started(spec)
    sprint = sprinting(referee, spec, [])
    for _ in range(3):
        assert sprint.asked is not None
        assert sprint.take(act(sprint.turn, sprint.state.legal_moves()[0]), 5)
    assert sprint.asked is None
    handed_back(sprint, referee)
    assert ended(referee).verdict == "void"


def ended(referee: Referee) -> Result:
    assert referee.result is not None
    return referee.result


def test_a_seat_that_cannot_be_asked_here_ends_a_sprint() -> None:
    """The referee asks it."""
    spec = agreement(0)
    referee = started(spec)
    sprint = sprinting(referee, spec, [], talks={0})
    assert sprint.take(act(0, sprint.state.legal_moves()[0]), 5)
    assert sprint.asked is None
    handed_back(sprint, referee)
    assert referee.awaited == {1: 100}


def test_who_has_been_asked_is_not_asked_again() -> None:
    """The question that a sprint has asked stands."""
    spec = agreement(0)
    referee = started(spec)
    sprint = sprinting(referee, spec, [])
    assert sprint.take(act(0, sprint.state.legal_moves()[0]), 5)
    assert sprint.asked == 1
    assert handed_back(sprint, referee) == []
    assert referee.awaited == {1: 100}


def test_a_good_move_in_a_sprint_ends_a_row() -> None:
    """As it does for the referee: the count of what is counted by the row begins anew."""
    spec = agreement(0)
    referee = started(spec)
    wrong = next(move for move in spec.game.all_moves() if move not in set(referee.state.legal_moves()))
    for _ in range(2):
        referee.take(Heard(0, Act(wrong, 0)))
    sprint = sprinting(referee, spec, [])
    for _ in range(2):
        assert sprint.take(act(sprint.turn, sprint.state.legal_moves()[0]), 5)
    handed_back(sprint, referee)
    for _ in range(3):
        referee.take(Heard(0, Act(wrong, 2)))
    assert [fault.sanction.value for fault in referee.faults] == ["retry"] * 5


def test_nobody_thinks_longer_than_it_has() -> None:
    """It is in time, or the alarm would have rung: our lateness is not charged."""
    spec = agreement(0, Clock(per_move=100, bank=50))
    referee, events = started(spec), list[Event]()
    sprint = sprinting(referee, spec, events)
    assert sprint.take(act(0, sprint.state.legal_moves()[0]), 10_000)
    assert getattr(events[0], "took", None) == 150
    assert referee.clocks[0].budget == 100
