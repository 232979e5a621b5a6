"""The share of its time budget that a bot may search; the rest covers overhead and scheduling jitter."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARE = 0.9
LEAST_REST = 0.008
"""Seconds: the scheduling latency that an idle machine sometimes has."""


def thinking(seconds: float) -> float:
    """Return how many of these seconds a bot may search.

    >>> thinking(10.0), thinking(0.048), thinking(0.001)
    (9.0, 0.04, 0.0005)
    """
    return max(seconds / 2, min(SHARE * seconds, seconds - LEAST_REST))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Suspend garbage collection during a search: a collection can take longer than the whole budget.

    Search trees need none. They must be freed before this ends, or the next collection scans all of them.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
