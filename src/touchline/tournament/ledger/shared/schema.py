"""The tables of a ledger, the same in every database but for two type names.

A game is one row, with its claim and its result, so that it cannot have two results. Its record, which is
long and seldom read, is in another table. The key of a row is the game's id; round, table and attempt say the
same in numbers, by which rows are ordered.

Every row has a checksum over the columns that count, and a game has the hash of its record: see `rows.py`.
The table `salt` holds the secret salt of a running cup where the database has access rights of its own; in
SQLite it stays empty.
"""

from __future__ import annotations

from touchline.tournament.ledger.base import Unreadable

VERSION = 2
"""The schema version. A ledger of a newer version is refused; one of version 1 is read as it is, and upgraded
when it is opened for writing: see `upgrade.py`."""

TABLES = (
    """
    CREATE TABLE cup (
        only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
        spec {bytes} NOT NULL,
        checksum TEXT NOT NULL
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
        record_hash TEXT,
        checksum TEXT NOT NULL,

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
        why TEXT NOT NULL,
        checksum TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE salt (
        only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
        salt {bytes} NOT NULL
    )
    """,
)


def tables(*, bytes_: str, counted: str) -> list[str]:
    """Return the statements that create the tables; the arguments are the database's own type names."""
    return [statement.format(bytes=bytes_, counted=counted) for statement in TABLES]


def check_version(found: object, where: str) -> int:
    """Return the schema version of a ledger; raise `Unreadable` if this touchline does not know it."""
    if found not in (1, VERSION):
        raise Unreadable(
            f"this ledger has schema version {found}, and this touchline knows version {VERSION}: "
            "it is damaged, or get a newer touchline",
            where,
        )
    return 1 if found == 1 else VERSION
