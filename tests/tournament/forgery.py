"""A forger who can write to a ledger: all checksums, hashes and the seal fit what was changed."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from contextlib import closing
from typing import TYPE_CHECKING, Any

from touchline.records.recorder import seal_line
from touchline.tournament.commitment import Reveal, secrecy
from touchline.tournament.ledger import LogEntry, open_ledger
from touchline.tournament.ledger.shared import rows

if TYPE_CHECKING:
    from pathlib import Path


def change(file: Path, statement: str, *values: Any) -> None:
    """Change something, and nothing else: the checksums stay as they were."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        assert connection.execute(statement, values).rowcount > 0


def forge(file: Path, statement: str, *values: Any) -> None:
    """Change something, and make everything else fit."""
    change(file, statement, *values)
    fit(file)


def fit_checksums(file: Path) -> None:
    """Make checksums and hashes of records fit what is there."""
    with closing(sqlite3.connect(file, isolation_level=None)) as sql:
        for game, record in sql.execute("SELECT game, record FROM records").fetchall():
            hashed = rows.record_hash(zlib.decompress(record))
            sql.execute("UPDATE games SET record_hash = ? WHERE id = ?", (hashed, game))
        for values in sql.execute(f"SELECT {rows.GAME} FROM games").fetchall():
            row = rows.GameRow(*values).sealed()
            sql.execute("UPDATE games SET checksum = ? WHERE id = ?", (row.checksum, row.id))
        for (spec,) in sql.execute("SELECT spec FROM cup").fetchall():
            sql.execute("UPDATE cup SET checksum = ?", (rows.checksum(spec),))
        _fit_log(sql)


def fit(file: Path) -> None:
    """Make checksums, hashes of records and the seal fit what is there."""
    fit_checksums(file)
    with open_ledger(str(file), readonly=True) as ledger:
        final, seal = secrecy(ledger.log()).final, ledger.seal()
    if final is None:
        return
    with closing(sqlite3.connect(file, isolation_level=None)) as sql:
        last = "WHERE n = (SELECT max(n) FROM acts)"
        why = Reveal(final.salt, seal, final.key, final.signature).text()
        sql.execute(f"UPDATE acts SET why = ? {last}", (why,))
        _fit_log(sql)


def resealed(record: bytes) -> bytes:
    """Return a record with a last line that fits the lines before."""
    body = record[: record.rindex(b'{"type":"sealed"')]
    return body + seal_line(hashlib.sha256(body).hexdigest())


def _fit_log(sql: sqlite3.Connection) -> None:
    for n, *noted in sql.execute("SELECT n, at, act, about, why FROM acts").fetchall():
        sql.execute("UPDATE acts SET checksum = ? WHERE n = ?", (rows.of_entry(LogEntry(*noted))[-1], n))
