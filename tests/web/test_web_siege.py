"""Strangers ask for as much as they may, and honest people still make tables, play, and get pictures."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from touchline.web.workers.pool import JobPool
from web.sites import Visit, house, run, site, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

STRANGERS = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
LARGE = {"rows": 29, "cols": 29}


@contextlib.asynccontextmanager
async def visitor(visit: Visit, address: str) -> AsyncIterator[Visit]:
    """A client at another address of this machine."""
    door = aiohttp.TCPConnector(limit=30, local_addr=(address, 0))
    async with aiohttp.ClientSession(visit.url, connector=door) as http:
        yield Visit(visit.site, visit.url, http)


async def long_tables(stranger: Visit, count: int) -> list[str]:
    """Make tables whose house players think for almost a minute."""
    thinker = house("mcts", seconds=58)
    return [(await stranger.table("hexapawn", thinker, thinker, clock=None))[0] for _ in range(count)]


@pytest.mark.slow
def test_honest_people_are_not_held_up() -> None:
    """While 18 searches of a minute go on, a new table is made and its match played to the end."""

    async def main() -> None:
        async with contextlib.AsyncExitStack() as stack:
            visit = await stack.enter_async_context(site(workers=JobPool(2)))
            strangers = [await stack.enter_async_context(visitor(visit, each)) for each in STRANGERS]
            record = (await visit.result((await visit.table("hexapawn", house(), house()))[0]))["record"]
            made = await asyncio.gather(*(long_tables(stranger, 6) for stranger in strangers))
            long = [visit.site.tables.by_id[table] for tables in made for table in tables]
            lanes = visit.site.workers.lanes
            await until(lambda: lanes["long_moves"].running.total() == 3)
            analysing = asyncio.ensure_future(strangers[0].get(f"/api/records/{record}/analysis"))
            thinker = house("mcts", seconds=1.5)
            table, _ = await visit.table("hexapawn", thinker, thinker, options={"rows": 3, "cols": 2})
            assert (await visit.result(table))["result"]["verdict"] == "finished"
            table, _ = await visit.table("fish", house("greedy"), house("greedy"))
            assert (await visit.result(table))["result"]["verdict"] == "finished"
            for path in ("/api/status", f"/api/tables/{table}/svg", f"/api/records/{record}/positions"):
                assert (await visit.get(path))[0] == 200
            assert [each.state for each in long] == ["running"] * 18
            assert sum(each.describe().turn for each in long) == 0, "none of them has thought to its end"
            analysing.cancel()
            await until(lambda: not lanes["analysis"].running)
            await asyncio.wait({analysing})

    run(main())


@pytest.mark.slow
def test_pictures_do_not_hold_up_the_loop() -> None:
    """A hundred requests for the picture of a large maze cost the loop less than one drawing a second."""

    async def main() -> None:
        async with site(workers=JobPool(2)) as visit, visitor(visit, STRANGERS[0]) as stranger:
            new: dict[str, Any] = {"game": "labyrinth", "options": LARGE, "pace": 0}
            status, made = await stranger.post("/api/tables", {**new, "seats": [house(), house()]})
            assert status == 201
            path = f"/api/tables/{made['table']['id']}/svg"
            found = await asyncio.gather(*(stranger.get(path) for _ in range(100)))
            assert {status for status, _ in found} <= {200, 429}
            assert len({drawn for status, drawn in found if status == 200}) <= 10

    run(main())
