"""A session with one player under test, message by message, in its dialect.

Law of this file: every wait has a deadline, and the last frames of both directions are logged.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from touchline.core.clock import micros
from touchline.core.messages import Expelled, Garbled, Over
from touchline.drivers.lateness import seen
from touchline.players.process_connection import ProcessConnection
from touchline.transports.shared.buffered import BufferedConnection

if TYPE_CHECKING:
    from touchline.core.clock import Micros
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.dialects.base import Dialect, Exchange
    from touchline.players.process import Program
    from touchline.players.progress import Progress
    from touchline.transports.base import Connection

STARTING = 10.0
"""Timeout of the first answer in seconds, unless another is chosen: it includes starting the program."""
QUIET = 0.2
"""Seconds to wait for a message from a player that was asked nothing."""
POLL = 0.01
"""Seconds between two polls of a program's exit code."""
MOST_SHOWN = 300
"""Characters of a frame to show; the rest is cut off."""
MOST_KEPT = 12
"""Frames to log: the last ones, both directions together."""


class StepFailed(Exception):
    """The player did not do what the step requires."""


def shown(frame: bytes, most: int | None = MOST_SHOWN) -> str:
    """Return a frame as one printable line, cut to `most` characters.

    >>> shown(b'["a",[]]'), shown(b"no" + bytes([27, 255]))
    ('["a",[]]', 'no\\\\x1b\\\\xff')
    """
    text = frame.decode(errors="backslashreplace")
    line = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return line if most is None or len(line) <= most else f"{line[:most]} ..."


class LoggedConnection(BufferedConnection):
    """A connection that logs the last frames of both directions."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection
        self.where = connection.where
        self.talk: deque[str] = deque(maxlen=MOST_KEPT)
        self.ended: str | None = None
        """How the other side ended the connection; None while it is open."""
        connection.listen(self)

    # -- callbacks of the connection ----------------------------------------------------------

    def frame(self, frame: bytes) -> None:
        self.talk.append(f"< {shown(frame)}")
        self.deliver([frame])

    def lost(self, why: str) -> None:
        self.ended = why
        self.fail("lost", why)

    def flooded(self, why: str) -> None:
        self.ended = why
        self.fail("flooded", why)

    def writable(self) -> None:
        if self.receiver is not None:
            self.receiver.writable()

    # -- the connection's own interface -------------------------------------------------------

    def send(self, frame: bytes) -> None:
        if not self.finished:
            self.talk.append(f"> {shown(frame)}")
            self._connection.send(frame)

    @property
    def taken(self) -> bool:
        return self._connection.taken

    @property
    def latency(self) -> Micros:
        return self._connection.latency

    @latency.setter
    def latency(self, value: Micros) -> None:
        self._connection.latency = value

    def measure(self) -> None:
        self._connection.measure()

    def progress(self, dialect: Dialect) -> Progress | None:
        """Return how far a program has come with its question; None for a player over the network."""
        connection = self._connection
        return connection.progress(dialect) if isinstance(connection, ProcessConnection) else None

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True
        self._connection.close(at_once=at_once)


class Session:
    """One connection to the player, and the referee's side of its dialect."""

    def __init__(
        self,
        connection: LoggedConnection,
        dialect: Dialect,
        seconds: float,
        program: Program | None = None,
        set_up: float = STARTING,
    ) -> None:
        """`seconds` is the timeout of an answer, `set_up` that of the first one if it is longer."""
        self.connection, self.dialect, self.seconds = connection, dialect, seconds
        self.program = program
        """The program that was started for this session, if any."""
        self.name = "you"
        self.over = False
        """Whether the player was told Over or Expelled."""
        self._limit, self._starting = max(seconds, set_up), True
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._said: deque[FromPlayer] = deque()
        connection.listen(self)

    # -- callbacks of the connection ----------------------------------------------------------

    def frame(self, frame: bytes) -> None:
        self._frames.put_nowait(frame)

    def lost(self, why: str) -> None:
        self._frames.put_nowait(None)

    def flooded(self, why: str) -> None:
        self._frames.put_nowait(None)

    def writable(self) -> None:
        """Do nothing: a step never waits for the player to read."""

    # -- for the steps ------------------------------------------------------------------------

    def say(self, message: ToPlayer) -> None:
        """Send a message in the dialect, now or once the player has answered the open call."""
        self.over = self.over or isinstance(message, Over | Expelled)
        self.exchange(self.dialect.say(message))

    def exchange(self, exchange: Exchange) -> None:
        """Send the frames of an exchange, and keep what the player said in it."""
        if exchange.frames and self.program is not None:
            self.program.usage.asked()
        for frame in exchange.frames:
            self.connection.send(frame)
        self._said += exchange.said

    async def hear(self, what: str) -> FromPlayer:
        """Return the player's next message. Raise StepFailed if none comes or it is malformed."""
        while not self._said:
            self.exchange(self.dialect.hear(await self.next_frame(what)))
        said = self._said.popleft()
        if isinstance(said, Garbled):
            raise StepFailed(f"no {what}: {said.why}")
        return said

    async def next_frame(self, what: str) -> bytes:
        """Return the next frame. Raise StepFailed if none comes before the timeout."""
        seconds, self._limit = self._limit, self.seconds
        starting, self._starting = self._starting, False
        try:
            async with asyncio.timeout(seconds):
                frame = await self._frames.get()
        except TimeoutError:
            raise StepFailed(f"no {what} within {seconds:g} s{self._seen(seconds, starting)}") from None
        if frame is None:
            self._frames.put_nowait(None)  # later reads see the end of the connection, too
            raise StepFailed(f"no {what}: it {self.connection.ended}")
        return frame

    def _seen(self, seconds: float, starting: bool) -> str:
        """Return what was seen of a program that is late."""
        progress = self.connection.progress(self.dialect)
        if progress is None or self.program is None:
            return ""
        return f"; {seen(progress, self.program.usage.spent(micros(seconds)), starting=starting)}"

    async def settle(self, what: str) -> None:
        """Wait until every call is answered. Raise StepFailed if one is not, or its answer is malformed."""
        while self.dialect.owes:
            self.exchange(self.dialect.hear(await self.next_frame(what)))
        for said in self._said:
            if isinstance(said, Garbled):
                raise StepFailed(f"no {what}: {said.why}")
        self._said.clear()

    async def be_silent(self) -> None:
        """Wait QUIET seconds. Raise StepFailed if the player sends a message or disconnects."""
        await self.settle("answer")
        await asyncio.sleep(QUIET)
        while not self._frames.empty():
            self.exchange(self.dialect.hear(await self.next_frame("silence")))
            self._check_silent()

    def _check_silent(self) -> None:
        if self._said:
            said = self._said.popleft()
            why = f": {said.why}" if isinstance(said, Garbled) else ""
            raise StepFailed(f"it sent a message although nothing was asked{why}")

    def hand_over(self) -> LoggedConnection:
        """Detach the connection and return it, for a referee that takes over."""
        self.connection.receiver, self.over = None, True
        return self.connection

    async def has_ended(self) -> bool:
        """Close the connection; return whether the program exits in time (True without a program)."""
        self.connection.close()
        if self.program is None:
            return True
        self.program.hang_up()
        deadline = asyncio.get_running_loop().time() + self.seconds
        while self.program.exit_code() is None:
            if asyncio.get_running_loop().time() > deadline:
                return False
            await asyncio.sleep(POLL)
        return True
