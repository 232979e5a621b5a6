"""The folders in which a worker runs entrants: their bundles, unpacked in the worker's own cache.

Law of this file: a program runs only from a folder whose content has the digest that the job names, in a
cache that nobody but this user can write. The coordinator's store is read, and never run from.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.bundles.bundle import unpacked
from touchline.bundles.store import BundleStore, cache_store
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from touchline.bundles.bundle import Bundle

MOST_CACHED = 1 << 30
"""Bytes of packed bundles in the cache, about: the ones that were not used for longest are removed."""

_leases: dict[Path, int] = {}
"""The descriptors of the lock files of the bundles that this process uses."""


def bundle_folders(
    digests: Iterable[str], store: str, sent: Mapping[str, bytes]
) -> tuple[dict[str, Path], list[str]]:
    """Return the unpacked folder of each digest, and the digests of bundles that are not to be had here.

    A bundle comes from the cache, from the bytes that were sent, or from the coordinator's store if that is
    on this machine.
    """
    ours, folders, lacking = _cache(), dict[str, Path](), list[str]()
    for digest in sorted({*digests}):
        _lease(ours, digest)
        if not ours.has(digest):
            bundle = _sent(sent, digest) or _stored(store, digest)
            if bundle is None:
                lacking.append(digest)
                continue
            ours.put(bundle)
            _evict(ours)
        try:
            folders[digest] = ours.folder_of(digest)
        except BadInput:  # damaged
            _forget_damaged(ours, digest)
            lacking.append(digest)
    return folders, lacking


def stored(bundles: Iterable[Bundle]) -> BundleStore:
    """Return the store of this machine, with these bundles in it as long as this process runs."""
    ours = _cache()
    for bundle in bundles:
        _lease(ours, bundle.digest)
        ours.put(bundle)
    return ours


@cache
def _cache() -> BundleStore:
    return cache_store()


def _sent(sent: Mapping[str, bytes], digest: str) -> Bundle | None:
    return unpacked(sent[digest], digest) if digest in sent else None


def _stored(store: str, digest: str) -> Bundle | None:
    """Return a bundle from the coordinator's store; None if that is not on this machine."""
    try:
        if not store or not Path(store, "packed", digest).is_file():
            return None
        return BundleStore(Path(store)).get(digest)
    except (BadInput, OSError):
        return None


# -- the size of the cache ---------------------------------------------------------------------


def _lease(ours: BundleStore, digest: str) -> None:
    """Hold a shared lock on a bundle until this process ends, so that no other process removes it."""
    path = _lock_file(ours, digest)
    if path not in _leases:
        _leases[path] = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(_leases[path], fcntl.LOCK_SH)
    os.utime(path)


def _forget_damaged(ours: BundleStore, digest: str) -> None:
    """Remove a damaged bundle. BadInput if another process uses it: its program may be running."""
    path = _lock_file(ours, digest)
    try:
        fcntl.flock(_leases[path], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise BadInput("it is damaged, and another process uses it", f"bundle {digest}") from None
    ours.forget(digest)
    fcntl.flock(_leases[path], fcntl.LOCK_SH)


def _lock_file(ours: BundleStore, digest: str) -> Path:
    return ours.folder / f"{digest[:64]}.lock"


def _evict(ours: BundleStore, most: int | None = None) -> None:
    """Remove the bundles that were not used for longest, and that no process uses, down to a size."""
    most = MOST_CACHED if most is None else most
    locks = sorted(ours.folder.glob("*.lock"), key=lambda path: path.stat().st_mtime)
    sizes = {path: _size(ours, path.stem) for path in locks}
    for path in locks:
        if sum(sizes.values()) <= most:
            return
        with path.open("ab") as file, contextlib.suppress(OSError):  # a process uses it, this one maybe
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours.forget(path.stem)
            sizes[path] = 0


def _size(ours: BundleStore, digest: str) -> int:
    try:
        return (ours.folder / "packed" / digest).stat().st_size
    except OSError:
        return 0
