"""A server starts, or says why it cannot, and stops."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from server.matches import GAMES, MAZE, at, two
from server.rooms import DEADLINE, NATIVE, SMALL, Caller, guest, hello, play_on, room, run, until
from touchline.core.clock import Clock, Limits, micros
from touchline.core.errors import BadOptions, TouchlineError
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.players.address import ServerAddress
from touchline.server.server import Server

if TYPE_CHECKING:
    from touchline.core.rules import Game

pytestmark = pytest.mark.usefixtures("both_loops")


# -- what cannot be served -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "url", "why"),
    [
        (SMALL, "tcp://127.0.0.1:0/klingon", "no dialect is called 'klingon'; there are: fish-course"),
        (SMALL, "tcp://127.0.0.1:0/seed-001", "seed-001 is spoken in fish, not in hexapawn"),
        (Hexapawn(rows=9, cols=9), "tcp://127.0.0.1:0/seed-002", "at most 8 rows"),
        (SMALL, "tcp://0.0.0.0:0/seed-002", "no word for the key that a seat needs"),
        (
            SMALL,
            "tcp://no-such-host.invalid:0/native",
            "cannot listen at tcp://no-such-host.invalid:0/native: ",
        ),
    ],
)
def test_a_door_that_cannot_be_opened(game: Game, url: str, why: str) -> None:
    """Says so before anybody has come."""

    async def whole() -> None:
        server = Server(game, 2, key="the key")
        with pytest.raises(TouchlineError, match=why):
            await server.listen(ServerAddress.read(url))
        await server.stop(0)

    run(whole())


def test_a_port_that_is_taken() -> None:
    async def whole() -> None:
        async with room() as here:
            with pytest.raises(BadOptions, match="Address already in use"):
                await here.server.listen(ServerAddress.read(here.url))

    run(whole())


def test_a_game_that_cannot_begin() -> None:
    """A board without room for so many is found out before anybody has come."""

    async def whole() -> None:
        with pytest.raises(BadOptions, match="fish"):
            Server(Fish(rows=2, cols=2), 4)
        with pytest.raises(BadOptions, match="fish"):
            Server(Fish(rows=2, cols=4), 4, least=2)

    run(whole())


# -- the end -------------------------------------------------------------------------------------------


def test_no_more_tables() -> None:
    """After the last one nobody is let in, and when it is over the server is done."""

    async def whole() -> None:
        async with room(tables=1) as here:
            ann, bob = await two(here)
            assert not here.server.idle.is_set()
            late = await Caller.at(here.url, hello("cyd"))
            assert await late.rest() == [{"type": "expelled", "reason": "it is too late to sign up"}]
            await asyncio.gather(play_on(ann), play_on(bob))
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)
            await late.gone()

    run(whole())


@pytest.mark.parametrize(("game", "dialect", "words"), [
    ("hexapawn", "native", [{"type": "expelled", "reason": "the server takes nobody more"}]),
    ("fish", "seed-000", [["terminate", []]]),
    ("fish", "seed-001", [["notifyBanned", ["the server takes nobody more"]]]),
    ("hexapawn", "seed-002", []),
    ("labyrinth", "seed-004", []),
])  # fmt: skip
def test_those_who_wait_are_told(game: str, dialect: str, words: list[Any]) -> None:
    """When the server stops, each in its own words if there are any, and their connections are closed."""

    async def whole() -> None:
        names = {"native": hello("ann"), "seed-002": b"ann\n", "seed-004": ["Signup", ["ann"]]}
        async with room(GAMES[game], 2, (at(dialect),)) as here:
            caller = await Caller.at(here.url, names.get(dialect, "ann"))
            await until(lambda: here.server.waiting == 1)
            await asyncio.wait_for(here.server.stop(60), DEADLINE)
            heard = await caller.rest()
            assert [
                word for word in heard if not (isinstance(word, dict) and word["type"] == "welcome")
            ] == words
            with pytest.raises(ConnectionRefusedError):
                await Caller.at(here.url)
            await caller.gone()

    run(whole())


def test_stopping_lets_a_match_finish() -> None:
    """Within the time it has; also one whose player must come back first."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            stopping = asyncio.create_task(here.server.stop(DEADLINE))
            await until(lambda: here.server._stopping)
            await ann.gone()
            back = await guest(here.url, "ann", token=ann.token)
            await asyncio.gather(play_on(back), play_on(bob))
            await stopping
            assert (await here.result()).verdict == "finished"

    run(whole())


def test_stopping_voids_what_does_not_finish() -> None:
    """Nobody has lost; everybody hears it, and the record is whole."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            await ann.hear_kind("your_turn")
            await asyncio.wait_for(here.server.stop(0.05), DEADLINE)
            result = await here.result()
            assert (result.verdict, result.reason, result.outcome) == ("void", "the server was stopped", None)
            for caller in (ann, bob):
                (last,) = await caller.rest()
                assert (last["type"], last["verdict"]) == ("over", "void")
                await caller.gone()

    run(whole())


def test_stopping_while_proposals_are_awaited() -> None:
    """There will be no match: everybody is sent away, and nothing begins afterwards."""

    async def whole() -> None:
        limits = Limits(set_up=micros(0.5), clock=Clock(micros(DEADLINE)))
        async with room(MAZE, 3, (at("seed-004"), NATIVE), limits=limits) as here:
            native = await guest(here.urls[1], "nat")
            callers = [await Caller.at(here.urls[0], ["Signup", [name]]) for name in ("ann", "bob")]
            for caller in callers:
                assert await caller.hear() == ["ProposeBoard", [5, 7]]
            callers[0].say([])
            await asyncio.wait_for(here.server.stop(0.05), DEADLINE)
            assert here.server.idle.is_set()
            assert await native.rest() == [{"type": "expelled", "reason": "the server was stopped"}]
            for caller in callers:
                assert await caller.rest() == []
            await asyncio.sleep(0.6)  # the time for proposals is up
            assert not here.events
            for caller in (native, *callers):
                await caller.gone()

    run(whole())
