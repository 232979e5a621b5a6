"""An event loop in virtual time: instead of waiting it moves its clock; where nothing can happen it fails.

A match with time-outs of minutes takes milliseconds, and takes the same course every time.
"""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


class Deadlock(Exception):
    """Everybody waits and nothing is scheduled: in real time this would hang for ever."""


class _Skipping(selectors.SelectSelector):
    """A selector that never waits: what it would have waited is added to the loop's clock."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise Deadlock("nothing is scheduled and nothing is ready")
        self.skipped += max(timeout, 1e-9)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop whose time passes only when everybody waits for it."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.skipped

    def stall(self, seconds: float) -> None:
        """Pretend that the machine stood still for so long."""
        self._skipping.skipped += seconds


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time.

    >>> run(asyncio.sleep(3600, "an hour later"))
    'an hour later'
    """
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.run_until_complete(_called_off(asyncio.all_tasks(loop)))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _called_off(tasks: set[asyncio.Task[Any]]) -> None:
    """End what is still running, after a Deadlock for example."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
