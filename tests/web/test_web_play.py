"""Whole games over the API, as a browser plays them: the same referee, the same clock, the same sanctions."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest

from touchline.bots.random import Random as RandomBot
from touchline.client.connect import NotLetIn
from touchline.client.join import join
from touchline.core.events import Moved
from touchline.dialects import native
from touchline.players.address import ServerAddress
from touchline.records.replay import Replay
from touchline.web.tables.page_tables import Caps
from touchline.web.workers.pool import JobFailed, WorkerDied
from web.sites import OPEN, SMALL, Here, Screen, Visit, house, live, me, run, site, until

GAMES = sorted(SMALL)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_the_house(game: str) -> None:
    """By WebSocket; every line fits to the one before, and the record proves itself."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table(game, me(), house("greedy"))
            async with live(visit, table, token) as ann, live(visit, table) as spectator:
                await ann.play(Random(1))
                while spectator.screen.now.get("result") is None:
                    assert await spectator.line() is not None
                visit.site.tables.by_id[table].watchers.close()
                while await ann.line() is not None:
                    assert ann.screen.lines[-1]["type"] == "people", "after the end only people talk"
                assert ann.ws.close_code == 1000
            result = ann.screen.now["result"]
            assert result["verdict"] == "finished"
            assert result == (await visit.result(table))["result"] == spectator.screen.now["result"]
            assert all(heard["verdict"] == "accepted" for heard in ann.heard)
            assert [*ann.screen.moves()] == [*spectator.screen.moves()]
            assert spectator.screen.spots == ann.screen.spots, "at the end nothing is hidden"
            _, record = await visit.get(f"/api/records/{ann.screen.now['record']}")
            replay = Replay(record, "the record")
            replay.verify()
            moves = [event.move for event in replay.events if isinstance(event, Moved)]
            assert json.loads(json.dumps(moves)) == [*ann.screen.moves()]

    run(main())


@pytest.mark.parametrize("game", GAMES)
def test_two_at_browsers_without_a_socket(game: str) -> None:
    """One makes a table and the other joins by its link; lines and posts are enough to play."""

    async def player(visit: Visit, table: str, token: str, rng: Random) -> Screen:
        screen = Screen()
        headers = {"Authorization": f"Bearer {token}"}
        async with visit.http.get(f"/api/tables/{table}/watch", headers=headers) as lines:
            assert lines.content_type == "application/x-ndjson"
            async for line in lines.content:
                if not line.strip():
                    continue
                screen.take(json.loads(line))
                asked = screen.asked
                if asked is not None and screen.lines[-1]["type"] != "table":
                    choice = rng.randrange(len(asked["legal"]))
                    said = {"turn": asked["turn"], "choice": choice}
                    status, heard = await visit.post(f"/api/tables/{table}/move", said, token=token)
                    assert status == 200, heard
        return screen

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table(game, me("ann"), OPEN)
            _, seen = await visit.get(f"/api/tables/{table}", token=token)
            assert (seen["seat"], seen["table"]["state"]) == (0, "open")
            ann = asyncio.create_task(player(visit, table, token, Random(1)))
            await until(lambda: visit.site.tables.by_id[table].chairs[0].watcher)
            status, joined = await visit.post(f"/api/tables/{table}/join", {"name": "bob"})
            assert status == 201
            assert joined["table"]["state"] == "running"
            other = joined["seats"][0]["token"]
            bob = asyncio.create_task(player(visit, table, other, Random(2)))
            screens = await asyncio.gather(ann, bob)
            assert screens[0].lines[0]["type"] == "table", "while somebody was missing"
            assert screens[0].now["result"]["verdict"] == "finished"
            assert screens[0].now["result"] == screens[1].now["result"]
            assert [*screens[0].moves()] == [*screens[1].moves()]

    run(main())


