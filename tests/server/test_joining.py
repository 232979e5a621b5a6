"""The client side: joining a server, reconnecting, and giving up."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from server.matches import at, two
from server.rooms import DEADLINE, SMALL, Last, player, room, run, until
from touchline.client import connect, join
from touchline.client.connect import Away, Crashed, Incoming, NotLetIn
from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.players.address import ServerAddress

pytestmark = pytest.mark.usefixtures("both_loops")


def test_joining_waits_for_the_server() -> None:
    """It tries again until somebody answers, and says so once it begins to wait."""

    async def whole() -> None:
        async with room() as first:
            url = first.url
        waited: list[str] = []
        early = asyncio.create_task(player(url, "ann", waiting=waited.append))
        await until(lambda: waited)
        async with room(listen=(url,)) as here:
            await player(url, "bob")
            assert (await early).over
            assert (await here.result()).faults == ()

    run(whole())


def test_joining_nobody() -> None:
    """Where nobody comes up in time, that is said."""

    async def whole() -> None:
        async with room() as here:
            url = here.url
        listen = ServerAddress.read(url)
        with pytest.raises(Away, match=f"nobody answers at {url}: .*; is the server running"):
            await join.join(listen, registry.dialect("native").face(None), "lines", "ann", seconds=0.3)

    run(whole())


def test_joining_a_server_that_leaves() -> None:
    """Before the match is over: that is said; without a token there is no coming back."""

    async def whole() -> None:
        async with room(SMALL, 2, (at("seed-002"),)) as here:
            waiting = asyncio.create_task(player(here.url, "ann"))
            await until(lambda: here.server.waiting == 1)
            await here.server.stop(0)
            with pytest.raises(Away, match="the server hung up before the match was over"):
                await waiting

    run(whole())


@pytest.mark.parametrize(
    ("name", "key", "why"), [("referee", "k", "nobody may be called"), ("ann", None, "key")]
)
def test_joining_where_one_is_not_let_in(name: str, key: str | None, why: str) -> None:
    """The server's reason is told, and it is no match that was over."""

    async def whole() -> None:
        async with room(key="k") as here:
            with pytest.raises(NotLetIn, match=why):
                await player(here.url, name, key=key)

    run(whole())


def test_a_player_that_raises() -> None:
    """Is told apart from a server that says nonsense."""

    class Broken:
        def choose(self, view: Any, turn: int) -> Any:
            raise KeyError("oops")

    async def whole() -> None:
        async with room(patience=0) as here:
            other = asyncio.create_task(player(here.url, "bob"))
            await until(lambda: here.server.waiting == 1)
            with pytest.raises(Crashed, match="ann raised KeyError: 'oops'") as caught:
                await player(here.url, "ann", Broken())
            assert isinstance(caught.value.__cause__, KeyError)
            assert (await other).over
            assert [(one.seat, one.offence) for one in (await here.result()).faults] == [(1, Offence.GONE)]

    run(whole())


class Relay:
    """Between players and a server; it can break every connection, and let nobody through."""

    def __init__(self, url: str) -> None:
        self._to = ServerAddress.read(url)
        self._ways: list[asyncio.StreamWriter] = []
        self.calls = 0
        self.mute = False
        self.url = ""

    async def open(self) -> asyncio.Server:
        server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.url = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}/native"
        return server

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        self._ways.append(writer)
        if self.mute:
            self.cut()
            return
        far_reader, far_writer = await asyncio.open_connection(self._to.host, self._to.port)
        self._ways.append(far_writer)
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(4096):
                writer.write(data)
        writer.close()

    def cut(self) -> None:
        for way in self._ways:
            way.transport.abort()
        self._ways.clear()


class Cutting(Last):
    """Its connection breaks while it thinks."""

    def __init__(self, relay: Relay, loop: asyncio.AbstractEventLoop) -> None:
        self._relay, self._loop = relay, loop
        self.turns: list[int] = []

    def choose(self, view: Any, turn: int) -> Any:
        self.turns.append(turn)
        if len(self.turns) <= 2:
            self._loop.call_soon_threadsafe(self._relay.cut)
        return super().choose(view, turn)


def test_a_player_whose_connection_breaks_comes_back() -> None:
    """By itself, to its seat, in the middle of its turn, and more than once."""

    async def whole() -> None:
        async with room() as here:
            relay = Relay(here.url)
            async with await relay.open():
                bot = Cutting(relay, asyncio.get_running_loop())
                ann = asyncio.create_task(player(relay.url, "ann", bot))
                await until(lambda: here.server.waiting == 1)
                await player(here.url, "bob")
                assert (await ann).over
                assert (await here.result()).faults == ()
                assert relay.calls >= 2
                relay.cut()

    run(whole())


def test_a_place_in_the_lobby_is_taken_anew() -> None:
    """Who waits has no seat to come back to: when its connection breaks it signs up again."""

    async def whole() -> None:
        async with room() as here:
            relay = Relay(here.url)
            async with await relay.open():
                heard: list[bytes] = []
                ann = asyncio.create_task(player(relay.url, "ann", heard=heard.append))
                await until(lambda: heard)
                relay.cut()
                await until(lambda: len(heard) == 3)  # no seat has its token; and a new welcome
                await player(here.url, "bob")
                assert (await ann).over
                assert (await here.result()).faults == ()

    run(whole())


def test_coming_back_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody answers and hangs up without a word, it tries again for so long, with pauses."""
    monkeypatch.setattr(join, "RESUMING", 0.5)

    async def whole() -> None:
        async with room() as here:
            relay = Relay(here.url)
            async with await relay.open():
                heard: list[bytes] = []
                ann = asyncio.create_task(player(relay.url, "ann", heard=heard.append))
                await until(lambda: heard)
                bob = asyncio.create_task(player(here.url, "bob"))
                await until(lambda: len(heard) > 1)
                relay.mute = True
                relay.cut()
                with pytest.raises(Away):
                    await asyncio.wait_for(ann, DEADLINE)
                assert relay.calls < 10
                bob.cancel()
                await asyncio.gather(bob, return_exceptions=True)

    run(whole())


async def _nonsense(words: bytes) -> None:
    """Join a server that says this."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(words)
        with suppress(ConnectionError):
            await reader.read()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        await player(f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}/native", "ann", seconds=0.5)


def test_a_server_that_never_stops_talking() -> None:
    """No more than so much is kept of it while the player thinks."""
    closed: list[bool] = []
    connection: Any = SimpleNamespace(close=lambda at_once: closed.append(at_once), listen=lambda visit: None)

    async def whole() -> None:
        visit = Incoming(connection)
        for _ in range(connect.MOST_UNHEARD):
            visit.frame(b"{}")
        assert not closed
        visit.frame(b"{}")
        assert closed == [True]
        assert len([frame async for frame in visit.frames()]) == connect.MOST_UNHEARD + 1

    run(whole())


def test_a_server_that_says_nonsense() -> None:
    """It is no player's fault."""
    with pytest.raises(BadInput, match="the server said what cannot be read"):
        run(_nonsense(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    with pytest.raises(Away, match="before the match was over"):
        run(_nonsense(b"{}" * (1 << 20)))


def test_who_gives_up() -> None:
    """May do so at any time, and is blamed for nothing."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            await ann.hear_kind("your_turn")
            bob.say({"type": "resign", "why": "no"})
            assert await bob.rest() == [{"type": "expelled", "reason": "no"}]
            assert (await ann.hear_kind("over"))["outcome"]["winners"] == [0]
            result = await here.result()
            assert (result.resigned, result.faults) == ((1,), ())
            for caller in (ann, bob):
                await caller.gone()

    run(whole())
