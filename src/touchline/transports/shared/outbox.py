"""Everything that is said in one round of the event loop is sent at its end.

Waking a process on another core costs more than a turn does. Sent one after the other, many messages wake the
other side once, and it finds the rest when it looks.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

_rounds: WeakKeyDictionary[asyncio.AbstractEventLoop, list[Callable[[], None]]] = WeakKeyDictionary()


def at_the_end(flush: Callable[[], None]) -> None:
    """Have this called once the loop has read everything that has come."""
    loop = asyncio.get_running_loop()
    waiting = _rounds.get(loop)
    if waiting is None:
        waiting = _rounds[loop] = []
    if not waiting:
        loop.call_soon(_flush, waiting)
    waiting.append(flush)


def _flush(waiting: list[Callable[[], None]]) -> None:
    flushes = waiting[:]
    waiting.clear()
    for flush in flushes:
        flush()
