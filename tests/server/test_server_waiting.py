"""Waiting at a server: hanging up, the window, and no room."""

from __future__ import annotations

import asyncio

import pytest

from server.matches import NAMES, all_play
from server.rooms import Caller, Last, guest, hello, play_on, room, run, seated, until
from touchline.games.fish import Fish
from touchline.server import server as server_file

pytestmark = pytest.mark.usefixtures("both_loops")


def test_who_hangs_up_while_waiting_is_not_seated() -> None:
    """Nor is who says something then."""

    async def whole() -> None:
        async with room() as here:
            ann = await guest(here.url, "ann")
            await ann.gone()
            await until(lambda: here.server.waiting == 0)
            rude = await guest(here.url, "rude")
            rude.say({"type": "ready"})
            (refusal,) = await rude.rest()
            assert refusal["reason"] == "rude said more than its name before its match began"
            assert here.server.waiting == 0
            bob, cyd = await guest(here.url, "bob"), await guest(here.url, "cyd")
            await asyncio.gather(play_on(bob), play_on(cyd))
            assert (await here.result()).faults == ()
            assert here.begun().names == ("bob", "cyd")
            await rude.gone()

    run(whole())


def test_a_window() -> None:
    """When it closes, those who are there begin; the next who comes opens another."""

    async def whole() -> None:
        async with room(Fish(rows=4, cols=4), 4, least=2, window=0.3) as here:
            for table in range(2):
                callers = [await guest(here.url, name) for name in NAMES[:3]]
                await seated(*callers)
                assert here.begun(table).names == NAMES[:3]
                for caller in callers:
                    await caller.gone()

    run(whole())


def test_a_window_that_nobody_waits_in_does_not_run() -> None:
    """It is open for so long from the first sign-up of those who are there."""

    async def whole() -> None:
        async with room(
            Fish(rows=4, cols=4), 3, least=1, window=0.4, house=[("last", lambda seed: Last())]
        ) as here:
            loop = asyncio.get_running_loop()
            ann = await guest(here.url, "ann")
            await asyncio.sleep(0.2)
            await ann.gone()
            await until(lambda: here.server.waiting == 0)
            start = loop.time()
            bob = await guest(here.url, "bob")
            await bob.hear_kind("begin")
            assert loop.time() - start > 0.35
            await bob.gone()

    run(whole())


def test_a_full_table_does_not_wait_for_its_window() -> None:
    async def whole() -> None:
        async with room(window=600, least=2) as here:
            await all_play(here, [here.url] * 2)

    run(whole())


def test_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many may sit and wait here, and no more."""
    monkeypatch.setattr(server_file, "MOST_GUESTS", 3)

    async def whole() -> None:
        async with room() as here:
            callers = [await guest(here.url, name) for name in NAMES[:3]]
            late = await Caller.at(here.url, hello("dan"))
            (refusal,) = await late.rest()
            assert refusal["reason"] == "there is no room for anybody more"
            for caller in (*callers, late):
                await caller.gone()

    run(whole())
