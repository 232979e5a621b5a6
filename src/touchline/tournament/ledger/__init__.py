"""The ledger of a cup: its spec, its schedule, the claims of workers, and the results. See README.md.

base.py      the contract `Ledger` and its values: read this first
sqlite.py    a ledger in a file
postgres.py  a ledger in a PostgreSQL server
shared/      what ledgers in SQL have in common; the games digest and the seal of a cup
"""

from __future__ import annotations

from touchline.core import registry
from touchline.core.errors import BadInput
from touchline.tournament.ledger.base import (  # fmt: skip
    Claim,
    Conflict,
    Counts,
    Finished,
    Ledger,
    LogEntry,
    Submission,
    Unavailable,
    Unreadable,
)
from touchline.tournament.ledger.shared.digest import cup_digest

__all__ = [
    "Claim", "Conflict", "Counts", "Finished", "Ledger", "LogEntry", "Submission", "Unavailable",
    "Unreadable", "cup_digest", "open_ledger",
]  # fmt: skip

SCHEMES = {"postgresql": "postgres"}
"""URL scheme -> ledger, where they differ. A place without a scheme is a file of SQLite."""


def open_ledger(where: str, *, readonly: bool = False, durable: bool = True, patience: float = 5.0) -> Ledger:
    """Open the ledger at a path, `sqlite:///path` or `postgresql://user@host/database?cup=name`.

    A missing ledger is created, unless `readonly`. Without `durable`, the last commits may be lost in a power
    failure, but not when a process dies. `patience` is the lock and connection timeout in seconds, after
    which a request raises `Unavailable`.
    """
    scheme, colon, _ = where.partition("://")
    kind = SCHEMES.get(scheme, scheme) if colon else "sqlite"
    if kind not in registry.names("ledgers"):
        raise BadInput("a ledger is a file, sqlite:///FILE or postgresql://HOST/DATABASE?cup=NAME", where)
    try:
        make = registry.find("ledgers", kind)
    except ModuleNotFoundError as error:
        raise BadInput(
            f"a ledger in {kind} needs the package {error.name}: pip install 'touchline[{kind}]'"
        ) from None
    ledger: Ledger = make(where, readonly=readonly, durable=durable, patience=patience)
    ledger.spec()  # fail now, not at the first game, if it cannot be read
    return ledger
