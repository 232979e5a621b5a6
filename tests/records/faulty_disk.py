"""A disk on which one call fails, or every call from one on."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

from touchline.records import recording

if TYPE_CHECKING:
    import pytest

CALLS = ("open", "write", "pwrite", "ftruncate", "lseek", "fchmod", "fsync", "close", "unlink")


class FaultyDisk:
    """The module `os` for `records.recording`, in which the n-th of some calls fails.

    `times` is how often that call fails, from the n-th on. `short` writes half of the data first. The calls
    in `always` fail each time.
    """

    def __init__(
        self, nth: int, code: int, *, times: int = 1, short: bool = False, always: tuple[str, ...] = ()
    ) -> None:
        self.nth, self.code, self.times, self.short, self.always = nth, code, times, short, always
        self.count, self.fired = 0, ""

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return self._faulty(name, real) if name in CALLS else real

    def _faulty(self, name: str, real: Any) -> Any:
        def call(*args: Any, **how: Any) -> Any:
            self.count += 1
            if name in self.always:
                return self._fail(name, real, args)
            if self.count == self.nth:
                self.fired = name
                if self.short and name in ("write", "pwrite"):
                    return real(args[0], args[1][: len(args[1]) // 2], *args[2:])
            if self.fired == name and self.times:
                self.times -= 1
                return self._fail(name, real, args)
            return real(*args, **how)

        return call

    def _fail(self, name: str, real: Any, args: tuple[Any, ...]) -> Any:
        if name == "close":
            real(*args)  # Linux closes the descriptor also if it reports an error
        raise OSError(self.code, os.strerror(self.code))


FOR_EVER = 1_000_000
FAULTS: dict[str, dict[str, Any]] = {
    "an error once": {"code": errno.EIO},
    "a full disk": {"code": errno.ENOSPC, "times": FOR_EVER},
    "a disk that fills up": {"code": errno.ENOSPC, "short": True, "times": FOR_EVER},
    "a short write": {"code": errno.EIO, "short": True, "times": 0},
    "half a write, then an error": {"code": errno.EIO, "short": True},
    "half a write that stays": {"code": errno.EIO, "short": True, "always": ("ftruncate",)},
    "a read-only disk": {"code": errno.EROFS, "times": FOR_EVER},
}


def with_fault(monkeypatch: pytest.MonkeyPatch, nth: int, fault: str) -> FaultyDisk:
    """Let the n-th call fail in this way."""
    disk = FaultyDisk(nth, **FAULTS[fault])
    monkeypatch.setattr(recording, "os", disk)
    return disk
