"""How much of its time a player thinks; the rest is for what it does then, and for a machine that is busy."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARE = 0.9
LEAST_REST = 0.008
"""Seconds: what a machine with nothing else to do sometimes needs to get back to somebody."""


def thinking(seconds: float) -> float:
    """So many of these seconds are for thinking.

    >>> thinking(10.0), thinking(0.048), thinking(0.001)
    (9.0, 0.04, 0.0005)
    """
    return max(seconds / 2, min(SHARE * seconds, seconds - LEAST_REST))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let the collector of garbage wait: it may take longer than all the time there is, and whoever thinks
    makes trees, which need none. They must be gone when it goes on, or it looks at all of them."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
