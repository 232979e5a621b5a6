"""One conversation with a player under test, message by message, in its dialect.

Law of this file: every wait has a deadline, and frames in both directions are kept as they were on the wire.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from touchline.core.messages import Expelled, Garbled, Over
from touchline.transports.shared.buffered import BufferedConnection

if TYPE_CHECKING:
    from touchline.core.clock import Micros
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.dialects.base import Dialect, Exchange
    from touchline.players.process import Program
    from touchline.transports.base import Connection

STARTING = 10.0
"""Seconds that the first answer may take at least, for a program starts in them."""
QUIET = 0.2
"""Seconds of silence after which a player that was asked nothing has said nothing."""
POLL = 0.01
"""Seconds between two looks at whether a program has ended."""
MOST_SHOWN = 300
"""Characters of a frame that are shown."""
MOST_KEPT = 12
"""Frames that are shown, the last ones of both directions."""


class Unmet(Exception):
    """The player did not do what this step asks of it."""


def shown(frame: bytes, most: int | None = MOST_SHOWN) -> str:
    """A frame as one line for a terminal, cut to so many characters.

    >>> shown(b'["a",[]]'), shown(b"no" + bytes([27, 255]))
    ('["a",[]]', 'no\\\\x1b\\\\xff')
    """
    text = frame.decode(errors="backslashreplace")
    line = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return line if most is None or len(line) <= most else f"{line[:most]} ..."


class Tapped(BufferedConnection):
    """A connection that keeps the last frames of both directions."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection
        self.where = connection.where
        self.talk: deque[str] = deque(maxlen=MOST_KEPT)
        self.ended: str | None = None
        """How the other side ended it, if it did."""
        connection.listen(self)

    # -- what the connection tells ------------------------------------------------------------

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

    # -- what a player's side of it is used for -----------------------------------------------

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

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True
        self._connection.close(at_once=at_once)


class Session:
    """One connection of the player, and the referee's side of its dialect."""

    def __init__(
        self, connection: Tapped, dialect: Dialect, seconds: float, program: Program | None = None
    ) -> None:
        self.connection, self.dialect, self.seconds = connection, dialect, seconds
        self.program = program
        """What was started for it, if something was."""
        self.name = "you"
        self.over = False
        """Whether the player has had its last word."""
        self._limit = max(seconds, STARTING)
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._said: deque[FromPlayer] = deque()
        connection.listen(self)

    # -- what the connection tells ------------------------------------------------------------

    def frame(self, frame: bytes) -> None:
        self._frames.put_nowait(frame)

    def lost(self, why: str) -> None:
        self._frames.put_nowait(None)

    def flooded(self, why: str) -> None:
        self._frames.put_nowait(None)

    def writable(self) -> None:
        """It reads; good."""

    # -- what a step does ---------------------------------------------------------------------

    def say(self, message: ToPlayer) -> None:
        """Say this in the dialect, now or when the player has answered what it was asked before."""
        self.over = self.over or isinstance(message, Over | Expelled)
        self.exchange(self.dialect.say(message))

    def exchange(self, exchange: Exchange) -> None:
        for frame in exchange.frames:
            self.connection.send(frame)
        self._said += exchange.said

    async def hear(self, what: str) -> FromPlayer:
        """Return what the player says next. Unmet if that is nothing, or cannot be read."""
        while not self._said:
            self.exchange(self.dialect.hear(await self.next_frame(what)))
        said = self._said.popleft()
        if isinstance(said, Garbled):
            raise Unmet(f"no {what}: {said.why}")
        return said

    async def next_frame(self, what: str) -> bytes:
        """Return the next frame. Unmet if none comes in time."""
        seconds, self._limit = self._limit, self.seconds
        try:
            async with asyncio.timeout(seconds):
                frame = await self._frames.get()
        except TimeoutError:
            raise Unmet(f"no {what} within {seconds:g} s") from None
        if frame is None:
            self._frames.put_nowait(None)  # it stays so
            raise Unmet(f"no {what}: it {self.connection.ended}")
        return frame

    async def settle(self, what: str) -> None:
        """Wait until every call is answered. Unmet if one is not, or not as it should be."""
        while self.dialect.owes:
            self.exchange(self.dialect.hear(await self.next_frame(what)))
        for said in self._said:
            if isinstance(said, Garbled):
                raise Unmet(f"no {what}: {said.why}")
        self._said.clear()

    async def be_silent(self) -> None:
        """Wait a moment in which the player must say nothing; Unmet if it does, or goes away."""
        await self.settle("answer")
        await asyncio.sleep(QUIET)
        while not self._frames.empty():
            self.exchange(self.dialect.hear(await self.next_frame("silence")))
            self._check_silent()

    def _check_silent(self) -> None:
        if self._said:
            said = self._said.popleft()
            why = f": {said.why}" if isinstance(said, Garbled) else ""
            raise Unmet(f"it said something that it was not asked for{why}")

    def hand_over(self) -> Tapped:
        """Return the connection, for a referee that speaks to the player from here on."""
        self.connection.receiver, self.over = None, True
        return self.connection

    async def has_ended(self) -> bool:
        """Hang up; return whether the program that was started ends in time, True if none was."""
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
