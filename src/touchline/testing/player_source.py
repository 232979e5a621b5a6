"""Sources of players under test: programs that are started, or connections at an address.

Law of this file: one player for each session, and no program outlives its session.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from touchline.core.messages import Expelled
from touchline.dialects.base import Refusal
from touchline.players.process import Program
from touchline.players.process_connection import ProcessConnection
from touchline.sandbox.launch import NONE, Sandbox
from touchline.testing.player_session import STARTING, LoggedConnection, Session, StepFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.players.address import ServerAddress
    from touchline.transports.base import Connection

LOOK = 0.1
"""Seconds between two polls of the exit code of a client that has not connected yet."""
MOST_WAITING = 16
"""Connections that may queue for a later step; more are closed."""


class NoConnection(StepFailed):
    """No player connected in time."""


class PlayerSource(Protocol):
    """Opens a session with a new player for each step."""

    signs_up: bool
    """Whether a player signs up before it is seated."""

    last: Session | None
    """The session opened last."""
    program: Program | None
    """The program started last."""

    def session(self, what: str) -> AbstractAsyncContextManager[Session]:
        """Open a session with a new player for the step titled `what`, and end the player afterwards."""


class Programs:
    """Start a program for each session, and talk to it over its stdin and stdout."""

    signs_up = False

    def __init__(
        self,
        command: Sequence[str],
        spoken: type[Dialect],
        game: Game,
        seconds: float,
        sandbox: Sandbox = NONE,
        folder: Path | None = None,
        set_up: float = STARTING,
    ) -> None:
        """`folder` is where the program is started; the current one without it.

        `set_up` is the timeout of the first answer, in seconds.
        """
        self._set_up = set_up
        self._command, self._spoken, self._game, self._seconds = command, spoken, game, seconds
        self._sandbox, self._folder = sandbox, folder
        self.last: Session | None = None
        self.program: Program | None = None

    @asynccontextmanager
    async def session(self, what: str) -> AsyncIterator[Session]:
        self.program = program = Program(self._command, self._folder, self._sandbox)
        try:
            pipes = ProcessConnection(program)
            try:
                dialect = self._spoken(self._game)
                line = LoggedConnection(pipes)
                self.last = Session(line, dialect, self._seconds, program, self._set_up)
                yield self.last
            finally:
                pipes.release()
        finally:
            program.stop()


class Address:
    """Listen at an address and accept one player for each session; optionally start a client for it."""

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
        set_up: float = STARTING,
    ) -> None:
        self._set_up = set_up
        self._place, self._spoken, self._game = place, spoken, game
        self._seconds, self._connect, self._command = seconds, connect, command
        self._waiting = waiting
        self.last: Session | None = None
        self.program: Program | None = None
        self._port = place.port
        self._arrived: deque[LoggedConnection] = deque()
        self._news = asyncio.Event()
        """Set when a player connects, or the client closes its stdout."""

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
        self._arrived.append(LoggedConnection(connection))
        self._news.set()

    # -- one session --------------------------------------------------------------------------

    @asynccontextmanager
    async def session(self, what: str) -> AsyncIterator[Session]:
        self.program = program = self._started()
        pipes = None if program is None else ProcessConnection(program)
        try:
            if pipes is not None:
                pipes.listen(_Bystander(self._news))
            self._waiting(f"{what}: waiting for a player at {self._place.url(self._port)}")
            session = await self._signed_up(program)
            try:
                yield session
            finally:
                if not session.over:  # otherwise a client would reconnect, as after a broken connection
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
        while self._arrived:  # left over from the client of an earlier step
            self._arrived.popleft().close(at_once=True)
        filled = {"{host}": self._place.host, "{port}": str(self._port)}
        return Program([_filled(word, filled) for word in self._command])

    async def _signed_up(self, program: Program | None) -> Session:
        """Accept the next player that sends a frame; ignore connections that close without one."""
        deadline = asyncio.get_running_loop().time() + self._connect
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    connection = await self._next(program)
            except TimeoutError:
                raise NoConnection(f"no player connected within {self._connect:g} s") from None
            dialect = self._spoken(self._game)
            self.last = session = Session(connection, dialect, self._seconds, program, self._set_up)
            try:
                session.name = self._welcomed(session, await session.next_frame("sign-up"))
                return session
            except StepFailed:
                connection.close(at_once=True)
                if connection.ended is None:
                    raise

    async def _next(self, program: Program | None) -> LoggedConnection:
        while True:
            while self._arrived:
                connection = self._arrived.popleft()
                if connection.ended is None:
                    return connection
            if program is not None and program.exit_code() is not None:
                raise StepFailed(f"the program {program.ending()}; it had not signed up")
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):
                    await self._news.wait()

    def _welcomed(self, session: Session, frame: bytes) -> str:
        try:
            name = self._spoken.read_sign_up(frame).name
        except Refusal as refusal:
            raise StepFailed(f"its sign-up is refused: {refusal}") from None
        for welcome in self._spoken.welcome(name, "0" * 32):
            session.connection.send(welcome)
        return name


class _Bystander:
    """Discards what a client writes to its stdout, and reports when it closes it."""

    def __init__(self, news: asyncio.Event) -> None:
        self._news = news

    def frame(self, frame: bytes) -> None:
        """Ignore the output: the client plays over the network."""

    def lost(self, why: str) -> None:
        self._news.set()

    def flooded(self, why: str) -> None:
        self._news.set()

    def writable(self) -> None:
        """Do nothing: we write nothing to its stdin."""


def _filled(word: str, filled: dict[str, str]) -> str:
    for name, value in filled.items():
        word = word.replace(name, value)
    return word
