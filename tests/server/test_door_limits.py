"""The door: keys, caps on connections and refusals, and names that are taken."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from server.porch import GAMES, NAMES, OTHERS, Porch, porch, refusal
from server.rooms import Caller, guest, hello, room, run, seated, until
from touchline.core import registry
from touchline.dialects import native
from touchline.dialects.base import Refusal
from touchline.server import sign_up as door_file
from touchline.server.sign_up import MOST_FAILURES, Door, Guest

if TYPE_CHECKING:
    from collections.abc import Callable


# -- keys and caps -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [None, "", "wrong", "clé", "the keY", "the key "])
def test_a_key_is_needed_where_there_is_one(key: str | None) -> None:
    """The right one and no other, in any script."""

    async def whole() -> None:
        async with porch(key="the key") as (host, _):
            wrong = await Caller.at(host.url, hello("ann", key=key))
            (refusal,) = await wrong.rest()
            assert refusal == {"type": "expelled", "reason": "a seat here needs the organiser's key"}
            right = await Caller.at(host.url, hello("ann", key="the key"))
            await until(lambda: len(host.guests) == 1)
            await wrong.gone()
            await right.gone()

    run(whole())


def test_so_many_from_one_address() -> None:
    """One more is closed at once; as soon as one has signed up or gone, there is room again."""

    async def whole() -> None:
        async with porch(most_per_address=2) as (host, _):
            callers = [await Caller.at(host.url) for _ in range(2)]
            third = await Caller.at(host.url, hello("cyd"))
            assert await third.rest() == []
            assert host.guests == []
            callers[0].say(hello("ann"))
            await until(lambda: len(host.guests) == 1)
            callers.append(await Caller.at(host.url, hello("bob")))
            await until(lambda: len(host.guests) == 2)
            for caller in (*callers, third):
                await caller.gone()

    run(whole())


def test_so_many_altogether(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cap on all connections that have not signed up holds whatever an address may have."""
    monkeypatch.setattr(door_file, "MOST_CONNECTIONS", 3)

    async def whole() -> None:
        async with porch() as (host, _):
            callers = [await Caller.at(host.url) for _ in range(3)]
            fourth = await Caller.at(host.url, hello("dan"))
            assert await fourth.rest() == []
            for caller in (*callers, fourth):
                await caller.gone()

    run(whole())


def test_too_many_refusals() -> None:
    """After so many an address is not even listened to."""

    async def whole() -> None:
        async with porch() as (host, _):
            for _ in range(MOST_FAILURES):
                caller = await Caller.at(host.url, hello("ann", token="guess"))
                (refusal,) = await caller.rest()
                assert refusal["reason"] == "no seat has this token"
                await caller.gone()
            caller = await Caller.at(host.url, hello("ann"))
            assert await caller.rest() == []
            assert host.guests == []
            await caller.gone()

    run(whole())


def test_refusals_are_forgiven() -> None:
    """Each after a minute of its own."""
    timers = []

    class Loop:
        def call_later(self, delay: float, do: Callable[..., None], *args: Any) -> None:
            timers.append((delay, do, args))

    closed: list[bool] = []
    knock = SimpleNamespace(
        where="10.0.0.1:99", close=lambda at_once: closed.append(at_once), listen=lambda one: None
    )
    door = Door(Porch(), native.Native)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "get_running_loop", Loop)
        for _ in range(MOST_FAILURES):
            door.failed("10.0.0.1")
        door.connected(knock)
        assert closed == [True]
        seconds, do, args = timers[0]
        assert seconds == 60
        do(*args)
        patch.setattr(door_file, "_Newcomer", lambda *args: None)
        door.connected(knock)
        assert closed == [True], "one less than too many"


def test_refused_by_the_host() -> None:
    """What the host says about a name is what the player hears."""

    async def whole() -> None:
        async with porch() as (host, _):

            def welcome(guest: Guest) -> None:
                raise Refusal("not today")

            host.welcome = welcome  # type: ignore[method-assign]
            caller = await Caller.at(host.url, hello("ann"))
            assert await caller.rest() == [{"type": "expelled", "reason": "not today"}]
            await caller.gone()

    run(whole())


@pytest.mark.parametrize("dialect", registry.dialects())
def test_a_door_that_is_shut(dialect: str) -> None:
    """Who knocks, or had knocked before, is sent away, with a word if there is one. That is no offence."""

    async def whole() -> None:
        async with porch(dialect) as (host, door):
            word = NAMES.get(dialect, hello("ann"))
            early = await Caller.at(host.url)
            await until(lambda: door._from.total() == 1)
            door.shut()
            for caller in (early, *[await Caller.at(host.url) for _ in range(MOST_FAILURES + 1)]):
                caller.say(word)
                assert await caller.rest() == refusal(dialect, "it is too late to sign up")
                await caller.gone()
            assert host.guests == []

    run(whole())


# -- names at a server ---------------------------------------------------------------------------------


def test_look_alikes_among_those_who_wait() -> None:
    """Nobody waits whose name can be mistaken for another's; at another table it may."""

    async def whole() -> None:
        async with room() as here:
            ann = await guest(here.url, "Ann")
            for name in ("Ann", "ann", "ＡＮＮ", "\u0410nn"):
                twin = await Caller.at(here.url, hello(name))
                (refusal,) = await twin.rest()
                assert refusal["reason"] == f"another player who waits is called {name}"
                await twin.gone()
            bob = await guest(here.url, "bob")
            await seated(ann, bob)
            again = await guest(here.url, "ann")
            for caller in (ann, bob, again):
                await caller.gone()

    run(whole())


def test_a_name_of_the_house() -> None:
    """A guest cannot be called as the house player at its table is."""

    async def whole() -> None:
        async with room(house=[("random", lambda seed: SimpleNamespace(choose=None))]) as here:
            caller = await Caller.at(here.url, hello("Random"))
            (refusal,) = await caller.rest()
            assert refusal["reason"] == "a player of the house is called Random"
            await caller.gone()

    run(whole())


def test_a_name_is_unique_in_seed_004() -> None:
    """A second sign-up under the same name is refused, silently, and the place stays free."""

    async def whole() -> None:
        async with room(GAMES["labyrinth"], 2, ("tcp://127.0.0.1:0/seed-004",)) as here:
            first = await Caller.at(here.url, NAMES["seed-004"])
            twin = await Caller.at(here.url, NAMES["seed-004"])
            await twin.gone()
            other = await Caller.at(here.url, ["Signup", ["somebodyelse"]])
            for player in (first, other):
                assert await player.hear() == ["ProposeBoard", [7, 7]]
            for player in (first, other):
                await player.gone()

    run(whole())


@pytest.mark.parametrize("dialect", [other for other in OTHERS if other != "seed-004"])
def test_the_same_name_in_the_other_dialects(dialect: str) -> None:
    """ "Several clients may sign up under the same name", and sit at one table."""
    game = GAMES[registry.dialect(dialect).games[0]]

    async def whole() -> None:
        async with room(game, 2, (f"tcp://127.0.0.1:0/{dialect}",)) as here:
            twins = [await Caller.at(here.url, NAMES[dialect]) for _ in range(2)]
            await until(lambda: here.events[0])
            first, second = here.begun().names
            assert first == second
            for twin in twins:
                await twin.gone()

    run(whole())
