"""Bound the work that code does by counting it, so that no test depends on the speed of the machine."""

from __future__ import annotations

import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType


class Steps:
    """Count the lines and calls of Python that run inside a `with` block, in this thread.

    Every iteration of a loop or comprehension is at least one step. A call into C is part of the line that
    makes it, however much it does: bound its input, or the bytes it allocates.
    """

    def __init__(self, most: int | None = None) -> None:
        """With a limit, the block fails as soon as it exceeds it: work without end does not hang the test."""
        self.count = 0
        self._most = sys.maxsize if most is None else most

    def __enter__(self) -> Steps:
        self._previous = sys.gettrace()
        sys.settrace(self._step)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.settrace(self._previous)
        self._check()  # the code under test may have caught the error that the tracer raised

    def _step(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
        self.count += 1
        if self.count > self._most:
            self._check()
        return self._step

    def _check(self) -> None:
        if self.count > self._most:
            raise AssertionError(f"more than {self._most:,} steps")


def at_most(steps: int) -> Steps:
    """Fail if a `with` block takes more steps than this.

    >>> with at_most(100):
    ...     sum(number for number in range(10))
    45
    >>> with at_most(100):
    ...     sum(number for number in range(100))
    Traceback (most recent call last):
        ...
    AssertionError: more than 100 steps
    """
    return Steps(steps)


def allocated(calls: list[Callable[[], object]]) -> int:
    """Return the sum over these calls of the bytes that each needs at its peak, on top of what is held.

    A call that copies all that is held needs that much, also if the copy is gone when it returns.
    """
    total = 0
    tracemalloc.start()
    try:
        for call in calls:
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            call()
            total += tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    return total
