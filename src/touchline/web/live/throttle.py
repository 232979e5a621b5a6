"""Work that many want done: it is done once for all of them, and not again before it has rested."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

AGAIN = 1.0
"""Seconds of rest, at least;"""
REST = 4.0
"""and so many times as long as the work takes, so that it never keeps a worker to itself. That is the shorter
of the last two times, and nothing before the second: once it may have been held up, or have waited for a
worker to start."""


class Paced:
    """One kind of work. `work` is called to do it."""

    def __init__(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self._work = work
        self._task: asyncio.Task[None] | None = None
        self._took = 0.0
        self.again = 0.0
        """When it may be done again, by the loop's clock."""

    async def done(self, patience: float | None = None) -> None:
        """Have it done if it is not resting; wait for it, or for so many seconds. Raises what it raises."""
        if self._task is None or self._task.done():
            if asyncio.get_running_loop().time() < self.again:
                return
            self._task = asyncio.ensure_future(self._run())
            self._task.add_done_callback(_heard)
        task = self._task
        await asyncio.wait({task}, timeout=patience)
        if task.done():
            task.result()

    async def _run(self) -> None:
        time = asyncio.get_running_loop().time
        start = time()
        try:
            await self._work()
        finally:
            now = time()
            before, self._took = self._took, now - start
            self.again = now + max(AGAIN, REST * min(before, self._took))

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()


def _heard(task: asyncio.Task[None]) -> None:
    """Whoever waited is told what went wrong; perhaps nobody did."""
    if not task.cancelled():
        task.exception()
