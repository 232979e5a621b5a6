"""An event loop in virtual time: it advances its clock instead of waiting, and reports deadlocks.

A match with timeouts of minutes takes milliseconds, and runs the same way every time.
"""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")


class Deadlock(Exception):
    """Every task waits and no timer is set: in real time this would hang forever."""


class _Skipping(selectors.SelectSelector):
    """A selector that never waits, and adds each timeout to the loop's clock instead."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise Deadlock("no timer is set and nothing is ready")
        self.skipped += max(timeout, 1e-9)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time advances only when every task waits."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.skipped

    def stall(self, seconds: float) -> None:
        """Advance the clock as if the process had been suspended for `seconds`."""
        self._skipping.skipped += seconds


def run(main: Coroutine[Any, Any, T], make_loop: Callable[[], VirtualLoop] = VirtualLoop) -> T:
    """Run a coroutine in virtual time.

    >>> run(asyncio.sleep(3600, "an hour later"))
    'an hour later'
    """
    loop = make_loop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.run_until_complete(_called_off(asyncio.all_tasks(loop)))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _called_off(tasks: set[asyncio.Task[Any]]) -> None:
    """Cancel the tasks that still run, for example after a Deadlock."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
