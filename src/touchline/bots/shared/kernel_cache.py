"""The folder of compiled kernels: where it is, how large it is, who uses it, and when it is cleared.

Each version of the kernels, of Numba and of Python has a folder of its own. Laws of this file: a folder that
any process uses, or that was used within a day, is not cleared; all others are, when kernels are next used.
A folder that cannot be read, locked or removed is left alone.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, TYPE_CHECKING

from touchline.bots.shared.table_cache import folder as cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # Windows: two processes may compile the same kernels, and nothing is cleared
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

SOURCES = Path(__file__).parent.parent / "kernels"
KEPT = 24 * 3600.0
"""Seconds since its last use after which the folder of another version is cleared."""
IN_USE, COMPILING = ".in-use", ".compiling"
"""Lock files: every process that uses a folder shares the first; who compiles has the second alone."""


def kernels_folder() -> Path:
    """Return the folder that has one folder for each version."""
    return cache_folder() / "kernels"


@cache
def version_key() -> str:
    """Return the name of this version: a digest of the kernels' sources, and of what compiles them.

    Numba itself compares only the file of the one kernel, and ours call each other across files.
    """
    told = [sys.implementation.cache_tag or "", *(_version(name) for name in ("numba", "llvmlite"))]
    sources = b"".join(path.read_bytes() for path in sorted(SOURCES.glob("*.py")))
    return sha256("\n".join(told).encode() + sources).hexdigest()[:16]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def folder() -> Path:
    """Return the folder of this version; it need not exist."""
    return kernels_folder() / version_key()


def size() -> int:
    """Return how many bytes the kernels of all versions take."""
    total = 0
    for place, _, names in os.walk(kernels_folder()):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
    return total


_using: dict[Path, int] = {}
"""The folders that this process uses, each with the descriptor of its lock file.

The process holds the locks until it ends; file objects would warn then that nobody has closed them.
"""


def use(kept: Path) -> str | None:
    """Create a folder, and note that this process uses it. Return why that is impossible, or None."""
    if kept in _using and kept.is_dir():
        return None
    try:
        kept.mkdir(parents=True, exist_ok=True)
        (kept / IN_USE).touch()
        marker = os.open(kept / IN_USE, os.O_WRONLY)
    except OSError as error:
        return f"{kept}: {error.strerror}"
    if not _locked(marker, shared=True):
        log.info("%s cannot be locked", kept)
    if kept in _using:  # somebody has removed the folder since
        os.close(_using[kept])
    _using[kept] = marker
    _clear_others(kept)
    return None


@contextmanager
def alone(kept: Path) -> Iterator[None]:
    """Wait until no other process compiles into this folder, and keep others out meanwhile."""
    try:
        lock = (kept / COMPILING).open("ab")
    except OSError:
        yield  # it cannot be written, so nobody can compile into it
        return
    with lock:
        _locked(lock, wait=True)
        yield


def remove_partial(kept: Path) -> None:
    """Remove what an interrupted process has begun to write; call it within `alone`."""
    for path in kept.rglob("*.tmp.*"):
        path.unlink(missing_ok=True)


def _locked(file: IO[bytes] | int, *, shared: bool = False, wait: bool = False) -> bool:
    """Lock a file until it is closed. Return whether that succeeded."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def _clear_others(kept: Path) -> None:
    """Remove the folders of other versions that nobody uses or has used for a day."""
    try:
        others = [one for one in kept.parent.iterdir() if one != kept and one.is_dir()]
    except OSError:
        return
    for other in others:
        if _last_used(other) < time.time() - KEPT:
            _remove(other)


def _last_used(kept: Path) -> float:
    for path in (kept / IN_USE, kept):
        try:
            return path.stat().st_mtime
        except OSError:
            continue
    return time.time()


def _remove(kept: Path) -> None:
    """Remove a folder unless a process uses it."""
    try:
        marker = (kept / IN_USE).open("ab")
    except OSError as error:
        log.info("cannot clear %s: %s", kept, error)
        return
    with marker:
        if _locked(marker):
            shutil.rmtree(kept, ignore_errors=True)
