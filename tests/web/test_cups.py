"""Tournaments on the page: the report of the command line, from a ledger that is only read."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cli.commands import refused
from touchline.records.replay import Replay
from touchline.tournament.ledger import open_ledger
from touchline.tournament.report.data import build_report
from touchline.tournament.worker import OURS
from touchline.web import schema
from touchline.web.workers import cup_jobs
from tournament.cups import cup, played
from web.cup_sites import Counting, claimed, entered, held, next_line, shown
from web.sites import run
from web.test_web_serve import fetched, page

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.run import Run

pytestmark = pytest.mark.usefixtures("no_rest")


def test_the_report_is_the_offline_one(tmp_path: Path) -> None:
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            _, listed = await visit.get("/api/cups")
            (info,) = listed["cups"]
            assert (info["id"], info["name"], info["game"]) == (id, "small", "hexapawn")
            assert (info["format"], info["state"], info["over"]) == ("round_robin", "over", True)
            assert (info["entrants"], info["counts"]["done"], info["counts"]["due"]) == (3, 12, 0)
            status, seen = await visit.get(f"/api/cups/{id}")
            assert (status, seen["cup"], seen["current"], seen["running"]) == (200, info, True, [])
            with open_ledger(where, readonly=True) as ledger:
                offline = json.loads(msgspec.json.encode(build_report(ledger)))
            assert {one["player"] for one in offline["entrants"]} == {"random", "greedy"}
            for one in offline["entrants"]:
                one["player"] = ""  # a command line, which the page does not tell
            assert seen["report"] == offline
            msgspec.convert(seen, schema.CupSeen, strict=True)

    run(main())


def test_games_come_a_page_at_a_time(tmp_path: Path) -> None:
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            games: list[dict[str, Any]] = []
            for first in range(0, 15, 5):
                _, told = await visit.get(f"/api/cups/{id}/games?first={first}&count=5")
                assert (told["first"], told["total"]) == (first, 12)
                games += told["games"]
            with open_ledger(where, readonly=True) as ledger:
                results = [*ledger.results()]
            assert [game["game"] for game in games] == [one.id for one in results]
            assert [(game["verdict"], game["reason"]) for game in games] == [
                (one.played.verdict, one.played.reason) for one in results
            ]
            _, own = await visit.get(f"/api/cups/{id}/games?entrant=ann&first=3&count=200")
            assert own["total"] == 8
            assert own["games"] == [game for game in games if "ann" in game["entrants"]][3:]
            assert (await visit.get(f"/api/cups/{id}/games?entrant=nobody"))[1]["games"] == []
            both = {*results[0].played.pairing.entrants}
            one, other = sorted(both)
            _, met = await visit.get(f"/api/cups/{id}/games?entrant={one}&other={other}")
            assert met["games"] == [game for game in games if {*game["entrants"]} == both]
            assert (await visit.get(f"/api/cups/{id}/games?first=999999999"))[1]["games"] == []
            for wrong in ("count=0", "count=201", "count=-1", "first=x", "first=-1", "first=9999999999"):
                status, told = await visit.get(f"/api/cups/{id}/games?{wrong}")
                assert (status, told["error"]) == (400, "bad_request"), wrong

    run(main())


def test_a_game_is_a_record_like_any_other(tmp_path: Path) -> None:
    """Downloaded, drawn and played back under its own name; only it is not among the page's own."""
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            _, told = await visit.get(f"/api/cups/{id}/games?count=1")
            game = told["games"][0]
            with open_ledger(where, readonly=True) as ledger:
                data = ledger.record(game["game"])
            Replay(data, "the record").verify()
            assert game["record"] == f"cup:{id}:{game['game']}"
            assert (await visit.get(f"/api/cups/{id}/games/{game['game']}"))[1] == data
            at = f"/api/records/{game['record']}"
            assert (await visit.get(at))[1] == data
            _, seen = await visit.get(f"{at}/info")
            assert (seen["record"]["id"], seen["record"]["source"]) == (game["record"], "cup")
            assert seen["record"]["names"] == game["entrants"]
            head, *lines = map(json.loads, (await visit.get(f"{at}/positions"))[1].splitlines())
            assert head["record"] == seen["record"]
            assert len(lines) == len(data.splitlines()) - 1, "the last line is the seal"
            _, last = await visit.get(f"{at}/svg?theme=dark")
            assert last.startswith(b"<svg")
            _, small = await visit.get(f"/api/cups/{id}/games/{game['game']}/svg?theme=dark")
            assert len(small) < len(last), "a small picture needs no words"
            assert small.count(b"<polygon") == last.count(b"<polygon")
            assert (await visit.get("/api/records"))[1]["records"] == []

    run(main())


