"""Tables that wait for players, kept beside the records, so that they survive a restart of the server.

Laws of this file: a file is whole or absent, and only its owner can read it; a token is kept as its hash; one
server at a time keeps its tables in a folder; a failing disk is logged, and no table is lost by it.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.core.clock import Limits
from touchline.core.conduct import Conduct
from touchline.web.schema.catalogue import LevelName

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger(__name__)

MOST_BYTES = 1 << 20
"""The largest file that is read, 1 MiB."""


class KeptChair(Struct, frozen=True, kw_only=True):
    """A seat of a table that waits for players."""

    kind: str
    name: str | None
    """The person or house player in the seat. A program signs up again by itself, so its seat has none."""
    token: str | None
    """The hash of the token that opens the seat."""
    house: tuple[str, dict[str, Any]]
    level: LevelName | None = None


class Ports(Struct, frozen=True):
    """The ports of the page, and of the door for programs."""

    page: int
    door: int


class OpenTable(Struct, frozen=True, kw_only=True):
    """A table that waits for players."""

    id: str
    game: str
    options: dict[str, Any]
    conduct: Conduct
    limits: Limits
    chairs: tuple[KeptChair, ...]
    pace: float
    made: int
    address: str
    ports: Ports | None
    takeback: bool = False


class OpenTables:
    """The files of the open tables in a folder; does nothing without a folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = -1
        if folder is not None and not self._is_locked(folder):
            log.warning("another server uses %s: tables that wait for players are not kept", folder)
            self._folder = None

    def _is_locked(self, folder: Path) -> bool:
        """Hold a lock on the folder as long as this process lives; return whether that succeeded."""
        self._lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            return False
        return True

    @property
    def keeps(self) -> bool:
        """Whether tables are kept here."""
        return self._folder is not None

    def close(self) -> None:
        """Release the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def read(self) -> list[OpenTable]:
        """Return the tables of before a restart, the oldest first."""
        files = [] if self._folder is None else sorted(self._folder.glob("table-*.open"))
        found = []
        for file in files:
            try:
                with file.open("rb") as stream:
                    found.append(msgspec.json.decode(stream.read(MOST_BYTES), type=OpenTable))
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                log.warning("%s is not a table that waits for players: %s", file, error)
        return sorted(found, key=lambda table: table.made)

    def write(self, table: OpenTable) -> None:
        """Keep a table as it is now."""
        if self._folder is None:
            return
        file = self._folder / f"table-{table.id}.open"
        part = file.with_suffix(".part")
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with open(handle, "wb") as stream:
                stream.write(msgspec.json.encode(table))
            part.replace(file)
        except OSError as error:
            log.error("table %s would not survive a restart: %s", table.id, error)
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    def remove(self, id: str) -> None:
        """Forget a table: its match has begun, or it is closed."""
        if self._folder is not None:
            with contextlib.suppress(OSError):
                (self._folder / f"table-{id}.open").unlink(missing_ok=True)
