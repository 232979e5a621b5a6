"""A folder of records, one for each match of a server, numbered in the order in which the matches began."""

from __future__ import annotations

import contextlib
import fcntl
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadOptions, TouchlineError
from touchline.records.interrupted import Interrupted, has_begun
from touchline.records.recording import Recording
from touchline.records.side_file import SUFFIX, read_secret, side_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.core.events import Event
    from touchline.records.recorder import Signer
    from touchline.records.recording import Observer
    from touchline.records.side_file import Secret

log = logging.getLogger(__name__)

MOST_SHOWN = 100
"""Records that the page lists from before its start: the newest ones."""


class MatchRecord:
    """The record of one match in a folder, or that of a match that is not recorded."""

    def __init__(self, observers: Sequence[Observer] = (), recording: Recording | None = None) -> None:
        self.observers = tuple(observers)
        """The observers that write the record; give them to the match."""
        self._recording, self._opened = recording, bool(observers)

    @property
    def recorded(self) -> bool | None:
        """Whether the record is whole as far as the match has come; None if none was wanted."""
        if self._recording is None:
            return None
        return self._opened and self._recording.failed is None

    def close(self) -> None:
        """Close the file of a match that stops before its end, and may be resumed."""
        if self._recording is not None:
            self._recording.close()


class RecordFolder:
    """Numbers and writes the records of a folder; does nothing without a folder."""

    def __init__(
        self, folder: str | Path | None, signer: Signer | None = None, most: int | None = None
    ) -> None:
        """`most` is the number of whole records to keep, the newest; None is no limit."""
        self.path, self._signer, self._most = None if folder is None else Path(folder), signer, most
        self.failed: dict[str, str] = {}
        """Why a match has no whole record, by the file that it was meant for."""
        if self.path is None:
            return
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadOptions(f"cannot create the folder {self.path}: {error.strerror}") from None
        there = (int(file.stem) for file in self.path.glob("[0-9]*.jsonl") if file.stem.isdecimal())
        self._next = 1 + max(there, default=-1)

    def earlier(self) -> list[Path]:
        """Return the newest earlier records, at most MOST_SHOWN, the newest last."""
        there = [] if self.path is None else self.path.glob("*.jsonl")
        whole = (file for file in there if not side_file(file).exists())
        return sorted(whole, key=lambda file: file.stat().st_mtime)[-MOST_SHOWN:]

    def tidy(self) -> None:
        """Remove the oldest whole records beyond the limit."""
        if self.path is None or self._most is None:
            return
        with contextlib.suppress(OSError):
            whole = [file for file in self.path.glob("*.jsonl") if not side_file(file).exists()]
            for file in sorted(whole, key=lambda file: file.stat().st_mtime)[: -self._most]:
                file.unlink(missing_ok=True)

    def interrupted(self, origin: str) -> Iterator[Interrupted]:
        """Iterate over the interrupted matches of this origin (`Secret.origin`).

        One that cannot be read is logged and passed over. So is one that another process plays. A match that
        had ended is not interrupted: its record is sealed now. Of a match that had not begun nothing is kept.
        """
        for side in [] if self.path is None else sorted(self.path.glob(f"*.jsonl{SUFFIX}")):
            record = side.with_name(side.name.removesuffix(SUFFIX))
            try:
                match = _left_behind(record, side, origin)
                if match is None or match.tidied_up():
                    continue
                if match.replay.ended is None:
                    yield match
                else:
                    self._seal(match)
            except (OSError, TouchlineError) as error:
                log.warning("a match cannot be resumed: %s", error)

    def _seal(self, match: Interrupted) -> None:
        recording = Recording(match.path, signer=self._signer)
        match.observers(recording)
        recording.seal()
        if recording.failed is not None:
            self._note(recording, recording.failed)

    def begin(self, secret: Secret) -> MatchRecord:
        """Begin the record of a new match. A failing disk is noted in `failed` and logged."""
        if self.path is None:
            return MatchRecord()
        self._next += 1
        recording = Recording(self.path / f"{self._next - 1:06}.jsonl", signer=self._signer)
        try:
            return MatchRecord([self._watched(recording, see) for see in recording.open(secret)], recording)
        except BadOptions as error:
            self._note(recording, str(error))
            return MatchRecord((), recording)

    def resume(self, match: Interrupted) -> MatchRecord:
        """Continue the record of an interrupted match. BadOptions if another process plays it."""
        recording = Recording(match.path, signer=self._signer)
        return MatchRecord([self._watched(recording, see) for see in match.observers(recording)], recording)

    def _watched(self, recording: Recording, see: Observer) -> Observer:
        """Return an observer that closes the file after the last event, and notes a failure."""
        from touchline.core.events import Ended

        def seen(event: Event) -> None:
            see(event)
            if isinstance(event, Ended):
                recording.end()
            if recording.failed is not None and str(recording.path) not in self.failed:
                self._note(recording, recording.failed)

        return seen

    def _note(self, recording: Recording, why: str) -> None:
        self.failed[str(recording.path)] = why
        log.error("%s is not recorded: %s", recording.path, why)


def _left_behind(record: Path, side: Path, origin: str) -> Interrupted | None:
    """Return the match of a side file; None if it had not begun, has another origin, or is still played."""
    with side.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log.warning("%s: another process plays this match", side)
            return None
    if not has_begun(record):
        side.unlink()
        record.unlink(missing_ok=True)
        return None
    secret = read_secret(side)
    return Interrupted(record) if secret is not None and secret.origin == origin else None
