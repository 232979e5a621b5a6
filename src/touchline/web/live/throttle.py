"""Share one computation among concurrent callers, and throttle repeats."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

AGAIN = 1.0
"""The shortest pause between two runs, in seconds."""
REST = 4.0
"""The pause is also at least this many times the duration of a run, so that the work never keeps a worker to
itself. The shorter of the last two durations counts, so one run that had to wait for a worker to start does
not slow down the next."""


class Throttle:
    """Runs one piece of work on demand: once for all concurrent callers, and not again during the pause."""

    def __init__(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self._work = work
        self._task: asyncio.Task[None] | None = None
        self._took = 0.0
        self.again = 0.0
        """When the work may run again, by the loop's clock."""

    async def done(self, patience: float | None = None) -> None:
        """Run the work unless it is paused, and wait for it, at most `patience` seconds. Re-raise."""
        if self._task is None or self._task.done():
            if asyncio.get_running_loop().time() < self.again:
                return
            self._task = asyncio.ensure_future(self._run())
            self._task.add_done_callback(_retrieve_exception)
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


def _retrieve_exception(task: asyncio.Task[None]) -> None:
    """Mark a failure as seen: asyncio logs it otherwise if no caller was waiting."""
    if not task.cancelled():
        task.exception()
