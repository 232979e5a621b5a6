"""What people do besides moves: emotes, a rematch, spectators that are counted, two people at one screen."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest

from touchline.records.replay import Replay
from touchline.web import people, schema
from touchline.web.seats import HouseSeat
from touchline.web.tables import Caps
from web.sites import OPEN, Live, Visit, house, live, me, run, site


async def people_line(who: Live, wanted: Any = lambda line: True) -> dict[str, Any]:
    """The next line about people that is as wanted."""
    while True:
        line = await who.kind("people")
        if wanted(line):
            return line


async def pair(visit: Visit, game: str = "hexapawn", **terms: Any) -> tuple[str, str, str]:
    """A table of two people at their own browsers: its id, and their tokens."""
    table, [ann] = await visit.table(game, me(), OPEN, **terms)
    _, seated = await visit.post(f"/api/tables/{table}/join", {"name": "bob"})
    return table, ann, seated["seats"][0]["token"]


async def over(ann: Live, bob: Live) -> None:
    """Ann resigns, and both have seen the end."""
    await ann.kind("snapshot")
    await bob.kind("snapshot")
    await ann.ws.send_json({"type": "resign"})
    for each in (ann, bob):
        while each.screen.now.get("result") is None:
            assert await each.line() is not None


def test_a_match_of_two_ends_when_one_resigns() -> None:
    """Nobody plays on alone: the other has won at once, also in a game that could go on."""

    async def main() -> None:
        async with site() as visit:
            table, a, b = await pair(visit, "fish")
            async with live(visit, table, a) as ann, live(visit, table, b) as bob:
                await over(ann, bob)
                result = bob.screen.now["result"]
                assert (result["winners"], result["turns"]) == ([1], 1)
                assert result["why"] == "ann resigned."

    run(main())


# -- rematch ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("swap", [True, False])
def test_a_rematch_between_two_browsers(swap: bool) -> None:
    """One asks, the other agrees with one message; each gets the token of its own seat, spectators the id."""

    async def main() -> None:
        async with site() as visit:
            table, a, b = await pair(visit)
            async with live(visit, table, a) as ann, live(visit, table, b) as bob, live(visit, table) as eve:
                await over(ann, bob)
                await ann.ws.send_json({"type": "rematch", "swap": swap})
                asked = (await people_line(bob, lambda line: line["rematch"]))["rematch"]
                assert asked == {"wanted": [0], "swap": swap, "table": None, "seat": None, "token": None}
                await bob.ws.send_json({"type": "rematch", "swap": swap})
                told = [
                    (await people_line(each, lambda line: line["rematch"] and line["rematch"]["table"]))[
                        "rematch"
                    ]
                    for each in (ann, bob, eve)
                ]
                again = told[0]["table"]
                assert [each["seat"] for each in told] == [int(swap), 1 - int(swap), None]
                assert told[2]["token"] is None
                assert len({each["token"] for each in told}) == 3
                seen = [
                    (await visit.get(f"/api/tables/{again}", token=each["token"]))[1] for each in told[:2]
                ]
                assert [each["seat"] for each in seen] == [each["seat"] for each in told[:2]]
                names = [seat["name"] for seat in seen[0]["table"]["seats"]]
                assert names == (["bob", "ann"] if swap else ["ann", "bob"])
                assert (await visit.get(f"/api/tables/{table}"))[1]["table"]["rematch"] == again
                async with (
                    live(visit, again, told[0]["token"]) as one,
                    live(visit, again, told[1]["token"]) as two,
                ):
                    mover = one if told[0]["seat"] == 0 else two
                    assert (await mover.move(0))["verdict"] == "accepted"
                secrets = {told[0]["token"], told[1]["token"]}
                for each, own in ((ann, told[0]), (bob, told[1]), (eve, {"token": None})):
                    others = secrets - {own["token"]}
                    assert not any(token.encode() in line for token in others for line in each.received)

    run(main())


def test_the_house_agrees_at_once() -> None:
    """One request is the whole rematch; the second request is answered as the first, and makes nothing."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), {"kind": "house", "level": "easy"})
            early = await visit.post(f"/api/tables/{table}/rematch", {}, token=token)
            assert (early[0], early[1]["error"]) == (409, "not_now")
            await visit.post(f"/api/tables/{table}/resign", token=token)
            await visit.result(table)
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

    run(main())


