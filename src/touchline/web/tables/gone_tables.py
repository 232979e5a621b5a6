"""Tables that are over or were closed, so that a link to one says why it is gone, also after a restart.

Laws of this file: it remembers a limited number of tables, the newest; a damaged line of its file is skipped;
a failing disk is logged, and what is in memory stays.
"""

from __future__ import annotations

import contextlib
import logging
import os
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger(__name__)

MOST = 5000
"""Tables that are remembered; the file may have twice as many lines before it is written anew."""
MOST_BYTES = 1 << 21
"""How much of the file is read, from its end: 2 MiB."""

Id = Annotated[str, Meta(min_length=1, max_length=100)]


class GoneTable(Struct, frozen=True, omit_defaults=True):
    """A line of the file."""

    id: Id
    record: Id | None = None
    """The id of the record; None for a table that was closed before its match."""


class GoneTables:
    """The records of tables by their ids; without a folder they are kept in memory only."""

    def __init__(self, folder: Path | None) -> None:
        # Hidden, for the folder may be one of a user's own for records.
        self._file = None if folder is None else folder / ".tables.gone"
        self._records: dict[str, str | None] = {}
        self._lines = 0
        self._read()

    def __contains__(self, id: str) -> bool:
        return id in self._records

    def __getitem__(self, id: str) -> str | None:
        return self._records[id]

    def note(self, id: str, record: str | None) -> None:
        """Remember a table, unless it is known so already."""
        if id in self._records and self._records[id] == record:
            return
        self._remember(id, record)
        if self._file is None:
            return
        try:
            if self._lines < 2 * MOST:
                self._write(self._file, os.O_APPEND, {id: record})
            else:
                part = self._file.with_suffix(".part")
                self._write(part, os.O_TRUNC, self._records)
                part.replace(self._file)
                self._lines = len(self._records)
        except OSError as error:
            log.error("a restarted server would not know why table %s is gone: %s", id, error)

    def _remember(self, id: str, record: str | None) -> None:
        self._records[id] = record
        if len(self._records) > MOST:
            del self._records[next(iter(self._records))]

    def _write(self, file: Path, how: int, tables: dict[str, str | None]) -> None:
        lines = (msgspec.json.encode(GoneTable(id, record)) + b"\n" for id, record in tables.items())
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | how, 0o600)
        with open(handle, "wb") as stream:
            stream.write(b"".join(lines))
        self._lines += len(tables)

    def _read(self) -> None:
        """Read the tables of before a restart."""
        if self._file is None:
            return
        try:
            with self._file.open("rb") as stream:
                size = stream.seek(0, os.SEEK_END)
                stream.seek(max(0, size - MOST_BYTES))
                lines = stream.read(MOST_BYTES).splitlines()
        except FileNotFoundError:
            return
        except OSError as error:
            log.warning("%s cannot be read: %s", self._file, error)
            return
        self._lines = len(lines)
        for line in lines:
            with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                table = msgspec.json.decode(line, type=GoneTable)
                self._remember(table.id, table.record)
