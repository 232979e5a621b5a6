"""Batch what is sent in one event-loop iteration, and write it when the iteration ends.

Waking a process on another core costs more than a turn. When all replies are written back to back, the other
side wakes up once and finds the rest while it is reading.
"""

from __future__ import annotations

import asyncio
from typing import Protocol
from weakref import WeakKeyDictionary


class Flushable(Protocol):
    """Something with unsent frames."""

    def flush(self) -> None:
        """Write them."""


class Outbox:
    """The connections of one event loop that have something to send."""

    def __init__(self) -> None:
        self._waiting: list[Flushable] = []

    def add(self, sender: Flushable) -> None:
        """Flush this sender when the loop has handled everything that it has just read."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(sender)

    def _flush(self) -> None:
        senders, self._waiting = self._waiting, []
        for sender in senders:
            sender.flush()


_outboxes: WeakKeyDictionary[asyncio.AbstractEventLoop, Outbox] = WeakKeyDictionary()


def outbox() -> Outbox:
    """Return the outbox of the running event loop."""
    loop = asyncio.get_running_loop()
    found = _outboxes.get(loop)
    if found is None:
        found = _outboxes[loop] = Outbox()
    return found
