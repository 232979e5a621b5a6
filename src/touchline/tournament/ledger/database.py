"""A database that a ledger is kept in: how it is reached, and what becomes of what goes wrong there.

Law of this file: whatever fails, the connection is given up, and with it all that was half done; the next
request opens another one. So there is no state from which a ledger cannot go on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Cursor(Protocol):
    """What the drivers have in common. A statement marks its values with `?`."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> object: ...
    def executemany(self, statement: str, values: Iterable[Sequence[Any]], /) -> object: ...
    def fetchall(self) -> list[Any]: ...
    def fetchone(self) -> Any: ...
    @property
    def rowcount(self) -> int: ...


class Connection(Protocol):
    """Outside of a transaction each statement is one by itself."""

    def cursor(self) -> Cursor: ...
    def close(self) -> None: ...


class Database(ABC):
    """One database with the tables of one ledger."""

    errors: ClassVar[tuple[type[Exception], ...]]
    """What the driver raises."""
    write: ClassVar[str]
    """Begins a transaction that will write."""
    snapshot: ClassVar[str]
    """Begins one that reads, and sees nothing of what others write meanwhile."""
    lock: ClassVar[str]
    """Ends a query whose rows nobody else may change before the transaction is over."""
    lock_free: ClassVar[str]
    """The same, leaving out the rows that somebody else has locked."""

    def __init__(self) -> None:
        self._connection: Connection | None = None

    @abstractmethod
    def connect(self) -> Connection:
        """A new connection to the tables, which are made if there are none."""

    @abstractmethod
    def explained(self, error: Exception) -> Exception:
        """What an error of the driver means: `Unavailable`, `Unreadable`, or itself if it is our bug."""

    @abstractmethod
    def hold(self) -> bool:
        """Be the only one who runs this cup, until this process lets go or dies; False if somebody is."""

    @abstractmethod
    def let_go(self) -> None:
        """Let somebody else run it."""

    @contextmanager
    def cursor(self) -> Iterator[Cursor]:
        """Over the connection there is, or a new one."""
        try:
            if self._connection is None:
                self._connection = self.connect()
            yield self._connection.cursor()
        except BaseException as error:
            self.close()
            if isinstance(error, self.errors):
                raise self.explained(error) from error
            raise

    @contextmanager
    def transaction(self, begin: str = "") -> Iterator[Cursor]:
        """All of what is done with the cursor, or nothing."""
        with self.cursor() as sql:
            sql.execute(begin or self.write)
            yield sql
            sql.execute("COMMIT")

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows that answer a query."""
        with self.cursor() as sql:
            sql.execute(query, values)
            return sql.fetchall()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self.errors):
                connection.close()
