"""Read a zip or a folder of a stranger into files, without harm.

Law of this file: nothing is written anywhere, nothing outside of the archive is read, and no more is unpacked
than a bundle may hold, whatever sizes the archive declares.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from typing import TYPE_CHECKING

from touchline.bundles.bundle import MOST_BYTES, MOST_FILES, BundleFile, problem_with_path
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

IGNORED = ("__pycache__", "__MACOSX")
"""Folders that tools leave behind; names that begin with a dot are ignored, too."""
DIRECTORY_ENTRY = b"PK\x01\x02"
PROGRAMS = (b"#!", b"\x7fELF")
"""How programs begin: a zip made on Windows does not say which files are executable."""


def read_zip(data: bytes) -> list[BundleFile]:
    """Return the files in a zip. BadInput says what is wrong with it."""
    if data.count(DIRECTORY_ENTRY) > 4 * MOST_FILES:  # before a list of that many entries is built
        raise BadInput(f"the zip has too many entries: at most {MOST_FILES:,} are allowed")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not _ignored(entry.filename)]
            if len(entries) > MOST_FILES:
                raise BadInput(f"the zip has {len(entries):,} entries: at most {MOST_FILES:,} are allowed")
            return [*_files(archive, entries)]
    except BadInput:
        raise
    except (
        zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError,
        KeyError, OverflowError,
    ) as error:  # fmt: skip
        raise BadInput(f"the zip cannot be read: {error}") from None


def _files(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> Iterator[BundleFile]:
    left = MOST_BYTES
    for entry in entries:
        mode = entry.external_attr >> 16
        if entry.is_dir() or stat.S_ISDIR(mode):
            continue
        _check_kind(entry.filename, mode)
        if entry.file_size > left:
            raise BadInput(f"its files have more than {MOST_BYTES >> 20} MB", entry.filename)
        with archive.open(entry) as file:
            content = file.read(left + 1)  # the declared size may be a lie
        left -= len(content)
        if left < 0:
            raise BadInput(f"its files have more than {MOST_BYTES >> 20} MB", entry.filename)
        yield _file(entry.filename, content, mode)


def read_folder(folder: Path) -> list[BundleFile]:
    """Return the files in a folder, without following links. BadInput says what is wrong with it."""
    found: list[BundleFile] = []
    left = MOST_BYTES
    for above, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not _ignored(f"{name}/"))
        for name in [*names, *(name for name in folders if os.path.islink(os.path.join(above, name)))]:
            path = os.path.join(above, name)
            short = os.path.relpath(path, folder).replace(os.sep, "/")
            if _ignored(short):
                continue
            facts = os.lstat(path)
            _check_kind(short, facts.st_mode)
            left -= facts.st_size
            if left < 0 or len(found) >= MOST_FILES:
                raise BadInput(
                    f"at most {MOST_FILES:,} files with {MOST_BYTES >> 20} MB are allowed: hand in a zip "
                    "with only what the player needs to run",
                    str(folder),
                )
            with open(path, "rb") as file:
                found.append(_file(short, file.read(facts.st_size), facts.st_mode))
    return found


def _file(path: str, content: bytes, mode: int) -> BundleFile:
    if why := problem_with_path(path):
        raise BadInput(why, repr(path[:200]))
    return BundleFile(path, content, bool(mode & 0o111) or content.startswith(PROGRAMS))


def _check_kind(path: str, mode: int) -> None:
    """Raise BadInput if an entry is a link, a device or a pipe."""
    if stat.S_ISLNK(mode):
        raise BadInput("links are not allowed: hand in the file itself", path)
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise BadInput("neither a file nor a folder", path)


def _ignored(path: str) -> bool:
    """Return whether a tool left this behind; never for a path that leads out of the folder."""
    parts = path.rstrip("/").split("/")
    return ".." not in parts and any(
        part in IGNORED or (part.startswith(".") and part != ".") for part in parts
    )


def _raise(error: OSError) -> None:
    raise BadInput(error.strerror or str(error), str(error.filename))
