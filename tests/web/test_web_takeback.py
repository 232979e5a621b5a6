"""Moves that are taken back: who must agree, what everybody is shown, and where it is not possible."""

from __future__ import annotations

from random import Random
from typing import Any

from touchline.records.replay import Replay
from web.sites import OPEN, house, live, me, on_loop, site, two_people


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in events]


@on_loop
async def test_a_move_is_taken_back_by_agreement() -> None:
    """Bob asks, Ann agrees: the drawing comes whole, the same position is asked again, and play goes on."""
    async with two_people() as (visit, table, ann, bob):
        async with live(visit, table) as eve:
            await ann.move(0)
            await bob.turn()
            before = dict(bob.screen.spots)
            await bob.move(0)
            await ann.turn()
            await bob.say("takeback", agree=True)
            assert await ann.people("takeback") == {"seat": 1, "turn": 1}
            assert (await eve.people("takeback"))["seat"] == 1
        await ann.say("takeback", agree=True)
        await bob.no_more("takeback")
        assert (await bob.turn())["turn"] == 3
        assert bob.screen.spots == before
        back = next(line for line in bob.screen.lines if "taken_back" in kinds(line.get("events", [])))
        assert back["whole"]
        while ann.screen.spots != before:
            assert await ann.line() is not None
        await bob.play(Random(2), 1)
        await ann.play(Random(1), 1)
        await bob.say("resign")
        await bob.end()
        record = bob.screen.now["record"]
        _, data = await visit.get(f"/api/records/{record}")
        Replay(data, "the record").verify()
        status, lines = await visit.get(f"/api/records/{record}/positions")
        assert (status, lines.count(b'"taken_back"')) == (200, 1)


@on_loop
async def test_a_wish_is_declined_withdrawn_or_overtaken() -> None:
    """Nothing is taken back without the other's word; a move ends the wish."""
    async with two_people() as (_, _, ann, bob):
        await ann.move(0)
        await bob.move(0)
        await ann.turn()
        for who, other, answer in ((bob, ann, ann), (bob, ann, bob), (ann, bob, bob)):
            await who.say("takeback", agree=True)
            await other.people("takeback")
            await answer.say("takeback", agree=False)
            await other.no_more("takeback")
        await bob.say("takeback", agree=True)
        await bob.say("takeback", agree=True)  # to ask twice is to ask once
        await ann.people("takeback")
        await ann.move(0)
        await bob.turn()
        assert [line for line in ann.screen.lines if line["type"] == "people"][-1]["takeback"] is None
        assert kinds(bob.screen.events).count("moved") == 3
        assert "taken_back" not in kinds(bob.screen.events)


@on_loop
async def test_the_house_lets_you_take_back_at_once() -> None:
    """Also while it thinks, which it then gives up."""
    async with site() as visit:
        table, [token] = await visit.table("hexapawn", me(), house("greedy"), pace=10)
        async with live(visit, table, token) as ann:
            await ann.turn()
            before = dict(ann.screen.spots)
            await ann.move(0)
            await ann.say("takeback", agree=True)
            await ann.kind("people")
            assert (await ann.turn())["turn"] == 2
            assert ann.screen.spots == before
            await ann.move(1)
            await ann.say("takeback", agree=True)
            assert (await ann.turn())["turn"] == 4
            assert "faulted" not in kinds(ann.screen.events)


@on_loop
async def test_no_take_back_where_the_table_forbids_it() -> None:
    async with site() as visit:
        for game, terms in (("hexapawn", {"takeback": False}), ("labyrinth", {})):
            table, [token] = await visit.table(game, me(), house(), pace=10, **terms)
            async with live(visit, table, token) as ann:
                await ann.move(0)
                await ann.say("takeback", agree=True)
                await ann.say("emote", emote="oops")
                assert (await ann.kind("people"))["takeback"] is None
                assert "taken_back" not in kinds(ann.screen.events)


@on_loop
async def test_takebacks_only_where_nothing_is_hidden() -> None:
    async with site() as visit:
        for game, seats, wanted, allowed in (
            ("hexapawn", [me(), OPEN], True, True),
            ("hexapawn", [me(), OPEN], False, False),
            ("hexapawn", [me(), {"kind": "remote"}], True, False),
            ("labyrinth", [me(), OPEN], True, False),
        ):
            _, made = await visit.post("/api/tables", {"game": game, "seats": seats, "takeback": wanted})
            assert made["table"]["takeback"] is allowed
