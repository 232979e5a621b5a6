"""What people do besides moves: emotes, a rematch, spectators that are counted, two people at one screen."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest

from touchline.web import schema
from touchline.web.tables import people
from touchline.web.tables.page_tables import Caps
from web.sites import OPEN, Live, house, live, me, on_loop, site, two_people


def has_begun(rematch: Any) -> bool:
    return rematch is not None and rematch["table"] is not None


async def resigns(ann: Live, bob: Live) -> None:
    """Ann resigns, and both have seen the end."""
    for each in (ann, bob):
        await each.kind("snapshot")
    await ann.say("resign")
    for each in (ann, bob):
        await each.end()


@on_loop
async def test_a_match_of_two_ends_when_one_resigns() -> None:
    """Nobody plays on alone: the other has won at once, also in a game that could go on."""
    async with two_people("fish") as (_, _, ann, bob):
        await resigns(ann, bob)
        result = bob.screen.now["result"]
        assert (result["winners"], result["turns"]) == ([1], 1)
        assert result["why"] == "ann resigned."


# -- rematch ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("swap", [True, False])
@on_loop
async def test_a_rematch_between_two_browsers(swap: bool) -> None:
    """One asks, the other agrees with one message; each gets the token of its own seat, spectators the id."""
    async with two_people() as (visit, table, ann, bob), live(visit, table) as eve:
        await resigns(ann, bob)
        await ann.say("rematch", swap=swap)
        asked = await bob.people("rematch")
        assert asked == {"wanted": [0], "swap": swap, "table": None, "seat": None, "token": None}
        await bob.say("rematch", swap=swap)
        told = [await each.people("rematch", has_begun) for each in (ann, bob, eve)]
        again = told[0]["table"]
        assert [each["seat"] for each in told] == [int(swap), 1 - int(swap), None]
        assert told[2]["token"] is None
        assert len({each["token"] for each in told}) == 3
        seen = [(await visit.get(f"/api/tables/{again}", token=each["token"]))[1] for each in told[:2]]
        assert [each["seat"] for each in seen] == [each["seat"] for each in told[:2]]
        names = [seat["name"] for seat in seen[0]["table"]["seats"]]
        assert names == (["bob", "ann"] if swap else ["ann", "bob"])
        assert (await visit.get(f"/api/tables/{table}"))[1]["table"]["rematch"] == again
        async with live(visit, again, told[0]["token"]) as one, live(visit, again, told[1]["token"]) as two:
            mover = one if told[0]["seat"] == 0 else two
            assert (await mover.move(0))["verdict"] == "accepted"
        secrets = {told[0]["token"], told[1]["token"]}
        for each, own in ((ann, told[0]), (bob, told[1]), (eve, {"token": None})):
            others = secrets - {own["token"]}
            assert not any(token.encode() in line for token in others for line in each.received)


@on_loop
async def test_the_house_agrees_at_once() -> None:
    """One request is the whole rematch; the second request is answered as the first, and makes nothing."""
    async with site() as visit:
        table, [token] = await visit.table("hexapawn", me(), {"kind": "house", "level": "easy"})
        early = await visit.post(f"/api/tables/{table}/rematch", {}, token=token)
        assert (early[0], early[1]["error"]) == (409, "not_now")
        await visit.resign(table, token)
        first = await visit.post(f"/api/tables/{table}/rematch", {"swap": True}, token=token)
        second = await visit.post(f"/api/tables/{table}/rematch", {"swap": False}, token=token)
        assert first == second
        assert len(visit.site.tables.by_id) == 2
        again = first[1]
        assert again["wanted"] == [0]
        _, seen = await visit.get(f"/api/tables/{again['table']}", token=again["token"])
        assert seen["seat"] == 1
        assert [seat["level"] for seat in seen["table"]["seats"]] == ["easy", None]
        async with live(visit, again["table"], again["token"]) as ann:
            await ann.play(Random(1))
        assert (await visit.result(again["table"]))["result"]["verdict"] == "finished"
        _, later = await visit.post(f"/api/tables/{table}/rematch", {}, token=token)
        assert later["token"] is None, "the browser has come, so the token is told no more"


@on_loop
async def test_a_stranger_asks_for_no_rematch() -> None:
    """Without a token, with that of another table, and as a spectator."""
    async with site() as visit:
        table, [token] = await visit.table("hexapawn", me(), house())
        other, [stranger] = await visit.table("hexapawn", me("eve"), house())
        await visit.resign(table, token)
        assert (await visit.post(f"/api/tables/{table}/rematch", {}))[0] == 401
        assert (await visit.post(f"/api/tables/{table}/rematch", {}, token=stranger))[0] == 401
        async with live(visit, table) as eve:
            await eve.say("rematch")
            assert (await eve.kind("error"))["error"] == "bad_request"
        assert set(visit.site.tables.by_id) == {table, other}


@on_loop
async def test_leaving_withdraws(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a message, and by hanging up without coming back; a new wish needs both again."""
    monkeypatch.setattr(people, "AWAY", 0.01)
    async with two_people() as (visit, _, ann, bob):
        await resigns(ann, bob)
        await ann.say("rematch")
        await bob.people("rematch")
        await ann.say("resign")
        await bob.no_more("rematch")
        await ann.say("rematch")
        await bob.people("rematch")
        await ann.ws.close()
        await bob.no_more("rematch")
        await bob.say("rematch")
        assert await bob.people("rematch") == {
            "wanted": [1], "swap": False, "table": None, "seat": None, "token": None,
        }  # fmt: skip
        assert len(visit.site.tables.by_id) == 1


