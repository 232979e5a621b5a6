"""Drivers whose n-th statement fails, either before it is carried out or after."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

T = TypeVar("T")


class Fault:
    """Fires once, at the n-th statement after it was armed."""

    def __init__(self, error: Callable[[], Exception]) -> None:
        self._error = error
        self._left = 0
        self._after = False
        self.fired = False

    def arm(self, n: int, *, after: bool) -> None:
        self._left, self._after, self.fired = n, after, False

    def disarm(self) -> None:
        self._left = 0

    def around(self, act: Callable[[], T]) -> T:
        self._left -= 1
        if self._left != 0:
            return act()
        self.fired = True
        if self._after:
            act()
        raise self._error()


def disk_full() -> Exception:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def faulty_sqlite(monkeypatch: pytest.MonkeyPatch) -> Fault:
    fault = Fault(disk_full)

    class Cursor(sqlite3.Cursor):
        def execute(self, *given: Any) -> Any:
            return fault.around(lambda: super(Cursor, self).execute(*given))

        def executemany(self, *given: Any) -> Any:
            return fault.around(lambda: super(Cursor, self).executemany(*given))

    class Connection(sqlite3.Connection):
        def execute(self, *given: Any) -> Any:
            return fault.around(lambda: super(Connection, self).execute(*given))

        def cursor(self, *_: Any) -> Any:
            return super().cursor(Cursor)

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: real(*a, **k, factory=Connection))
    return fault


def faulty_postgres(monkeypatch: pytest.MonkeyPatch) -> Fault:
    fault = Fault(lambda: psycopg.errors.DiskFull("could not extend file: No space left on device"))

    class Cursor(psycopg.Cursor[Any]):
        def execute(self, *given: Any, **also: Any) -> Any:
            return fault.around(lambda: super(Cursor, self).execute(*given, **also))

        def executemany(self, *given: Any, **also: Any) -> Any:
            return fault.around(lambda: super(Cursor, self).executemany(*given, **also))

    real = psycopg.connect
    monkeypatch.setattr(psycopg, "connect", lambda *a, **k: real(*a, **k, cursor_factory=Cursor))
    return fault