def test_a_stranger_asks_for_no_rematch() -> None:
    """Without a token, with that of another table, and as a spectator."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            other, [stranger] = await visit.table("hexapawn", me("eve"), house())
            await visit.post(f"/api/tables/{table}/resign", token=token)
            await visit.result(table)
            assert (await visit.post(f"/api/tables/{table}/rematch", {}))[0] == 401
            assert (await visit.post(f"/api/tables/{table}/rematch", {}, token=stranger))[0] == 401
            async with live(visit, table) as eve:
                await eve.ws.send_json({"type": "rematch"})
                assert (await eve.kind("error"))["error"] == "bad_request"
            assert set(visit.site.tables.by_id) == {table, other}

    run(main())


def test_leaving_withdraws(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a message, and by hanging up without coming back; a new wish needs both again."""
    monkeypatch.setattr(people, "AWAY", 0.01)

    async def main() -> None:
        async with site() as visit:
            table, a, b = await pair(visit)
            async with live(visit, table, b) as bob:
                async with live(visit, table, a) as ann:
                    await over(ann, bob)
                    await ann.ws.send_json({"type": "rematch"})
                    await people_line(bob, lambda line: line["rematch"])
                    await ann.ws.send_json({"type": "resign"})
                    await people_line(bob, lambda line: line["rematch"] is None)
                    await ann.ws.send_json({"type": "rematch"})
                    await people_line(bob, lambda line: line["rematch"])
                await people_line(bob, lambda line: line["rematch"] is None)
                await bob.ws.send_json({"type": "rematch"})
                told = await people_line(bob, lambda line: line["rematch"])
                assert told["rematch"] == {
                    "wanted": [1], "swap": False, "table": None, "seat": None, "token": None,
                }  # fmt: skip
                assert len(visit.site.tables.by_id) == 1

    run(main())


def test_other_seats_are_another_wish() -> None:
    """Who answers "rematch" by "rematch, swapped" makes a wish of its own."""

    async def main() -> None:
        async with site() as visit:
            table, a, b = await pair(visit)
            async with live(visit, table, a) as ann, live(visit, table, b) as bob:
                await over(ann, bob)
                await ann.ws.send_json({"type": "rematch", "swap": False})
                await people_line(bob, lambda line: line["rematch"])
                await bob.ws.send_json({"type": "rematch", "swap": True})
                told = (await people_line(ann, lambda line: line["rematch"] and line["rematch"]["swap"]))[
                    "rematch"
                ]
                assert told["wanted"] == [1]
                await ann.ws.send_json({"type": "rematch", "swap": True})
                assert (await people_line(bob, lambda line: line["rematch"]["table"]))["rematch"]["seat"] == 0

    run(main())


def test_no_rematch_beyond_the_limit_of_tables() -> None:
    async def main() -> None:
        async with site(caps=Caps(tables=1)) as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            await visit.post(f"/api/tables/{table}/resign", token=token)
            await visit.result(table)
            await visit.table("hexapawn", me(), OPEN)
            status, told = await visit.post(f"/api/tables/{table}/rematch", {}, token=token)
            assert (status, told["error"]) == (429, "too_many")
            async with live(visit, table, token) as ann:
                await ann.ws.send_json({"type": "rematch"})
                assert (await people_line(ann))["rematch"] is None

    run(main())


def test_programs_play_no_rematch() -> None:
    async def main() -> None:
        async with site() as visit:
            table, [token, _] = await visit.table("hexapawn", me(), {"kind": "remote"})
            here = visit.site.tables.by_id[table]
            here.ended = 1
            status, told = await visit.post(f"/api/tables/{table}/rematch", {}, token=token)
            assert (status, told["error"]) == (409, "not_now")
            here.ended = None

    run(main())


