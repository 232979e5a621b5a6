"""Fresh places for ledgers."""

from __future__ import annotations

import itertools
import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import psycopg
from psycopg.sql import SQL, Identifier

if TYPE_CHECKING:
    from collections.abc import Iterator

_cups = itertools.count()


@contextmanager
def fresh(server: str | None) -> Iterator[str]:
    """Where a ledger can be that nobody else has: a file, or a cup on the server."""
    if server is None:
        with TemporaryDirectory() as folder:
            yield str(Path(folder) / "cup.db")
        return
    name = f"test-{os.getpid()}-{next(_cups)}"
    try:
        yield f"{server}?cup={name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(name)))