@on_loop
async def test_other_seats_are_another_wish() -> None:
    """Who answers "rematch" by "rematch, swapped" makes a wish of its own."""
    async with two_people() as (_, _, ann, bob):
        await resigns(ann, bob)
        await ann.say("rematch", swap=False)
        await bob.people("rematch")
        await bob.say("rematch", swap=True)
        told = await ann.people("rematch", lambda rematch: rematch and rematch["swap"])
        assert told["wanted"] == [1]
        await ann.say("rematch", swap=True)
        assert (await bob.people("rematch", has_begun))["seat"] == 0


@on_loop
async def test_no_rematch_beyond_the_limit_of_tables() -> None:
    async with site(caps=Caps(tables=1)) as visit:
        table, [token] = await visit.table("hexapawn", me(), house())
        await visit.resign(table, token)
        await visit.table("hexapawn", me(), OPEN)
        status, told = await visit.post(f"/api/tables/{table}/rematch", {}, token=token)
        assert (status, told["error"]) == (429, "too_many")
        async with live(visit, table, token) as ann:
            await ann.say("rematch")
            assert (await ann.kind("people"))["rematch"] is None


@on_loop
async def test_programs_play_no_rematch() -> None:
    async with site() as visit:
        table, [token, _] = await visit.table("hexapawn", me(), {"kind": "remote"})
        here = visit.site.tables.by_id[table]
        here.ended = 1
        status, told = await visit.post(f"/api/tables/{table}/rematch", {}, token=token)
        assert (status, told["error"]) == (409, "not_now")
        here.ended = None


# -- the end, and who stays ---------------------------------------------------------------------------


@on_loop
async def test_the_feed_stays_open_until_the_table_is_forgotten() -> None:
    """A WebSocket stays after the end, also one that comes later; lines end with the match."""
    async with site(caps=Caps(finished=1)) as visit:
        table, [token] = await visit.table("hexapawn", me(), house())
        async with live(visit, table, token) as ann:
            await ann.kind("snapshot")
            await visit.resign(table, token)
            async with visit.http.get(f"/api/tables/{table}/watch") as lines:
                assert b'"result":{' in await lines.read(), "it ends"
            async with live(visit, table) as late:
                assert (await late.kind("snapshot"))["now"]["result"] is not None
                await ann.say("emote", emote="gg")
                assert (await late.people("emote"))["seat"] == 0
                for _ in range(2):
                    other, _ = await visit.table("hexapawn", house(), house())
                    await visit.result(other)
                await visit.table("hexapawn", me(), OPEN)
                for each in (ann, late):
                    while await each.line() is not None:
                        pass
                    assert each.ws.close_code == 1000
        assert visit.site.tables.tally.audiences == 0


@on_loop
async def test_who_stays_too_long_is_parted_with() -> None:
    async with site(caps=Caps(lingering=-1.0)) as visit:
        table, [token] = await visit.table("hexapawn", me(), house())
        async with live(visit, table, token) as ann:
            await ann.kind("snapshot")
            await visit.resign(table, token)
            visit.site.tables.tidy()
            while await ann.line() is not None:
                pass
            assert ann.ws.close_code == 1000
        async with live(visit, table, token) as ann:
            assert (await ann.kind("snapshot"))["now"]["result"] is not None
            assert await ann.line() is None


# -- emotes -------------------------------------------------------------------------------------------


