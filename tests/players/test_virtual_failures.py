"""Deadlocks, failures of our own, and slow ends, in virtual time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from players.rogue_tables import table_with, thinker
from players.tables import SECOND, TABLES, played, terms, tired
from touchline.core.clock import UNTIMED
from touchline.core.conduct import Offence
from touchline.core.events import Faulted, Ignored
from touchline.dialects.native import Native
from touchline.drivers import event_loop
from touchline.testing import virtual_time
from touchline.testing.rogues import READY, ROGUES, Script, Scripted, answer, until_turn
from touchline.testing.scripts import Read, Sleep, Write

if TYPE_CHECKING:
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game
    from touchline.dialects.base import Exchange
    from touchline.players.base import Player


def test_where_nothing_can_happen_it_is_a_deadlock() -> None:
    """Without clocks, a match against a player that says nothing would hang; virtual time says so."""
    game, seats = TABLES["hexapawn"]

    def silent() -> Script:
        while True:
            yield Read()

    loop = virtual_time.VirtualLoop()
    players = [Scripted(silent, game), Scripted(tired, game)]
    match = loop.create_task(event_loop.play(terms(game, seats, limits=UNTIMED), players))
    with pytest.raises(virtual_time.Deadlock):
        loop.run_until_complete(match)
    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(match)
    assert not asyncio.all_tasks(loop)
    loop.close()


def test_waiting_for_what_nobody_will_do_is_a_deadlock() -> None:
    """The simplest hang there is; what waited for ever is ended."""
    waiting: list[asyncio.Task[Any] | None] = []

    async def hang() -> None:
        waiting.append(asyncio.current_task())
        await asyncio.get_running_loop().create_future()

    with pytest.raises(virtual_time.Deadlock):
        virtual_time.run(hang())
    (task,) = waiting
    assert task is not None
    assert task.done()


class BrokenDialect(Native):
    """A dialect that fails in a way nobody foresaw, after so many calls."""

    def __init__(self, game: Game, where: str, after: int) -> None:
        super().__init__(game)
        self.where, self.after = where, after
        decode = self.decode_answer

        def decode_answer(frame: bytes) -> Any:
            self._break("hear")
            return decode(frame)

        self.decode_answer = decode_answer

    def _break(self, where: str) -> None:
        if where == self.where:
            if self.after == 0:
                raise KeyError("nobody foresaw this")
            self.after -= 1

    def say(self, message: ToPlayer) -> Exchange:
        self._break("say")
        return super().say(message)

    def hear(self, frame: bytes, waited: int = 0) -> Exchange:
        self._break("hear")
        return super().hear(frame, waited)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("where", "after"), [("hear", 0), ("hear", 1), ("hear", 3), ("say", 0), ("say", 1)])
def test_what_nobody_foresaw_makes_the_match_void(table: str, where: str, after: int) -> None:
    """An error of ours is nobody's loss, every task ends, and the player is parted with."""
    game, seats = TABLES[table]
    broken = Scripted(thinker(0.001), game)
    broken.dialect = BrokenDialect(game, where, after)
    players: list[Player] = [broken, *(Scripted(thinker(0.001), game) for _ in range(seats - 1))]
    match = played(terms(game, seats), players)
    assert match.result.verdict == "void"
    assert match.result.outcome is None
    assert match.result.expelled == ()
    assert "nobody foresaw this" in match.result.reason


class Clinging(Scripted):
    """A player that cannot be parted with."""

    tried = 0

    def close(self, *, at_once: bool) -> None:
        self.tried += 1
        super().close(at_once=at_once)
        raise KeyError("nobody foresaw this")


def test_a_player_that_cannot_be_parted_with_changes_nothing() -> None:
    """If closing fails, the result stands, and the others are parted with."""
    game, seats = TABLES["hexapawn"]
    clinging = Clinging(ROGUES["sleeper"][0], game)
    match = played(terms(game, seats), [clinging, Scripted(tired, game)])
    assert match.offences(0) == [Offence.LATE]
    assert match.result.verdict == "finished"
    assert clinging.tried == 1


class Lingering(Scripted):
    """A player that needs an hour to go."""

    def close(self, *, at_once: bool) -> Any:
        super().close(at_once=at_once)
        return asyncio.sleep(3600)


def test_those_who_leave_slowly_are_waited_for() -> None:
    """A match is over for us when everybody has gone, those who were sent away early as well."""
    game, seats = TABLES["hexapawn"]

    async def hours(first: Player, second: Player) -> float:
        await event_loop.play(terms(game, seats), [first, second])
        return asyncio.get_running_loop().time() / 3600

    for first, second in ((Lingering, Scripted), (Scripted, Lingering)):
        assert 1 <= virtual_time.run(hours(first(tired, game), second(tired, game))) < 1.1
    sleeper = Lingering(ROGUES["sleeper"][0], game)
    assert 1 <= virtual_time.run(hours(sleeper, Scripted(tired, game))) < 1.1


def test_an_observer_that_fails_is_dropped() -> None:
    """The match goes on without it, and the others see everything."""
    game, seats = TABLES["hexapawn"]
    seen: list[object] = []

    def fails(event: object) -> None:
        raise ValueError("an observer's own trouble")

    async def match() -> None:
        players = [Scripted(tired, game) for _ in range(seats)]
        result = await event_loop.play(terms(game, seats), players, [fails, seen.append])
        assert result.verdict == "finished"

    virtual_time.run(match())
    assert len(seen) > 5


def test_the_same_match_takes_the_same_course() -> None:
    """In virtual time a match is the same to the byte, however often it is played."""
    game, seats = TABLES["fish"]
    first, second = (table_with({1: "early_bird", 2: "late"}, game, seats) for _ in range(2))
    assert first.record == second.record


def test_stale_answers_are_not_free_for_ever() -> None:
    """A seat that sends thousands of answers to a turn long gone is stopped, and does not fill the record."""

    def stale() -> Script:
        yield from until_turn(1)
        for _ in range(3000):
            yield Write(answer(0, None).replace(b"null", b'{"from":[0,0],"to":[1,0]}'))
            yield Sleep(0.0001)
        yield Sleep(3600)

    game, seats = TABLES["hexapawn"]
    match = played(terms(game, seats), [Scripted(stale, game), Scripted(tired, game)])
    assert match.unharmed(1)
    assert sum(isinstance(event, Ignored) for event in match.events) <= 1000


def test_said_ready_twice() -> None:
    """A second `ready` answers no question."""

    def eager() -> Script:
        yield Read()
        yield Write(READY + READY)
        yield Sleep(3600)

    game, seats = TABLES["hexapawn"]
    match = played(terms(game, seats, limits=SECOND), [Scripted(tired, game), Scripted(eager, game)])
    assert match.offences(1)[0] is Offence.OUT_OF_TURN
    assert match.unharmed(0)
    assert next(event.seat for event in match.events if isinstance(event, Faulted)) == 1
