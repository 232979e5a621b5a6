"""A ledger in a file: SQLite, for one machine. Others may read, and write in turn, while somebody writes.

A commit is on the disk before it returns (`synchronous=FULL`), in a write-ahead log beside the file, which
must lie on a disk of this machine, not on one that is reached over a network.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from typing import TYPE_CHECKING

from touchline.tournament.ledger.base import Unavailable, Unreadable
from touchline.tournament.ledger.database import Database
from touchline.tournament.ledger.schema import VERSION, tables

if TYPE_CHECKING:
    from io import TextIOWrapper
    from pathlib import Path

    from touchline.tournament.ledger.database import Connection

OURS = int.from_bytes(b"tchl")
"""The application id in the file's head, by which it is known."""

_WHY_NOT = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_BUSY: "another process has been writing for too long",
    sqlite3.SQLITE_LOCKED: "another process has been writing for too long",
    sqlite3.SQLITE_PROTOCOL: "too many processes are opening it at once",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: it may be gone, or its folder may be closed to us",
    sqlite3.SQLITE_READONLY: "it may only be read",
    sqlite3.SQLITE_PERM: "we may not touch it",
    sqlite3.SQLITE_NOMEM: "there is no memory left",
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteFile(Database):
    """A file. `patience` is how many seconds to wait while another process writes."""

    errors = (sqlite3.Error,)
    write = "BEGIN IMMEDIATE"  # one that reads first and then wants to write could be refused at once
    snapshot = "BEGIN"
    lock = lock_free = ""  # whoever writes has the whole file

    def __init__(self, path: Path, *, durable: bool, readonly: bool, patience: float) -> None:
        super().__init__()
        self._path, self._durable, self._readonly, self._patience = path, durable, readonly, patience
        if not path.parent.is_dir():
            raise Unreadable("there is no such folder", str(path.parent))
        if readonly and not path.exists():
            raise Unreadable("there is no such file", str(path))
        self._mode = _reading(path) if readonly else "rwc"
        self._held: TextIOWrapper | None = None

    def hold(self) -> bool:
        # A file of its own: to close another handle of the database would drop SQLite's own locks.
        if self._held is None:
            try:
                held = open(f"{self._path}-run", "w")  # noqa: SIM115 - it is held open
            except OSError as error:
                raise Unavailable(f"{self._path}-run: {error.strerror}") from None
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                held.close()
                return False
            self._held = held
        return True

    def let_go(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None

    def connect(self) -> Connection:
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={self._mode}",
            timeout=self._patience, isolation_level=None, uri=True,
        )  # fmt: skip
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        if not self._readonly:
            self._mode = "rw"  # if the file is gone when we come back, an empty one would hide it
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        run = connection.execute
        # The file may come from a stranger.
        run("PRAGMA trusted_schema = OFF")
        run("PRAGMA cell_size_check = ON")
        run(self.snapshot)
        empty = self._is_empty(connection)
        run("COMMIT")
        if self._readonly:
            if empty:
                raise Unreadable("no cup has been entered in it", str(self._path))
            run("PRAGMA query_only = ON")
            return
        run("PRAGMA foreign_keys = ON")
        self._write_ahead(connection)
        run(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
        if empty:
            run(self.write)
            if self._is_empty(connection):  # nobody else was faster
                for statement in tables(bytes_="BLOB", counted="INTEGER"):
                    run(statement)
                run(f"PRAGMA application_id = {OURS}")
                run(f"PRAGMA user_version = {VERSION}")
            run("COMMIT")

    def _write_ahead(self, connection: sqlite3.Connection) -> None:
        """Turn to the write-ahead log. It is the one thing for which SQLite does not wait by itself."""
        end = time.monotonic() + self._patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
            time.sleep(0.005)

    def _is_empty(self, connection: sqlite3.Connection) -> bool:
        """Whether the tables are to be made; what is not ours is refused, before anything is changed."""
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (things,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (owner, version, things) == (0, 0, 0):
            return True
        if owner != OURS:
            raise Unreadable("this is a database, but not a ledger of touchline", str(self._path))
        if version != VERSION:
            raise Unreadable(
                f"this ledger is of version {version}, and {VERSION} is known: get a newer touchline",
                str(self._path),
            )
        return False

    def explained(self, error: Exception) -> Exception:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest says it finer
        if code in _DAMAGED:
            return Unreadable(f"this is no ledger, or a damaged one ({error})", str(self._path))
        if "Could not decode to UTF-8" in str(error):  # the driver's own, without a code
            return Unreadable(f"a text is damaged ({error})", str(self._path))
        if code == sqlite3.SQLITE_ERROR and "no such" in str(error):
            return Unreadable(f"tables are missing ({error})", str(self._path))
        if code in _WHY_NOT:
            return Unavailable(f"{self._path}: {_WHY_NOT[code]} ({error})")
        return error


def _reading(path: Path) -> str:
    """How to open a file that is only to be read.

    Who can write, opens it so all the same: a reader that cannot would leave its log beside the file. On a
    disk that takes nothing at all, there is nobody to wait for.
    """
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return "rw"
    log = path.with_name(f"{path.name}-wal")
    return "ro" if log.exists() else "ro&immutable=1"
