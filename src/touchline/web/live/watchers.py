"""Readers of a live feed: over a WebSocket, or as lines of a response that does not end.

Laws of this file: a line is framed once for all readers of a kind and written as it is; nobody is waited for:
what a reader has not taken lies in its connection's buffer, and one that lets more than so much lie there is
dropped.
"""

from __future__ import annotations

import asyncio
import struct
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_WAITING = 512 << 10
"""Bytes that may wait for a reader."""
TOO_SLOW, GONE = 4408, 1001


class Watcher(ABC):
    """Somebody who reads. `gone` is done, with the code to close with, when there is nothing more to send."""

    def __init__(self, transport: asyncio.Transport | None, dropped: Callable[[], None]) -> None:
        self._transport, self._dropped = transport, dropped
        self.gone: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @staticmethod
    @abstractmethod
    def framed(line: bytes) -> bytes:
        """A line as it is written for all readers of this kind."""

    def send(self, line: bytes) -> bool:
        return self.push(self.framed(line))

    def there(self) -> bool:
        """Whether there still is somebody; one who has hung up is gone from now on."""
        if self._transport is None or self._transport.is_closing():
            self.end(GONE)
        return not self.gone.done()

    def push(self, framed: bytes) -> bool:
        """Write this; False if the reader is not there any more, or no longer."""
        transport = self._transport
        if not self.there() or transport is None:
            return False
        if transport.get_write_buffer_size() > MOST_WAITING:
            self._dropped()
            self.end(TOO_SLOW)
            return False
        transport.write(framed)
        return True

    def end(self, code: int) -> None:
        """There is nothing more to send."""
        if not self.gone.done():
            self.gone.set_result(code)

    def abort(self) -> None:
        """Hang up on a reader that does not read: what waits for it is thrown away."""
        if self._transport is not None:
            self._transport.abort()


class LiveWatcher(Watcher):
    """Reads messages of a WebSocket."""

    @staticmethod
    def framed(line: bytes) -> bytes:
        """A text message in one frame; what a server sends is not masked, so it is the same for all."""
        size = len(line)
        if size < 126:
            head = struct.pack("!BB", 0x81, size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x81, 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 127, size)
        return head + line


class LineWatcher(Watcher):
    """Reads lines of a response that is sent in chunks."""

    @staticmethod
    def framed(line: bytes) -> bytes:
        return b"%x\r\n%b\n\r\n" % (len(line) + 1, line)
