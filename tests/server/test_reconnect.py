"""A player whose connection broke comes back to its seat with its token."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from server.matches import at, two
from server.rooms import DEADLINE, SMALL, Caller, guest, hello, move, play_on, room, run, seated, until
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.games.fish import Fish

pytestmark = pytest.mark.usefixtures("both_loops")


@pytest.mark.parametrize("tables", [None, 1])
def test_coming_back_in_the_middle_of_a_turn(tables: int | None) -> None:
    """It is told where things stand, with less time left, and plays on; also when nobody new is let in."""

    async def whole() -> None:
        async with room(tables=tables) as here:
            ann, bob = await two(here)
            asked = await ann.hear_kind("your_turn")
            await ann.gone()
            await asyncio.sleep(0.05)
            back = await guest(here.url, "ann", token=ann.token)
            assert back.token == ann.token
            begin = await back.hear_kind("begin")
            assert (begin["seat"], begin["names"], begin["position"]) == (
                0,
                ["ann", "bob"],
                asked["position"],
            )
            again = await back.hear_kind("your_turn")
            assert again["milliseconds"] <= asked["milliseconds"] - 50
            assert {**again, "milliseconds": 0, "latency": 0} == {**asked, "milliseconds": 0, "latency": 0}
            back.say({"type": "ready"})
            back.say(move(SMALL, again))
            last, _ = await asyncio.gather(play_on(back), play_on(bob))
            assert last["type"] == "over"
            assert (await here.result()).faults == ()
            first = here.moves()[0]
            assert first.took + first.wire >= micros(0.05), "what it thought before counts"

    run(whole())


def test_coming_back_before_it_was_ready() -> None:
    """It is still waited for, and plays."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await ann.hear_kind("begin")
            await ann.gone()
            await seated(bob)
            back = await guest(here.url, "ann", token=ann.token)
            last, _ = await asyncio.gather(play_on(back), play_on(bob))
            assert last["type"] == "over"
            assert (await here.result()).faults == ()

    run(whole())


def test_coming_back_while_somebody_else_thinks() -> None:
    """It is told how things are, is not asked, and later is."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            ann.say(move(SMALL, await ann.hear_kind("your_turn")))
            asked = await bob.hear_kind("your_turn")
            await ann.gone()
            back = await guest(here.url, "ann", token=ann.token)
            await seated(back)
            bob.say(move(SMALL, asked))
            said = await back.hear_kind("your_turn")
            assert said["turn"] == 2
            back.say(move(SMALL, said))
            await asyncio.gather(play_on(back), play_on(bob))
            assert (await here.result()).faults == ()

    run(whole())


def test_the_old_connection_is_closed() -> None:
    """Who comes back while still there takes its own place: what it says over the old one is not heard."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            asked = await ann.hear_kind("your_turn")
            back = await guest(here.url, "ann", token=ann.token)
            assert await ann.rest() == []
            with suppress(ConnectionError):
                ann.say(move(SMALL, asked))
                await ann._writer.drain()
            await back.hear_kind("begin")
            await back.hear_kind("your_turn")
            back.say({"type": "ready"})
            back.say(move(SMALL, asked))
            await asyncio.gather(play_on(back), play_on(bob))
            assert (await here.result()).faults == ()
            turns = [event.turn for event in here.moves()]
            assert turns == [*range(len(turns))], "one move a turn"
            await ann.gone()

    run(whole())


def test_a_move_over_the_old_connection_counts_once() -> None:
    """Who has moved and comes back is not asked again, and the same answer again changes nothing."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            asked = await ann.hear_kind("your_turn")
            ann.say(move(SMALL, asked))
            theirs = await bob.hear_kind("your_turn")
            back = await guest(here.url, "ann", token=ann.token)
            await seated(back)
            back.say(move(SMALL, asked))
            await until(lambda: type(here.events[0][-1]).__name__ == "Ignored")
            bob.say(move(SMALL, theirs))
            said = await back.hear_kind("your_turn")
            assert said["turn"] == 2
            back.say(move(SMALL, said))
            await asyncio.gather(play_on(back), play_on(bob))
            assert (await here.result()).faults == ()
            await ann.gone()

    run(whole())


def test_a_token_is_for_its_seat_and_its_match() -> None:
    """A wrong one is refused; one of somebody who waits, was expelled, or whose match is over, is as well."""

    async def refused(url: str, token: str) -> None:
        caller = await Caller.at(url, hello("eve", token=token))
        assert await caller.rest() == [{"type": "expelled", "reason": "no seat has this token"}]
        await caller.gone()

    async def whole() -> None:
        async with room(Fish(rows=4, cols=4), 3) as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await refused(here.url, ann.token)
            cyd = await guest(here.url, "cyd")
            assert len({ann.token, bob.token, cyd.token}) == 3
            assert all(len(one.token) == 32 for one in (ann, bob, cyd))
            await seated(ann, bob, cyd)
            await refused(here.url, ann.token[:-1])
            await ann.hear_kind("your_turn")
            ann.say({"type": "act", "turn": 0, "move": "nonsense"})
            await ann.hear_kind("expelled")
            await refused(here.url, ann.token)
            await asyncio.gather(play_on(bob, here.server._game), play_on(cyd, here.server._game))
            await here.result()
            for one in (bob, cyd):
                await refused(here.url, one.token)
            await ann.gone()

    run(whole())


def test_who_does_not_come_back_is_gone() -> None:
    """After so many seconds, whosever turn it is."""

    async def whole() -> None:
        async with room(patience=0.1) as here:
            ann, bob = await two(here)
            await ann.hear_kind("your_turn")
            loop = asyncio.get_running_loop()
            start = loop.time()
            await bob.gone()
            result = await here.result()
            assert loop.time() - start > 0.09
            assert [(one.seat, one.offence) for one in result.faults] == [(1, Offence.GONE)]
            assert (await ann.hear_kind("over"))["outcome"]["winners"] == [0]
            late = await Caller.at(here.url, hello("bob", token=bob.token))
            assert [word["type"] for word in await late.rest()] == ["expelled"]
            for caller in (ann, late):
                await caller.gone()

    run(whole())


def test_the_clock_runs_on_while_a_player_is_away() -> None:
    """Who comes back too late is late, however patient we are."""

    async def whole() -> None:
        limits = Limits(set_up=micros(DEADLINE), clock=Clock(micros(0.2)))
        async with room(limits=limits, patience=600) as here:
            ann, bob = await two(here)
            await ann.hear_kind("your_turn")
            await ann.gone()
            result = await here.result()
            assert [(one.seat, one.offence) for one in result.faults] == [(0, Offence.LATE)]
            await bob.gone()

    run(whole())


@pytest.mark.parametrize("dialect", ["seed-002"])
def test_in_the_other_dialects_nobody_comes_back(dialect: str) -> None:
    """There is no word for it: who hangs up is gone at once."""

    async def whole() -> None:
        async with room(SMALL, 2, (at(dialect),), patience=600) as here:
            ann = await Caller.at(here.url, b"ann\n")
            await until(lambda: here.server.waiting == 1)
            bob = await Caller.at(here.url, b"bob\n")
            await until(lambda: here.events[0])
            await ann.gone()
            result = await here.result()
            assert [(one.seat, one.offence) for one in result.faults] == [(0, Offence.GONE)]
            await bob.gone()

    run(whole())
