"""Players of the Fish course that other people might have written, on a network in virtual time."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from touchline.bots.fish_course import FishCourse as HousePlayer
from touchline.coursework.courses import fish
from touchline.coursework.courses.lenient import Prefix
from touchline.coursework.courses.signup import ServerOptions
from touchline.dialects.fish_course import FishCourse
from touchline.testing.virtual_network import NetworkLoop, run

if TYPE_CHECKING:
    from touchline.coursework.courses.news import News


@dataclass(frozen=True)
class Habits:
    """How a stranger writes and reads; the default is as the protocol has it."""

    bare_name: bool = False
    bare_void: bool = False
    newline: bool = True
    """Whether it ends what it sends with a newline."""
    prefix: Prefix | None = None
    exact: bool = False
    """Whether it takes what it reads at once for one message, and fails on anything after it."""
    lines: bool = False
    """Whether it reads whole lines only."""
    pieces: int = 1 << 16
    """The size in bytes of the pieces in which it sends."""


STRICT = Habits()
DEVIATIONS = {
    "bare name": Habits(bare_name=True),
    "bare name without end": Habits(bare_name=True, newline=False),
    "bare void": Habits(bare_void=True),
    "bare void without end": Habits(bare_void=True, newline=False),
    "fails on a newline": Habits(exact=True, newline=False),
    "two bytes of length": Habits(prefix=Prefix(2), newline=False),
    "four bytes of length": Habits(prefix=Prefix(4), newline=False),
    "four bytes, little-endian": Habits(prefix=Prefix(4, "little"), newline=False),
    "eight bytes of length": Habits(prefix=Prefix(8), newline=False),
    "digits and a colon": Habits(prefix=Prefix(0), newline=False),
    "everything bare, with lengths": Habits(
        bare_name=True, bare_void=True, prefix=Prefix(4), newline=False, pieces=3
    ),
}


class Stranger:
    """One client."""

    def __init__(self, name: str, habits: Habits) -> None:
        self.name, self.habits = name, habits
        self.calls: list[Any] = []
        """The calls that it could read."""
        self._face = FishCourse.face(HousePlayer(depth=1))

    async def play(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, NetworkLoop)
        reader, writer = await asyncio.open_connection(sock=await loop.connect(port))
        try:
            await self._send(writer, json.dumps(self.name).encode(), bare=self.habits.bare_name)
            while (call := await self._read(reader)) is not None:
                self.calls.append(json.loads(call))
                for answer in self._face.hear(call):
                    await self._send(writer, answer, bare=self.habits.bare_void and answer == b'"void"')
        except (ValueError, ConnectionError):
            pass  # it crashed on what it read
        finally:
            writer.close()

    async def _send(self, writer: asyncio.StreamWriter, message: bytes, *, bare: bool) -> None:
        habits = self.habits
        message = (message.strip(b'"') if bare else message) + b"\n" * habits.newline
        if habits.prefix is not None:
            message = habits.prefix.write(message)
        for at in range(0, len(message), habits.pieces):
            writer.write(message[at : at + habits.pieces])
            await asyncio.sleep(0)

    async def _read(self, reader: asyncio.StreamReader) -> bytes | None:
        habits = self.habits
        if habits.prefix is not None:
            return await self._prefixed(reader, habits.prefix)
        if habits.lines:
            return (await reader.readline()).strip() or None
        read = await reader.read(1 << 16)
        if habits.exact and read != read.strip():
            raise ValueError("something follows the value")
        while read and not read.strip():
            read = await reader.read(1 << 16)
        return read.strip() or None

    async def _prefixed(self, reader: asyncio.StreamReader, prefix: Prefix) -> bytes | None:
        try:
            if not prefix.size:
                length = int((await reader.readuntil(b":"))[:-1])
            else:
                head = await reader.readexactly(prefix.size)
                length = prefix.read(head)[1]  # type: ignore[index]
            return await reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return None


def tournament(
    players: list[Habits], *, lenient: bool, **options: Any
) -> tuple[Any, list[Stranger], list[News]]:
    """A tournament of these players, in virtual time: its result, the players, and what the server told."""
    news: list[News] = []
    strangers = [Stranger(chr(97 + number), habits) for number, habits in enumerate(players)]

    async def whole() -> Any:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        terms = ServerOptions(lenient=lenient, tell=news.append, **options)
        server = asyncio.create_task(
            fish.xserver(0, sign_up=5, call=5, listening=port.set_result, options=terms)
        )
        clients = []
        for stranger in strangers:
            clients.append(asyncio.create_task(stranger.play(await port)))
            await asyncio.sleep(0.5)
        result = await server
        await asyncio.gather(*clients)
        return result

    return run(whole()), strangers, news
