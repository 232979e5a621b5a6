"""Record matches to a file while they are played, with the side file that belongs to a running match.

Laws of this file: a file is never overwritten unless that was asked for; a record that could not be written
is reported, and never looks whole; a failing disk stops the record, but not the match.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from touchline.core.errors import BadOptions, NotWritten
from touchline.drivers.match import Batching
from touchline.records.recorder import RecordWriter, is_sealed
from touchline.records.side_file import side_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event
    from touchline.matches.result import MatchResult
    from touchline.records.recorder import Signer
    from touchline.records.side_file import Secret

Observer: TypeAlias = "Callable[[Event], None]"


class NotRecorded(NotWritten):
    """A record could not be written. The match was played all the same: its result is in `match`.

    >>> error = NotRecorded("match.jsonl is not a whole record: No space left on device")
    >>> error.match is None, error.matches is None
    (True, True)
    """

    def __init__(self, message: str, match: MatchResult | None = None) -> None:
        super().__init__(message)
        self.match = match
        """The result of the match, if `play` raised this."""
        self.matches: Sequence[MatchResult] | None = None
        """The results of all matches, if `play_many` raised this."""


class Recording(Batching):
    """A file that takes the record of a match, or with `many` of one match after another."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        overwrite: bool = False,
        signer: Signer | None = None,
        prompt: bool = False,
        many: bool = False,
        optional: bool = False,
    ) -> None:
        """Without a path nothing is recorded. `prompt` writes every event at once, also of bots.

        With `optional`, a file that cannot be opened is a record that failed, and no error.
        """
        self.path = None if path is None else Path(path)
        self._overwrite, self._signer, self._prompt, self._many = overwrite, signer, prompt, many
        self._optional = optional
        self._file: int | None = None
        self._torn: str | None = None
        """Why half a record could not be removed from a file of many; nothing more is written after it."""
        self._secrets: _SecretFile | None = None
        self._removable = False
        self._at = self._whole_until = 0
        self._unkept: Secret | None = None
        """The secret of the match, until a line of its record is written."""
        self._writer: RecordWriter | None = None
        self.failed: str | None = None
        """Why the latest record could not be written."""
        self.lost: str | None = None
        """Why it is not certain that the closed file is on the disk."""

    @property
    def digest(self) -> str | None:
        """The digest of the latest record, once it is sealed."""
        return None if self._writer is None or self.failed is not None else self._writer.digest

    # -- beginning ----------------------------------------------------------------------------

    def open(self, secret: Secret | None = None) -> list[Observer]:
        """Begin a record, and return the observer that writes it. BadOptions if the file cannot be opened."""
        if self.path is None:
            return []
        self._writer, self.failed = None, self._torn
        if self._torn is not None:
            return []
        try:
            if self._file is None:
                self._file = self._open_file(self.path)
            self._unkept = secret
            if not self._many:
                self._keep_secret()
        except OSError as error:
            self._remove()
            if self._optional:
                self.failed = _why(error)
                return []
            raise BadOptions(f"cannot record to {self.path}: {_why(error)}") from None
        self._writer = RecordWriter(self._write, self._signer, prompt=self._prompt, whole=self._many)
        return [self]

    def resume(self, written: bytes, events: int) -> list[Observer]:
        """Continue the record that begins with these bytes, and has so many events.

        What follows the bytes in the file is cut off: a part of a line, or of a seal.
        """
        assert self.path is not None
        self._secrets = _SecretFile(side_file(self.path))
        try:
            self._secrets.lock()
            self._file = os.open(self.path, os.O_WRONLY | os.O_CLOEXEC)
            os.ftruncate(self._file, len(written))
            self._at = os.lseek(self._file, 0, os.SEEK_END)
        except OSError as error:
            raise BadOptions(f"cannot continue the record {self.path}: {error.strerror}") from None
        self._writer = RecordWriter(self._write, self._signer, written=written, skip=events)
        return [self]

    def seal(self) -> None:
        """Seal a record whose match had ended when its writer was killed."""
        assert self._writer is not None
        try:
            self._writer.seal()
        except OSError as error:
            self.failed = _why(error)
        self.close()

    def _open_file(self, path: Path) -> int:
        side, special = side_file(path), path.exists() and not path.is_file()
        if not special and not self._overwrite:
            self._check_free(path, side)
        if not special:
            self._secrets = _SecretFile(side)
            if side.exists():
                self._secrets.lock()
        how = os.O_TRUNC if self._overwrite or special else os.O_EXCL
        self._removable = not special
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o666)

    def _remove(self) -> None:
        """Remove the files of a match that does not begin: they hold nothing yet."""
        file, self._file = self._file, None
        if file is None:
            return
        with contextlib.suppress(OSError):
            os.close(file)
        if self._removable and self.path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
        if self._secrets is not None:
            self._secrets.close(remove=True)

    @staticmethod
    def _check_free(path: Path, side: Path) -> None:
        if side.exists() and path.exists():
            raise BadOptions(
                f"{path} is the record of a match that was interrupted: go on with it with --resume {path}, "
                "or overwrite it with --force"
            )
        if path.exists():
            raise BadOptions(f"{path} exists already: give another name, or overwrite it with --force")

    # -- writing ------------------------------------------------------------------------------

    def __call__(self, event: Event) -> None:
        """Record an event. A failing record does not stop the match."""
        if self.failed is None and self._writer is not None:
            try:
                self._writer.see(event)
            except Exception as error:
                self.failed = _why(error)

    def unseen(self) -> list[Event] | None:
        """Return the list to which moves of bots may be appended; None if each must be written at once."""
        writer = self._writer
        return None if writer is None or writer.prompt or self.failed is not None else writer.unwritten

    def flush(self) -> None:
        """Write what is not written yet."""
        if self._writer is not None and self.failed is None:
            try:
                self._writer.flush()
            except Exception as error:
                self.failed = _why(error)
        if self._writer is not None and self.failed is not None:
            self._writer.unwritten.clear()

    def _write(self, data: bytes) -> None:
        """Write all of the data; a full disk may take a part of it."""
        assert self._file is not None
        if self._unkept is not None and not is_sealed(data):
            self._keep_secret()  # before its first line: an unsealed record never lacks its secret
        self._unkept = None
        while data:
            done = os.write(self._file, data)
            self._at += done
            data = data[done:]

    def _keep_secret(self) -> None:
        if self._unkept is not None and self._secrets is not None:
            self._secrets.write(self._unkept)
        self._unkept = None

    # -- ending -------------------------------------------------------------------------------

    def end(self) -> None:
        """End the record of a match, whether it is sealed or not."""
        if self._file is None or self._writer is None:
            return
        if not self._many:
            self.close()
        elif self.failed is not None:
            self._drop_half_a_record()
        elif self._writer.digest is not None:
            self._whole_until = self._at

    def _drop_half_a_record(self) -> None:
        assert self._file is not None
        try:
            os.ftruncate(self._file, self._whole_until)
            os.lseek(self._file, self._whole_until, os.SEEK_SET)
            self._at = self._whole_until
        except OSError as error:
            self._torn = f"half a record could not be removed: {_why(error)}"

    def close(self) -> None:
        """Close the file; wait until it is on the disk, and then remove the side file of a sealed record."""
        if self._file is not None and self.failed is None:
            self.flush()
        file, self._file = self._file, None
        if file is None:
            return
        try:
            os.fsync(file)
        except OSError as error:
            if error.errno not in _NO_SYNC:
                self.lost = _why(error)
        try:
            os.close(file)
        except OSError as error:
            self.lost = self.lost or _why(error)
        self.failed = self.failed or self.lost
        whole = self._whole_until == self._at if self._many else self.digest is not None
        if self._secrets is not None:
            self._secrets.close(remove=whole and self.lost is None)

    def check(self, match: MatchResult | None = None) -> None:
        """Raise NotRecorded, with the result of the match, if the latest record is incomplete."""
        if self.failed is not None:
            raise NotRecorded(f"{self.path} is not a whole record: {self.failed}", match)


