"""A ledger in a PostgreSQL server. Each cup has a schema of its own, named after it.

`postgresql://user@host/database?cup=spring` is the ledger of the cup `spring`; the default name is `cup`. The
secret salt of a running cup is in a table: the database has its own access rights.
"""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg.sql import Identifier

from touchline.core.errors import BadInput
from touchline.tournament.ledger.base import Conflict, Unavailable, Unreadable
from touchline.tournament.ledger.shared.database import Database
from touchline.tournament.ledger.shared.schema import VERSION, check_version, tables
from touchline.tournament.ledger.shared.sql import SqlLedger
from touchline.tournament.ledger.shared.upgrade import show_version_1, upgrade

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.ledger.shared.database import Connection, Cursor

CUP = "cup"
"""The default name of a cup."""
NAME = re.compile(r"(?!pg_|public$|information_schema$)[a-z][a-z0-9_-]{0,62}")
"""The names a cup may have; the name is also the schema's."""
ABANDONED = 60
"""Seconds after which the server rolls back the transaction of a silent client."""

_IN_TRANSACTION = (psycopg.pq.TransactionStatus.INTRANS, psycopg.pq.TransactionStatus.INERROR)
# The first class that matches counts.
_WHY_NOT: dict[type[psycopg.Error], str] = {
    psycopg.errors.DiskFull: "the server's disk is full",
    psycopg.errors.LockNotAvailable: "another process has held a lock for too long",
    psycopg.errors.DeadlockDetected: "two workers waited for each other",
    psycopg.errors.InsufficientPrivilege: "permission denied",
    psycopg.errors.ReadOnlySqlTransaction: "it is read-only",
    psycopg.errors.AdminShutdown: "the server is shutting down",
    psycopg.errors.CannotConnectNow: "the server is not ready",
    psycopg.errors.TooManyConnections: "the server has too many connections",
    psycopg.OperationalError: "the server cannot be reached, or cannot go on",
    psycopg.InterfaceError: "the connection is lost",
}


class _QuestionMarks:
    """A cursor that takes `?` for a parameter; psycopg's own takes `%s`."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor
        self.fetchall, self.fetchone = cursor.fetchall, cursor.fetchone

    def execute(self, statement: str, values: Sequence[Any] = ()) -> object:
        return self._cursor.execute(statement.replace("?", "%s"), values)

    def executemany(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        self._cursor.executemany(statement.replace("?", "%s"), values)

    @property
    def rowcount(self) -> int:
        return self._cursor.rowcount


class _Connection:
    """A psycopg connection whose cursors take `?` for a parameter."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def close(self) -> None:
        """Roll back, then close: a server notices a closed connection late, and holds its locks until then.

        `claim` leaves out games that are locked, so it would find fewer than there are.
        """
        with contextlib.suppress(psycopg.Error):
            if self._connection.info.transaction_status in _IN_TRANSACTION:
                self._connection.rollback()
        self._connection.close()

    def cursor(self) -> Cursor:
        return _QuestionMarks(self._connection.cursor())


class Postgres(SqlLedger):
    """The ledger in a schema of a PostgreSQL database, named by its URL."""

    def __init__(self, where: str, *, readonly: bool, durable: bool, patience: float) -> None:
        super().__init__(PostgresSchema(where, readonly=readonly, durable=durable, patience=patience))


