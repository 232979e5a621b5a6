"""Matches at a server: any dialect, any transport, many tables at once."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from server.matches import GAMES, MAZE, NAMES, all_play, at, two
from server.rooms import (
    DEADLINE,
    SMALL,
    Caller,
    Last,
    guest,
    hello,
    move,
    play_on,
    player,
    room,
    run,
    seated,
    until,
)
from touchline.core import registry
from touchline.core.clock import micros
from touchline.drivers.event_loop import AsyncMatch
from touchline.drivers.timekeeper import MOST_CREDIT
from touchline.games.fish import Fish
from touchline.transports.shared import sockets

if TYPE_CHECKING:
    from collections.abc import Callable


pytestmark = pytest.mark.usefixtures("both_loops")

SPOKEN = [
    (game, dialect)
    for game in GAMES
    for dialect in registry.dialects()
    if game in (registry.dialect(dialect).games or GAMES)
]


# -- a match -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "dialect"), SPOKEN)
def test_a_match_over_tcp(game: str, dialect: str) -> None:
    """In every dialect of every game."""

    async def whole() -> None:
        async with room(GAMES[game], 2, (at(dialect),)) as here:
            await all_play(here, [here.url] * 2)

    run(whole())


@pytest.mark.parametrize(
    ("game", "dialect"), [("hexapawn", "native"), ("fish", "seed-001"), ("labyrinth", "seed-004")]
)
def test_a_match_over_websocket(game: str, dialect: str) -> None:
    """The same players, the same dialects."""

    async def whole() -> None:
        async with room(GAMES[game], 2, (at(dialect, "ws"),)) as here:
            await all_play(here, [here.url] * 2)

    run(whole())


@pytest.mark.parametrize("game", GAMES)
def test_a_table_at_which_everybody_speaks_another_dialect(game: str) -> None:
    """One table, all the dialects of a game, over both transports."""
    spoken = [dialect for name, dialect in SPOKEN if name == game]
    doors = tuple(at(dialect, ("tcp", "ws")[number % 2]) for number, dialect in enumerate(spoken))

    async def whole() -> None:
        async with room(GAMES[game], len(doors), doors) as here:
            await all_play(here, here.urls)

    run(whole())


@pytest.mark.parametrize("last_first", [False, True])
def test_the_order_of_turns(last_first: bool) -> None:
    """Is the order of complete sign-ups, not of connections; or the last is first."""

    async def whole() -> None:
        async with room(Fish(rows=4, cols=4), 3, last_first=last_first) as here:
            callers = [await Caller.at(here.url) for _ in range(3)]
            callers[0].say(b'{"type":"hel')  # begins first, and is complete last
            for number in (2, 1):
                callers[number].say(hello(NAMES[number]))
                await callers[number].hear_kind("welcome")
            callers[0].say(b'lo","protocol":1,"name":"ann"}\n')
            await until(lambda: here.events[0])
            expected = ("cyd", "bob", "ann")
            assert here.begun().names == (expected[::-1] if last_first else expected)
            for caller in callers:
                await caller.gone()

    run(whole())


def test_players_of_the_house() -> None:
    """Fill the last seats at every table, each anew."""
    made: list[Last] = []

    def make(seed: str) -> Last:
        made.append(Last())
        return made[-1]

    async def whole() -> None:
        async with room(Fish(rows=4, cols=4), 3, house=[("one", make), ("two", make)]) as here:
            for number in range(2):
                await player(here.url, "ann")
                assert (await here.result(number)).verdict == "finished"
                assert here.begun(number).names == ("ann", "one", "two")
            assert len(made) == 4

    run(whole())


def test_nobody_waits_for_a_player_of_the_house() -> None:
    """At the first table it thinks until the match at the second is over."""
    let = threading.Event()
    waits: list[Callable[[], bool]] = [lambda: let.wait(DEADLINE), lambda: True]

    class Slow(Last):
        def __init__(self) -> None:
            self._wait = waits.pop(0)

        def choose(self, view: Any, turn: int) -> Any:
            assert self._wait()
            return super().choose(view, turn)

    async def whole() -> None:
        async with room(SMALL, 2, house=[("slow", lambda seed: Slow())]) as here:
            ann = asyncio.create_task(player(here.url, "ann"))
            await until(lambda: len(waits) == 1)
            await player(here.url, "bob")
            assert (await here.result(1)).verdict == "finished"
            assert not ann.done()
            let.set()
            await ann
            assert (await here.result(0)).verdict == "finished"

    run(whole())


def test_the_wire_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record has what a seat thought and what the wire took apart, and no wire takes more than so long."""
    monkeypatch.setattr(sockets, "round_trip", lambda sock: micros(5))

    async def whole() -> None:
        async with room() as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await seated(ann, bob)
            asked = await ann.hear_kind("your_turn")
            assert asked["latency"] == 5000
            await asyncio.sleep(0.15)
            ann.say(move(SMALL, asked))
            await asyncio.gather(play_on(ann), play_on(bob))
            await here.result()
            first, *others = here.moves()
            assert first.wire == MOST_CREDIT
            assert first.took >= micros(0.15) - MOST_CREDIT
            assert all(0 <= event.wire <= MOST_CREDIT for event in others)

    run(whole())


