"""A hundred thousand games in one ledger: reading takes a flat amount of memory, claiming a few rows."""

from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tournament.ledger.ledgers import NOW, done, games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.tournament.ledger.shared.database import Cursor
    from touchline.tournament.ledger.shared.sql import SqlLedger

COUNT = 100_000
MOST_ROWS = 100
"""Rows that claiming one game may read. With the index it is the row itself, and some of the claim's own."""
INSTRUCTIONS_PER_ROW = 10
"""SQLite runs at least so many instructions of its virtual machine for each row that a query tests."""
ROWS_READ = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'games'"


def rows_read(sql: Cursor) -> int:
    """Return how many rows of games PostgreSQL has read."""
    sql.execute(ROWS_READ)
    (count,) = sql.fetchone() or (0,)
    return int(count)


def rows_read_by_a_claim(ledger: SqlLedger) -> int:
    """Claim a game, let it go at once, and return about how many rows the database read for that."""
    database, read = ledger._database, 0
    connection: Any = database._connection
    if isinstance(connection, sqlite3.Connection):

        def count() -> None:
            nonlocal read
            read += 1

        connection.set_progress_handler(count, INSTRUCTIONS_PER_ROW)
        ledger.claim("w", 1, 0, NOW)
        connection.set_progress_handler(None, 0)
        return read

    @contextmanager
    def transaction(begin: str = "") -> Iterator[Cursor]:
        nonlocal read
        with type(database).transaction(database, begin) as sql:
            read -= rows_read(sql)  # the server has not yet reported all transactions before this one
            yield sql
            read += rows_read(sql)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "transaction", transaction)
        ledger.claim("w", 1, 0, NOW)
    return read


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hundred_thousand_games(ledger: SqlLedger) -> None:
    ledger.schedule(games(COUNT))
    most = 0
    while claims := ledger.claim("w", 1_000, 60, NOW):
        ledger.finish([done(claim) for claim in claims], NOW)
        most = max(most, rows_read_by_a_claim(ledger))
    assert 0 < most <= MOST_ROWS, "a claim must not look through all games"
    tracemalloc.start()
    try:
        assert sum(1 for _ in ledger.results()) == COUNT
        assert len(ledger.digest()) == 64
        assert ledger.counts(NOW).done == COUNT
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20, f"{peak >> 20} MiB for pages of a thousand"
