"""Lanes share workers out among addresses: nobody waits for what one stranger has asked for before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from touchline.core import registry
from touchline.core.messages import Act, YourTurn
from touchline.drivers.match import agreed, opened
from touchline.web import schema
from touchline.web.guard import Rates
from touchline.web.tables import seats
from touchline.web.tables.seats import HouseSeat
from touchline.web.workers import jobs, lanes, player_jobs, table_jobs
from touchline.web.workers.lanes import Busy, Lane, LaneTerms, WorkerTime, terms_for
from touchline.web.workers.pool import MOST_LONG, JobPool
from web.sites import Here, house, run, site, until
from web.test_web_workers import asked

if TYPE_CHECKING:
    from touchline.players.base import Table


def lane(workers: int = 1, each: int = 1) -> tuple[Lane, WorkerTime]:
    time = WorkerTime()
    return Lane("moves", LaneTerms(workers=workers, each=each), time), time


async def turns(place: Lane) -> None:
    """Let everybody who waits get as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_the_address_that_has_used_least_is_served_next() -> None:
    """One job of an honest address goes before the other 89 of a stranger that has used a worker."""

    async def main() -> None:
        place, time = lane()
        served: list[str] = []

        async def job(address: str) -> None:
            await place.acquire(address)
            served.append(address)

        tasks = [asyncio.ensure_future(job("stranger")) for _ in range(90)]
        await turns(place)
        tasks.append(asyncio.ensure_future(job("honest")))
        await turns(place)
        assert served == ["stranger"]
        time.charge("stranger", 5.0)
        place.release("stranger")
        await turns(place)
        assert served == ["stranger", "honest"]
        for address in ("honest", *["stranger"] * 89):
            place.release(address)
            await turns(place)
        await asyncio.gather(*tasks)
        assert (place.waiting, place.running.total()) == (0, 0)

    run(main())


def test_no_address_holds_all_workers_of_a_lane() -> None:
    """Of three workers one stays free for others, and a job that leaves the queue takes none with it."""

    async def main() -> None:
        place, _ = lane(3, each=2)
        waits = [asyncio.ensure_future(place.acquire("stranger")) for _ in range(4)]
        await turns(place)
        assert place.running["stranger"] == 2
        await asyncio.wait_for(place.acquire("honest"), 5)
        waits[2].cancel()
        place.release("stranger")
        await turns(place)
        assert waits[3].done()
        assert (place.running["stranger"], place.waiting) == (2, 0)

    run(main())


def test_moves_have_no_limit_and_requests_have() -> None:
    """A running match always may wait; of an address only so many requests may, and others still can."""

    async def main() -> None:
        moves = Lane("moves", terms_for(2)["moves"], WorkerTime())
        waits = [asyncio.ensure_future(moves.acquire("a")) for _ in range(500)]
        await turns(moves)
        assert moves.waiting == 499
        checks = Lane("checks", LaneTerms(workers=1, each=1, waiting=3, per_address=2), WorkerTime())
        waits += [asyncio.ensure_future(checks.acquire("a")) for _ in range(3)]
        await turns(checks)
        with pytest.raises(Busy, match="2 requests of your address"):
            await checks.acquire("a")
        waits.append(asyncio.ensure_future(checks.acquire("b")))
        await turns(checks)
        with pytest.raises(Busy, match="all workers are busy"):
            await checks.acquire("c")
        moves.close()
        checks.close()
        await asyncio.gather(*waits, return_exceptions=True)

    run(main())


def test_used_time_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the half-life, half of it counts; of endlessly many addresses only the latest are known."""
    monkeypatch.setattr(lanes, "MOST_ADDRESSES", 2)

    async def main() -> None:
        time, loop = WorkerTime(), asyncio.get_running_loop()
        now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: now)
        time.charge("a", 8.0)
        now += lanes.HALF_LIFE
        assert time.used("a") == pytest.approx(4.0)
        time.charge("b", 1.0)
        time.charge("c", 1.0)
        assert (time.used("a"), time.used("c")) == (0.0, 1.0)

    run(main())


def test_long_thinking_holds_up_no_quick_move_and_no_check() -> None:
    """Two searches of a minute give way: a stranger's next, an honest move, and the check of a new table."""

    async def main() -> None:
        workers, postponed = JobPool(2), []
        try:
            long = [
                asyncio.create_task(
                    workers.do(
                        asked("minimax", depth=64 - n), bytes, seconds=90, lane="moves", address="stranger",
                        postponed=lambda: postponed.append(1),
                    )
                )
                for n in range(2)
            ]  # fmt: skip
            await until(lambda: workers.lanes["long_moves"].running["stranger"] == 1)
            job = table_jobs.CheckTable("hexapawn", {}, 2, (schema.SeatForHouse("greedy"),))
            await workers.do(job, table_jobs.CheckedTable, seconds=30, lane="checks", address="honest")
            await workers.do(asked("greedy"), bytes, seconds=30, lane="moves", address="honest")
            assert not any(task.done() for task in long)
            await until(lambda: len(postponed) == 2)
            assert workers.lanes["long_moves"].waiting == 1, "the second waits for the first"
            for task in long:
                task.cancel()
            await asyncio.gather(*long, return_exceptions=True)
            assert all(not lane.running and not lane.waiting for lane in workers.lanes.values())
        finally:
            await workers.close()

    run(main())


