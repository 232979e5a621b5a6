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

    `short` writes half of the data first; `lasting` lets all later calls of that name fail, too.
    """

    def __init__(self, nth: int, code: int, *, short: bool = False, lasting: bool = False) -> None:
        self.nth, self.code, self.short, self.lasting = nth, code, short, lasting
        self.count, self.fired = 0, ""

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return self._faulty(name, real) if name in CALLS else real

    def _faulty(self, name: str, real: Any) -> Any:
        def call(*args: Any, **how: Any) -> Any:
            self.count += 1
            if self.fired == name and self.lasting:
                return self._fail(name, real, args)
            if self.count != self.nth or self.fired:
                return real(*args, **how)
            self.fired = name
            if self.short and name in ("write", "pwrite") and len(args[1]) > 1:
                half = args[1][: len(args[1]) // 2]
                return real(args[0], half, *args[2:])
            return self._fail(name, real, args)

        return call

    def _fail(self, name: str, real: Any, args: tuple[Any, ...]) -> Any:
        if name == "close":
            real(*args)  # Linux closes the descriptor also if it reports an error
        raise OSError(self.code, os.strerror(self.code))


FAULTS: dict[str, dict[str, Any]] = {
    "an error once": {"code": errno.EIO},
    "a full disk": {"code": errno.ENOSPC, "lasting": True},
    "a disk that fills up": {"code": errno.ENOSPC, "short": True, "lasting": True},
    "a short write": {"code": errno.EIO, "short": True},
    "a read-only disk": {"code": errno.EROFS, "lasting": True},
}


def with_fault(monkeypatch: pytest.MonkeyPatch, nth: int, fault: str) -> FaultyDisk:
    """Let the n-th call fail in this way."""
    disk = FaultyDisk(nth, **FAULTS[fault])
    monkeypatch.setattr(recording, "os", disk)
    return disk
