"""The record: every event as a line of JSON, written as it happens, so that a crash loses nothing."""

from __future__ import annotations

from io import FileIO
from typing import TYPE_CHECKING

from touchline.core.events import Ended, Event, encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO


def recorder(file: BinaryIO | FileIO) -> Callable[[Event], None]:
    """An observer that writes a match to a file, open for bytes and best without a buffer, and closes it."""
    write, buffered = file.write, not isinstance(file, FileIO)

    def see(event: Event) -> None:
        write(encode(event) + b"\n")
        if buffered:
            file.flush()
        if type(event) is Ended:
            file.close()

    return see