class Crowded(Here):
    """A pool that has no worker for the first moves."""

    refusals = 3

    async def do(self, job: jobs.Job, kind: type[Any], **given: Any) -> Any:
        if isinstance(job, player_jobs.Choose) and self.refusals:
            self.refusals -= 1
            raise Busy("no worker can be started")
        return await super().do(job, kind, **given)


def test_a_match_waits_for_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match is never void for want of a worker, and its house players lose nothing by it."""
    monkeypatch.setattr(seats, "RETRY", 0.0)

    async def main() -> None:
        async with site(workers=(pool := Crowded())) as visit:
            table, _ = await visit.table("hexapawn", house(), house())
            result = (await visit.result(table))["result"]
            assert (pool.refusals, result["verdict"], result["expelled"]) == (0, "finished", [])

    run(main())


class Seated:
    """A table that keeps what its player says; its clock stands still."""

    def __init__(self) -> None:
        self.heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def now(self) -> int:
        return 7

    def started(self) -> None:
        """The clock runs from now on."""

    def hear(self, seat: int, said: Any) -> None:
        self.heard.set_result(said)


def test_a_move_that_is_postponed_costs_no_time() -> None:
    """The clock of a house player stops when its move is to be chosen again in another lane."""

    class Postponing(Here):
        """A pool in which a move starts, and is postponed."""

        def __init__(self) -> None:
            super().__init__()
            self.clocks: list[int | None] = []
            self.player = HouseSeat(self, registry.game("hexapawn"), "greedy", {}, "s", 0.0, "the maker")

        async def do(self, job: jobs.Job, kind: type[Any], **given: Any) -> Any:
            assert (given["lane"], given["address"]) == ("moves", "the maker")
            given["started"]()
            self.clocks.append(self.player.handed_over)
            given["postponed"]()
            self.clocks.append(self.player.handed_over)
            return await super().do(job, kind, **given)

    async def main() -> None:
        pool, table = Postponing(), Seated()
        player, at_table = pool.player, cast("Table", table)
        player.sit(0, at_table)
        state = opened(agreed(registry.game("hexapawn"), ["a", "b"], 1))
        player.tell(YourTurn(0, state, None))
        assert isinstance(await table.heard, Act)
        assert pool.clocks == [7, None]
        assert player.handed_over == 7, "it ran again when the move was chosen"
        player.close(at_once=True)

    run(main())


def test_what_is_known_to_be_long_does_not_start_among_the_quick() -> None:
    """A player that is told to think for long, and one that has done so before; others are tried."""
    workers = JobPool(2)
    assert workers._first_lane(asked("mcts", seconds=58), "moves") == "long_moves"
    assert workers._first_lane(asked("mcts", seconds=0.1), "moves") == "moves"
    assert workers._first_lane(asked("minimax", depth=30), "moves") == "moves"
    workers._note_long(asked("minimax", depth=30))
    assert workers._first_lane(asked("minimax", depth=30), "moves") == "long_moves"
    assert workers._first_lane(asked("minimax", depth=2), "moves") == "moves"
    for depth in range(1000, 1000 + MOST_LONG):
        workers._note_long(asked("minimax", depth=depth))
    assert workers._first_lane(asked("minimax", depth=30), "moves") == "moves", "it is forgotten"


def test_an_address_has_a_budget_of_worker_time() -> None:
    """Who has used it up can ask for nothing that costs, but can watch; others are not concerned."""

    async def main() -> None:
        async with site(rates=Rates(worker_seconds=10, trust_loopback=False)) as visit:
            table, _ = await visit.table("hexapawn", house(), house())
            await visit.result(table)
            time = visit.site.workers.time
            time.charge("127.0.0.1", 20)
            assert time.wait("127.0.0.1", 10) == pytest.approx(lanes.HALF_LIFE, abs=1)
            assert time.wait("127.0.0.2", 10) == 0
            new = {"game": "hexapawn", "seats": [house(), house()]}
            status, told = await visit.post("/api/tables", new)
            assert (status, told["message"]) == (429, "your address has used much worker time; wait a little")
            assert (await visit.get(f"/api/tables/{table}/svg"))[0] == 429
            assert (await visit.get(f"/api/tables/{table}"))[0] == 200

    run(main())
