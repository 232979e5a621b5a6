"""Pictures are drawn by workers: once for everybody who waits, again only when the position has changed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from touchline.core import registry
from touchline.draw.sheet import sheet_of
from touchline.draw.svg import picture, svg
from touchline.drivers.match import agreed, opened
from touchline.web import drawings
from touchline.web.drawings import Drawings, SharedWork
from touchline.web.workers import jobs, record_jobs, table_jobs
from web.sites import OPEN, SMALL, Here, Visit, house, live, me, played, run, site, until


class Counting(Here):
    """A pool that keeps the jobs it has done, and does none before it may."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[jobs.Job] = []
        self.may = asyncio.Event()
        self.may.set()

    async def do(self, job: jobs.Job, kind: type[Any], **given: Any) -> Any:
        self.done.append(job)
        await self.may.wait()
        return await super().do(job, kind, **given)

    def drawn(self) -> int:
        return sum(isinstance(job, table_jobs.DrawPosition) for job in self.done)


async def pictures(visit: Visit, table: str, count: int = 1) -> list[bytes]:
    found = await asyncio.gather(*(visit.get(f"/api/tables/{table}/svg") for _ in range(count)))
    assert {status for status, _ in found} == {200}
    return [drawn for _, drawn in found]


def test_a_picture_is_drawn_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty clients cost one job of a worker; after a move one more, but not before the pause is over."""

    async def main() -> None:
        async with site(workers=(pool := Counting())) as visit:
            table, [token] = await visit.table("hexapawn", me(), house(), clock=None)
            async with live(visit, table, token) as ann:
                await ann.turn()
                pool.may.clear()
                asking = asyncio.ensure_future(pictures(visit, table, 20))
                await until(lambda: pool.drawn() == 1)
                pool.may.set()
                first = set(await asking)
                assert (len(first), pool.drawn()) == (1, 1)
                await ann.move(0)
                await ann.turn()
                monkeypatch.setattr(drawings, "PAUSE", 1e9)
                assert set(await pictures(visit, table)) == first
                monkeypatch.setattr(drawings, "PAUSE", 0.0)
                later = await pictures(visit, table, 2)
                assert pool.drawn() == 2
                assert set(later) != first
                await ann.ws.send_json({"type": "resign"})
                await visit.result(table)
                monkeypatch.setattr(drawings, "PAUSE", 1e9)
                assert await pictures(visit, table)
                assert pool.drawn() == 3, "the last position is drawn at once"

    run(main())


@pytest.mark.parametrize("game", sorted(SMALL))
def test_a_worker_draws_what_spectators_see(game: str) -> None:
    """The opening position of an open table, and a position that went through JSON: as drawn directly."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table(game, me(), OPEN)
            sheet = sheet_of(registry.find("games", game))
            there = visit.site.tables.by_id[table]
            expected = opened(agreed(there.game, ["", ""], 0)).view(None)
            [drawn] = await pictures(visit, table)
            assert drawn.decode() == svg(picture(expected.sketch(), sheet), "light", game.capitalize())
            spec, events = played(game)
            for see in visit.site.tables.adopt(spec, ["remote", "remote"]):
                for event in events[:-1]:
                    see(event)
            shown = next(reversed(visit.site.tables.by_id.values()))
            assert shown.watchers.feed is not None
            expected = shown.watchers.feed.caught_up().state.view(None)
            [drawn] = await pictures(visit, shown.id)
            assert drawn.decode() == svg(picture(expected.sketch(), sheet), "light", game.capitalize())

    run(main())


def test_work_for_nobody_is_cancelled() -> None:
    """It goes on while one of its callers is there; the next caller starts it again."""

    async def main() -> None:
        shared, ended, may = SharedWork(), [], asyncio.Event()

        async def work() -> int:
            try:
                await may.wait()
            finally:
                ended.append(may.is_set())
            return 7

        callers = [asyncio.ensure_future(shared.run("k", work)) for _ in range(2)]
        await asyncio.sleep(0)
        callers[0].cancel()
        await asyncio.wait({callers[0]})
        assert ended == []
        callers[1].cancel()
        await asyncio.wait({callers[1]})
        await until(lambda: ended == [False])
        third = asyncio.ensure_future(shared.run("k", work))
        await asyncio.sleep(0)
        may.set()
        assert await third == 7

    run(main())


def test_a_cache_has_a_size() -> None:
    """The drawings that were used longest ago make room, and a huge one is not kept."""

    async def main() -> None:
        store = Drawings(Here(), most_bytes=40)
        for key in "abcd":
            store._keep(key, b"x" * 10)
        assert store.cached("a") == b"x" * 10
        store._keep("e", b"x" * 10)
        store._keep("f", b"x" * 11)
        assert [key for key in "abcdef" if store.cached(key)] == ["a", "c", "d", "e"]

    run(main())


def test_an_analysis_ends_when_its_client_hangs_up() -> None:
    """The worker is free again; while another client waits, the analysis goes on."""

    class Slow(Here):
        running = 0

        async def do(self, job: jobs.Job, kind: type[Any], **given: Any) -> Any:
            if not isinstance(job, record_jobs.AnalyseRecord):
                return await super().do(job, kind, **given)
            assert given["lane"] == "analysis"
            self.running += 1
            try:
                await asyncio.Event().wait()
            finally:
                self.running -= 1

    async def main() -> None:
        async with site(workers=(pool := Slow())) as visit:
            table, _ = await visit.table("hexapawn", house(), house())
            record = (await visit.result(table))["record"]
            asking = [asyncio.ensure_future(visit.get(f"/api/records/{record}/analysis")) for _ in range(2)]
            await until(lambda: sum(visit.site.analyses._callers.values()) == 2)
            assert pool.running == 1
            asking[0].cancel()
            await until(lambda: sum(visit.site.analyses._callers.values()) == 1)
            assert pool.running == 1
            asking[1].cancel()
            await until(lambda: pool.running == 0)
            await asyncio.wait(asking)

    run(main())


def test_an_analysis_says_how_far_it_is() -> None:
    """While it runs, anybody may ask what it waits for; before and after there is nothing to say."""

    class Telling(Here):
        going_on = asyncio.Event()

        async def do(self, job: jobs.Job, kind: type[Any], **given: Any) -> Any:
            if isinstance(job, record_jobs.AnalyseRecord):
                given["compiling"](8.2)
                await self.going_on.wait()
                self.going_on.clear()
                given["looked"](jobs.JobProgress(12, 24))
                await self.going_on.wait()
            return await super().do(job, kind, **given)

    async def main() -> None:
        async with site(workers=(pool := Telling())) as visit:
            table, _ = await visit.table("hexapawn", house(), house())
            path = f"/api/records/{(await visit.result(table))['record']}/analysis"

            async def told() -> str:
                text: str = (await visit.get(f"{path}/progress"))[1]["text"]
                return text

            assert await told() == ""
            asking = asyncio.ensure_future(visit.get(path))
            await until(lambda: visit.site.looking)
            assert await told() == "Waking up our expert, 8 s"
            pool.going_on.set()
            await until(lambda: any(far.of for far in visit.site.looking.values()))
            assert await told() == "Looking at turn 12 of 24"
            pool.going_on.set()
            status, seen = await asking
            assert (status, seen["player"], len(seen["values"]) > 1) == (200, "perfect", True)
            assert await told() == ""

    run(main())
