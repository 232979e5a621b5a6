"""The record: every event as a line of JSON, written as it happens, so that a crash loses nothing."""

from __future__ import annotations

from io import FileIO
from typing import TYPE_CHECKING

from touchline.events import Ended, Event, encode

if TYPE_CHECKING:
    from typing import BinaryIO


class Record:
    """Write a match to a file that is open for writing bytes, best without a buffer."""

    def __init__(self, file: BinaryIO | FileIO) -> None:
        self._file, self._write = file, file.write
        self._buffered = not isinstance(file, FileIO)

    def __call__(self, event: Event) -> None:
        self._write(encode(event) + b"\n")
        if self._buffered:
            self._file.flush()
        if type(event) is Ended:
            self._file.close()
