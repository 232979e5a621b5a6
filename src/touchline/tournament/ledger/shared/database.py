"""A database that a ledger is kept in: connecting, transactions, and what its errors mean.

Law of this file: after any failure the connection is closed, and the open transaction rolls back with it; the
next request reconnects. So there is no state from which a ledger cannot recover.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Cursor(Protocol):
    """What the cursors of all drivers have in common. Statements mark their parameters with `?`."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> object: ...
    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> object: ...
    def fetchall(self) -> list[Any]: ...
    def fetchone(self) -> Any: ...
    @property
    def rowcount(self) -> int: ...


class Connection(Protocol):
    """A connection in autocommit mode: transactions begin and end by statements."""

    def cursor(self) -> Cursor: ...
    def close(self) -> None: ...


class Database(ABC):
    """One database with the tables of one ledger. Every ledger in SQL subclasses this."""

    errors: ClassVar[tuple[type[Exception], ...]]
    """What the driver raises."""
    write: ClassVar[str]
    """The statement that begins a transaction that will write."""
    snapshot: ClassVar[str]
    """The statement that begins a read-only transaction with a stable snapshot."""
    lock: ClassVar[str]
    """Ends a query whose rows are locked until the transaction ends."""
    lock_free: ClassVar[str]
    """The same, leaving out the rows that others have locked."""

    def __init__(self, *, readonly: bool, durable: bool, patience: float) -> None:
        """`patience` is the timeout for locks and connections, in seconds."""
        self._readonly, self._durable, self._patience = readonly, durable, patience
        self._connection: Connection | None = None

    @abstractmethod
    def open(self) -> Connection:
        """Open a connection."""

    @abstractmethod
    def prepare(self, sql: Cursor) -> None:
        """Set up a new connection, and create the tables if there are none."""

    @abstractmethod
    def explained(self, error: Exception) -> Exception:
        """Translate a driver's error to `Unavailable` or `Unreadable`; return our own bugs unchanged."""

    @abstractmethod
    def hold(self) -> bool:
        """Take the coordinator's lock until `let_go` or the death of this process; False if it is taken."""

    @abstractmethod
    def let_go(self) -> None:
        """Release the coordinator's lock."""

    def keep_salt(self, salt: bytes) -> None:
        """Keep the secret salt in a table. Override this if whoever reads the ledger could read that."""
        with self.transaction() as sql:
            sql.execute("DELETE FROM salt")
            sql.execute("INSERT INTO salt VALUES (1, ?)", (salt,))

    def salt(self) -> bytes | None:
        """Return the secret salt; None if there is none."""
        found = self.read("SELECT salt FROM salt")
        return bytes(found[0][0]) if found else None

    def drop_salt(self) -> None:
        """Delete the secret salt."""
        with self.transaction() as sql:
            sql.execute("DELETE FROM salt")

    @contextmanager
    def cursor(self) -> Iterator[Cursor]:
        """Yield a cursor over the open connection, or over a new one."""
        try:
            if self._connection is None:
                self._connection = self._connect()
            yield self._connection.cursor()
        except BaseException as error:
            self.close()
            if isinstance(error, self.errors):
                raise self.explained(error) from error
            raise

    def _connect(self) -> Connection:
        connection = self.open()
        try:
            self.prepare(connection.cursor())
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def transaction(self, begin: str = "") -> Iterator[Cursor]:
        """Yield a cursor; commit at the end, or roll everything back on an error."""
        with self.cursor() as sql:
            sql.execute(begin or self.write)
            yield sql
            sql.execute("COMMIT")

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query."""
        with self.cursor() as sql:
            sql.execute(query, values)
            return sql.fetchall()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self.errors):
                connection.close()
