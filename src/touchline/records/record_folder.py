"""A folder of records, one for each match of a server, numbered in the order in which the matches began."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput, BadOptions, TouchlineError
from touchline.records.interrupted import Interrupted
from touchline.records.recording import Recording
from touchline.records.side_file import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.events import Event
    from touchline.records.recorder import Signer
    from touchline.records.recording import Observer
    from touchline.records.side_file import Secret

log = logging.getLogger(__name__)

MOST_SHOWN = 100
"""Records that the page lists from before its start: the newest ones."""


class RecordFolder:
    """Numbers and writes the records of a folder; does nothing without a folder."""

    def __init__(self, folder: str | Path | None, signer: Signer | None = None) -> None:
        self._folder, self._signer = None if folder is None else Path(folder), signer
        self.failed: dict[str, str] = {}
        """Why a match has no whole record, by the file that it was meant for."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadOptions(f"cannot create the folder {self._folder}: {error.strerror}") from None
        there = (int(file.stem) for file in self._folder.glob("[0-9]*.jsonl") if file.stem.isdecimal())
        self._next = 1 + max(there, default=-1)

    def earlier(self) -> list[Path]:
        """Return the newest earlier records, at most MOST_SHOWN, the newest last."""
        there = [] if self._folder is None else self._folder.glob("*.jsonl")
        return sorted(there, key=lambda file: file.stat().st_mtime)[-MOST_SHOWN:]

    def interrupted(self) -> Iterator[Interrupted]:
        """Iterate over the interrupted matches. One that cannot be read is logged and passed over."""
        sides = [] if self._folder is None else sorted(self._folder.glob(f"*.jsonl{SUFFIX}"))
        for side in sides:
            record = side.with_name(side.name.removesuffix(SUFFIX))
            try:
                yield Interrupted(record)
            except (BadInput, TouchlineError) as error:
                log.warning("a match cannot be resumed: %s", error)

    def observers(self, secret: Secret) -> list[Observer]:
        """Return the observers that record a new match. A failing disk is noted in `failed` and logged."""
        if self._folder is None:
            return []
        self._next += 1
        recording = Recording(self._folder / f"{self._next - 1:06}.jsonl", signer=self._signer)
        try:
            return [self._watched(recording, see) for see in recording.open(secret)]
        except BadOptions as error:
            self._note(recording, str(error))
            return []

    def resumed(self, match: Interrupted) -> list[Observer]:
        """Return the observers that continue the record of an interrupted match."""
        recording = Recording(match.path, signer=self._signer)
        return [self._watched(recording, see) for see in match.observers(recording)]

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