# -- the end, and who stays ---------------------------------------------------------------------------


def test_the_feed_stays_open_until_the_table_is_forgotten() -> None:
    """A WebSocket stays after the end, also one that comes later; lines end with the match."""

    async def main() -> None:
        async with site(caps=Caps(finished=1)) as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as ann:
                await ann.kind("snapshot")
                await visit.post(f"/api/tables/{table}/resign", token=token)
                await visit.result(table)
                async with visit.http.get(f"/api/tables/{table}/watch") as lines:
                    assert b'"result":{' in await lines.read(), "it ends"
                async with live(visit, table) as late:
                    assert (await late.kind("snapshot"))["now"]["result"] is not None
                    await ann.ws.send_json({"type": "emote", "emote": "gg"})
                    assert (await people_line(late, lambda line: line["emote"]))["emote"]["seat"] == 0
                    for _ in range(2):
                        other, _ = await visit.table("hexapawn", house(), house())
                        await visit.result(other)
                    await visit.table("hexapawn", me(), OPEN)
                    for each in (ann, late):
                        while await each.line() is not None:
                            pass
                        assert each.ws.close_code == 1000
            assert visit.site.tables.tally.audiences == 0

    run(main())


def test_who_stays_too_long_is_parted_with() -> None:
    async def main() -> None:
        async with site(caps=Caps(lingering=-1.0)) as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as ann:
                await ann.kind("snapshot")
                await visit.post(f"/api/tables/{table}/resign", token=token)
                await visit.result(table)
                visit.site.tables.tidy()
                while await ann.line() is not None:
                    pass
                assert ann.ws.close_code == 1000
            async with live(visit, table, token) as ann:
                assert (await ann.kind("snapshot"))["now"]["result"] is not None
                assert await ann.line() is None

    run(main())


# -- emotes -------------------------------------------------------------------------------------------


def test_emotes_are_for_this_moment_and_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody sees one; a newcomer does not; a flood is cut off; a spectator has none."""
    monkeypatch.setattr(people, "EMOTES", (2, 1e-6))

    async def main() -> None:
        async with site() as visit:
            table, a, b = await pair(visit)
            async with live(visit, table, a) as ann, live(visit, table, b) as bob, live(visit, table) as eve:
                await eve.kind("snapshot")
                for emote in ("wave", "nice", "hurry", "laugh"):
                    await ann.ws.send_json({"type": "emote", "emote": emote})
                await bob.ws.send_json({"type": "emote", "emote": "thanks"})
                seen = [(await people_line(eve, lambda line: line["emote"]))["emote"] for _ in range(3)]
                assert [each["emote"] for each in seen if each["seat"] == 0] == ["wave", "nice"]
                assert [each["emote"] for each in seen if each["seat"] == 1] == ["thanks"]
                await eve.ws.send_json({"type": "emote", "emote": "wave"})
                assert (await eve.kind("error"))["error"] == "bad_request"
                await ann.ws.send_json({"type": "emote", "emote": "<b>"})
                assert (await ann.kind("error"))["error"] == "bad_request"
            async with live(visit, table) as late:
                await late.kind("snapshot")
                assert visit.site.tables.by_id[table].people.line(None).count(b'"emote":null') == 1

    run(main())


def test_a_flood_of_messages_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("touchline.web.handlers.live.MESSAGES", (5, 1e-6))

    async def main() -> None:
        async with site() as visit:
            table, [token, _] = await visit.table("hexapawn", me(), me("bob"))
            async with live(visit, table, token) as ann:
                for _ in range(6):
                    await ann.ws.send_json({"type": "emote", "emote": "wave"})
                assert (await ann.kind("error"))["error"] == "too_many"
                assert await ann.line() is None
                assert ann.ws.close_code == 4429

    run(main())


# -- spectators, one screen ---------------------------------------------------------------------------


def test_spectators_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who come and go are told to everybody, several at once; at an open table too."""
    monkeypatch.setattr(people, "COUNTING", 0.02)

    async def main() -> None:
        async with site() as visit:
            table, a, _ = await pair(visit)
            async with live(visit, table, a) as ann:
                await ann.kind("snapshot")
                async with live(visit, table) as eve, live(visit, table):
                    await eve.kind("snapshot")
                    await people_line(ann, lambda line: line["watching"] == 2)
                await people_line(ann, lambda line: line["watching"] == 0)
            waiting, [token] = await visit.table("hexapawn", me(), OPEN)
            async with live(visit, waiting, token) as ann, live(visit, waiting):
                assert (await people_line(ann))["watching"] == 1

    run(main())


