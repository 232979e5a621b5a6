"""Whatever is in a record, it can be rerun, replayed into a player of any dialect, and shrunk."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from referee.driven import choices, play, table
from touchline.bots.random import Random as RandomBot
from touchline.core import registry
from touchline.core.events import encode
from touchline.core.happenings import Note, Tell
from touchline.core.messages import YourTurn
from touchline.drivers.match import opened
from touchline.drivers.one_player import one_player
from touchline.games import labyrinth
from touchline.players.by_name import in_dialect
from touchline.records.questions import questions
from touchline.records.replay import Replay
from touchline.records.rerun import rerun
from touchline.records.script import legal_part, script_of
from touchline.records.trial import Trials, trial_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import Game, Seat

EVERYDAY = 200
SLOW = 8_000


@pytest.fixture(scope="module", autouse=True)
def few_rounds() -> Iterator[None]:
    """A game of Labyrinth is over after a few rounds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labyrinth, "ROUNDS", 5)
        yield


def records(first: int, count: int) -> Iterator[tuple[Random, Replay]]:
    """Yield records of matches in which anything happened that can happen."""
    for number in range(first, first + count):
        rng = Random(f"any record {number}")
        played = play(table(rng, number), choices(rng, rng.choice((4, 12, 25, 60))))
        replay = Replay(played.record, f"record {number}")
        if replay.ended is not None:
            yield rng, replay


def spoken(rng: Random, game: Game) -> str | None:
    """Return a dialect that has words for this game, drawn at random; None is a bot without one."""
    able: list[str | None] = [None, "native"]
    if getattr(game, "rules", "") == "commercial":
        return rng.choice(able)  # the notes have no words for these rules
    for name in registry.dialects():
        try:
            registry.dialect(name)(game)
        except Exception:  # it has no words for these options
            continue
        if game.name in (registry.dialect(name).games or (game.name,)):
            able.append(name)
    return rng.choice(able)


def asked(replay: Replay, seat: Seat) -> list[int]:
    """Return the turns in which a seat was asked."""
    turns = [
        effect.message.turn
        for _, effects in rerun(replay)
        for effect in effects
        if isinstance(effect, Tell) and effect.seat == seat and isinstance(effect.message, YourTurn)
    ]
    return list(dict.fromkeys(turns))


def check(rng: Random, replay: Replay) -> None:
    seat, dialect = rng.randrange(len(replay.begun.names)), spoken(rng, replay.game)
    noted = [effect.event for _, effects in rerun(replay) for effect in effects if isinstance(effect, Note)]
    assert [encode(event) for event in noted] == replay.lines[1:]
    made: Any = in_dialect(RandomBot(Random(1)), dialect, replay.game, 1)
    rows = list(questions(replay, one_player(made, replay.game, seat, dialect), seat))
    # It is told the truth, so it never answers with an illegal move, and is asked what the seat was asked.
    assert [row.fault for row in rows] == [None] * len(rows)
    turns = list(dict.fromkeys(row.turn for row in rows))
    assert turns == asked(replay, seat)
    check_trial(rng, replay, seat, dialect)


def check_trial(rng: Random, replay: Replay, seat: Seat, dialect: str | None) -> None:
    """Try a bot that crashes at some turn on the script of the record, and verify what comes out."""
    limit = rng.choice((0, 3, 6))

    class Crash(RandomBot):
        def choose(self, view: Any, turn: int = 0) -> Any:
            if turn >= limit:
                raise KeyError(turn)
            return super().choose(view, turn)

    script = legal_part(opened(replay.spec()), script_of(replay, seat))
    trials = Trials(
        trial_spec(replay, seat, "bot", 10),
        seat,
        lambda: one_player(in_dialect(Crash(Random(1)), dialect, replay.game, 1), replay.game, seat, dialect),
    )
    failure = trials.first(script)
    if failure is not None:
        assert (failure.offence, failure.reason.split(":")[0]) == ("gone", "raised KeyError")
        assert failure.steps <= len(script)
        Replay(b"".join(encode(event) + b"\n" for event in failure.events), "shrunk").verify()


def checked(first: int, count: int) -> int:
    done = 0
    for rng, replay in records(first, count):
        try:
            check(rng, replay)
        except Exception as error:
            error.add_note(replay.where)
            raise
        done += 1
    return done


def test_any_record() -> None:
    """A legal player that is told a record in any dialect stays legal; every trial is a record, too."""
    assert checked(0, EVERYDAY) > EVERYDAY // 2


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("chunk", range(8))
def test_any_record_at_length(chunk: int) -> None:
    """The same for thousands of other records."""
    count = SLOW // 8
    assert checked(1_000_000 + chunk * count, count) > count // 2
