"""A bundle: a set of files, named by a hash of their paths and content.

Law of this file: a bundle that exists is safe to unpack. Its paths are relative, stay below the folder that
it is unpacked in, and do not collide; its number of files and its size are limited.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MOST_FILES = 2_000
MOST_BYTES = 32 << 20
"""The most bytes in all files of a bundle."""
MOST_PACKED = MOST_BYTES + MOST_FILES * 1_100
"""The most bytes of a packed bundle: those of its files, of their paths, and a little more for each."""
MOST_PATH = 512
"""The most characters in a path."""
MOST_DEPTH = 16
"""The most folders in a path."""


class BundleFile(Struct, frozen=True, order=True):
    """A file of a bundle."""

    path: str
    """Relative, with `/` between its parts."""
    data: bytes
    executable: bool = False


class Bundle(Struct, frozen=True, dict=True):
    """A set of files, sorted by path. BadInput if it could not be unpacked safely.

    >>> bundle = Bundle((BundleFile("bot.py", b"print(1)"),))
    >>> bundle.size, bundle.digest[:16]
    (8, '50829a6e7b98a734')
    """

    files: tuple[BundleFile, ...]

    def __post_init__(self) -> None:
        if len(self.files) > MOST_FILES:
            raise BadInput(f"{len(self.files):,} files: at most {MOST_FILES:,} are allowed")
        if self.size > MOST_BYTES:
            raise BadInput(f"the files have more than {MOST_BYTES >> 20} MB")
        for file in self.files:
            if why := problem_with_path(file.path):
                raise BadInput(f"{file.path[:MOST_PATH]!r}: {why}")
        _check_distinct([file.path for file in self.files])

    @property
    def size(self) -> int:
        """Return the number of bytes in all files."""
        return sum(len(file.data) for file in self.files)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 hash, in hexadecimal digits, of every path, mode and content."""
        whole = hashlib.sha256()
        for file in self.files:
            whole.update(file_line(file.path, file.executable, hashlib.sha256(file.data).hexdigest()))
        return whole.hexdigest()


def file_line(path: str, executable: bool, content: str) -> bytes:
    """Return what a file adds to the digest of its bundle; `content` is the hash of its bytes."""
    return msgspec.json.encode([path, executable, content]) + b"\n"


def problem_with_path(path: str) -> str | None:
    """Return why a path cannot be in a bundle; None if it can.

    >>> problem_with_path("../bot.py"), problem_with_path("src/bot.py")
    ('it leads out of the folder', None)
    """
    if not path.isprintable() or "\\" in path:
        return "not a plain path"
    parts = path.split("/")
    if len(path) > MOST_PATH or len(parts) > MOST_DEPTH or max(len(part.encode()) for part in parts) > 255:
        return "the path is too long"
    if path.startswith("/"):
        return "the path is absolute"
    if ".." in parts:
        return "it leads out of the folder"
    if "" in parts or "." in parts:
        return "not a plain path"
    return None


def bundle_of(folder: Path, paths: Iterable[Path]) -> Bundle:
    """Return the bundle of these files, which lie below `folder`. BadInput if one is elsewhere or unreadable.

    A link is followed if it leads to a file below the folder.
    """
    root, found, size = folder.resolve(), {}, 0
    for path in paths:
        real = path.resolve()
        if not real.is_relative_to(root) or not path.absolute().is_relative_to(folder.absolute()):
            raise BadInput(f"it is not below {folder}, so it cannot travel with its entrant", str(path))
        name = path.absolute().relative_to(folder.absolute()).as_posix()
        try:
            size += (facts := real.stat()).st_size
            if size > MOST_BYTES:
                raise BadInput(f"the files have more than {MOST_BYTES >> 20} MB", str(path))
            found[name] = BundleFile(name, real.read_bytes(), bool(facts.st_mode & 0o111))
        except OSError as error:
            raise BadInput(error.strerror or str(error), str(path)) from None
    return bundled(found.values())


def bundled(files: Iterable[BundleFile]) -> Bundle:
    """Return the bundle of files in any order."""
    return Bundle(tuple(sorted(files, key=lambda file: file.path)))


def packed(bundle: Bundle) -> bytes:
    """Return the bytes of a bundle, to be stored or sent."""
    return msgspec.msgpack.encode(bundle)


def unpacked(data: bytes, digest: str | None = None) -> Bundle:
    """Return the bundle with these bytes. BadInput if it is damaged, unsafe, or has another digest."""
    if len(data) > MOST_PACKED:
        raise BadInput(f"a packed bundle has at most {MOST_PACKED >> 20} MB")
    try:
        bundle = msgspec.msgpack.decode(data, type=Bundle)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"not a bundle: {error}") from None
    if digest is not None and bundle.digest != digest:
        raise BadInput(f"the bundle is damaged: its digest is {bundle.digest}, not {digest}")
    return bundle


def _check_distinct(paths: list[str]) -> None:
    """Raise BadInput unless paths are sorted and different, and none is the folder of another."""
    if paths != sorted({*paths}):
        raise BadInput("the files of a bundle are not in order, or a path is there twice")
    known = {*paths}
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts)):
            if (above := "/".join(parts[:end])) in known:
                raise BadInput(f"{above!r} is a file and a folder")
