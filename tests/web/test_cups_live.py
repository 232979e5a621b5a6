"""Watching a tournament live on the page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from touchline.tournament.ledger import open_ledger
from touchline.web.live import cups, throttle
from touchline.web.workers import cup_jobs
from web.cup_sites import Counting, T, claimed, entered, held, next_line, shown
from web.sites import Here, run, until

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.web.workers import jobs

pytestmark = pytest.mark.usefixtures("no_rest")


@pytest.fixture
def _often(no_rest: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who watch look at the ledger every 20 ms."""
    monkeypatch.setattr(throttle, "AGAIN", 0.02)


@pytest.mark.usefixtures("_often")
def test_all_who_watch_are_told_the_same(tmp_path: Path) -> None:
    """The first line says how the cup stands; while nothing changes, it is put into words once for all."""
    where, workers = held(tmp_path), Counting()

    async def main() -> None:
        async with shown(where, workers=workers) as (visit, id):
            path = f"/api/cups/{id}/watch"
            async with visit.http.get(path) as one, visit.http.get(path) as other:
                assert one.content_type == "application/x-ndjson"
                first = await next_line(one)
                assert await next_line(other) == first
                assert (first["cup"]["state"], first["standings"][0]["rank"]) == ("over", 1)
                seen = workers.done[cup_jobs.LookAtCup]
                await until(lambda: workers.done[cup_jobs.LookAtCup] > seen + 3)
                assert visit.site.tables.tally.encoded == 1, "nothing has changed"

    run(main())


@pytest.mark.usefixtures("_often")
def test_who_watches_is_told_of_games_that_begin_and_end(tmp_path: Path) -> None:
    """There is a line for each change, and it is put into words once for all."""
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            path = f"/api/cups/{id}/watch"
            async with visit.http.get(path) as one, visit.http.get(path) as other:
                await next_line(one)
                await next_line(other)
                with open_ledger(where) as ledger:
                    claims = claimed(ledger, 0, 1, 2)
                running = await next_line(one)
                while len(running["running"]) < 3:
                    running = await next_line(one)
                assert [game["game"] for game in running["running"]] == [claim.id for claim in claims]
                assert running["cup"]["counts"]["claimed"] == 3
                assert running["cup"]["state"] == "running"
                with open_ledger(where) as ledger:
                    entered(ledger, claims[1], "r0000-t0000")
                after = await next_line(one)
                assert after["last"][0]["game"] == claims[1].id, "the latest first"
                assert after["cup"]["counts"]["done"] == 13
                assert visit.site.tables.tally.encoded < 8

    run(main())


@pytest.mark.usefixtures("_often")
def test_nobody_looks_where_nobody_watches(tmp_path: Path) -> None:
    """When the last spectator has left, the ledger is left alone."""
    where, workers = held(tmp_path), Counting()

    async def main() -> None:
        async with shown(where, workers=workers) as (visit, id):
            feed = visit.site.cups.by_id[id].feed
            async with visit.http.get(f"/api/cups/{id}/watch") as one:
                await next_line(one)
            await until(lambda: not feed.members)
            assert feed._polling is None
            seen = workers.done[cup_jobs.LookAtCup]
            await visit.get("/api/status")
            assert workers.done[cup_jobs.LookAtCup] == seen

    run(main())


def test_nobody_waits_long_for_the_standings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large cup they take seconds; how far it is, is told before."""
    monkeypatch.setattr(cups, "PATIENCE", 0.01)

    class Slow(Here):
        async def do(self, job: jobs.Job, kind: type[T], **others: Any) -> T:
            if isinstance(job, cup_jobs.TabulateCup):
                await enough.wait()
            return await super().do(job, kind, **others)

    where, enough = held(tmp_path), asyncio.Event()

    async def main() -> None:
        async with shown(where, workers=Slow()) as (visit, id):
            (info,) = (await visit.get("/api/cups"))[1]["cups"]
            assert (info["over"], info["counts"]["done"]) == (False, 12)
            async with visit.http.get(f"/api/cups/{id}/watch") as one:
                assert (await next_line(one))["standings"] == []
                enough.set()
                assert len((await next_line(one))["standings"]) == 3

    run(main())


def test_a_ledger_is_looked_at_once_a_second_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "AGAIN", 60.0)
    where, workers = held(tmp_path), Counting()

    async def main() -> None:
        async with shown(where, workers=workers) as (visit, id):
            async with visit.http.get(f"/api/cups/{id}/watch") as one:
                await next_line(one)
                for _ in range(5):
                    await visit.get("/api/cups")
                    await visit.get(f"/api/cups/{id}")
            assert workers.done[cup_jobs.LookAtCup] == 1
            assert workers.done[cup_jobs.ReportOnCup] == 1

    run(main())


def test_spectators_of_a_cup_are_limited(tmp_path: Path) -> None:
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            visit.site.tables.caps = msgspec.structs.replace(visit.site.tables.caps, spectators=1)
            async with visit.http.get(f"/api/cups/{id}/watch") as one:
                await next_line(one)
                status, told = await visit.get(f"/api/cups/{id}/watch")
                assert (status, told["error"]) == (429, "too_many")

    run(main())
