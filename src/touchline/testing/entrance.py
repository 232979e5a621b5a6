"""Where players under test come from: programs that are started, or connections at an address.

Law of this file: one player for every session, and no program outlives its session.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from touchline.core.messages import Expelled
from touchline.dialects.base import Refusal
from touchline.players.process import Program
from touchline.players.process_connection import PipedConnection
from touchline.testing.session import Session, Tapped, Unmet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.players.address import ServerAddress
    from touchline.transports.base import Connection

LOOK = 0.1
"""Seconds between two looks at whether a program has ended that has not connected."""
MOST_WAITING = 16
"""Connections that may wait for a later step."""


class NobodyCame(Unmet):
    """No player connected in time."""


class Entrance(Protocol):
    """Where players under test come from."""

    signs_up: bool
    """Whether a player signs up before it is seated."""

    last: Session | None
    """The session that was opened last."""
    program: Program | None
    """The program that was started last."""

    def session(self, what: str) -> AbstractAsyncContextManager[Session]:
        """One player for the step that is called this; afterwards it is gone."""


class Programs:
    """Start a program for every session, and speak to it over its stdin and stdout."""

    signs_up = False

    def __init__(self, command: Sequence[str], spoken: type[Dialect], game: Game, seconds: float) -> None:
        self._command, self._spoken, self._game, self._seconds = command, spoken, game, seconds
        self.last: Session | None = None
        self.program: Program | None = None

    @asynccontextmanager
    async def session(self, what: str) -> AsyncIterator[Session]:
        self.program = program = Program(self._command)
        try:
            pipes = PipedConnection(program)
            try:
                dialect = self._spoken(self._game)
                self.last = Session(Tapped(pipes), dialect, self._seconds, program)
                yield self.last
            finally:
                pipes.release()
        finally:
            program.stop()


class Address:
    """Listen at an address, and let one player in for every session, which a command may be started for."""

    signs_up = True

    def __init__(
        self,
        place: ServerAddress,
        spoken: type[Dialect],
        game: Game,
        seconds: float,
        connect: float,
        command: Sequence[str] = (),
        waiting: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._place, self._spoken, self._game = place, spoken, game
        self._seconds, self._connect, self._command = seconds, connect, command
        self._waiting = waiting
        self.last: Session | None = None
        self.program: Program | None = None
        self._port = place.port
        self._arrived: deque[Tapped] = deque()
        self._news = asyncio.Event()
        """Set when a player has connected, or a program has closed its output."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Address]:
        server = await self._place.listen(self._spoken.framing, self._connected)
        self._port = server.port
        try:
            yield self
        finally:
            server.close()
            for connection in self._arrived:
                connection.close(at_once=True)

    def _connected(self, connection: Connection) -> None:
        if len(self._arrived) >= MOST_WAITING:
            connection.close(at_once=True)
            return
        self._arrived.append(Tapped(connection))
        self._news.set()

    # -- one session --------------------------------------------------------------------------

    @asynccontextmanager
    async def session(self, what: str) -> AsyncIterator[Session]:
        self.program = program = self._started()
        pipes = None if program is None else PipedConnection(program)
        try:
            if pipes is not None:
                pipes.listen(_Bystander(self._news))
            self._waiting(f"{what}: waiting for a player at {self._place.url(self._port)}")
            session = await self._signed_up(program)
            try:
                yield session
            finally:
                if not session.over:  # so that it does not take this for a connection that broke
                    session.say(Expelled("this step is over"))
                session.connection.close()
        finally:
            if pipes is not None:
                pipes.release()
            if program is not None:
                program.stop()

    def _started(self) -> Program | None:
        if not self._command:
            return None
        while self._arrived:  # from a program that is gone
            self._arrived.popleft().close(at_once=True)
        filled = {"{host}": self._place.host, "{port}": str(self._port)}
        return Program([_filled(word, filled) for word in self._command])

    async def _signed_up(self, program: Program | None) -> Session:
        """Let in the next player that says something; one that hangs up without a word does not count."""
        deadline = asyncio.get_running_loop().time() + self._connect
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    connection = await self._next(program)
            except TimeoutError:
                raise NobodyCame(f"no player connected within {self._connect:g} s") from None
            dialect = self._spoken(self._game)
            self.last = session = Session(connection, dialect, self._seconds, program)
            try:
                session.name = self._welcomed(session, await session.next_frame("sign-up"))
                return session
            except Unmet:
                connection.close(at_once=True)
                if connection.ended is None:
                    raise

    async def _next(self, program: Program | None) -> Tapped:
        while True:
            while self._arrived:
                connection = self._arrived.popleft()
                if connection.ended is None:
                    return connection
            if program is not None and program.exit_code() is not None:
                raise Unmet(f"the program {program.ending()} before it had signed up")
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):
                    await self._news.wait()

    def _welcomed(self, session: Session, frame: bytes) -> str:
        try:
            name = self._spoken.read_sign_up(frame).name
        except Refusal as refusal:
            raise Unmet(f"its sign-up is refused: {refusal}") from None
        for welcome in self._spoken.welcome(name, "0" * 32):
            session.connection.send(welcome)
        return name


class _Bystander:
    """Drains what a client writes to its stdout, and tells when it closes that."""

    def __init__(self, news: asyncio.Event) -> None:
        self._news = news

    def frame(self, frame: bytes) -> None:
        """It plays over the network; this is for its author."""

    def lost(self, why: str) -> None:
        self._news.set()

    def flooded(self, why: str) -> None:
        self._news.set()

    def writable(self) -> None:
        """Nothing is written to it."""


def _filled(word: str, filled: dict[str, str]) -> str:
    for name, value in filled.items():
        word = word.replace(name, value)
    return word
