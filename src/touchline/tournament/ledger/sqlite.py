"""A ledger in a file: SQLite, for one machine. Other processes may read while one writes.

A commit is on the disk before it returns (`synchronous=FULL`), in a write-ahead log beside the file. The file
must be on a local disk, because SQLite's locks do not work on network file systems.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput
from touchline.tournament.ledger.base import Unavailable, Unreadable
from touchline.tournament.ledger.shared.database import Database
from touchline.tournament.ledger.shared.schema import VERSION, check_version, tables
from touchline.tournament.ledger.shared.sql import SqlLedger

if TYPE_CHECKING:
    from io import TextIOWrapper

    from touchline.tournament.ledger.shared.database import Connection, Cursor

OURS = int.from_bytes(b"tchl")
"""The application id in the header of the file, which marks it as a ledger."""

_WHY_NOT = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_BUSY: "another process has been writing for too long",
    sqlite3.SQLITE_LOCKED: "another process has been writing for too long",
    sqlite3.SQLITE_PROTOCOL: "too many processes are opening it at once",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: it may be gone, or its folder may be closed to us",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_NOMEM: "out of memory",
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Sqlite(SqlLedger):
    """The ledger in a file: a path, or `sqlite:///path`."""

    def __init__(self, where: str, *, readonly: bool, durable: bool, patience: float) -> None:
        super().__init__(SqliteFile(_path(where), readonly=readonly, durable=durable, patience=patience))


def _path(where: str) -> Path:
    """
    >>> _path("sqlite:///cup.db"), _path("cups/spring.db")
    (PosixPath('cup.db'), PosixPath('cups/spring.db'))
    """
    scheme, colon, rest = where.partition("://")
    if not colon:
        return Path(scheme)
    if rest[:1] != "/" or rest == "/":
        raise BadInput("a ledger is a file, sqlite:///FILE or postgresql://HOST/DATABASE?cup=NAME", where)
    return Path(rest[1:])


class SqliteFile(Database):
    """An SQLite file. `patience` is how many seconds to wait while another process writes."""

    errors = (sqlite3.Error,)
    write = "BEGIN IMMEDIATE"  # SQLite refuses to upgrade a reader to a writer while another writes
    snapshot = "BEGIN"
    lock = lock_free = ""  # a writer locks the whole file

    def __init__(self, path: Path, *, readonly: bool, durable: bool, patience: float) -> None:
        super().__init__(readonly=readonly, durable=durable, patience=patience)
        self._path = path
        if not path.parent.is_dir():
            raise Unreadable("there is no such folder", str(path.parent))
        if readonly and not path.exists():
            raise Unreadable("there is no such file", str(path))
        self._mode = _read_mode(path) if readonly else "rwc"
        self._held: TextIOWrapper | None = None

    def hold(self) -> bool:
        # A file of its own: closing a second handle of the database would drop SQLite's POSIX locks.
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

    def open(self) -> Connection:
        return sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={self._mode}",
            timeout=self._patience, isolation_level=None, uri=True,
        )  # fmt: skip

    def prepare(self, sql: Cursor) -> None:
        run = sql.execute
        # The file may come from a stranger.
        run("PRAGMA trusted_schema = OFF")
        run("PRAGMA cell_size_check = ON")
        run(self.snapshot)
        empty = self._is_empty(sql)
        run("COMMIT")
        if self._readonly:
            if empty:
                raise Unreadable("it holds no cup", str(self._path))
            run("PRAGMA query_only = ON")
            return
        run("PRAGMA foreign_keys = ON")
        self._write_ahead(sql)
        run(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
        if empty:
            run(self.write)
            if self._is_empty(sql):  # no other process was faster
                for statement in tables(bytes_="BLOB", counted="INTEGER"):
                    run(statement)
                run(f"PRAGMA application_id = {OURS}")
                run(f"PRAGMA user_version = {VERSION}")
            run("COMMIT")
        self._mode = "rw"  # if the file is gone at a reconnect, creating an empty one would hide that

    def _write_ahead(self, sql: Cursor) -> None:
        """Switch to the write-ahead log. SQLite's own busy timeout does not cover this, so we retry."""
        end = time.monotonic() + self._patience
        while True:
            try:
                sql.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
            time.sleep(0.005)

    def _is_empty(self, sql: Cursor) -> bool:
        """Return whether the file has no tables yet. Raise if it is not a ledger, before it is changed."""
        owner, version, things = (
            _value(sql, query)
            for query in (
                "PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master",
            )
        )  # fmt: skip
        if (owner, version, things) == (0, 0, 0):
            return True
        if owner != OURS:
            raise Unreadable("this is a database, but not a ledger of touchline", str(self._path))
        check_version(version, str(self._path))
        return False

    def explained(self, error: Exception) -> Exception:
        code = _code(error)
        if code in _DAMAGED:
            return Unreadable(f"this is no ledger, or a damaged one ({error})", str(self._path))
        if "Could not decode to UTF-8" in str(error):  # the driver's own error, without a code
            return Unreadable(f"a text is damaged ({error})", str(self._path))
        if code == sqlite3.SQLITE_ERROR and "no such" in str(error):
            return Unreadable(f"tables are missing ({error})", str(self._path))
        if code in _WHY_NOT:
            return Unavailable(f"{self._path}: {_WHY_NOT[code]} ({error})")
        return error


def _code(error: Exception) -> int:
    """Return the primary result code. The driver's own errors have none."""
    try:
        return error.sqlite_errorcode & 0xFF if isinstance(error, sqlite3.Error) else sqlite3.SQLITE_ERROR
    except AttributeError:
        return sqlite3.SQLITE_ERROR


def _value(sql: Cursor, query: str) -> object:
    sql.execute(query)
    return sql.fetchone()[0]


def _read_mode(path: Path) -> str:
    """Return the mode in which to open a file that is only read.

    If we may write, the file is opened for writing all the same: a reader without that right would leave its
    log beside the file. On a read-only disk nobody can write, so no locks are needed.
    """
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return "rw"
    log = path.with_name(f"{path.name}-wal")
    return "ro" if log.exists() else "ro&immutable=1"
