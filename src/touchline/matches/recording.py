"""Record a match to a file while it is played."""

from __future__ import annotations

from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from touchline.core.errors import BadInput, BadOptions
from touchline.records.recorder import recorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.events import Event

Observer: TypeAlias = "Callable[[Event], None]"


class Recording:
    """The record of a match, written while it is played. A failing disk stops it, but not the match."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Without a path nothing is recorded."""
        self.path = None if path is None else Path(path)
        self._file: FileIO | None = None
        self._failed: OSError | None = None

    def open(self) -> list[Observer]:
        """Open the file and return the observer that writes to it. Call it once all players exist."""
        if self.path is None:
            return []
        try:
            self._file = FileIO(self.path, "wb")
        except OSError as error:
            raise BadOptions(f"cannot record to {self.path}: {error.strerror}") from None
        write = recorder(self._file)

        def see(event: Event) -> None:
            if self._failed is None:
                try:
                    write(event)
                except OSError as error:
                    self._failed = error

        return [see]

    def close(self) -> None:
        """Close the file, whether the match ended or not."""
        if self._file is not None:
            self._file.close()

    def check(self) -> None:
        """Raise BadInput if the record is incomplete."""
        if self._failed is not None:
            raise BadInput(f"the record is incomplete: {self._failed.strerror}", str(self.path))
