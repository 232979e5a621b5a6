"""Read a ledger of schema version 1, and upgrade one to version 2.

Version 1 has no checksums, no hashes of records and no place for a salt. To be read it gets temporary views
in which those columns are `UNCHECKED`; they shadow the tables for one connection and change nothing. When it
is opened for writing it is upgraded in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.tournament.ledger.base import LogEntry
from touchline.tournament.ledger.shared import rows
from touchline.tournament.ledger.shared.schema import TABLES

if TYPE_CHECKING:
    from touchline.tournament.ledger.shared.database import Cursor

CHECKED = ("cup", "games", "acts")
PAGE = 1000
"""Games that are upgraded at a time, so that few records are in memory."""


def show_version_1(sql: Cursor, schema: str) -> None:
    """Create the views. `schema` is where the tables are."""
    for table in CHECKED:
        hashes = f", '{rows.UNCHECKED}' AS record_hash" if table == "games" else ""
        sql.execute(
            f"CREATE TEMPORARY VIEW {table} AS "
            f"SELECT *{hashes}, '{rows.UNCHECKED}' AS checksum FROM {schema}.{table}"
        )


def upgrade(sql: Cursor, *, bytes_: str) -> None:
    """Add the columns of version 2, and fill them. The caller begins and commits the transaction."""
    sql.execute(TABLES[-1].format(bytes=bytes_))
    for table in CHECKED:
        sql.execute(f"ALTER TABLE {table} ADD COLUMN checksum TEXT NOT NULL DEFAULT '{rows.UNCHECKED}'")
    sql.execute("ALTER TABLE games ADD COLUMN record_hash TEXT")
    sql.execute("SELECT spec FROM cup")
    for (spec,) in sql.fetchall():
        sql.execute("UPDATE cup SET checksum = ?", (rows.checksum(bytes(spec)),))
    sql.execute("SELECT n, at, act, about, why FROM acts")
    for n, *noted in sql.fetchall():
        entry = rows.of_entry(LogEntry(*noted))
        sql.execute("UPDATE acts SET checksum = ? WHERE n = ?", (entry[-1], n))
    last = ""
    while last := _upgrade_games(sql, last):
        pass


def _upgrade_games(sql: Cursor, after: str) -> str:
    """Upgrade a page of games, those after an id; return the last id, or "" if there are none."""
    sql.execute(
        f"SELECT {rows.GAME}, record FROM games LEFT JOIN records ON game = id WHERE id > ? "
        "ORDER BY id LIMIT ?",
        (after, PAGE),
    )
    last, changes = "", []
    for *values, record in sql.fetchall():
        row = rows.GameRow(*values)
        if record is not None:
            found = rows.record(row.id, record, rows.UNCHECKED)
            row = row._replace(record_hash=rows.record_hash(found))
        row = row.sealed()
        changes.append((row.record_hash, row.checksum, row.id))
        last = row.id
    if changes:
        sql.executemany("UPDATE games SET record_hash = ?, checksum = ? WHERE id = ?", changes)
    return last
