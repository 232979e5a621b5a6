"""The ledger: what a cup is, which games are due, who plays them, and what came of them.

base.py      what a ledger holds and can be asked: read this first
digest.py    one value for all results
schema.py    the tables
rows.py      values as rows
database.py  connections and transactions
sql.py       the ledger itself
sqlite.py    in a file
postgres.py  in a PostgreSQL server
export.py    as plain files
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput
from touchline.tournament.ledger.base import (  # fmt: skip
    Act,
    Claim,
    Conflict,
    Counts,
    Done,
    Finished,
    Ledger,
    Unavailable,
    Unreadable,
)
from touchline.tournament.ledger.digest import cup_digest
from touchline.tournament.ledger.sql import SqlLedger
from touchline.tournament.ledger.sqlite import SqliteFile

if TYPE_CHECKING:
    from touchline.tournament.ledger.database import Database

__all__ = [
    "Act", "Claim", "Conflict", "Counts", "Done", "Finished", "Ledger", "Unavailable", "Unreadable",
    "cup_digest", "open_ledger",
]  # fmt: skip


def open_ledger(
    where: str, *, readonly: bool = False, durable: bool = True, patience: float = 5.0
) -> SqlLedger:
    """The ledger at a path, `sqlite:///path` or `postgresql://user@host/database?cup=name`.

    It is made if there is none, unless it is only to be read. What is not `durable` may be lost, the last
    results first, if the machine loses its power, not if a program dies. `patience` is for how many seconds a
    request waits for others before it is `Unavailable`.
    """
    ledger = SqlLedger(_database(where, readonly=readonly, durable=durable, patience=patience))
    ledger.spec()  # whatever is wrong with it shows here
    return ledger


def _database(where: str, *, readonly: bool, durable: bool, patience: float) -> Database:
    scheme, colon, rest = where.partition("://")
    if not colon:
        return SqliteFile(Path(where), readonly=readonly, durable=durable, patience=patience)
    if scheme == "sqlite" and rest[:1] == "/" and rest != "/":
        return SqliteFile(Path(rest[1:]), readonly=readonly, durable=durable, patience=patience)
    if scheme not in ("postgresql", "postgres"):
        raise BadInput("a ledger is a file, sqlite:///FILE or postgresql://HOST/DATABASE?cup=NAME", where)
    try:
        from touchline.tournament.ledger.postgres import PostgresSchema
    except ImportError:
        raise BadInput(
            "a ledger in PostgreSQL needs the extra postgres: pip install 'touchline[postgres]'"
        ) from None
    return PostgresSchema(where, readonly=readonly, durable=durable, patience=patience)
