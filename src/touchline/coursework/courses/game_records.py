"""The records of a course's games, in a folder with a file for each, or all in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadOptions
from touchline.core.events import Ended
from touchline.records.record_folder import RecordFolder
from touchline.records.recording import Recording
from touchline.records.side_file import SeatSecret, Secret

if TYPE_CHECKING:
    from touchline.core.events import Event
    from touchline.drivers.match import MatchSpec
    from touchline.records.recording import Observer


class GameRecords:
    """Records every game; without a path it records nothing."""

    def __init__(self, path: str | None = None) -> None:
        """A path that is a folder, or that ends in a slash, takes a file per game; else it names a new file.

        Raise BadOptions if nothing can be written there.
        """
        self._folder: RecordFolder | None = None
        self._file: Recording | None = None
        self._failed: dict[str, str] = {}
        if path is None:
            return
        if path.endswith("/") or Path(path).is_dir():
            self._folder = RecordFolder(path)
        elif Path(path).exists():
            raise BadOptions(f"{path} exists already: give another name, or a folder")
        elif not Path(path).parent.is_dir():
            raise BadOptions(f"there is no folder {Path(path).parent} for the record: create it first")
        else:
            self._file = Recording(path, many=True, optional=True)

    @property
    def failed(self) -> dict[str, str]:
        """Why a record is not whole, by its file."""
        if self._folder is not None:
            return self._folder.failed
        return self._failed

    def begin(self, spec: MatchSpec) -> list[Observer]:
        """Return the observers of a game."""
        seats = tuple(SeatSecret(kind="remote") for _ in spec.names)
        secret = Secret(origin="course", seed=spec.seed, nonce=spec.nonce, seats=seats)
        if self._folder is not None:
            return [*self._folder.begin(secret).observers]
        return [] if self._file is None else [self._kept(self._file, secret)]

    def _kept(self, file: Recording, secret: Secret) -> Observer:
        """Return an observer that keeps the events of a game, and writes them at its end.

        The games of a round are played at the same time, and a file takes one after another.
        """
        events: list[Event] = []

        def see(event: Event) -> None:
            events.append(event)
            if isinstance(event, Ended):
                for write in file.open(secret):
                    for kept in events:
                        write(kept)
                file.end()
                if file.failed is not None:
                    self._failed[str(file.path)] = file.failed

        return see

    def close(self) -> None:
        """Close the file, if all games are in one."""
        if self._file is not None:
            self._file.close()
            if self._file.failed is not None:
                self._failed[str(self._file.path)] = self._file.failed