def test_a_picture_is_drawn_once(tmp_path: Path) -> None:
    where, workers = held(tmp_path), Counting()

    async def main() -> None:
        async with shown(where, workers=workers) as (visit, id):
            first = await visit.get(f"/api/cups/{id}/games/r0000-t0000/svg")
            before = workers.done.copy()
            assert await visit.get(f"/api/cups/{id}/games/r0000-t0000/svg") == first
            assert workers.done == before

    run(main())


NOWHERE = [
    "/api/cups/none", "/api/cups/..%2f..%2fcup.db", "/api/cups/{id}/games/r0000-t9999",
    "/api/cups/{id}/games/..%2f..%2fetc%2fpasswd", "/api/cups/{id}/games/%2e%2e", "/api/cups/none/watch",
    "/api/cups/{id}/games/r0000-t0000'%20OR%201=1", "/api/cups/{id}/games/r0000-t0000%00",
    "/api/cups/{id}/games/r0000-t9999/svg", "/api/cups/none/games", "/api/cups/none/games/r0000-t0000",
    "/api/records/cup:{id}:r0000-t9999", "/api/records/cup:{id}:..%2f..", "/api/records/cup:none:r0000-t0000",
    "/api/records/cup:", "/api/records/cup::", "/api/records/cup:{id}/positions",
]  # fmt: skip


def test_what_is_not_there(tmp_path: Path) -> None:
    """Is a 404 in JSON, and names no place of this machine."""
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            for path in NOWHERE:
                status, told = await visit.get(path.format(id=id))
                assert (status, told["error"]) == (404, "not_found"), path
                assert str(tmp_path) not in told["message"]

    run(main())


def test_a_report_is_kept_until_the_ledger_has_grown(tmp_path: Path) -> None:
    where, workers = held(tmp_path), Counting()

    async def main() -> None:
        async with shown(where, workers=workers) as (visit, id):
            _, first = await visit.get(f"/api/cups/{id}")
            assert (await visit.get(f"/api/cups/{id}"))[1] == first
            assert workers.done[cup_jobs.ReportOnCup] == 1
            with open_ledger(where) as ledger:
                ledger.void("r0000-t0001", "the lights went out", time.time())
            _, then = await visit.get(f"/api/cups/{id}")
            assert workers.done[cup_jobs.ReportOnCup] == 2
            assert (then["report"]["games"], then["cup"]["counts"]["voided"]) == (11, 1)
            assert then["cup"]["state"] == "waiting", "it is to be played again"
            assert then["report"]["acts"][-1] == "void r0000-t0001: the lights went out"
            _, told = await visit.get(f"/api/cups/{id}/games?first=1&count=1")
            assert told["games"][0]["voided"] == "the lights went out"

    run(main())


def test_a_report_of_a_large_cup_is_not_made_all_the_time(tmp_path: Path) -> None:
    """It may be older than the ledger, and says so."""
    where, workers = held(tmp_path), Counting()

    async def main() -> None:
        async with shown(where, workers=workers) as (visit, id):
            await visit.get(f"/api/cups/{id}")
            visit.site.cups.by_id[id]._reporting.again = float("inf")
            with open_ledger(where) as ledger:
                ledger.void("r0000-t0001", "why", time.time())
            _, then = await visit.get(f"/api/cups/{id}")
            assert (then["current"], then["report"]["games"]) == (False, 12)
            assert then["cup"]["counts"]["voided"] == 1, "what is cheap is new"
            assert workers.done[cup_jobs.ReportOnCup] == 1

    run(main())