@on_loop
async def test_emotes_are_for_this_moment_and_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody sees one; a newcomer does not; a flood is cut off; a spectator has none."""
    monkeypatch.setattr(people, "EMOTES", (2, 1e-6))
    async with two_people() as (visit, table, ann, bob):
        async with live(visit, table) as eve:
            await eve.kind("snapshot")
            for emote in ("wave", "nice", "hurry", "laugh"):
                await ann.say("emote", emote=emote)
            await bob.say("emote", emote="thanks")
            seen = [await eve.people("emote") for _ in range(3)]
            assert [each["emote"] for each in seen if each["seat"] == 0] == ["wave", "nice"]
            assert [each["emote"] for each in seen if each["seat"] == 1] == ["thanks"]
            await eve.say("emote", emote="wave")
            assert (await eve.kind("error"))["error"] == "bad_request"
            await ann.say("emote", emote="<b>")
            assert (await ann.kind("error"))["error"] == "bad_request"
        async with live(visit, table) as late:
            await late.kind("snapshot")
            assert visit.site.tables.by_id[table].people.line(None).count(b'"emote":null') == 1


@on_loop
async def test_a_flood_of_messages_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("touchline.web.handlers.live.MESSAGES", (5, 1e-6))
    async with two_people() as (_, _, ann, _):
        for _ in range(6):
            await ann.say("emote", emote="wave")
        assert (await ann.kind("error"))["error"] == "too_many"
        assert await ann.line() is None
        assert ann.ws.close_code == 4429


# -- spectators, one screen ---------------------------------------------------------------------------


@on_loop
async def test_spectators_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who come and go are told to everybody, several at once; at an open table too."""
    monkeypatch.setattr(people, "COUNTING", 0.02)
    async with two_people() as (visit, table, ann, _):
        await ann.kind("snapshot")
        async with live(visit, table) as eve, live(visit, table):
            await eve.kind("snapshot")
            await ann.people("watching", lambda watching: watching == 2)
        await ann.people("watching", lambda watching: watching == 0)
        waiting, [token] = await visit.table("hexapawn", me(), OPEN)
        async with live(visit, waiting, token) as ann, live(visit, waiting):
            assert (await ann.kind("people"))["watching"] == 1


@on_loop
async def test_two_people_at_one_screen() -> None:
    """Two tickets and two connections of one browser; a rematch needs the word of one of them."""
    async with site() as visit:
        table, tokens = await visit.table("hexapawn", me(), me("bob"))
        assert len(tokens) == 2
        async with live(visit, table, tokens[0]) as ann, live(visit, table, tokens[1]) as bob:
            for turn in range(100):
                mover = (ann, bob)[turn % 2]
                while mover.screen.now.get("result") is None and (
                    mover.screen.asked is None or mover.screen.asked["turn"] <= mover.answered
                ):
                    assert await mover.line() is not None
                if mover.screen.now["result"] is not None:
                    break
                assert (await mover.move(0))["verdict"] == "accepted"
            await ann.say("rematch", swap=True)
            told = [await each.people("rematch") for each in (ann, bob)]
            assert [each["seat"] for each in told] == [1, 0]
            assert told[0]["wanted"] == [0, 1]


# -- defaults, levels ---------------------------------------------------------------------------------


@on_loop
async def test_people_have_no_clock_unless_they_want_one() -> None:
    wanted: list[tuple[list[Any], dict[str, Any], float | None]] = [
        ([me(), house()], {}, None),
        ([me(), OPEN], {}, None),
        ([me(), house()], {"clock": {"seconds": 5}}, 5.0),
        ([me(), {"kind": "remote"}], {}, 60.0),
        ([house(), house()], {"clock": None}, None),
    ]
    async with site() as visit:
        for seats, terms, seconds in wanted:
            status, made = await visit.post("/api/tables", {"game": "hexapawn", "seats": seats, **terms})
            assert status == 201
            clock = made["table"]["clock"]
            assert (clock and clock["seconds"]) == seconds, seats


@on_loop
async def test_a_level_is_a_character() -> None:
    """Its seat has the character's name, numbered if it is taken, and says for experts who it is."""
    easy = {"kind": "house", "level": "easy"}
    async with site() as visit:
        status, made = await visit.post("/api/tables", {"game": "fish", "seats": [easy, me("Pip 2"), easy]})
        assert status == 201, made
        seats = made["table"]["seats"]
        assert [seat["name"] for seat in seats] == ["Pip", "Pip 2", "Pip 3"]
        assert [seat["level"] for seat in seats] == ["easy", None, "easy"]
        assert [seat["player"] for seat in seats] == ["greedy", None, "greedy"]
        for wrong in (
            {"kind": "house"},
            {"kind": "house", "level": "easy", "player": "greedy"},
            {"kind": "house", "level": "easy", "options": {"seconds": 1}},
            {"kind": "house", "level": "unbeatable"},
            {"kind": "house", "level": "kind"},
        ):
            status, told = await visit.post("/api/tables", {"game": "fish", "seats": [me(), wrong]})
            assert (status, told["error"]) == (400, "bad_request")


def test_schema_words() -> None:
    """What the page may send is what the contract says."""
    assert get_args(schema.Emote) == ("wave", "thanks", "nice", "oops", "thinking", "hurry", "laugh", "gg")
