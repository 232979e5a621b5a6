"""A ledger in PostgreSQL, for many machines. Each cup has a schema of its own, named after it.

`postgresql://user@host/database?cup=spring` is the ledger of the cup `spring`; without a name it is `cup`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg.sql import SQL, Identifier

from touchline.core.errors import BadInput
from touchline.tournament.ledger.base import Unavailable, Unreadable
from touchline.tournament.ledger.database import Database
from touchline.tournament.ledger.schema import VERSION, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.ledger.database import Connection, Cursor

CUP = "cup"
"""The name of a cup that has none."""
NAME = re.compile(r"(?!pg_|public$|information_schema$)[a-z][a-z0-9_-]{0,62}")
"""What a cup may be called: also the schema's name."""
ABANDONED = 60
"""Seconds after which the server undoes what a client began that has fallen silent."""

# The first that fits counts.
_WHY_NOT: dict[type[psycopg.Error], str] = {
    psycopg.errors.DiskFull: "the server's disk is full",
    psycopg.errors.LockNotAvailable: "somebody has held a lock for too long",
    psycopg.errors.DeadlockDetected: "two workers waited for each other",
    psycopg.errors.InsufficientPrivilege: "the user may not do this",
    psycopg.errors.ReadOnlySqlTransaction: "it may only be read",
    psycopg.errors.AdminShutdown: "the server is shutting down",
    psycopg.errors.CannotConnectNow: "the server is not ready",
    psycopg.errors.TooManyConnections: "the server has too many connections",
    psycopg.OperationalError: "the server cannot be reached, or cannot go on",
    psycopg.InterfaceError: "the connection is lost",
}


class _Marked:
    """A cursor for statements that mark their values with `?`."""

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


class _Wire:
    """A connection whose cursors take our statements."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self.close = connection.close

    def cursor(self) -> Cursor:
        return _Marked(self._connection.cursor())


class PostgresSchema(Database):
    """A schema. `patience` is how many seconds to wait for a connection, or for somebody who holds a lock."""

    errors = (psycopg.Error,)
    write = "BEGIN"
    snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    lock = "FOR UPDATE"
    lock_free = "FOR UPDATE SKIP LOCKED"

    def __init__(self, url: str, *, durable: bool, readonly: bool, patience: float) -> None:
        super().__init__()
        self._url, self._cup = _split(url)
        self._durable, self._readonly, self._patience = durable, readonly, patience
        self._known = False
        self._held: psycopg.Connection[Any] | None = None
        self._schema = Identifier(self._cup)
        parts = urlsplit(url)
        self._where = f"the cup {self._cup} at {parts.hostname or 'this machine'}{parts.path}"

    def hold(self) -> bool:
        # Over a connection of its own, which lives on when the other is closed after an error.
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
            self._held.close()
            self._held = None

    def connect(self) -> Connection:
        connection = psycopg.connect(
            self._url, autocommit=True, client_encoding="utf8", application_name="touchline",
            connect_timeout=max(2, round(self._patience)), tcp_user_timeout=ABANDONED * 1000,
        )  # fmt: skip
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._known = True
        return _Wire(connection)

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(
            "SELECT set_config('search_path', %s, false), set_config('lock_timeout', %s, false), "
            "set_config('idle_in_transaction_session_timeout', %s, false), "
            "set_config('synchronous_commit', %s, false), "
            "set_config('default_transaction_read_only', %s, false)",
            (
                self._schema.as_string(connection), f"{max(1, round(self._patience * 1000))}ms",
                f"{ABANDONED}s", "on" if self._durable else "off", "on" if self._readonly else "off",
            ),
        )  # fmt: skip
        if not self._is_empty(connection):
            return
        if self._readonly or self._known:  # if it is gone when we come back, an empty one would hide it
            raise Unreadable("there is no cup of that name", self._where)
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (f"touchline {self._cup}",))
            if self._is_empty(connection):  # nobody else was faster
                self._make_tables(connection)

    def _is_empty(self, connection: psycopg.Connection[Any]) -> bool:
        """Whether the tables are to be made; what is not ours is refused."""
        names = connection.execute(
            "SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = %s",
            (self._cup,),
        ).fetchall()
        if not names:
            return True
        if ("ledger",) not in names:
            raise Unreadable("this schema is not a ledger of touchline: name another cup", self._where)
        found = connection.execute("SELECT version FROM ledger").fetchone()
        if found != (VERSION,):
            version = found[0] if found else "unknown"
            raise Unreadable(
                f"this ledger is of version {version}, and {VERSION} is known: get a newer touchline",
                self._where,
            )
        return False

    def _make_tables(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(self._schema))
        connection.execute("CREATE TABLE ledger (version BIGINT NOT NULL)")
        connection.execute("INSERT INTO ledger VALUES (%s)", (VERSION,))
        for statement in tables(bytes_="BYTEA", counted="BIGINT GENERATED ALWAYS AS IDENTITY"):
            connection.execute(statement)

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
    """The URL that the driver knows, and the cup.

    >>> _split("postgresql://ann@host/db?cup=spring&sslmode=require")
    ('postgresql://ann@host/db?sslmode=require', 'spring')
    """
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    names = [value for name, value in query if name == "cup"] or [CUP]
    if len(names) > 1 or not NAME.fullmatch(names[0]):
        raise BadInput(
            f"a cup is named with small letters, digits, - and _, beginning with a letter; not {names[-1]!r}"
        )
    rest = urlencode([(name, value) for name, value in query if name != "cup"])
    return urlunsplit(parts._replace(query=rest)), names[0]