def test_the_wire_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as long as the kernel says, which is something, also on loopback."""
    said, real = list[int](), sockets.round_trip

    def noted(sock: Any) -> int:
        said.append(real(sock))
        return said[-1]

    monkeypatch.setattr(sockets, "round_trip", noted)

    async def whole() -> None:
        async with room() as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await seated(ann, bob)
            asked = await ann.hear_kind("your_turn")
            await asyncio.sleep(0.05)
            ann.say(move(SMALL, asked))
            await asyncio.gather(play_on(ann), play_on(bob))
            await here.result()
            first = here.moves()[0]
            assert first.took + first.wire >= micros(0.04)
            assert first.wire > 0
            assert first.wire in [min(measured, MOST_CREDIT) for measured in said]

    run(whole())


# -- many tables ---------------------------------------------------------------------------------------


def test_fifty_tables() -> None:
    """All at once, and all are finished without a fault."""

    async def whole() -> None:
        async with room(tables=50) as here:
            guests = [await guest(here.url, f"player {number}") for number in range(100)]
            await asyncio.gather(*map(play_on, guests))
            await until(lambda: len(here.results) == 50)
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)
            for number in range(50):
                result = await here.result(number)
                assert (result.verdict, result.faults) == ("finished", ())

    run(whole())


@pytest.mark.parametrize("words", [b"x\n" * 100, b"[" * 70_000, b'{"type":"ready"}\n' * 20, b"x\n", b"\xff"])
def test_a_rogue_harms_nobody_at_another_table(words: bytes) -> None:
    """Ten tables of honest players finish meanwhile; its own opponent wins, as soon as a line is whole."""

    async def whole() -> None:
        async with room() as here:
            rogue, victim = await two(here)
            await rogue.hear_kind("your_turn")
            for _ in range(100):
                rogue.say(words)
            honest = [await guest(here.url, f"player {number}") for number in range(20)]
            await asyncio.gather(*map(play_on, honest))
            for number in range(1, 11):
                result = await here.result(number)
                assert (result.verdict, result.faults) == ("finished", ())
            if words != b"\xff":
                assert (await victim.hear_kind("over"))["outcome"]["winners"] == [1]
                assert {one.seat for one in (await here.result(0)).faults} == {0}
            for caller in (rogue, victim):
                await caller.gone()

    run(whole())


@pytest.mark.parametrize("part", ["_observers", "open"])
def test_a_table_that_cannot_be_opened(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Because its record cannot be written, say: that costs its players a match, and nobody else anything."""

    def broken(*args: Any) -> None:
        raise OSError("no space left on device")

    async def whole() -> None:
        async with room(tables=2) as here:
            with monkeypatch.context() as patch:
                broken_part: Any = AsyncMatch if part == "open" else here.server
                patch.setattr(broken_part, part, broken)
                ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
                for caller in (ann, bob):
                    assert await caller.rest() == [{"type": "expelled", "reason": "the table broke"}]
                    await caller.gone()
            assert not here.server._seated
            await asyncio.gather(*[play_on(await guest(here.url, name)) for name in ("ann", "bob")])
            assert (await here.result(1)).verdict == "finished"
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)

    run(whole())


def test_whoever_is_told_may_fail() -> None:
    """The server goes on, and is done when it is done."""

    def told(*args: Any) -> None:
        raise BrokenPipeError

    async def whole() -> None:
        async with room(tables=1, told=told) as here:
            await asyncio.gather(*[play_on(await guest(here.url, name)) for name in ("ann", "bob")])
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)

    run(whole())


def test_nothing_is_kept_of_a_match() -> None:
    """When it is over and everybody has gone, neither seats nor guests nor those who leave are remembered."""

    async def whole() -> None:
        async with room(MAZE, 2, (at("seed-004"),)) as here:
            for _ in range(3):
                await asyncio.gather(*(player(here.url, name) for name in ("ann", "bob")))
            server = here.server
            await until(lambda: not server._leaving)
            assert (server._seated, server._running, server._starting, server.waiting) == ({}, {}, {}, 0)

    run(whole())
