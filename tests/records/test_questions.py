"""`records/questions.py`: a player in a recorded seat is told what the seat was told, in every dialect."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from recorded import SMALL, record, steps
from touchline.bots.random import Random as RandomBot
from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.clock import UNTIMED
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.core.events import Moved, SentOn, encode
from touchline.core.messages import Act, Begin, Expelled, Garbled, Ready, Rejected, Resigned, Update, YourTurn
from touchline.drivers.event_loop import play
from touchline.drivers.match import agreed
from touchline.drivers.one_player import OnePlayer, one_player
from touchline.drivers.runner import run
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.players.in_dialect import InDialect
from touchline.records.questions import Compared, questions
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.core.events import Event
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Game
    from touchline.dialects.base import Face

GAMES: dict[str, Game] = {
    "fish": Fish(rows=4, cols=4),
    "hexapawn": Hexapawn(rows=4, cols=4),
    "labyrinth": Labyrinth(goals=3),
}


GUIDED = ("labyrinth-course", "seed-004")
"""The dialects with a word for the next goal."""


class Logged:
    """A face that logs the frames that it hears and its answers."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self.log: list[bytes] = []

    def hear(self, frame: bytes) -> list[bytes]:
        self.log.append(frame)
        answers = self._face.hear(frame)
        self.log += answers
        return answers


def speaker(dialect: str, game: Game) -> tuple[InDialect, list[bytes]]:
    """Return a player that speaks a dialect, and the log of its frames; in Labyrinth it reaches goals."""
    kind = registry.dialect(dialect)
    bot = factory.make("euclid" if game.name == "labyrinth" else "random", game, 7)
    face: Any = Logged(kind.face(bot, rng=Random(7)))
    return InDialect(face, kind(game)), face.log


def played(game: Game, players: list[Any], **terms: Any) -> Replay:
    """Return the record of a match on an event loop."""
    events: list[Event] = []
    spec = agreed(game, [f"p{seat}" for seat in range(len(players))], 5, **{"limits": UNTIMED, **terms})
    run(play(spec, players, [events.append]))
    return Replay(b"".join(encode(event) + b"\n" for event in events), "this match")


def spoken() -> list[tuple[str, str]]:
    """Return every dialect with each game that it has words for."""
    return [(name, game) for name in registry.dialects() for game in (registry.dialect(name).games or GAMES)]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("dialect", "name"), spoken())
def test_the_same_player_is_told_the_same_bytes(dialect: str, name: str, seat: int) -> None:
    """A match replayed into a player of the recorded dialect is the recorded talk, byte for byte."""
    game = GAMES[name]
    first, before = speaker(dialect, game)
    others = [RandomBot(Random(3)), RandomBot(Random(4))]
    replay = played(game, [first, others[0]] if seat == 0 else [others[0], first])
    again, after = speaker(dialect, game)
    rows = list(questions(replay, one_player(again, game, seat, dialect), seat))
    assert after[len(after) - len(before) :] == before  # a proposal may come first
    moved = [event.turn for event in replay.events if isinstance(event, Moved) and event.seat == seat]
    assert [row.turn for row in rows] == moved
    assert all(row.same and row.fault is None for row in rows)
    reached = any(isinstance(event, SentOn) for event in replay.events)
    assert reached == (dialect in GUIDED)  # so the next goal was told, too


@pytest.mark.parametrize(("dialect", "name"), spoken())
def test_a_match_of_bots_is_replayed_into_any_dialect(dialect: str, name: str) -> None:
    """The recorded seat was only asked for moves; the new player hears all that its dialect relies on."""
    game = GAMES[name]
    replay = played(game, [RandomBot(Random(seat)) for seat in range(2)])
    told, _ = speaker(dialect, game)
    rows = list(questions(replay, one_player(told, game, 1, dialect), 1))
    moved = [event.turn for event in replay.events if isinstance(event, Moved) and event.seat == 1]
    assert [row.turn for row in rows] == moved
    assert all(row.fault is None for row in rows)  # it knows the position, and moves legally


