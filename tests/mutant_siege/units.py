"""Units of work of a siege, their failures, and how a failing input is minimised."""

from __future__ import annotations

import logging
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_FAILURES = 3
"""Failures after which a unit stops: the rest would be the same."""
MOST_TRIES = 2000
"""Times that an input is tried while it is minimised."""


class Failure(Struct, frozen=True):
    """An input that did harm."""

    where: str
    """The decoder or the door, and the dialect."""
    error: str
    frame: bytes = b""
    """The input, minimised where it fails by itself."""
    repeat: str = ""
    """The arguments of `scripts/siege` that repeat the unit."""

    def __str__(self) -> str:
        shown = f"\n  input, {len(self.frame)} bytes: {self.frame[:300]!r}" if self.frame else ""
        return f"{self.where}: {self.error}{shown}\n  repeat: scripts/siege {self.repeat}"


class Unit(Struct, frozen=True):
    """A part of a siege: so many messages at a decoder or a door."""

    where: str
    setting: int
    """The place in `SETTINGS`."""
    number: int
    messages: int
    seed: str

    @property
    def random_seed(self) -> str:
        """The seed of all random numbers of this unit."""
        return f"{self.seed} {self.where} {self.setting} {self.number}"

    @property
    def repeat(self) -> str:
        """The arguments that repeat this unit alone."""
        return f"--seed {self.seed} --unit {self.where}:{self.setting}:{self.number}:{self.messages}"


class Outcome(Struct):
    """What came of a unit."""

    where: str
    messages: int = 0
    matches: int = 0
    failures: list[Failure] = []

    def fail(self, unit: Unit, error: str, frame: bytes = b"", what: str = "") -> None:
        """Note a failure."""
        name = f"{self.where} {what}".strip()
        self.failures.append(Failure(name, error, frame, unit.repeat))


class Siege(Exception):
    """Something was harmed in a match; the message says what."""


def error_line(error: BaseException) -> str:
    """Return an exception and where it was raised, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" at {frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{at}"[:500]


def minimised(frame: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """Return a short part of a frame that still fails; the frame itself if it does not fail by itself.

    >>> minimised(b"a long text with an x in it", lambda text: b"x" in text)
    b'x'
    """
    if not fails(frame):
        return frame
    size, tries = max(1, len(frame) // 2), 0
    while size and tries < MOST_TRIES:
        at, shorter = 0, False
        while at < len(frame) and tries < MOST_TRIES:
            less, tries = frame[:at] + frame[at + size :], tries + 1
            if fails(less):
                frame, shorter = less, True
            else:
                at += size
        size = size if shorter and size > 1 else size // 2
    return frame


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self.lines.append(record.getMessage() + (f": {error_line(error)}" if error else ""))


@contextmanager
def errors_logged() -> Iterator[list[str]]:
    """Collect what is logged as an error meanwhile: a traceback, or a fault of ours."""
    kept, root = _Kept(), logging.getLogger()
    before = root.level
    root.addHandler(kept)
    root.setLevel(logging.ERROR)
    try:
        yield kept.lines
    finally:
        root.removeHandler(kept)
        root.setLevel(before)
