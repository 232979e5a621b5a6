"""Watchers of a live feed, over a WebSocket or a chunked response, and broadcasting to many of them.

Rules of this file: a line is framed once for all watchers of a kind; nobody is waited for: a watcher whose
unread bytes exceed a limit is dropped; a broadcast writes to a few watchers per event-loop iteration, so that
a crowd does not hold up the matches.
"""

from __future__ import annotations

import asyncio
import struct
from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

MOST_WAITING = 512 << 10
"""Bytes that may wait in the write buffer of one watcher."""
AT_ONCE = 50
"""Watchers that are written to in one event-loop iteration: a thousand would block the loop for 50 ms."""
TOO_SLOW, GONE = 4408, 1001
"""WebSocket close codes: the watcher did not keep up; one of the two sides is going away."""


class Tally(Struct):
    """Counters of the work done for watchers."""

    encoded: int = 0
    """Lines that were encoded."""
    dropped: int = 0
    """Watchers that did not keep up."""
    audiences: int = 0
    """Audiences of tables that have watchers."""


class Watcher(ABC):
    """One reader of a feed. The future `gone` gets the close code when nothing more will be sent."""

    lingers: ClassVar[bool] = False
    """Whether it stays after the last line of a match, to hear of a rematch."""

    def __init__(self, transport: asyncio.Transport | None, tally: Tally) -> None:
        self._transport, self._tally = transport, tally
        self.gone: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @staticmethod
    @abstractmethod
    def framed(line: bytes) -> bytes:
        """Return the bytes on the wire of a line, the same for every watcher of this kind."""

    def send(self, line: bytes) -> bool:
        return self.push(self.framed(line))

    def connected(self) -> bool:
        """Whether the watcher can still be written to; one that has hung up is gone from now on."""
        if self._transport is None or self._transport.is_closing():
            self.end(GONE)
        return not self.gone.done()

    def push(self, framed: bytes) -> bool:
        """Write a framed line. Return False if the watcher is gone or too slow."""
        transport = self._transport
        if not self.connected() or transport is None:
            return False
        if transport.get_write_buffer_size() > MOST_WAITING:
            self._tally.dropped += 1
            self.end(TOO_SLOW)
            return False
        transport.write(framed)
        return True

    def end(self, code: int) -> None:
        """Say that nothing more will be sent, and why."""
        if not self.gone.done():
            self.gone.set_result(code)

    def abort(self) -> None:
        """Hang up at once; unread bytes are discarded."""
        if self._transport is not None:
            self._transport.abort()


class LiveWatcher(Watcher):
    """Reads messages of a WebSocket."""

    lingers: ClassVar[bool] = True

    @staticmethod
    def framed(line: bytes) -> bytes:
        """One unmasked text frame: a server never masks, so the bytes are the same for everybody."""
        size = len(line)
        if size < 126:
            head = struct.pack("!BB", 0x81, size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x81, 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 127, size)
        return head + line


class LineWatcher(Watcher):
    """Reads lines of a chunked HTTP response."""

    @staticmethod
    def framed(line: bytes) -> bytes:
        return b"%x\r\n%b\n\r\n" % (len(line) + 1, line)


class Broadcast:
    """Watchers that are sent the same lines, each framed once and written a few watchers at a time."""

    def __init__(self, tally: Tally) -> None:
        self.members: set[Watcher] = set()
        self.tally = tally
        self._outbox: deque[tuple[Watcher, bytes]] = deque()
        self._posting: asyncio.Handle | None = None

    def discard(self, watcher: Watcher) -> None:
        self.members.discard(watcher)

    def send(self, line: bytes) -> None:
        """Queue a line for every member, and start to write."""
        self.tally.encoded += 1
        framed: dict[type[Watcher], bytes] = {}
        for watcher in self.members:
            kind = type(watcher)
            if kind not in framed:
                framed[kind] = kind.framed(line)
            self._outbox.append((watcher, framed[kind]))
        if self._posting is None:
            self._post(AT_ONCE)

    def flush(self) -> None:
        """Write everything that is queued now."""
        self._post(len(self._outbox))

    def _post(self, count: int) -> None:
        """Write this many lines; the rest waits for the next event-loop iteration."""
        for _ in range(min(count, len(self._outbox))):
            watcher, framed = self._outbox.popleft()
            if watcher in self.members and not watcher.push(framed):
                self.discard(watcher)
        if self._posting is not None:
            self._posting.cancel()
        again = bool(self._outbox)
        self._posting = asyncio.get_running_loop().call_soon(self._post, AT_ONCE) if again else None

    def end(self, code: int) -> None:
        """Send what is queued and part with every member."""
        self.flush()
        part(self.members, code)


class PolledBroadcast(Broadcast, ABC):
    """Broadcasts a line whenever it has changed. It is looked at while somebody watches."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(tally)
        self._polling: asyncio.Task[None] | None = None
        self._line = b""

    @abstractmethod
    async def look(self) -> tuple[bytes, float]:
        """Return the line as it is now, and the seconds until the next look."""

    def add(self, watcher: Watcher) -> None:
        """Send the current state to a newcomer, who gets every change from now on."""
        self.members.add(watcher)
        if self._line:
            watcher.send(self._line)
        if self._polling is None:
            self._polling = asyncio.ensure_future(self._poll())

    def discard(self, watcher: Watcher) -> None:
        super().discard(watcher)
        if not self.members:
            self.rest()

    def attend(self, watcher: Watcher) -> Callable[[], None]:
        """Add a watcher; return how to remove it."""
        self.add(watcher)
        return lambda: self.discard(watcher)

    def rest(self) -> None:
        """Stop looking: nobody watches."""
        if self._polling is not None:
            self._polling.cancel()
        self._polling, self._line = None, b""

    async def _poll(self) -> None:
        while any(watcher.connected() for watcher in self.members):
            line, pause = await self.look()
            if line != self._line:
                self._line = line
                self.send(line)
            await asyncio.sleep(pause)
        self._polling, self._line = None, b""
        self.members.clear()


def part(watchers: Collection[Watcher], code: int) -> None:
    """Tell watchers that nothing more will be sent."""
    for watcher in watchers:
        watcher.end(code)