def test_two_people_at_one_screen() -> None:
    """Two tickets and two connections of one browser; a rematch needs the word of one of them."""

    async def main() -> None:
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
                await ann.ws.send_json({"type": "rematch", "swap": True})
                told = [
                    (await people_line(each, lambda line: line["rematch"]))["rematch"] for each in (ann, bob)
                ]
                assert [each["seat"] for each in told] == [1, 0]
                assert told[0]["wanted"] == [0, 1]

    run(main())


# -- defaults, levels ---------------------------------------------------------------------------------


def test_people_have_no_clock_unless_they_want_one() -> None:
    async def main() -> None:
        async with site() as visit:
            wanted: list[tuple[list[Any], dict[str, Any], float | None]] = [
                ([me(), house()], {}, None),
                ([me(), OPEN], {}, None),
                ([me(), house()], {"clock": {"seconds": 5}}, 5.0),
                ([me(), {"kind": "remote"}], {}, 60.0),
                ([house(), house()], {"clock": None}, None),
            ]
            for seats, terms, seconds in wanted:
                new = {"game": "hexapawn", "seats": seats, **terms}
                status, made = await visit.post("/api/tables", new)
                assert status == 201
                clock = made["table"]["clock"]
                assert (clock and clock["seconds"]) == seconds, seats

    run(main())


def test_a_level_is_a_character() -> None:
    """Its seat has the character's name, numbered if it is taken, and says for experts who it is."""

    async def main() -> None:
        async with site() as visit:
            easy = {"kind": "house", "level": "easy"}
            status, made = await visit.post(
                "/api/tables", {"game": "fish", "seats": [easy, me("Pip 2"), easy]}
            )
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

    run(main())


async def two_moves(ann: Live, bob: Live) -> dict[str, Any]:
    """Ann and Bob have moved once each; the spots before that."""
    await ann.turn()
    before = dict(ann.screen.spots)
    await ann.move(0)
    await bob.move(0)
    await ann.turn()
    return before


def test_a_move_is_taken_back_by_agreement() -> None:
    """Bob asks, Ann agrees: the drawing comes whole, the same position is asked again, and play goes on."""

    async def main() -> None:
        async with site() as visit:
            table, a, b = await pair(visit)
            async with live(visit, table, a) as ann, live(visit, table, b) as bob, live(visit, table) as eve:
                await ann.move(0)
                await bob.turn()
                before = dict(bob.screen.spots)
                await bob.move(0)
                await ann.turn()
                await bob.ws.send_json({"type": "takeback", "agree": True})
                asked = await people_line(ann, lambda line: line["takeback"])
                assert asked["takeback"] == {"seat": 1, "turn": 1}
                assert (await people_line(eve, lambda line: line["takeback"]))["takeback"]["seat"] == 1
                await ann.ws.send_json({"type": "takeback", "agree": True})
                await people_line(bob, lambda line: line["takeback"] is None)
                asked_again = await bob.turn()
                assert asked_again["turn"] == 3
                assert bob.screen.spots == before
                back = next(line for line in bob.screen.lines if _kinds(line) & {"taken_back"})
                assert back["whole"]
                while ann.screen.spots != before:
                    assert await ann.line() is not None
                await bob.play(Random(2), 1)
                await ann.play(Random(1), 1)
                await bob.ws.send_json({"type": "resign"})
                while bob.screen.now["result"] is None:
                    assert await bob.line() is not None
            record = bob.screen.now["record"]
            _, data = await visit.get(f"/api/records/{record}")
            Replay(data, "the record").verify()
            status, lines = await visit.get(f"/api/records/{record}/positions")
            assert (status, lines.count(b'"taken_back"')) == (200, 1)

    run(main())


