"""Report the progress of a long job from the depth of its work, in a worker process.

Rule of this file: a report changes nothing about the job; where nobody listens, it is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_listeners: list[Callable[[int, int], None]] = []
"""The listener of this process, if it is a worker's."""


def listen(listener: Callable[[int, int], None]) -> None:
    """Send all further reports of this process to a listener."""
    _listeners[:] = [listener]


def report(done: int, of: int) -> None:
    """Report how much of a job is done."""
    for listener in _listeners:
        listener(done, of)
