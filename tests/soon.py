"""What must be quick is measured by the work it takes: a machine that stands still fails no test."""

from __future__ import annotations

from contextlib import contextmanager
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Seconds of this thread on a processor, however long the clock on the wall says it took."""
    start = thread_time()
    yield
    took = thread_time() - start
    assert took < seconds, f"{took:.3f} s of work, and {seconds} s are the most"