def _kinds(line: dict[str, Any]) -> set[str]:
    return {event["kind"] for event in line.get("events", ())}


def test_a_wish_is_declined_withdrawn_or_overtaken() -> None:
    """Nothing is taken back without the other's word; a move ends the wish."""

    async def main() -> None:
        async with site() as visit:
            table, a, b = await pair(visit)
            async with live(visit, table, a) as ann, live(visit, table, b) as bob:
                await two_moves(ann, bob)
                for who, other, answer in ((bob, ann, ann), (bob, ann, bob), (ann, bob, bob)):
                    await who.ws.send_json({"type": "takeback", "agree": True})
                    await people_line(other, lambda line: line["takeback"])
                    await answer.ws.send_json({"type": "takeback", "agree": False})
                    await people_line(other, lambda line: line["takeback"] is None)
                await bob.ws.send_json({"type": "takeback", "agree": True})
                await bob.ws.send_json({"type": "takeback", "agree": True})  # to ask twice is to ask once
                await people_line(ann, lambda line: line["takeback"])
                await ann.move(0)
                await bob.turn()
                assert [line for line in ann.screen.lines if line["type"] == "people"][-1]["takeback"] is None
                kinds = [event["kind"] for event in bob.screen.events]
                assert kinds.count("moved") == 3
                assert "taken_back" not in kinds

    run(main())


def test_the_house_lets_you_take_back_at_once() -> None:
    """Also while it thinks, which it then gives up."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house("greedy"), pace=10)
            async with live(visit, table, token) as ann:
                await ann.turn()
                before = dict(ann.screen.spots)
                await ann.move(0)
                await ann.ws.send_json({"type": "takeback", "agree": True})
                await people_line(ann)
                assert (await ann.turn())["turn"] == 2
                assert ann.screen.spots == before
                await ann.move(1)
                player = visit.site.tables.by_id[table].chairs[1].player
                assert isinstance(player, HouseSeat)
                await ann.ws.send_json({"type": "takeback", "agree": True})
                assert (await ann.turn())["turn"] == 4
                assert "faulted" not in {event["kind"] for event in ann.screen.events}

    run(main())


def test_no_take_back_where_the_table_forbids_it() -> None:
    async def main() -> None:
        async with site() as visit:
            for game, terms in (("hexapawn", {"takeback": False}), ("labyrinth", {})):
                table, [token] = await visit.table(game, me(), house(), pace=10, **terms)
                async with live(visit, table, token) as ann:
                    await ann.move(0)
                    await ann.ws.send_json({"type": "takeback", "agree": True})
                    await ann.ws.send_json({"type": "emote", "emote": "oops"})
                    assert (await people_line(ann))["takeback"] is None
                    assert "taken_back" not in {event["kind"] for event in ann.screen.events}

    run(main())


def test_takebacks_only_where_nothing_is_hidden() -> None:
    async def main() -> None:
        async with site() as visit:
            for game, seats, wanted, allowed in (
                ("hexapawn", [me(), OPEN], True, True),
                ("hexapawn", [me(), OPEN], False, False),
                ("hexapawn", [me(), {"kind": "remote"}], True, False),
                ("labyrinth", [me(), OPEN], True, False),
            ):
                _, made = await visit.post("/api/tables", {"game": game, "seats": seats, "takeback": wanted})
                assert made["table"]["takeback"] is allowed

    run(main())


def test_schema_words() -> None:
    """What the page may send is what the contract says."""
    assert get_args(schema.Emote) == ("wave", "thanks", "nice", "oops", "thinking", "hurry", "laugh", "gg")
