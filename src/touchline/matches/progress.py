"""Show how many games were played, and how long the rest will take: a bar, or a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""A callback with the number of matches played so far, and the number of all matches."""
PERIOD = 10.0
"""Seconds between two lines, where no bar can be drawn."""


@contextmanager
def shown_progress(*, bar: bool = True, no_color: bool | None = None) -> Iterator[Progress]:
    """Yield a callback that draws a bar on stderr, if that is a terminal, or prints a line now and then.

    `no_color` of None means that NO_COLOR decides.
    """
    from rich.console import Console

    screen = Console(stderr=True, no_color=no_color)
    if not bar or not (screen.is_terminal or screen.is_jupyter):
        yield Lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("left"),
    )  # fmt: skip
    with Bar(*columns, console=screen, transient=True) as drawn:
        task = drawn.add_task("playing", total=None)
        yield lambda done, of: drawn.update(task, completed=done, total=of)


class Lines:
    """Prints a line after `PERIOD` seconds, and so on."""

    def __init__(self, now: Callable[[], float] = monotonic, period: float = PERIOD) -> None:
        self._now, self._period = now, period
        self._began = self._said = now()

    def __call__(self, done: int, of: int) -> None:
        now = self._now()
        if now - self._said >= self._period and done < of:
            self._said = now
            left = (now - self._began) / done * (of - done)
            sys.stderr.write(f"{done:,} of {of:,} games, about {duration(left)} left\n")
            sys.stderr.flush()


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(8.2), duration(75), duration(7300)
    ('8 s', '1 min 15 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
