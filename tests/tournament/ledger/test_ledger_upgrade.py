"""Ledgers of schema version 1 are read as they are, and upgraded when they are opened for writing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from touchline.tournament.ledger import Conflict, open_ledger
from tournament.ledger.ledgers import NOW, SPEC, done, game, games, record_of

DOWNGRADE = (
    "ALTER TABLE cup DROP COLUMN checksum",
    "ALTER TABLE games DROP COLUMN checksum",
    "ALTER TABLE games DROP COLUMN record_hash",
    "ALTER TABLE acts DROP COLUMN checksum",
    "DROP TABLE salt",
)


@pytest.fixture
def old(where: str) -> str:
    """A ledger of version 1: a game that is finished, one that was declared void, and one that is due."""
    with open_ledger(where) as ledger:
        ledger.create(SPEC)
        ledger.schedule(games(3))
        ledger.finish([done(claim) for claim in ledger.claim("w", 2, 60, NOW)], NOW)
        ledger.void(game(1).id, "the lights went out", NOW)
    if "://" not in where:
        with closing(sqlite3.connect(where, isolation_level=None)) as sql:
            for statement in (*DOWNGRADE, "PRAGMA user_version = 1"):
                sql.execute(statement)
        return where
    url, cup = where.split("?cup=")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SQL("SET search_path TO {}").format(Identifier(cup)))
        for statement in (*DOWNGRADE, "UPDATE ledger SET version = 1"):
            connection.execute(SQL(statement))
    return where


def content(where: str, *, readonly: bool) -> Any:
    with open_ledger(where, readonly=readonly) as ledger:
        results = [*ledger.results()]
        records = [ledger.record(one.id) for one in results]
        return ledger.spec(), results, records, [*ledger.unfinished()], ledger.log(), ledger.digest()


def test_the_content_is_the_same_before_and_after(old: str) -> None:
    read = content(old, readonly=True)
    assert read[2] == [record_of(game(0)), record_of(game(1))]
    assert content(old, readonly=True) == read, "reading has not upgraded it"
    assert content(old, readonly=False) == read
    assert content(old, readonly=True) == read
    with open_ledger(old) as ledger:
        first = ledger.seal()
        ledger.finish([done(claim) for claim in ledger.claim("w", 9, 60, NOW)], NOW)
        ledger.note("pause", "", "lunch", NOW)
        ledger.keep_salt(bytes(32))
        assert ledger.salt() == bytes(32)
        ledger.drop_salt()
        assert ledger.salt() is None
        assert ledger.seal() != first


def test_a_cup_that_an_older_touchline_runs_is_not_upgraded(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from touchline.tournament.ledger.postgres import PostgresSchema
    from touchline.tournament.ledger.sqlite import SqliteFile

    for kind in (PostgresSchema, SqliteFile):
        monkeypatch.setattr(kind, "hold", lambda self: False)
    with pytest.raises(Conflict, match="an older touchline runs this cup"):
        open_ledger(old)
    assert len(content(old, readonly=True)[1]) == 2
