"""Read lines from standard input with a deadline, for a person whose clock runs."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

WARNINGS = (60.0, 30.0, 10.0, 5.0)
"""Seconds before the deadline at which the person is told the time again."""
MOST_LINE = 64 << 10
"""Bytes of one line; a longer one is cut."""


class TimedInput:
    """Lines of standard input, each within some seconds. It reads the descriptor, so use no other reader."""

    def __init__(self, say: Callable[[str], None], descriptor: int | None = None) -> None:
        self._say = say
        self._file = sys.stdin.fileno() if descriptor is None else descriptor
        self._read = b""
        self._ended = False

    def ask(self, prompt: str, seconds: float) -> str:
        """Print the prompt and return a line. TimeoutError when the time is up, EOFError at the end."""
        deadline = monotonic() + seconds
        self._say(prompt)
        while b"\n" not in self._read and not self._ended and len(self._read) < MOST_LINE:
            left = deadline - monotonic()
            warning = next((mark for mark in WARNINGS if mark < left), 0.0)
            ready, _, _ = select.select([self._file], [], [], max(0.0, left - warning))
            if ready:
                piece = os.read(self._file, 4096)
                self._read, self._ended = self._read + piece, not piece
            elif deadline - monotonic() < 0:
                self._drop()
                raise TimeoutError
            elif warning:
                self._say(f"\n{warning:.0f} s left\n{prompt.partition(') ')[2]}")
        if self._ended and not self._read:
            raise EOFError
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace")

    def _drop(self) -> None:
        """Drop what is half typed, so that it does not end up on the shell's command line."""
        self._read = b""
        if os.isatty(self._file):
            import termios

            with contextlib.suppress(termios.error):
                termios.tcflush(self._file, termios.TCIFLUSH)
