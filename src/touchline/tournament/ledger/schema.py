"""The tables of a ledger, the same in every database but for two words.

A game is one row, so that it cannot have two results; its claim and its result stand in that row, its record,
which is long and seldom read, in another table. A row is known by the game's id; round, table and attempt say
the same in numbers, by which the rows are ordered.
"""

from __future__ import annotations

VERSION = 1
"""Counted up when the tables change. A ledger of a newer version is refused."""

TABLES = (
    """
    CREATE TABLE cup (
        only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
        spec {bytes} NOT NULL
    )
    """,
    """
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        round BIGINT NOT NULL,
        "table" BIGINT NOT NULL,
        attempt BIGINT NOT NULL,
        entrants TEXT NOT NULL,
        board BIGINT NOT NULL,

        fence BIGINT NOT NULL DEFAULT 0,
        worker TEXT,
        until DOUBLE PRECISION,

        verdict TEXT,
        played TEXT,
        result TEXT,
        digest TEXT,
        seconds DOUBLE PRECISION,
        oversubscribed BOOLEAN,
        at DOUBLE PRECISION,
        voided TEXT,

        CHECK (
            verdict IS NULL AND played IS NULL AND result IS NULL AND digest IS NULL AND voided IS NULL
            OR verdict IS NOT NULL AND played IS NOT NULL AND result IS NOT NULL AND digest IS NOT NULL
        )
    )
    """,
    'CREATE UNIQUE INDEX in_order ON games (round, "table", attempt)',
    'CREATE INDEX unfinished ON games (round, "table", attempt) WHERE verdict IS NULL',
    """
    CREATE TABLE records (
        game TEXT PRIMARY KEY REFERENCES games (id),
        record {bytes} NOT NULL
    )
    """,
    """
    CREATE TABLE acts (
        n {counted} PRIMARY KEY,
        at DOUBLE PRECISION NOT NULL,
        act TEXT NOT NULL,
        about TEXT NOT NULL,
        why TEXT NOT NULL
    )
    """,
)


def tables(*, bytes_: str, counted: str) -> list[str]:
    """The statements that make them, where the database calls its types so."""
    return [statement.format(bytes=bytes_, counted=counted) for statement in TABLES]