_NO_SYNC = (errno.EINVAL, errno.ENOTSUP)
"""What `fsync` says of a device, such as a terminal or /dev/null: there is nothing to wait for."""


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or f"{type(error).__name__}: {error}"


class _SecretFile:
    """A side file that is written anew for each match, and that only its owner can read."""

    def __init__(self, path: Path) -> None:
        self._path, self._file, self._size = path, -1, 0

    def write(self, secret: Secret) -> None:
        if not self._size:
            self.lock(os.O_CREAT)
            os.fchmod(self._file, 0o600)  # also if the file was there before
            if os.fstat(self._file).st_size:
                os.ftruncate(self._file, 0)
        data = msgspec.json.encode(secret)
        size = len(data)
        data = data.ljust(self._size)  # overwrites the whole of a longer one
        self._size = max(size, self._size)
        done = 0
        while done < len(data):
            done += os.pwrite(self._file, data[done:], done)

    def lock(self, create: int = 0) -> None:
        """Hold the side file as long as the match runs. BadOptions if another process plays the match."""
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC | create, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadOptions(f"{self._path}: another process plays this match") from None

    def close(self, *, remove: bool) -> None:
        file, self._file = self._file, -1
        if file >= 0:
            with contextlib.suppress(OSError):
                os.close(file)
        if remove:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
