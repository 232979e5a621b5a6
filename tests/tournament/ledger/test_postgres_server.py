"""A ledger on a server: lost connections, locks, several cups, and schemas that are no ledgers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from touchline.core.errors import BadInput
from touchline.tournament.ledger import Unavailable, Unreadable, open_ledger
from touchline.tournament.ledger.postgres import Postgres
from touchline.tournament.ledger.shared.schema import VERSION
from tournament.ledger.ledgers import NOW, SPEC, done, game, games
from tournament.ledger.places import fresh

if TYPE_CHECKING:
    from collections.abc import Iterator


WAITING = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'touchline' AND wait_event_type = 'Lock'"


@pytest.fixture
def server(postgres: str) -> str:
    return postgres


@pytest.fixture
def ledger(where: str) -> Iterator[Postgres]:
    with open_ledger(where, patience=0.1) as made:
        assert isinstance(made, Postgres)
        made.create(SPEC)
        made.schedule(games(20))
        yield made


@contextmanager
def other(where: str) -> Iterator[psycopg.Connection[Any]]:
    """Somebody else at the same tables."""
    url, cup = where.split("?cup=")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SQL("SET search_path TO {}").format(Identifier(cup)))
        yield connection


def cut_off(where: str, ledger: Postgres) -> None:
    """The ledger's connection is lost."""
    with other(where) as admin:
        ((backend,),) = ledger._database.read("SELECT pg_backend_pid()")
        assert admin.execute("SELECT pg_terminate_backend(%s, 5000)", (backend,)).fetchone() == (True,)


def test_a_lost_connection_is_made_again(where: str, ledger: Postgres) -> None:
    claims = ledger.claim("w", 5, 60, NOW)
    cut_off(where, ledger)
    with pytest.raises(Unavailable):
        ledger.finish([done(claim) for claim in claims], NOW)
    assert [*ledger.results()] == []
    assert len(ledger.finish([done(claim) for claim in claims], NOW)) == 5


def test_a_connection_lost_within_a_transaction_leaves_nothing(where: str, ledger: Postgres) -> None:
    def interrupted() -> None:
        with ledger._database.transaction() as sql:
            sql.execute("UPDATE games SET fence = 99")
            cut_off(where, ledger)

    with pytest.raises(Unavailable):
        interrupted()
    assert {claim.fence for claim in ledger.claim("w", 99, 60, NOW)} == {1}


def test_locked_by_another_and_then_free(where: str, ledger: Postgres) -> None:
    claims = ledger.claim("w", 3, 60, NOW)
    with other(where) as somebody, somebody.transaction():
        somebody.execute("LOCK TABLE games IN EXCLUSIVE MODE")
        with pytest.raises(Unavailable, match="held a lock for too long"):
            ledger.finish([done(claim) for claim in claims], NOW)
        assert len([*ledger.unfinished()]) == 20, "it can be read"
    assert len(ledger.finish([done(claim) for claim in claims], NOW)) == 3


def test_claims_pass_by_what_another_is_claiming(where: str, ledger: Postgres) -> None:
    with other(where) as somebody, somebody.transaction():
        somebody.execute("SELECT * FROM games WHERE id <= %s FOR UPDATE", (game(2).id,))
        assert [claim.pairing for claim in ledger.claim("w", 2, 60, NOW)] == [game(3), game(4)]


def test_a_result_is_judged_by_what_is_there_when_it_is_written(where: str) -> None:
    """A game is claimed again while its first claim brings the result: that comes too late."""
    with open_ledger(where, patience=30) as ledger, ThreadPoolExecutor(1) as pool:
        ledger.schedule(games(1))
        (claim,) = ledger.claim("w", 1, 60, NOW)
        with other(where) as somebody:
            with somebody.transaction():
                somebody.execute("UPDATE games SET fence = 2")
                finishing = pool.submit(ledger.finish, [done(claim)], NOW)
                with other(where) as watcher:
                    while not watcher.execute(WAITING).fetchone():
                        assert not finishing.done()
            assert finishing.result() == []
        assert [*ledger.results()] == []


def test_what_is_not_durable_does_not_wait_for_the_disk(where: str) -> None:
    for durable, wanted in ((True, "on"), (False, "off")):
        with open_ledger(where, durable=durable) as ledger:
            assert isinstance(ledger, Postgres)
            assert ledger._database.read("SHOW synchronous_commit") == [(wanted,)]


def test_two_cups_in_one_database(server: str) -> None:
    with fresh(server) as here, fresh(server) as there:
        spring, autumn = open_ledger(here, durable=False), open_ledger(there, durable=False)
        with spring, autumn:
            spring.create(SPEC)
            autumn.create(b"{}")
            assert spring.schedule(games(2)) == autumn.schedule(games(2)) == 2
            spring.finish([done(claim) for claim in spring.claim("w", 2, 60, NOW)], NOW)
            assert (spring.counts(NOW).done, autumn.counts(NOW).done) == (2, 0)
            assert autumn.spec() == b"{}"


def test_a_cup_that_is_gone_is_not_made_anew(where: str, ledger: Postgres) -> None:
    with other(where) as admin:
        admin.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(where.split("?cup=")[1])))
    with pytest.raises(Unreadable, match="tables are missing"):
        ledger.spec()
    with pytest.raises(Unreadable, match="there is no cup of that name"):
        ledger.spec()


def test_somebody_elses_schema(where: str) -> None:
    with other(where) as somebody:
        cup = where.split("?cup=")[1]
        somebody.execute(SQL("CREATE SCHEMA {}").format(Identifier(cup)))
        somebody.execute("CREATE TABLE games (id text)")
    for readonly in (False, True):
        with pytest.raises(Unreadable, match="not a ledger of touchline"):
            open_ledger(where, readonly=readonly)


def test_a_newer_version(where: str, ledger: Postgres) -> None:
    with other(where) as admin:
        admin.execute("UPDATE ledger SET version = version + 1")
    with pytest.raises(
        Unreadable, match=f"version {VERSION + 1}, .* version {VERSION}: it is damaged, or get a newer"
    ):
        open_ledger(where)


@pytest.mark.parametrize(
    "name", ["", "Spring", "a b", "pg_cup", "public", "information_schema", "x" * 64, "é"]
)
def test_names_that_no_cup_can_have(server: str, name: str) -> None:
    with pytest.raises(BadInput, match="name has small letters"):
        open_ledger(f"{server}?cup={name}")


def test_no_server_and_no_secrets_in_what_is_said() -> None:
    with pytest.raises(
        Unavailable, match=r"the cup spring at 127\.0\.0\.1/cups: the server cannot be reached"
    ) as told:
        open_ledger("postgresql://ann:secret@127.0.0.1:1/cups?cup=spring", patience=1)
    assert "secret" not in str(told.value)
