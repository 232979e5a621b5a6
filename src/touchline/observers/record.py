"""The record: every event as a line of JSON, written as it happens, so that a crash loses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.events import Ended, Event, encode

if TYPE_CHECKING:
    from typing import BinaryIO


class Record:
    """Write a match to a file that is open for writing bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __call__(self, event: Event) -> None:
        self._file.write(encode(event) + b"\n")
        self._file.flush()
        if isinstance(event, Ended):
            self._file.close()
