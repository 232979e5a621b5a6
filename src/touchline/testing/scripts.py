"""Scripts of reads, writes and sleeps: players that can be run anywhere, honest ones and others.

The same script runs in virtual time on the event loop of the referee (`ScriptedConnection`), over a raw
socket (`raw_connections.py`), and as a process (`enact`).

Law of this file: a script waits only where it says so, so a run in virtual time is the same every time.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Struct

from touchline.transports.shared.buffered import BufferedConnection
from touchline.transports.shared.framing import FRAMINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from touchline.core.clock import Micros


class Read(Struct, frozen=True):
    """Wait for the next message."""


class Write(Struct, frozen=True):
    """Send bytes, which may be less or more than a message."""

    data: bytes


class Raw(Struct, frozen=True):
    """Send bytes to the socket as they are, below any framing: a WebSocket frame made by hand."""

    data: bytes


class Sleep(Struct, frozen=True):
    """Wait."""

    seconds: float


class Exit(Struct, frozen=True):
    """Exit with a code; a connection is closed."""

    code: int


class Reset(Struct, frozen=True):
    """Reset the connection: the other side gets an error instead of an end."""


class HalfClose(Struct, frozen=True):
    """Close the sending direction only."""


class Harm(Struct, frozen=True):
    """Call a function that needs a real process; in virtual time it does nothing."""

    do: Any


Action: TypeAlias = Read | Write | Raw | Sleep | Exit | Reset | HalfClose | Harm

LONG = 3600.0
"""Seconds: longer than any deadline in a test."""
PIPE = 65_536
"""Capacity of a pipe in bytes."""


class ScriptedConnection(BufferedConnection):
    """A connection to a script on the same event loop.

    The script has a clock of its own: when the loop is stalled, the script acts as if it had gone on. It
    accepts up to `pipe` bytes before it has read anything. `close()` stops the script at once, unless it
    `outlives` the connection: then it reads what it was sent and then the end, as a process does.
    """

    latency: Micros = 0
    where = "a script"

    def __init__(
        self,
        script: Generator[Action, Any, None],
        pipe: int = PIPE,
        framing: str = "lines",
        decode: Callable[[bytes], Any] = msgspec.json.decode,
        *,
        outlives: bool = False,
    ) -> None:
        super().__init__()
        self._script, self._pipe, self._decode, self._outlives = script, pipe, decode, outlives
        self._inbox: asyncio.Queue[tuple[bytes | None, float]] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time()
        self._unread = 0
        self._unsent: deque[bytes] = deque()
        self._framing = FRAMINGS[framing]()
        self._task = asyncio.create_task(self._perform())

    def send(self, frame: bytes) -> None:
        self._unsent.append(frame)
        self._hand_over()

    def _hand_over(self) -> None:
        while self._unsent and self._unread + len(self._unsent[0]) <= self._pipe:
            frame = self._unsent.popleft()
            self._unread += len(frame)
            self._inbox.put_nowait((frame, self._loop.time()))

    @property
    def taken(self) -> bool:
        return not self._unsent

    def measure(self) -> None:
        """Do nothing: there is no network latency."""

    async def _perform(self) -> None:
        """Run the script to its end."""
        sent: Any = None
        while True:
            try:
                action = self._script.send(sent) if sent is not None else next(self._script)
            except StopIteration:
                return
            sent = None
            match action:
                case Read():
                    frame, at = await self._inbox.get()
                    self._time = max(self._time, at)
                    if frame is None:
                        return
                    self._read(len(frame))
                    sent = self._decode(frame)
                case Write(data):
                    await asyncio.sleep(0)
                    self._written(data)
                case Sleep(seconds):
                    self._time += seconds
                    if (wait := self._time - self._loop.time()) > 0:
                        await asyncio.sleep(wait)
                case Exit(code):
                    self.fail("lost", f"exited with {code}")
                    return
                case Raw() | Reset() | HalfClose():
                    raise TypeError("only a socket can do that")

    def _read(self, length: int) -> None:
        was_stuck = bool(self._unsent)
        self._unread -= length
        self._hand_over()
        if was_stuck and not self._unsent and self.receiver is not None:
            self.receiver.writable()

    def _written(self, data: bytes) -> None:
        self.receive(self._framing, data)

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True
        if self._outlives and not at_once:
            self._inbox.put_nowait((None, self._loop.time()))
        else:
            self._task.cancel()

    async def ended(self, seconds: float) -> None:
        """Wait for the end of the script, so many seconds at most, and stop it then."""
        await asyncio.wait([self._task], timeout=seconds)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


def enact(script: Generator[Action, Any, None], decode: Callable[[bytes], Any]) -> None:
    """Run a script over stdin and stdout, to its end or until stdin ends."""
    sent: Any = None
    while True:
        try:
            action = script.send(sent) if sent is not None else next(script)
        except StopIteration:
            return
        sent = None
        match action:
            case Read():
                line = sys.stdin.buffer.readline()
                if not line:
                    return
                sent = decode(line)
            case Write(data):
                _write_all(data)
            case Sleep(seconds):
                time.sleep(min(seconds, 60))
            case Exit(code):
                sys.exit(code)
            case Harm(do):
                do()
            case Raw() | Reset() | HalfClose():
                raise TypeError("only a socket can do that")


def _write_all(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]