def test_reload_and_come_back() -> None:
    """The seat is its token: another connection takes the place of the first, and the question stands."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as first:
                await first.play(Random(1), most=2)
                asked = await first.turn()
                async with live(visit, table, token) as second:
                    again = await second.turn()
                    assert again == asked
                    while await first.line() is not None:
                        pass
                    assert first.ws.close_code == 4409
                    assert second.screen.spots == first.screen.spots
                    await second.play(Random(2), most=1)
            async with live(visit, table, token) as third:
                assert third.screen.lines == []
                await third.play(Random(3))
                assert third.screen.now["result"]["expelled"] == []

    run(main())


def test_who_is_away_is_seen_and_does_not_come_back() -> None:
    """After a while the seat is gone: that is an offence, as for everybody."""

    async def main() -> None:
        async with site(caps=Caps(patience=0.05)) as visit:
            table, [ann, bob] = await visit.table("hexapawn", me("ann"), me("bob"))
            async with live(visit, table, ann) as stays:
                async with live(visit, table, bob) as leaves:
                    await leaves.kind("snapshot")
                    await stays.turn()
                seen = set()
                while stays.screen.now["result"] is None:
                    seen.add(stays.screen.now["doing"][1])
                    await stays.line()
                assert "away" in seen
                result = stays.screen.now["result"]
                assert (result["expelled"], result["winners"]) == ([1], [0])
                texts = [event["text"] for event in stays.screen.events if event["fault"]]
                assert texts == ["bob left the table and was removed", "bob is out of the game"]
                assert (result["headline"], result["why"]) == ("ann won", "bob left the table.")

    run(main())


def test_nobody_comes() -> None:
    """Who has made a table and is never heard of is late."""

    async def main() -> None:
        async with site(caps=Caps(set_up=0.05)) as visit:
            table, _ = await visit.table("hexapawn", me(), house())
            assert (await visit.result(table))["result"]["expelled"] == [0]

    run(main())


def test_a_clock_runs_out() -> None:
    """The page's clock is the referee's; who is too slow hears why in a sentence."""

    async def main() -> None:
        async with site() as visit:
            clock = {"seconds": 0.3, "bank": 0.1}
            table, [ann, bob] = await visit.table("hexapawn", me("ann"), me("bob"), clock=clock)
            async with live(visit, table, ann) as first, live(visit, table, bob) as other:
                await first.turn()
                clocks = first.screen.now["clocks"]
                assert 350 <= clocks[0]["left"] <= 400
                assert clocks[1] == {"left": 400, "bank": 100}
                while other.screen.now.get("result") is None:
                    await other.line()
                assert other.screen.now["result"]["expelled"] == [0]
                assert other.screen.now["doing"] == ["expelled", "done"]
                texts = [event["text"] for event in other.screen.events if event["fault"]]
                assert texts[0] == "ann took too long (0.4 s) and was removed"

    run(main())


@pytest.mark.parametrize(
    ("seats", "named", "conduct"),
    [
        ((me(), house()), None, "friendly"),
        ((me("ann"), OPEN), None, "friendly"),
        ((me(), house()), "standard", "standard"),
        ((me(), {"kind": "remote"}), None, "standard"),
        ((house(), house()), None, "standard"),
    ],
)
def test_people_have_a_friendly_conduct(seats: Any, named: str | None, conduct: str) -> None:
    """Unless they name another, or programs play: these expect the conduct of their dialect."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("fish", *seats, conduct=named, clock={"seconds": 60})
            _, told = await visit.get(f"/api/tables/{table}")
            assert told["table"]["conduct"] == conduct

    run(main())


def test_who_is_late_misses_a_turn() -> None:
    """People who named no conduct are not expelled for it, in a game where a turn can be skipped."""

    async def main() -> None:
        async with site() as visit:
            table, [ann, bob] = await visit.table("fish", me("ann"), me("bob"), clock={"seconds": 0.3})
            async with live(visit, table, ann), live(visit, table, bob) as other:
                await other.turn()
                assert other.screen.now["result"] is None
                assert "expelled" not in other.screen.now["doing"]
                texts = [event["text"] for event in other.screen.events if event["fault"]]
                assert texts == ["ann took too long (0.3 s) and lost the turn", "ann misses this turn"]

    run(main())


def test_the_referee_refuses() -> None:
    """An illegal move costs what the conduct says, and the reason comes back; what is no move is free."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house(), conduct="seed-002")
            async with live(visit, table, token) as ann:
                await ann.turn()
                move = f"/api/tables/{table}/move"
                for body in ({"turn": 0}, {"turn": 0, "choice": 99}, {"turn": 0, "move": 7}, {"choice": 0}):
                    status, told = await visit.post(move, body, token=token)
                    assert (status, told["error"]) == (400, "bad_request"), told
                back = {"turn": 0, "move": {"from": [0, 0], "to": [2, 0]}}
                status, told = await visit.post(move, back, token=token)
                assert (status, told) == (
                    409, {"error": "rejected", "message": "a pawn goes exactly one row forward"},
                )  # fmt: skip
                status, heard = await visit.post(move, {"turn": 0, "choice": 0}, token=token)
                assert (status, heard["verdict"]) == (200, "accepted")
                status, heard = await visit.post(move, {"turn": 0, "choice": 0}, token=token)
                assert (status, heard["verdict"]) == (200, "ignored")
                while not any(event["kind"] == "faulted" for event in ann.screen.events):
                    await ann.line()
                fault = next(event for event in ann.screen.events if event["kind"] == "faulted")
                assert (fault["offence"], fault["sanction"]) == ("illegal", "retry")

    run(main())


def test_resigning() -> None:
    """At a running table it ends the match; at an open one it gives the seat back or closes the table."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as ann:
                await ann.turn()
                await ann.ws.send_json({"type": "resign"})
                while ann.screen.now.get("result") is None:
                    await ann.line()
                assert ann.screen.now["result"]["resigned"] == [0]
            status, told = await visit.post(f"/api/tables/{table}/resign", token=token)
            assert (status, told["error"]) == (409, "not_now")
            table, [token] = await visit.table("fish", me(), OPEN, OPEN)
            _, joined = await visit.post(f"/api/tables/{table}/join", {"name": "bob", "seat": 2})
            assert [seat["taken"] for seat in joined["table"]["seats"]] == [True, False, True]
            other = joined["seats"][0]["token"]
            status, told = await visit.post(f"/api/tables/{table}/join", {"name": "ANN"})
            assert (status, told["message"]) == (400, "the name ANN is taken at this table")
            await visit.post(f"/api/tables/{table}/resign", token=other)
            status, _ = await visit.get(f"/api/tables/{table}", token=other)
            assert status == 401, "the seat was given back"
            async with live(visit, table) as spectator:
                await spectator.kind("table")
                await visit.post(f"/api/tables/{table}/resign", token=token)
                assert await spectator.line() is None
                assert spectator.ws.close_code == 4410
            status, told = await visit.get(f"/api/tables/{table}")
            assert (status, told["error"]) == (410, "gone")

    run(main())


