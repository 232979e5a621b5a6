"""A page that is killed goes on with its tables when it is started again."""

from __future__ import annotations

import asyncio
import stat
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from touchline.bots.random import Random as RandomBot
from touchline.client.join import join
from touchline.core.events import Resumed, SatDown
from touchline.dialects import native
from touchline.players.address import ServerAddress
from touchline.records.replay import Replay
from touchline.web import schema
from touchline.web.tables.page_tables import Caps
from web.restarts import checked_record, files_in, play_on, recording, restarted
from web.sites import OPEN, SMALL, house, live, me, run, site, until

if TYPE_CHECKING:
    from pathlib import Path

    from web.sites import Live, Visit

GAMES = sorted(SMALL)
FIRST = "000000.jsonl"
GREEDY: tuple[str, dict[str, Any]] = ("greedy", {})
RANDOM: tuple[str, dict[str, Any]] = ("random", {})
LONG = {"rows": 7, "cols": 6}
"""A hexapawn that is not over soon."""


def again(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-again")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("turns", [0, 1])
def test_a_person_goes_on_after_a_restart(game: str, turns: int, tmp_path: Path) -> None:
    """The same seat and position; the match ends as it would have, and nobody is ready twice."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [token] = await first.table(game, me(), house("random"))
            async with live(first, table, token) as ann:
                await play_on(ann, 0, turns)
                asked = await ann.turn()
            async with (
                restarted(first, tmp_path) as visit,
                live(visit, table, token) as ann,
                live(visit, table) as spectator,
            ):
                snapshot = await ann.kind("snapshot")
                assert (await ann.turn())["legal"] == asked["legal"]
                assert (snapshot["table"]["id"], snapshot["seat"]) == (table, 0)
                await play_on(ann, 0)
                while spectator.screen.now.get("result") is None:
                    assert await spectator.line() is not None
                assert [event["text"] for event in ann.screen.events if event["kind"] == "resumed"] == [
                    "The server restarted; going on"
                ]
                assert [*spectator.screen.moves()] == [*ann.screen.moves()]
                assert (await visit.result(table))["recorded"] is True
            replay = checked_record(again(tmp_path) / FIRST, {1: RANDOM})
            assert [type(event) for event in replay.events].count(SatDown) == 2
            assert sum(isinstance(event, Resumed) for event in replay.events) == 1

    run(main())


def test_a_match_waits_until_everybody_is_back(tmp_path: Path) -> None:
    """Meanwhile no clock runs, no move is taken, and everybody sees who is missing."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            clock = {"seconds": 30}
            table, [ann, bob] = await first.table("hexapawn", me("ann"), me("bob"), clock=clock)
            async with live(first, table, ann) as one, live(first, table, bob) as two:
                await play_on(one, 0, 1)
                await play_on(two, 1, 1)
                await one.turn()
            async with restarted(first, tmp_path) as visit:
                async with live(visit, table, ann) as one:
                    now = (await one.kind("snapshot"))["now"]
                    assert (now["missing"], now["thinking"]) == ([1], [])
                    assert (now["doing"], now["you"]["asked"]) == (["waiting", "away"], False)
                    assert now["clocks"][0] == {"left": 30_000, "bank": 0}
                    move = {"turn": 2, "move": {"from": [1, 0], "to": [2, 0]}}
                    status, said = await visit.post(f"/api/tables/{table}/move", move, token=ann)
                    assert (status, said["verdict"]) == (200, "ignored")
                    assert said["reason"] == "the server restarted, and not everybody is back"
                    async with live(visit, table, bob) as two:
                        await asyncio.gather(play_on(one, 0), play_on(two, 1))
                    assert one.screen.now["missing"] == []
                await visit.result(table)
            checked_record(again(tmp_path) / FIRST, {})

    run(main())


def test_who_does_not_come_back_makes_the_match_void(tmp_path: Path) -> None:
    """The restart is the cause, so nobody has lost."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [ann, bob] = await first.table("fish", me("ann"), me("bob"))
            async with live(first, table, ann) as one, live(first, table, bob):
                await play_on(one, 0, 1)
            async with restarted(first, tmp_path, caps=Caps(patience=0.05)) as visit:
                result = (await visit.result(table))["result"]
                assert (result["verdict"], result["expelled"]) == ("void", [])
                assert result["reason"].endswith("did not come back after the server restarted")
            Replay.read(again(tmp_path) / "000000.jsonl").verify()

    run(main())


def test_a_house_player_that_is_not_installed_any_more(tmp_path: Path) -> None:
    """The match is void with the reason, and its table is listed."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [token] = await first.table("hexapawn", me(), house("greedy"))
            async with live(first, table, token) as ann:
                await play_on(ann, 0, 1)
            side = tmp_path / "000000.jsonl.secret"
            side.write_text(side.read_text().replace('"greedy"', '"gone"'))
            async with restarted(first, tmp_path) as visit:
                _, seen = await visit.get(f"/api/tables/{table}")
                assert seen["table"]["state"] == "finished"
                result = seen["table"]["result"]
                assert (result["verdict"], result["expelled"]) == ("void", [])
                assert result["reason"].startswith("the match cannot be resumed: ")

    run(main())


def test_a_program_comes_back_by_itself(tmp_path: Path) -> None:
    """To the old port, with its token; its memory is not asked to repeat anything."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [ann, key] = await first.table("hexapawn", me(), {"kind": "remote"})
            listen = ServerAddress.read(first.site.tables.door or "")
            face = native.Face(RandomBot(Random(1)))
            program = asyncio.create_task(join(listen, face, "lines", "bot", key=key))
            async with live(first, table, ann) as one:
                await play_on(one, 0, 1)
                await one.turn()
            before = [*one.screen.moves()]
            async with restarted(first, tmp_path) as visit:
                assert visit.site.tables.door == first.site.tables.door
                async with live(visit, table, ann) as one:
                    await play_on(one, 0)
                await program
                result = await visit.result(table)
                assert [seat["name"] for seat in result["seats"]] == ["ann", "bot"]
                assert [*one.screen.moves()][: len(before)] == before
            assert (result["result"]["verdict"], result["result"]["expelled"]) == ("finished", [])
            replay = Replay.read(again(tmp_path) / "000000.jsonl")
            replay.verify()
            assert [type(event) for event in replay.events].count(SatDown) == 2

    run(main())


def test_an_open_table_survives(tmp_path: Path) -> None:
    """With its seats, names and tokens, of which only the hashes are kept; others join it as before."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            seats = [me("ann"), OPEN, {"kind": "remote"}, house()]
            table, [ann, key] = await first.table("fish", *seats, clock={"seconds": 7})
            _, joined = await first.post(f"/api/tables/{table}/join", {"name": "bob"})
            bob = joined["seats"][0]["token"]
            file = tmp_path / f"table-{table}.open"
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert not any(token in file.read_text() for token in (ann, bob, key))
            _, before = await first.get(f"/api/tables/{table}")
            async with restarted(first, tmp_path) as visit:
                assert (await visit.get(f"/api/tables/{table}"))[1] == before
                status, told = await visit.post(f"/api/tables/{table}/join", {"name": "cy"})
                assert (status, told["message"]) == (409, "there is no open seat at this table")
                listen = ServerAddress.read(visit.site.tables.door or "")
                face = native.Face(RandomBot(Random(1)))
                program = asyncio.create_task(join(listen, face, "lines", "bot", key=key))
                async with live(visit, table, ann) as one, live(visit, table, bob) as two:
                    await asyncio.gather(play_on(one, 0), play_on(two, 1), program)
                assert (await visit.result(table))["result"]["verdict"] == "finished"
                assert files_in(again(tmp_path)) == ["000000.jsonl"]

    run(main())


def test_a_closed_table_does_not_come_back(tmp_path: Path) -> None:
    """Neither does one whose match has begun."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [ann] = await first.table("hexapawn", me("ann"), OPEN)
            await first.post(f"/api/tables/{table}/resign", token=ann)
            assert not files_in(tmp_path)
            table, [ann] = await first.table("hexapawn", me("ann"), OPEN)
            await first.post(f"/api/tables/{table}/join", {"name": "bob"})
            assert not files_in(tmp_path, "*.open")

    run(main())


async def _until_closed(person: Live) -> None:
    while await person.line() is not None:
        pass


def test_a_server_that_is_stopped_goes_on_too(tmp_path: Path) -> None:
    """In order, with what it had: matches of people, also with programs, and tables that wait for players."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [token] = await first.table("hexapawn", me("ann"), house("random"), options=LONG)
            waiting, [other] = await first.table("hexapawn", me("ann"), OPEN)
            shown, _ = await first.table("hexapawn", house("random"), house("random"), pace=5)
            async with live(first, table, token) as ann, live(first, waiting, other) as bea:
                await play_on(ann, 0, 1)
                asked = await ann.turn()
                await bea.kind("table")
                stopping = asyncio.create_task(first.site.stop(10.0))
                await asyncio.gather(*(_until_closed(each) for each in (ann, bea)))
                assert (ann.ws.close_code, bea.ws.close_code) == (1001, 1001), "come back soon"
                await stopping
        async with recording(tmp_path) as visit:
            _, listed = await visit.get("/api/tables")
            assert {each["id"]: each["state"] for each in listed["tables"]} == {
                table: "running", waiting: "open",
            }  # fmt: skip
            assert (await visit.get(f"/api/tables/{shown}"))[0] == 410, "its match was broken off"
            async with live(visit, table, token) as ann:
                assert (await ann.turn())["legal"] == asked["legal"]
                await play_on(ann, 0)
                record = ann.screen.now["record"]
            await visit.post(f"/api/tables/{waiting}/resign", token=other)
        checked_record(tmp_path / FIRST, {1: RANDOM})
        async with recording(tmp_path) as last:
            last.site.shelve(last.site.tables.files.earlier())
            await until(lambda: last.site.tables.shelf.find(record) is not None)

    run(main())


def test_a_lone_person_has_time_to_come_back(tmp_path: Path) -> None:
    """Nobody waits but the house."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [token] = await first.table("hexapawn", me("ann"), house("random"), options=LONG)
            async with live(first, table, token) as ann:
                await play_on(ann, 0, 1)
            async with restarted(first, tmp_path, caps=Caps(patience=0.02)) as visit:
                await asyncio.sleep(0.1)
                async with live(visit, table, token) as ann:
                    await play_on(ann, 0, 1)
                    assert ann.screen.now["result"] is None

    run(main())


def test_a_table_that_was_put_away_says_so() -> None:
    """And where its record is; of an unknown one only that it is not there."""

    async def main() -> None:
        async with site(caps=Caps(finished=0)) as visit:
            table, _ = await visit.table("hexapawn", house(), house())
            record = (await visit.result(table))["record"]
            await visit.table("hexapawn", me(), OPEN)
            status, told = await visit.get(f"/api/tables/{table}")
            assert (status, told["error"], told["record"]) == (410, "gone", record)
            async with live(visit, table) as eve:
                assert (await eve.kind("error"))["record"] == record
                assert await eve.line() is None
                assert eve.ws.close_code == 4404
            status, told = await visit.get("/api/tables/0123456789")
            assert (status, told["error"]) == (404, "not_found")
            assert "restarted" in told["message"]

    run(main())


def test_a_table_that_was_killed_as_its_match_began(tmp_path: Path) -> None:
    """Its file and its record are both there: there is one table, and it goes on."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [ann] = await first.table("hexapawn", me("ann"), OPEN)
            file = tmp_path / f"table-{table}.open"
            kept = file.read_bytes()
            _, joined = await first.post(f"/api/tables/{table}/join", {"name": "bob"})
            file.write_bytes(kept)
            async with restarted(first, tmp_path) as visit:
                assert len((await visit.get("/api/tables"))[1]["tables"]) == 1
                assert not files_in(again(tmp_path), "*.open")
                bob = joined["seats"][0]["token"]
                async with live(visit, table, ann) as one, live(visit, table, bob) as two:
                    await asyncio.gather(play_on(one, 0), play_on(two, 1))
            checked_record(again(tmp_path) / FIRST, {})

    run(main())


def test_a_demonstration_goes_on_and_is_not_started_twice(tmp_path: Path) -> None:
    """A match of house players needs nobody to come back."""
    players = (schema.SeatForHouse("random"), schema.SeatForHouse("greedy"))
    new = schema.NewTable(game="hexapawn", options=SMALL["hexapawn"], seats=players, pace=0.05)

    async def main() -> None:
        async with recording(tmp_path) as first:
            first.site.show(new)
            await until(lambda: any(table.turn > 1 for table in first.site.tables.by_id.values()))
            [table] = first.site.tables.by_id
            async with restarted(first, tmp_path) as visit:
                visit.site.show(new)
                result = await visit.result(table)
                assert result["result"]["verdict"] == "finished"
                assert [*visit.site.tables.by_id] == [table]
            checked_record(again(tmp_path) / FIRST, {0: RANDOM, 1: GREEDY})

    run(main())


async def restart_after_a_move(visit: Visit, folder: Path, table: str, token: str, restarts: int) -> Path:
    """Make a move, restart, and so on; then play to the end. Return the last folder."""
    async with live(visit, table, token) as ann:
        await play_on(ann, 0, 1 if restarts else 1 << 30)
        if not restarts:
            return folder
        await ann.turn()
    async with restarted(visit, folder) as following:
        return await restart_after_a_move(following, again(folder), table, token, restarts - 1)


def test_restarted_again_and_again(tmp_path: Path) -> None:
    """After each move; the record has one line for each restart."""

    async def main() -> None:
        folder = tmp_path / "0"
        async with recording(folder) as visit:
            table, [token] = await visit.table("hexapawn", me(), house("greedy"), options=LONG)
            folder = await restart_after_a_move(visit, folder, table, token, restarts=3)
        replay = checked_record(folder / FIRST, {1: GREEDY})
        assert sum(isinstance(event, Resumed) for event in replay.events) == 3

    run(main())


@pytest.mark.parametrize("cut", ["seal", "side file", "begun", "all", "both"])
def test_killed_at_the_very_beginning_or_end(cut: str, tmp_path: Path) -> None:
    """A match that ended has its record sealed; one that had not begun leaves nothing behind."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            table, [token] = await first.table("hexapawn", me(), house("greedy"))
            side, record = tmp_path / f"{FIRST}.secret", tmp_path / FIRST
            secret = side.read_bytes()
            async with live(first, table, token) as ann:
                await play_on(ann, 0)
            await first.result(table)
            side.write_bytes(b"" if cut == "both" else secret)
            whole = record.read_bytes()
            lines = whole.splitlines(keepends=True)
            left = {
                "seal": b"".join(lines[:-1]) + lines[-1][:9],
                "begun": lines[0][:9],
                "all": b"",
                "both": b"",
            }
            record.write_bytes(left.get(cut, whole))
            async with restarted(first, tmp_path) as visit:
                assert not visit.site.tables.by_id
            there = again(tmp_path) / FIRST
            assert files_in(again(tmp_path)) == ([FIRST] if cut in ("seal", "side file") else [])
            assert not there.exists() or there.read_bytes() == whole

    run(main())


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", me(), OPEN)
            _, seen = await visit.get(f"/api/tables/{table}")
            assert seen["table"]["recorded"] is None
            assert not files_in(tmp_path)

    run(main())


def test_a_folder_that_another_server_uses(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Its tables and matches are left to it."""

    async def main() -> None:
        async with recording(tmp_path) as first:
            open_table, _ = await first.table("hexapawn", me(), OPEN)
            running, [token] = await first.table("hexapawn", me(), house("greedy"))
            async with recording(tmp_path) as second:
                assert not second.site.tables.by_id
            assert "another server uses" in caplog.text
            assert (tmp_path / f"table-{open_table}.open").exists()
            async with live(first, running, token) as ann:
                await play_on(ann, 0)
            await first.result(running)
        checked_record(tmp_path / FIRST, {1: GREEDY})

    run(main())


def test_a_match_that_cannot_be_recorded_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "records"

    async def main() -> None:
        async with recording(folder) as visit:
            folder.rmdir()
            table, [token] = await visit.table("hexapawn", me(), house("greedy"))
            async with live(visit, table, token) as ann:
                assert (await ann.kind("snapshot"))["table"]["recorded"] is False
                await play_on(ann, 0)
            done = await visit.result(table)
            assert (done["recorded"], done["result"]["verdict"]) == (False, "finished")
            assert [*visit.site.tables.files.failed] == [str(folder / "000000.jsonl")]

    run(main())
