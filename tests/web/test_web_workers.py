"""Workers are real processes: they think without holding up anybody, and can be ended."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import touchline
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.events import Moved, encode
from touchline.drivers.match import agreed, opened
from touchline.web import schema
from touchline.web.workers import jobs, player_jobs, record_jobs, table_jobs
from touchline.web.workers.pool import JobFailed, JobPool, Overdue, WorkerDied
from web.sites import house, live, me, run, site

if TYPE_CHECKING:
    from touchline.core.events import Event


def asked(player: str, **options: Any) -> player_jobs.Choose:
    game = registry.game("hexapawn", {"rows": 6, "cols": 6})
    position = msgspec.json.encode(opened(agreed(game, ["a", "b"], 1)).position())
    return player_jobs.Choose(
        game="hexapawn", options={"rows": 6, "cols": 6}, position=position, player=player,
        player_options=options, seed="s", turn=0,
    )  # fmt: skip


def test_jobs_in_processes() -> None:
    """A move, what is wrong, one that takes too long, and that the next is served all the same."""

    async def main() -> None:
        workers = JobPool(2)
        try:
            begun = []
            move = await workers.do(
                asked("greedy"), bytes, seconds=10, lane="moves", started=lambda: begun.append(1)
            )
            assert set(msgspec.json.decode(move)) == {"from", "to"}
            assert begun == [1], "it says when it begins to think"
            with pytest.raises(BadOptions, match="depth is 1 to 64 moves"):
                await workers.do(asked("minimax", depth=99), bytes, seconds=10)
            with pytest.raises(JobFailed, match="our helper process failed"):
                await workers.do(msgspec.structs.replace(asked("greedy"), position=b"7"), bytes, seconds=10)
            with pytest.raises(Overdue, match=r"longer than 0\.2 s"):
                await workers.do(asked("minimax", depth=30), bytes, seconds=0.2, lane="moves")
            again = await workers.do(asked("greedy"), bytes, seconds=10, lane="moves")
            assert again == move, "the same chance for the same turn of the same seat"
        finally:
            await workers.close()

    run(main())


def test_a_worker_reports_its_progress() -> None:
    """A long job says which turn it looks at, and then answers."""

    async def main() -> None:
        workers, seen = JobPool(2), list[jobs.JobProgress]()
        events: list[Event] = []
        touchline.play("hexapawn", ["random", "random"], seed=1, observers=[events.append])
        data = b"".join(encode(event) + b"\n" for event in events)
        try:
            found = await workers.do(
                record_jobs.AnalyseRecord(data),
                schema.RecordAnalysis,
                seconds=60,
                lane="analysis",
                looked=seen.append,
            )
            turns = sum(isinstance(event, Moved) for event in events)
            assert seen == [jobs.JobProgress(turn, turns) for turn in range(turns)]
            assert len(found.values) == turns + 1
        finally:
            await workers.close()

    run(main())


def test_a_killed_worker_is_replaced() -> None:
    """One that is killed, idle or at work, costs only time; three in a row fail the job, in our words."""

    async def main() -> None:
        workers, postponed = JobPool(2), []

        async def kill_at_work(count: int) -> None:
            for _ in range(count):
                begun.clear()
                await begun.wait()
                os.kill(pids(workers)[0], signal.SIGKILL)

        try:
            begun = asyncio.Event()
            await workers.do(asked("greedy"), bytes, seconds=30, lane="moves")
            for worker in [each for idle in workers._idle.values() for each in idle]:
                worker._process.kill()
                await worker._process.wait()
            move = await workers.do(asked("greedy"), bytes, seconds=30, lane="moves")
            slow = asked("mcts", seconds=0.3)
            killing = asyncio.create_task(kill_at_work(1))
            moved = await workers.do(
                slow, bytes, seconds=30, lane="moves", started=begun.set,
                postponed=lambda: postponed.append(1),
            )  # fmt: skip
            await killing
            assert set(msgspec.json.decode(moved)) == set(msgspec.json.decode(move))
            assert len(postponed) >= 1
            killing = asyncio.create_task(kill_at_work(3))
            with pytest.raises(WorkerDied, match=r"^our helper process stopped 3 times$"):
                await workers.do(slow, bytes, seconds=30, lane="moves", started=begun.set)
            await killing
            assert all(not lane.running for lane in workers.lanes.values())
        finally:
            await workers.close()

    run(main())


def pids(workers: JobPool) -> list[int]:
    """The processes of the workers of this test that are at work."""
    idle = {worker._process.pid for each in workers._idle.values() for worker in each}
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [pid for pid in map(int, children) if pid not in idle and is_worker(pid)]


def is_worker(pid: int) -> bool:
    return b"touchline.web.workers.process" in Path(f"/proc/{pid}/cmdline").read_bytes()


def test_moves_do_not_wait_for_requests() -> None:
    """Pictures and hints wait for each other, and a move does not wait for them."""

    async def main() -> None:
        workers = JobPool(2)
        try:
            slow = [
                asyncio.create_task(
                    workers.do(asked("mcts", seconds=1.0), bytes, seconds=30, lane="analysis")
                )
                for _ in range(2)
            ]
            await workers.do(asked("greedy"), bytes, seconds=10, lane="moves")
            assert not slow[1].done(), "this waits until the first is done"
            slow[0].cancel()
            await slow[1]
            assert all(not lane.running and not lane.waiting for lane in workers.lanes.values())
        finally:
            await workers.close()

    run(main())


def test_a_thinking_house_player_holds_up_nobody() -> None:
    """While one searches, the loop that serves everybody goes on turning."""

    async def main() -> None:
        turns = 0

        async def watch_the_loop() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        workers = JobPool(2)
        async with site(workers=workers) as visit:
            await workers.do(asked("mcts", playouts=1), bytes, seconds=30)
            table, [token] = await visit.table("hexapawn", me(), house("mcts", seconds=0.6), clock=None)
            async with live(visit, table, token) as ann:
                await ann.turn()
                watcher = asyncio.create_task(watch_the_loop())
                await ann.move(0)
                await ann.turn()
                watcher.cancel()
                took = [event["took"] for event in ann.screen.events if event["kind"] == "moved"]
                assert took[1] >= 100, "it did think, and that counts on its clock"
        assert turns > 5, f"the loop turned {turns} times"  # 1 where it waits; else thousands

    run(main())


def test_a_whole_game_with_processes() -> None:
    """And the catalogue of what can be played, from the same workers."""

    async def main() -> None:
        async with site(workers=JobPool(2)) as visit:
            table, [token] = await visit.table("hexapawn", me(), house("greedy"))
            async with live(visit, table, token) as ann:
                await ann.play(Random(1))
            record = (await visit.result(table))["record"]
            status, lines = await visit.get(f"/api/records/{record}/positions")
            assert status == 200
            assert lines.count(b"\n") > 5
            status, _ = await visit.post("/api/records", b"{}", Content_Type="application/x-ndjson")
            assert status == 400
            found = await visit.site.workers.do(
                table_jobs.CheckTable("fish", {}, 2, (schema.SeatForHouse("greedy"),)),
                table_jobs.CheckedTable,
                seconds=20,
            )
            assert found.options["rules"] == "course"

    run(main())


@pytest.mark.slow
def test_the_catalogue() -> None:
    """Every game with its options from its fields, and who of the house plays it, the weakest first."""

    async def main() -> None:
        async with site(workers=JobPool(2)) as visit:
            status, told = await visit.get("/api/games")
            assert status == 200
            games = {
                game["name"]: game
                for game in msgspec.to_builtins(msgspec.convert(told, schema.Catalogue).games)
            }
            assert set(games) >= {"fish", "hexapawn", "labyrinth"}
            rows = games["hexapawn"]["options"][0]
            assert (rows["kind"], rows["default"], rows["least"], rows["most"]) == ("integer", 5, 2, 26)
            rules = games["fish"]["options"][0]
            assert (rules["kind"], rules["choices"]) == ("choice", ("commercial", "course"))
            for game in games.values():
                players = [offer["player"] for offer in game["house"]]
                assert players[0] == "random"
                assert {"greedy", "mcts"} <= set(players)
                assert all(offer["about"] for offer in game["house"])
            assert not any(offer["player"] == "minimax" for offer in games["labyrinth"]["house"])
            assert {conduct["name"] for conduct in told["conducts"]} >= {"course", "seed-001"}

    run(main())
