"""A folder of bundles, named by their digests: packed, to be sent on, and unpacked, to be run.

Law of this file: what is handed out was compared with its digest. Nothing is there by half: files and folders
are written under another name and renamed. Several processes may use one store at the same time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

from touchline.bundles.bundle import MOST_PACKED, Bundle, file_line, packed, unpacked
from touchline.core.errors import BadInput, TouchlineError

_DIGEST = re.compile(r"[0-9a-f]{64}")


class BundleStore:
    """The bundles in a folder, which is made if it is not there.

    Others can enter the folder but not list it: programs that run as another user must reach their own files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._packed, self._unpacked = folder / "packed", folder / "unpacked"
        folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        self._packed.mkdir(mode=0o700, exist_ok=True)
        self._unpacked.mkdir(mode=0o711, exist_ok=True)
        self._checked: dict[str, list[tuple[int, ...]]] = {}
        """For each digest, what `stat` said of every file when its content was compared."""

    def has(self, digest: str) -> bool:
        return self._file(digest).exists()

    def put(self, bundle: Bundle) -> str:
        """Keep a bundle, durably; return its digest."""
        target = self._file(bundle.digest)
        if not target.exists():
            number, name = tempfile.mkstemp(dir=self._packed, prefix="new-")
            try:
                with open(number, "wb") as file:
                    file.write(packed(bundle))
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, target)
            except BaseException:
                os.unlink(name)
                raise
            _sync(self._packed)
        return bundle.digest

    def get(self, digest: str) -> Bundle:
        """Return a bundle. BadInput if it is not there, or damaged."""
        try:
            with self._file(digest).open("rb") as file:
                data = file.read(MOST_PACKED + 1)
        except OSError as error:
            raise BadInput(error.strerror or str(error), f"bundle {digest}") from None
        return unpacked(data, digest)

    def folder_of(self, digest: str) -> Path:
        """Return the read-only folder with the files of a bundle. BadInput if it is missing or damaged."""
        target = self._unpacked / self._file(digest).name
        if not target.exists():
            self._unpack(self.get(digest), target)
        seen = _stats(target)
        if self._checked.get(digest) != seen:
            if (found := _digest_of(target)) != digest:
                raise BadInput(f"the unpacked files have been changed: their digest is {found}", str(target))
            self._checked[digest] = seen
        return target

    def forget(self, digest: str) -> None:
        """Delete a bundle, if it is there."""
        self._file(digest).unlink(missing_ok=True)
        _remove(self._unpacked / digest)
        self._checked.pop(digest, None)

    def _file(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise BadInput(f"not the digest of a bundle: {digest[:80]!r}")
        return self._packed / digest

    def _unpack(self, bundle: Bundle, target: Path) -> None:
        """Unpack a bundle, unless another process is the first to do so."""
        made = Path(tempfile.mkdtemp(dir=self._unpacked, prefix="new-"))
        try:
            for file in bundle.files:
                path = made / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.data)
                path.chmod(0o555 if file.executable else 0o444)
            for folder in [path for path in made.rglob("*") if path.is_dir()]:
                folder.chmod(0o555)
            made.chmod(0o755)  # a folder that cannot be written cannot be renamed
            try:
                made.rename(target)
            except OSError:  # not empty: another process was faster
                if not target.is_dir():
                    raise
            else:
                target.chmod(0o555)
        finally:
            _remove(made)


def cache_store() -> BundleStore:
    """Return the store that the workers of this user share on this machine.

    It lies in the folder of temporary files, because a home folder may be closed to the users that programs
    run as. A folder there that is not ours is refused: somebody else could change what we run.
    """
    folder = Path(tempfile.gettempdir()) / f"touchline-bundles-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o711)
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid() or facts.st_mode & 0o022:
        raise TouchlineError(
            f"{folder} is not a folder that only you can write: remove it, or set TMPDIR to another folder"
        )
    return BundleStore(folder)


def _sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _paths(folder: Path) -> list[Path]:
    """Return what is in a folder, except folders: files, and what should not be there."""
    return sorted(path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def _stats(folder: Path) -> list[tuple[int, ...]]:
    """Return what changes when a file does: nobody but root can set back the time of a change."""
    facts = [path.lstat() for path in _paths(folder)]
    return [(one.st_ino, one.st_size, one.st_mode, one.st_mtime_ns, one.st_ctime_ns) for one in facts]


def _digest_of(folder: Path) -> str:
    """Return the digest of the files in a folder, as that of a bundle."""
    lines: list[tuple[str, bytes]] = []
    for path in _paths(folder):
        name, facts = path.relative_to(folder).as_posix(), path.lstat()
        if not stat.S_ISREG(facts.st_mode):
            return f"none, because of {name}"
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        lines.append((name, file_line(name, bool(facts.st_mode & 0o111), content)))
    return hashlib.sha256(b"".join(line for _, line in sorted(lines))).hexdigest()


def _remove(folder: Path) -> None:
    """Delete a folder, also if it is read-only."""
    if not folder.exists():
        return
    folder.chmod(0o700)
    for path in [path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink()]:
        path.chmod(0o700)
    shutil.rmtree(folder)