def test_a_ledger_that_cannot_be_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The page goes on without it, names no path, and has it back when it is there again."""
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            (tmp_path / "cup.db").rename(tmp_path / "away.db")
            _, listed = await visit.get("/api/cups")
            assert (listed["cups"][0]["state"], listed["cups"][0]["counts"]) == ("unavailable", None)
            for path in (f"/api/cups/{id}", f"/api/cups/{id}/games", f"/api/cups/{id}/games/r0000-t0000"):
                status, told = await visit.get(path)
                assert (status, told["error"]) == (503, "unavailable")
                assert str(tmp_path) not in told["message"]
            assert "cannot be read" in caplog.text
            (tmp_path / "away.db").rename(tmp_path / "cup.db")
            assert (await visit.get("/api/cups"))[1]["cups"][0]["state"] == "over"
            assert (await visit.get(f"/api/cups/{id}"))[0] == 200

    run(main())


def test_a_cup_that_has_not_been_played_yet(tmp_path: Path) -> None:
    """Begun and stopped at once: it waits, and then it is paused."""
    where = str(tmp_path / "cup.db")

    def stop(going: Run) -> None:
        going.stopping = True

    played(cup(), where, tmp_path, stop)

    async def main() -> None:
        async with shown(where) as (visit, id):
            _, seen = await visit.get(f"/api/cups/{id}")
            assert seen["cup"]["state"] == "waiting"
            assert seen["cup"]["over"] is False
            with open_ledger(where) as ledger:
                ledger.note("pause", "", "lunch", time.time())
            _, listed = await visit.get("/api/cups")
            assert (listed["cups"][0]["state"], listed["cups"][0]["paused"]) == ("paused", "lunch")
            with open_ledger(where) as ledger:
                ledger.note("stop", "", "the night", time.time())
            _, listed = await visit.get("/api/cups")
            assert (listed["cups"][0]["state"], listed["cups"][0]["paused"]) == ("stopped", "the night")

    run(main())


def test_a_game_that_could_not_be_played_has_no_record(tmp_path: Path) -> None:
    where = held(tmp_path)
    with open_ledger(where) as ledger:
        (claim,) = claimed(ledger, 0)
        void = {"verdict": "void", "winners": (), "ranks": (), "scores": (), "reason": f"{OURS} no room"}
        entered(ledger, claim, "r0000-t0000", record=b"", **void)

    async def main() -> None:
        async with shown(where) as (visit, id):
            _, told = await visit.get(f"/api/cups/{id}/games?first=12")
            assert (told["games"][0]["game"], told["games"][0]["record"]) == (claim.id, None)
            status, told = await visit.get(f"/api/cups/{id}/games/{claim.id}")
            assert (status, told["message"]) == (
                404, f"{claim.id} could not be played, so it has no record",
            )  # fmt: skip

    run(main())


def test_a_record_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cup_jobs, "MOST_RECORD", 100)
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            status, told = await visit.get(f"/api/cups/{id}/games/r0000-t0000")
            assert (status, told["error"]) == (400, "bad_request")
            assert "too long for the page" in told["message"]

    run(main())


def test_a_cup_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are in the standings of the report; who met whom and the curves are those of the first."""
    monkeypatch.setattr(cup_jobs, "MOST_SHOWN", 2)
    where = held(tmp_path)

    async def main() -> None:
        async with shown(where) as (visit, id):
            _, seen = await visit.get(f"/api/cups/{id}")
            names = [line["entrant"] for line in seen["report"]["standings"]]
            assert len(names) == 3
            assert {(one["entrant"], one["other"]) for one in seen["report"]["cross"]} == {
                (names[0], names[1]), (names[1], names[0]),
            }  # fmt: skip
            for stage in seen["report"]["curve"]:
                assert {rating["entrant"] for rating in stage["ratings"]} == {*names[:2]}
            async with visit.http.get(f"/api/cups/{id}/watch") as one:
                assert [line["entrant"] for line in (await next_line(one))["standings"]] == names[:2]

    run(main())


def test_the_same_cup_twice(tmp_path: Path) -> None:
    """Each has an id of its own, and the first keeps its."""
    ledgers = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        ledgers.append(held(tmp_path / name, options="games = 2"))

    async def main() -> None:
        async with shown(*ledgers) as (visit, id):
            _, listed = await visit.get("/api/cups")
            assert [one["id"] for one in listed["cups"]] == [id, f"{id}-2"]
            assert (await visit.get(f"/api/records/cup:{id}-2:r0000-t0000"))[0] == 200

    run(main())


def test_serve_shows_cups(tmp_path: Path) -> None:
    """From the command line, with workers of its own; what is no ledger is said before anything is served."""
    where = held(tmp_path)
    with page("--cup", where) as (_, url):
        (info,) = fetched(f"{url}api/cups")["cups"]
        assert fetched(f"{url}api/cups/{info['id']}")["report"]["over"]
    assert "there is no such ledger" in refused("serve", "--cup", str(tmp_path / "none.db"))
    (tmp_path / "text.db").write_text("hello " * 1000)
    assert "no ledger" in refused("serve", "--cup", str(tmp_path / "text.db"), code=4)
