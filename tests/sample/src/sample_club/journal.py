"""A ledger: `journal:///PATH`, SQLite's file under another name."""

from pathlib import Path

from touchline.tournament.ledger.shared.sql import SqlLedger
from touchline.tournament.ledger.sqlite import SqliteFile


class Journal(SqlLedger):
    """The ledger in a file."""

    def __init__(self, where: str, *, readonly: bool, durable: bool, patience: float) -> None:
        path = Path(where.partition("://")[2])
        super().__init__(SqliteFile(path, readonly=readonly, durable=durable, patience=patience))
