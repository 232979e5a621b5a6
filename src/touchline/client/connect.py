"""Connect to a server, and read what it sends.

Laws of this file: connecting is retried with backoff until it succeeds or times out; the queue of messages
from the server is bounded.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from touchline.core.errors import TouchlineError
from touchline.transports.base import HandshakeFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from touchline.dialects.base import Framing
    from touchline.players.address import ServerAddress
    from touchline.transports.base import Connection

FIRST_PAUSE = 0.2
"""Seconds between the first two attempts to connect; each further pause is half as long again."""
LONGEST_PAUSE = 2.0
"""The longest pause between two attempts, in seconds."""
MOST_UNHEARD = 1024
"""The most messages of the server that may be queued while the player thinks; bounds memory."""


class Away(TouchlineError):
    """The server cannot be reached, or has left."""


class NotLetIn(TouchlineError):
    """The server refuses this player."""


class Crashed(TouchlineError):
    """The player raised an exception, which is the cause of this one."""


class Incoming:
    """The frames that arrive at one connection, as an async iterator."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.why = "hung up"
        """The way in which the other side ended the connection."""

    async def frames(self) -> AsyncIterator[bytes]:
        """Yield frames until the other side hangs up."""
        self.connection.listen(self)
        while (frame := await self._frames.get()) is not None:
            yield frame

    def frame(self, frame: bytes) -> None:
        self._frames.put_nowait(frame)
        if self._frames.qsize() > MOST_UNHEARD:
            self.connection.close(at_once=True)
            self.lost(f"sent more than {MOST_UNHEARD} messages without waiting for an answer")

    def lost(self, why: str) -> None:
        self.why = why
        self._frames.put_nowait(None)

    def flooded(self, why: str) -> None:
        self.lost(why)

    def writable(self) -> None:
        """Do nothing: a client sends little, so it does not watch for backpressure."""


async def connected(
    address: ServerAddress, framing: Framing, seconds: float, waiting: Callable[[str], None] | None = None
) -> Connection:
    """Connect to a server, with retries. Raise Away after `seconds`.

    `waiting` is called with the error of each failed attempt.
    """
    loop, pause = asyncio.get_running_loop(), FIRST_PAUSE
    deadline = loop.time() + seconds
    while True:
        try:
            return await address.connect(framing)
        except HandshakeFailed as error:
            raise NotLetIn(str(error)) from None
        except (OSError, TimeoutError) as error:
            if loop.time() + pause > deadline:
                raise Away(f"nobody answers at {address.url()}: {error}; is the server running?") from None
            if waiting is not None:
                waiting(str(error))
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)
