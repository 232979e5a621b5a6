"""The n-th statement fails, for n = 1.. until it no longer fires: all is there or nothing, and it goes on."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from touchline.tournament.ledger import Unavailable, open_ledger
from touchline.tournament.ledger.shared.sql import SqlLedger
from tournament.ledger.faults import Fault, faulty_postgres, faulty_sqlite
from tournament.ledger.ledgers import NOW, SPEC, done, game, games
from tournament.ledger.places import fresh

if TYPE_CHECKING:
    from collections.abc import Callable


AFTER = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


@pytest.fixture
def fault(server: str | None, monkeypatch: pytest.MonkeyPatch) -> Fault:
    return faulty_postgres(monkeypatch) if server else faulty_sqlite(monkeypatch)


def struck(fault: Fault, act: Callable[[], Any]) -> bool:
    """Whether the fault fired while this was done; it was unavailable if so, and says why."""
    why = ""
    try:
        act()
    except Unavailable as error:
        why = str(error)
    assert ("disk is full" in why) is fault.fired
    fault.disarm()
    return fault.fired


def _open(where: str) -> None:
    open_ledger(where, durable=False).close()


@AFTER
def test_opening(server: str | None, fault: Fault, after: bool) -> None:
    """Also where the tables are being made."""
    for n in count(1):
        with fresh(server) as where:
            fault.arm(n, after=after)
            fired = struck(fault, partial(_open, where))
            with open_ledger(where, durable=False) as ledger:
                ledger.create(SPEC)
                assert ledger.schedule([game(0)]) == 1
        if not fired:
            break
    assert n > 8


class Scene:
    """A ledger on which the same happens as on its twin, but for the faults."""

    def __init__(self, ledger: SqlLedger) -> None:
        self.ledger = ledger
        self.arrange()

    def arrange(self) -> None:
        """Three games that are finished, three that are claimed, and three that are not known yet."""
        with self.ledger._database.transaction() as sql:
            for table in ("records", "games", "acts", "cup"):
                sql.execute(f"DELETE FROM {table}")
        self.ledger.schedule(games(6))
        self.finished, self.claims = (self.ledger.claim("w", 3, 60, NOW) for _ in range(2))
        self.ledger.finish([done(claim) for claim in self.finished], NOW)
        self.new = games(9)[6:]

    def state(self) -> Any:
        """All there is."""
        read = self.ledger._database.read
        tables = [read(f"SELECT * FROM {table} ORDER BY 1") for table in ("cup", "games", "records")]
        return tables, self.ledger.log()


ACTS: dict[str, Callable[[Scene], Any]] = {
    "finish": lambda scene: scene.ledger.finish([done(claim) for claim in scene.claims], NOW),
    "finish some": lambda scene: scene.ledger.finish(
        [
            done(scene.claims[0]),
            done(scene.claims[0], "others"),
            done(scene.claims[2]),
            done(scene.finished[0], "x"),
        ],
        NOW,
    ),
    "schedule": lambda scene: scene.ledger.schedule(scene.new),
    "claim": lambda scene: scene.ledger.claim("x", 2, 60, NOW + 99),
    "renew": lambda scene: scene.ledger.renew(scene.claims, 99, NOW),
    "take over": lambda scene: scene.ledger.take_over(),
    "note": lambda scene: scene.ledger.note("eject", "ann", "why", NOW),
    "void": lambda scene: scene.ledger.void(scene.finished[0].id, "why", NOW),
    "create": lambda scene: scene.ledger.create(SPEC),
    "digest": lambda scene: scene.ledger.digest(),
    "counts": lambda scene: scene.ledger.counts(NOW),
    "results": lambda scene: [*scene.ledger.results()],
    "paused": lambda scene: scene.ledger.paused(),
}


@AFTER
def test_all_or_nothing(server: str | None, fault: Fault, after: bool) -> None:
    all_or_nothing(server, fault, after, ["finish some", "claim", "void"] if server else [*ACTS])


def test_a_failed_transaction_is_rolled_back_before_its_connection_is_closed(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server frees the locks at once, not when it notices that the connection is gone."""
    fault, close, seen = faulty_postgres(monkeypatch), psycopg.Connection.close, list[str]()

    def noted(connection: psycopg.Connection[Any]) -> None:
        seen.append(connection.info.transaction_status.name)
        close(connection)

    with fresh(postgres) as where, open_ledger(where, durable=False) as ledger:
        ledger.create(SPEC)
        ledger.schedule(games(3))
        monkeypatch.setattr(psycopg.Connection, "close", noted)
        fault.arm(2, after=True)  # the games are locked
        assert struck(fault, lambda: ledger.claim("w", 3, 60, NOW))
        assert seen == ["IDLE"]
        assert len(ledger.claim("w", 3, 60, NOW)) == 3


@pytest.mark.slow
@AFTER
def test_all_or_nothing_on_a_server(postgres: str, monkeypatch: pytest.MonkeyPatch, after: bool) -> None:
    all_or_nothing(postgres, faulty_postgres(monkeypatch), after, [*ACTS])


def all_or_nothing(server: str | None, fault: Fault, after: bool, names: list[str]) -> None:
    with fresh(server) as where, fresh(server) as elsewhere:
        ledger, undisturbed = open_ledger(where, durable=False), open_ledger(elsewhere, durable=False)
        assert isinstance(ledger, SqlLedger)
        assert isinstance(undisturbed, SqlLedger)
        with ledger, undisturbed:
            scene, twin = Scene(ledger), Scene(undisturbed)
            for name in names:
                n = 1
                while _struck_and_mended(scene, twin, ACTS[name], fault, n, after):
                    n += 1
                assert n > 1, f"nothing fails in {name}"


def _struck_and_mended(
    scene: Scene, twin: Scene, act: Callable[[Scene], Any], fault: Fault, n: int, after: bool
) -> bool:
    """Whether the fault fired; either way the scene ends like its twin."""
    scene.arrange()
    twin.arrange()
    before = scene.state()
    assert before == twin.state()
    answer = act(twin)
    fault.arm(n, after=after)
    fired = struck(fault, lambda: act(scene))
    if (now := scene.state()) != twin.state():
        assert fired
        assert now == before, "something was half done"
        assert act(scene) == answer
    assert scene.state() == twin.state()
    return fired
