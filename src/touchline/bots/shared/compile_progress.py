"""Tell whoever listens that kernels are being compiled, for which player, and how far it is.

Compiling happens deep inside of making a player, in any command. So there is one listener in a process; by
default it is the log. The command line prints, and a worker of the page tells the page.
"""

from __future__ import annotations

import logging
from typing import Protocol

from msgspec import Struct

log = logging.getLogger("touchline.kernels")


class Compiling(Struct, frozen=True):
    """How far the compiler is."""

    player: str
    """The house player that needs the kernels; empty if a kernel was called directly."""
    done: int
    """Kernels that are compiled."""
    of: int
    """Kernels to compile, in all."""
    seconds: float
    """Seconds since it began."""
    left: float | None
    """Seconds until it is done, estimated by the speed so far; None before the speed is known."""

    @property
    def over(self) -> bool:
        return self.done == self.of

    def announcement(self, *, cached: bool = True) -> str:
        """Return the line that explains the wait, once the speed is known; not `cached`: it will come again.

        >>> Compiling("shark", 2, 21, 0.5, 5.2).announcement()
        'compiling 21 kernels for shark (once, about 6 s)'
        """
        about = f"about {max(1, round(self.seconds + (self.left or 0)))} s"
        return f"compiling {self.of} kernels{self._for()} ({'once, ' if cached else ''}{about})"

    def _for(self) -> str:
        return f" for {self.player}" if self.player else ""


class CompileListener(Protocol):
    """Who is told about compiling."""

    def compiling(self, compiling: Compiling) -> None:
        """Take note of how far the compiler is: it is called before the first kernel and after each."""

    def uncached(self, why: str) -> None:
        """Take note that what is compiled cannot be cached."""


class CompileLog:
    """The default listener: one line in the log when it begins, one when it is done."""

    def __init__(self) -> None:
        self._said = False

    def compiling(self, compiling: Compiling) -> None:
        if not self._said and compiling.left is not None:
            self._said = True
            log.warning("%s", compiling.announcement())
        if compiling.over:
            self._said = False
            log.info("compiled %d kernels in %.1f s", compiling.of, compiling.seconds)

    def uncached(self, why: str) -> None:
        log.warning("%s", uncached_line(why))


def uncached_line(why: str) -> str:
    """Return the line that says that kernels cannot be cached."""
    return f"compiled kernels cannot be cached, so they are compiled again next time: {why}"


_listener: CompileListener = CompileLog()


def listener() -> CompileListener:
    """Return who is told."""
    return _listener


def listen(to: CompileListener) -> CompileListener:
    """Tell this listener from now on; return the one before."""
    global _listener
    before, _listener = _listener, to
    return before
