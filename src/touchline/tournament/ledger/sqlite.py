"""A ledger in a file: SQLite, for one machine. Other processes may read while one writes.

A commit is on the disk before it returns (`synchronous=FULL`), in a write-ahead log beside the file. The file
must be on a local disk, because SQLite's locks do not work on network file systems. The secret salt of a
running cup is in another file beside it, which only its owner can read: entrants may read the ledger.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput
from touchline.tournament.ledger.base import Conflict, Unavailable, Unreadable
from touchline.tournament.ledger.shared import salt_file
from touchline.tournament.ledger.shared.database import Database
from touchline.tournament.ledger.shared.schema import VERSION, check_version, tables
from touchline.tournament.ledger.shared.sql import SqlLedger
from touchline.tournament.ledger.shared.upgrade import show_version_1, upgrade

if TYPE_CHECKING:
    from io import TextIOWrapper

    from touchline.tournament.ledger.shared.database import Connection, Cursor

OURS = int.from_bytes(b"tchl")
"""The application id in the header of the file, which marks it as a ledger."""
SMALLEST = 512
"""The bytes of the smallest database; SQLite would take a shorter file for an empty one."""

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


SUFFIXES = ("-salt", "-run", "-wal", "-shm", "-journal")
"""The files beside a ledger: ours, and those of SQLite."""


class Sqlite(SqlLedger):
    """The ledger in a file: a path, or `sqlite:///path`."""

    def __init__(self, where: str, *, readonly: bool, durable: bool, patience: float) -> None:
        super().__init__(SqliteFile(_path(where), readonly=readonly, durable=durable, patience=patience))
        self._path = _path(where)

    def files(self) -> tuple[Path, ...]:
        return tuple(Path(f"{self._path.resolve()}{suffix}") for suffix in ("", *SUFFIXES))


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

    errors = (sqlite3.Error, UnicodeDecodeError)  # the latter if a message quotes a damaged text
    write = "BEGIN IMMEDIATE"  # SQLite refuses to upgrade a reader to a writer while another writes
    snapshot = "BEGIN"
    lock = lock_free = ""  # a writer locks the whole file

    def __init__(self, path: Path, *, readonly: bool, durable: bool, patience: float) -> None:
        super().__init__(readonly=readonly, durable=durable, patience=patience)
        self._path = path
        if not path.parent.is_dir():
            raise BadInput("there is no such folder", str(path.parent))
        if readonly and not path.exists():
            raise BadInput("there is no such file", str(path))
        self._mode = _read_mode(path) if readonly else "rwc"
        self._opening = True
        """Whether no connection has been set up yet; then any error means that the file is damaged."""
        self._salt_file = Path(f"{path}-salt")
        self._lock_file = Path(f"{path}-run")
        """Locked by the process that runs the cup, and removed by it."""
        self._held: TextIOWrapper | None = None

    def hold(self) -> bool:
        # A file of its own: closing a second handle of the database would drop SQLite's POSIX locks.
        while self._held is None:
            try:
                held = open(self._lock_file, "w")  # noqa: SIM115 - it is held open
            except OSError as error:
                raise Unavailable(f"{self._lock_file}: {error.strerror}") from None
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                held.close()
                return False
            if _is_at(held, self._lock_file):
                self._held = held
            else:  # its last holder removed it between our opening and locking it
                held.close()
        return True

    def let_go(self) -> None:
        if self._held is not None:
            self._lock_file.unlink(missing_ok=True)
            self._held.close()
            self._held = None

    def open(self) -> Connection:
        return sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={self._mode}",
            timeout=self._patience, isolation_level=None, uri=True,
        )  # fmt: skip

    def keep_salt(self, salt: bytes) -> None:
        salt_file.write(self._salt_file, salt)

    def salt(self) -> bytes | None:
        return salt_file.read(self._salt_file)

    def drop_salt(self) -> None:
        salt_file.delete(self._salt_file)

    def prepare(self, sql: Cursor) -> None:
        run = sql.execute
        # The file may come from a stranger.
        run("PRAGMA trusted_schema = OFF")
        run("PRAGMA cell_size_check = ON")
        run(self.snapshot)
        version = self._version(sql)
        run("COMMIT")
        if version and self._opening:
            self._check_structure(sql)
        if not version and self._path.exists() and 0 < self._path.stat().st_size < SMALLEST:
            raise Unreadable("this is no ledger, or a damaged one (it is too short)", str(self._path))
        if self._readonly:
            if not version:
                raise Unreadable("it holds no cup", str(self._path))
            if version == 1:
                show_version_1(sql, "main")
            run("PRAGMA query_only = ON")
        else:
            run("PRAGMA foreign_keys = ON")
            self._write_ahead(sql)
            run(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
            if version != VERSION:
                self._make_tables(sql)
            self._mode = "rw"  # if the file is gone at a reconnect, creating an empty one would hide that
        self._opening = False

    def _make_tables(self, sql: Cursor) -> None:
        """Create the tables, or upgrade those of an older version."""
        run = sql.execute
        run(self.write)
        version = self._version(sql)  # another process may have been faster
        if not version:
            for statement in tables(bytes_="BLOB", counted="INTEGER"):
                run(statement)
            run(f"PRAGMA application_id = {OURS}")
        elif version == 1:
            if not self.hold():
                raise Conflict("an older touchline runs this cup: wait until it has stopped")
            self.let_go()
            upgrade(sql, bytes_="BLOB")
        run(f"PRAGMA user_version = {VERSION}")
        run("COMMIT")

    def _check_structure(self, sql: Cursor) -> None:
        """Raise `Unreadable` if the file is cut off, or its pages and indexes are not in order.

        This takes 0.3 s for a hundred thousand games.
        """
        pages, size = (int(str(_value(sql, f"PRAGMA {what}"))) for what in ("page_count", "page_size"))
        log = Path(f"{self._path}-wal")
        pending = log.exists() and log.stat().st_size > 0  # then some pages are in the log only
        if not pending and self._path.stat().st_size != pages * size:
            raise Unreadable("the file is damaged: it has not the size that it says it has", str(self._path))
        found = str(_value(sql, "PRAGMA integrity_check(1)"))
        if found != "ok":
            said = " ".join(found.split())
            raise Unreadable(f"the file is damaged ({said}): restore it from a copy", str(self._path))

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

    def _version(self, sql: Cursor) -> int:
        """Return the schema version, 0 if there are no tables. Raise if the file is not a ledger."""
        owner, version, things = (
            _value(sql, query)
            for query in (
                "PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master",
            )
        )  # fmt: skip
        if (owner, version, things) == (0, 0, 0):
            return 0
        if owner != OURS:
            raise Unreadable("this is a database, but not a ledger of touchline", str(self._path))
        return check_version(version, str(self._path))

    def explained(self, error: Exception) -> Exception:
        code = _code(error)
        if code in _DAMAGED or isinstance(error, UnicodeDecodeError):
            return Unreadable(f"this is no ledger, or a damaged one ({error})", str(self._path))
        if "Could not decode to UTF-8" in str(error):  # the driver's own error, without a code
            return Unreadable(f"a text is damaged ({error})", str(self._path))
        if code == sqlite3.SQLITE_ERROR and "no such" in str(error):
            return Unreadable(f"tables are missing ({error})", str(self._path))
        if code == sqlite3.SQLITE_READONLY and _may_write(self._path):
            return Unreadable(f"the file is damaged: it says that it is read-only ({error})", str(self._path))
        if code in _WHY_NOT:
            return Unavailable(f"{self._path}: {_WHY_NOT[code]} ({error})")
        if self._opening:
            return Unreadable(f"the file is damaged ({error})", str(self._path))
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


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _read_mode(path: Path) -> str:
    """Return the mode in which to open a file that is only read.

    If we may write, the file is opened for writing all the same: a reader without that right would leave its
    log beside the file. On a read-only disk nobody can write, so no locks are needed.
    """
    if _may_write(path):
        return "rw"
    log = path.with_name(f"{path.name}-wal")
    return "ro" if log.exists() else "ro&immutable=1"


def _is_at(file: TextIOWrapper, path: Path) -> bool:
    """Return whether an open file is the one at a path."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
