"""Write a record: each event as a line of JSON as soon as it happens, so that a crash loses no event."""

from __future__ import annotations

from io import FileIO
from typing import TYPE_CHECKING

from touchline.core.events import Ended, Event, encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO


def recorder(file: BinaryIO | FileIO) -> Callable[[Event], None]:
    """Return an observer that writes events to a binary file and closes it after the last.

    A buffered file is flushed after each event; an unbuffered one saves that call.
    """
    write, buffered = file.write, not isinstance(file, FileIO)

    def see(event: Event) -> None:
        write(encode(event) + b"\n")
        if buffered:
            file.flush()
        if type(event) is Ended:
            file.close()

    return see
