"""A server on loopback for a test, and those who call there: raw connections, and players with faces."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from touchline.client.join import join
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import Begun, Moved, encode
from touchline.games.hexapawn import Hexapawn
from touchline.players.address import ServerAddress
from touchline.records.replay import Replay
from touchline.server.server import Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from touchline.core.events import Event, Result
    from touchline.core.rules import Game
    from touchline.dialects.base import Face
    from touchline.drivers.match import MatchSpec
    from touchline.records.side_file import Secret

T = TypeVar("T")

DEADLINE = 20.0
"""Seconds after which whatever a test waits for will not come."""
NATIVE = "tcp://127.0.0.1:0/native"
SMALL = Hexapawn(rows=3, cols=3)
UNHURRIED = Limits(set_up=micros(DEADLINE), clock=Clock(micros(DEADLINE)))


LOOPS: list[Callable[[], asyncio.AbstractEventLoop] | None] = [None]
"""The last makes the loop of a test; None is the usual one."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """A test, which takes no longer than it may, and in which nothing is raised where nobody hears it."""
    unheard: list[Any] = []

    async def whole() -> T:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: unheard.append(context))
        return await asyncio.wait_for(main, 2 * DEADLINE)

    with asyncio.Runner(loop_factory=LOOPS[-1]) as runner:
        done = runner.run(whole())
    assert not unheard, unheard
    return done


async def until(condition: Callable[[], object], seconds: float = DEADLINE) -> None:
    """Wait for something to be so."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - of most things nobody is told
            await asyncio.sleep(0.002)


class Last:
    """Makes the last legal move: in Labyrinth that is to pass, so a game is over soon."""

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[-1]


class Room:
    """A server, and what happened at its tables."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.events: dict[int, list[Event]] = defaultdict(list)
        self.results: dict[int, Result] = {}
        self.server: Server

    def watch(self, number: int, spec: MatchSpec, secret: Secret) -> list[Callable[[Event], None]]:
        return [self.events[number].append]

    def hear(self, number: int, spec: MatchSpec, result: Result) -> None:
        self.results[number] = result

    @property
    def url(self) -> str:
        return self.urls[0]

    async def result(self, number: int = 0) -> Result:
        """How a table ended; its record must prove itself."""
        await until(lambda: number in self.results)
        lines = b"".join(encode(event) + b"\n" for event in self.events[number])
        Replay(lines, f"table {number}").verify()
        return self.results[number]

    def begun(self, number: int = 0) -> Begun:
        first = self.events[number][0]
        assert isinstance(first, Begun)
        return first

    def moves(self, number: int = 0) -> list[Moved]:
        return [event for event in self.events[number] if isinstance(event, Moved)]


@asynccontextmanager
async def room(
    game: Game = SMALL, seats: int = 2, listen: tuple[str, ...] = (NATIVE,), **options: Any
) -> AsyncIterator[Room]:
    """A server that listens on free ports; whatever happens, it is stopped afterwards."""
    here = Room()
    given = {"limits": UNHURRIED, "observers": here.watch, "told": here.hear, **options}
    here.server = Server(game, seats, **given)
    try:
        here.urls = [await here.server.listen(ServerAddress.read(url)) for url in listen]
        yield here
    finally:
        await here.server.stop(0)


class Caller:
    """A raw connection to a door over TCP: it says what it is told to, and hears frame by frame."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.token = ""

    @classmethod
    async def at(cls, url: str, *first: Any) -> Caller:
        """Connect, and say these words."""
        listen = ServerAddress.read(url)
        caller = cls(*await asyncio.open_connection(listen.host, listen.port, limit=1 << 20))
        for word in first:
            caller.say(word)
        return caller

    def say(self, word: Any) -> None:
        """Bytes as they are; everything else as a line of JSON."""
        self._writer.write(word if isinstance(word, bytes) else msgspec.json.encode(word) + b"\n")

    async def hear(self) -> Any:
        """The next frame; None if there will be no other."""
        async with asyncio.timeout(DEADLINE):
            with suppress(ConnectionError):
                line = await self._reader.readline()
                return msgspec.json.decode(line) if line else None
        return None

    async def hear_kind(self, kind: str) -> Any:
        """The next frame, which must be a word of native of this kind."""
        said = await self.hear()
        assert said is not None, f"hung up instead of {kind}"
        assert said["type"] == kind, said
        return said

    async def rest(self) -> list[Any]:
        """What still comes until the other side has hung up."""
        frames = []
        while (frame := await self.hear()) is not None:
            frames.append(frame)
        return frames

    @property
    def hung_up(self) -> bool:
        """Whether the other side has hung up, without reading on."""
        return self._reader.at_eof() or self._reader.exception() is not None

    async def gone(self) -> None:
        """Hang up."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


def hello(name: str, **others: Any) -> dict[str, Any]:
    return {"type": "hello", "protocol": 1, "name": name, **others}


async def guest(url: str, name: str, **others: Any) -> Caller:
    """Somebody who has signed up in native."""
    caller = await Caller.at(url, hello(name, **others))
    caller.token = (await caller.hear_kind("welcome"))["token"]
    return caller


async def seated(*callers: Caller) -> None:
    """These hear that a match begins, and are ready."""
    for caller in callers:
        await caller.hear_kind("begin")
        caller.say({"type": "ready"})


def move(game: Game, asked: dict[str, Any]) -> dict[str, Any]:
    """A legal answer to `your_turn`."""
    view = game.restore(msgspec.convert(asked["position"], game.Position))
    return {"type": "act", "turn": asked["turn"], "move": msgspec.to_builtins(view.legal_moves()[-1])}


async def play_on(caller: Caller, game: Game = SMALL) -> Any:
    """Play native to the end; the last word."""
    last = None
    while (said := await caller.hear()) is not None:
        last = said
        if said["type"] == "begin":
            caller.say({"type": "ready"})
        elif said["type"] == "your_turn":
            caller.say(move(game, said))
    await caller.gone()
    return last


async def player(url: str, name: str, bot: Any = None, *, seconds: float = DEADLINE, **options: Any) -> Face:
    """A player with the face of whatever dialect is spoken there, to the end of its match."""
    listen = ServerAddress.read(url)
    module = registry.dialect(listen.dialect)
    face: Face = module.face(bot or Last(), rng=Random(name))
    await join(listen, face, module.framing, name, seconds=seconds, **options)
    return face