@pytest.mark.parametrize("game", GAMES)
def test_a_hint(game: str) -> None:
    """It is a legal move of this position, from what the seat knows."""

    async def main() -> None:
        async with site() as visit:
            table, [token, other] = await visit.table(game, me("ann"), me("bob"))
            async with live(visit, table, token) as ann, live(visit, table, other) as bob:
                await bob.kind("snapshot")
                asked = await ann.turn()
                hint = f"/api/tables/{table}/hint"
                status, told = await visit.post(hint, {"player": "greedy"}, token=token)
                assert status == 200, told
                assert told["keys"] == asked["legal"][told["choice"]]
                assert (told["turn"], told["player"], len(told["values"])) == (0, "greedy", 2)
                status, told = await visit.post(hint, {"player": "greedy"}, token=other)
                assert (status, told["error"]) == (409, "not_now")
                status, told = await visit.post(
                    hint, {"player": "her", "options": {"memory": "x"}}, token=token
                )
                assert status == 400, told
                heard = await ann.move(0)
                assert heard["verdict"] == "accepted"

    run(main())


def test_a_program_at_a_remote_seat() -> None:
    """It comes in by the line that the page gives, with the token of its seat as its key."""

    async def main() -> None:
        async with site() as visit:
            body = {"game": "hexapawn", "pace": 0, "seats": [me(), {"kind": "remote"}]}
            _, made = await visit.post("/api/tables", body)
            table, (mine, theirs) = made["table"]["id"], made["seats"]
            words = theirs["join"].split()
            assert words[:3] == [f"TOUCHLINE_KEY={theirs['token']}", "touchline", "join"]
            listen = ServerAddress.read(words[3])
            with pytest.raises(NotLetIn, match="no seat has this token"):
                await join(listen, native.Face(RandomBot(Random(1))), "lines", "bot", key="0" * 32)
            program = asyncio.create_task(
                join(listen, native.Face(RandomBot(Random(1))), "lines", "bot", key=theirs["token"])
            )
            async with live(visit, table, mine["token"]) as ann:
                await ann.play(Random(2))
            await program
            result = await visit.result(table)
            assert result["result"]["verdict"] == "finished"
            assert [seat["name"] for seat in result["seats"]] == ["ann", "bot"]

    run(main())


def test_house_players_alone() -> None:
    """Begin at once; two of a name are told apart."""

    async def main() -> None:
        async with site() as visit:
            table, tokens = await visit.table("fish", house(), house(), house("greedy"))
            assert tokens == []
            done = await visit.result(table)
            assert [seat["name"] for seat in done["seats"]] == ["random", "random 2", "greedy"]
            assert done["result"]["verdict"] == "finished"

    run(main())


def test_a_house_player_that_fails() -> None:
    """Is gone, which is its fault and nobody else's."""

    class Broken(Here):
        async def do(self, job: Any, kind: Any, **others: Any) -> Any:
            if type(job).__name__ == "Choose":
                others["started"]()
                raise JobFailed("raised ValueError: boom")
            return await super().do(job, kind, **others)

    async def main() -> None:
        async with site(workers=Broken()) as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as ann:
                await ann.play(Random(1))
            result = (await visit.result(table))["result"]
            assert (result["expelled"], result["winners"]) == ([1], [0])
            assert b"ValueError" not in b"".join(ann.received), "no Python text reaches the page"

    run(main())


def test_our_own_failure_is_ours() -> None:
    """A match whose worker dies again and again does not count, and nobody is expelled."""

    class Dying(Here):
        async def do(self, job: Any, kind: Any, **others: Any) -> Any:
            if type(job).__name__ == "Choose":
                raise WorkerDied("our helper process stopped 3 times")
            return await super().do(job, kind, **others)

    async def main() -> None:
        async with site(workers=Dying()) as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as ann:
                await ann.play(Random(1))
            result = (await visit.result(table))["result"]
            assert (result["verdict"], result["expelled"]) == ("void", [])
            assert result["why"] == "Our helper process stopped 3 times; this game does not count."

    run(main())


def test_a_seat_may_use_any_legal_move_in_the_games_own_form() -> None:
    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("labyrinth", me(), house())
            async with live(visit, table, token) as ann:
                asked = await ann.turn()
                assert asked["legal"][-1] == ["pass"]
                said = {"type": "move", "turn": asked["turn"], "move": {"type": "pass"}}
                await ann.ws.send_json(said)
                assert (await ann.kind("heard"))["verdict"] == "accepted"

    run(main())