class PostgresSchema(Database):
    """A schema. `patience` is the timeout for a connection and for a lock, in seconds."""

    errors = (psycopg.Error,)
    write = "BEGIN"
    snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    lock = "FOR UPDATE"
    lock_free = "FOR UPDATE SKIP LOCKED"

    def __init__(self, url: str, *, readonly: bool, durable: bool, patience: float) -> None:
        super().__init__(readonly=readonly, durable=durable, patience=patience)
        self._url, self._cup = _split(url)
        self._known = False
        self._held: psycopg.Connection[Any] | None = None
        parts = urlsplit(url)
        self._where = f"the cup {self._cup} at {parts.hostname or 'this machine'}{parts.path}"

    def hold(self) -> bool:
        # A connection of its own, which stays open when the other is closed after an error.
        try:
            if self._held is None or self._held.closed:
                self._held = psycopg.connect(
                    self._url, autocommit=True, connect_timeout=max(2, round(self._patience))
                )
            query = "SELECT pg_try_advisory_lock(hashtext(%s))"
            found = self._held.execute(query, (f"touchline runs {self._cup}",)).fetchone()
        except psycopg.Error as error:
            raise self.explained(error) from error
        if found != (True,):
            self.let_go()
        return found == (True,)

    def let_go(self) -> None:
        if self._held is not None:
            with contextlib.suppress(
                psycopg.Error
            ):  # closing alone frees the lock only when the server notices
                self._held.execute("SELECT pg_advisory_unlock_all()")
            self._held.close()
            self._held = None

    def open(self) -> Connection:
        return _Connection(
            psycopg.connect(
                self._url, autocommit=True, client_encoding="utf8", application_name="touchline",
                connect_timeout=max(2, round(self._patience)), tcp_user_timeout=ABANDONED * 1000,
            )
        )  # fmt: skip

    def prepare(self, sql: Cursor) -> None:
        sql.execute(
            "SELECT set_config('search_path', ?, false), set_config('lock_timeout', ?, false), "
            "set_config('idle_in_transaction_session_timeout', ?, false), "
            "set_config('synchronous_commit', ?, false)",
            (
                Identifier(self._cup).as_string(), f"{max(1, round(self._patience * 1000))}ms",
                f"{ABANDONED}s", "on" if self._durable else "off",
            ),
        )  # fmt: skip
        version = self._version(sql)
        if not version and (self._readonly or self._known):
            # If it is gone at a reconnect, an empty one would hide that.
            raise Unreadable("there is no cup of that name", self._where)
        if self._readonly:
            if version == 1:
                show_version_1(sql, Identifier(self._cup).as_string())
            sql.execute("SELECT set_config('default_transaction_read_only', 'on', false)")
        elif version != VERSION:
            self._make_tables(sql)
        self._known = True

    def _version(self, sql: Cursor) -> int:
        """Return the schema version, 0 if there are no tables. Raise if the schema is not a ledger."""
        sql.execute(
            "SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = ?",
            (self._cup,),
        )
        names = sql.fetchall()
        if not names:
            return 0
        if ("ledger",) not in names:
            raise Unreadable("this schema is not a ledger of touchline: name another cup", self._where)
        sql.execute("SELECT version FROM ledger")
        found = sql.fetchone()
        return check_version(found[0] if found else "unknown", self._where)

    def _make_tables(self, sql: Cursor) -> None:
        """Create the tables, or upgrade those of an older version."""
        sql.execute(self.write)
        sql.execute("SELECT pg_advisory_xact_lock(hashtext(?))", (f"touchline {self._cup}",))
        version = self._version(sql)  # another process may have been faster
        if not version:
            sql.execute(f"CREATE SCHEMA IF NOT EXISTS {Identifier(self._cup).as_string()}")
            sql.execute("CREATE TABLE ledger (version BIGINT NOT NULL)")
            sql.execute("INSERT INTO ledger VALUES (?)", (VERSION,))
            for statement in tables(bytes_="BYTEA", counted="BIGINT GENERATED ALWAYS AS IDENTITY"):
                sql.execute(statement)
        elif version == 1:
            if not self.hold():
                raise Conflict("an older touchline runs this cup: wait until it has stopped")
            self.let_go()
            upgrade(sql, bytes_="BYTEA")
            sql.execute("UPDATE ledger SET version = ?", (VERSION,))
        sql.execute("COMMIT")

    def explained(self, error: Exception) -> Exception:
        said = str(error).strip().partition("\n")[0]
        if isinstance(error, psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted):
            return Unreadable(f"the database is damaged ({said})", self._where)
        if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedColumn):
            return Unreadable(f"tables are missing ({said})", self._where)
        for kind, why in _WHY_NOT.items():
            if isinstance(error, kind):
                return Unavailable(f"{self._where}: {why} ({said})")
        return error


def _split(url: str) -> tuple[str, str]:
    """Split our URL into the driver's URL and the name of the cup.

    >>> _split("postgresql://ann@host/db?cup=spring&sslmode=require")
    ('postgresql://ann@host/db?sslmode=require', 'spring')
    """
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    names = [value for name, value in query if name == "cup"] or [CUP]
    if len(names) > 1 or not NAME.fullmatch(names[0]):
        raise BadInput(
            f"a cup's name has small letters, digits, - and _, and begins with a letter; not {names[-1]!r}"
        )
    rest = urlencode([(name, value) for name, value in query if name != "cup"])
    return urlunsplit(parts._replace(query=rest)), names[0]