class Listener(OnePlayer):
    """A player that logs what it is told, and answers from a list; it is ready with these wishes."""

    def __init__(self, answers: list[Any], ready: FromPlayer) -> None:
        self.told: list[ToPlayer] = []
        self._answers, self._ready = iter(answers), ready

    def tell(self, message: ToPlayer) -> None:
        self.told.append(message)

    def propose(self, within: int | None = None) -> None:
        assert not self.told  # a proposal comes before the match

    def close(self, grace: float = 0) -> None:
        """Do nothing."""

    def answer(self, within: int | None = None) -> Any:
        last = next(message for message in reversed(self.told) if isinstance(message, Begin | YourTurn))
        if isinstance(last, Begin):
            return self._ready
        said = next(self._answers)
        return said if isinstance(said, Act | Garbled) else Act(said, last.turn)


def listened(data: bytes, answers: list[Any], *, updates: bool = True) -> tuple[Listener, list[Compared]]:
    player = Listener(answers, Ready(updates=updates))
    return player, list(questions(Replay(data, "this match"), player, 0))


ILLEGAL = steps("0,0 2,2")[0]
OPENING = steps("0,0 1,0", "2,1 1,1", "0,2 1,2")


def test_the_turns_of_the_record_are_asked() -> None:
    """Seat 0 of two is asked in turns 0 and 2, and the new player's own wish decides about updates."""
    data = record(SMALL, 2, OPENING)
    for updates in (True, False):
        player, rows = listened(data, [OPENING[0], OPENING[0]], updates=updates)
        assert [m.turn for m in player.told if isinstance(m, YourTurn)] == [0, 2] == [r.turn for r in rows]
        assert any(isinstance(message, Update) for message in player.told) == updates
    assert [row.same for row in rows] == [True, False]
    assert rows[1].fault == "illegal: you have no pawn at row 0, column 0"


def test_an_answer_to_an_earlier_question_is_dropped() -> None:
    """Its turn number shows it; the next answer is compared."""
    stale = Act(OPENING[0], 0)
    _, rows = listened(record(SMALL, 2, OPENING), [OPENING[0], stale, OPENING[2]])
    assert [(row.turn, row.same) for row in rows] == [(0, True), (2, True)]


def test_a_recorded_rejection_is_told_to_who_gave_that_answer() -> None:
    """One that answers otherwise is asked once, and compared with the move that was made in the end."""
    data = record(SMALL, 2, [ILLEGAL, *OPENING], conduct=registry.find("conducts", "seed-001"))
    player, rows = listened(data, [ILLEGAL, OPENING[0], OPENING[2]])
    assert [m.offence for m in player.told if isinstance(m, Rejected)] == [Offence.ILLEGAL]
    assert [(row.turn, row.same) for row in rows] == [(0, True), (0, True), (2, True)]
    assert rows[0].recorded_fault is not None
    player, rows = listened(data, [OPENING[0], OPENING[2]])
    assert not any(isinstance(message, Rejected) for message in player.told)
    assert [(row.turn, row.same, row.recorded_fault) for row in rows] == [(0, True, None), (2, True, None)]


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (Resigned("enough"), "resigned: enough"),
        (ValueError("no"), "gone: raised ValueError: no"),
        (ILLEGAL, "illegal: a pawn moves straight ahead by one row"),
        ("nonsense", "malformed: choose() returned a str, not a move; return one of view.legal_moves()"),
    ],
)
def test_a_recorded_failure_is_named_and_ends_the_questions(last: Any, said: str) -> None:
    """The record has no move at the last question; the new player's answer is listed beside the reason."""
    player, rows = listened(record(SMALL, 2, [*OPENING[:2], last]), [OPENING[0], OPENING[2]])
    assert rows[1].turn == 2
    assert rows[1].recorded_fault is not None
    assert rows[1].recorded_fault.split(":")[0] == said.split(":")[0]
    assert rows[1].answered == OPENING[2]
    assert not rows[1].same
    gone = isinstance(last, ValueError)
    assert isinstance(player.told[-1], Expelled) != gone or gone


def test_a_player_that_sends_garbage_is_listed_and_then_refused() -> None:
    """The answers so far come first, with what was recorded at the failing question."""
    data = record(SMALL, 2, OPENING)
    player = Listener([OPENING[0], Garbled("not JSON", 2)], Ready())
    rows: list[Compared] = []
    with pytest.raises(BadInput, match=r"^bot: turn 2: malformed: not JSON$"):
        rows.extend(questions(Replay(data, "this match"), player, 0, name="bot"))
    assert [(row.turn, row.recorded, row.fault) for row in rows] == [
        (0, OPENING[0], None),
        (2, OPENING[2], "malformed: not JSON"),
    ]
