"""The door: keys, caps on connections and refusals, and names that are taken."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from server.porch import GAMES, NAMES, OTHERS, porch, refusal
from server.rooms import Caller, guest, hello, player, room, run, seated, until
from touchline.core import registry
from touchline.dialects.base import Refusal
from touchline.games.fish import Fish
from touchline.server import sign_up as door_file
from touchline.server.sign_up import FAILING, MOST_FAILURES, Guest

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
    """The oldest that has said nothing makes room for one more; who has signed up does not count."""

    async def whole() -> None:
        async with porch(most_per_address=2) as (host, door):
            callers = [await Caller.at(host.url)]
            await until(lambda: door.silent == 1)
            callers += [await Caller.at(host.url), await Caller.at(host.url)]
            assert await callers[0].rest() == []
            assert door.silent == 2
            callers[1].say(hello("ann"))
            await until(lambda: len(host.guests) == 1)
            callers.append(await Caller.at(host.url))
            await until(lambda: door.silent == 2)
            callers[2].say(hello("bob"))
            await until(lambda: len(host.guests) == 2)
            for caller in callers:
                await caller.gone()

    run(whole())


def test_so_many_altogether(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cap on all connections that have not signed up holds whatever an address may have."""
    monkeypatch.setattr(door_file, "MOST_CONNECTIONS", 3)

    async def whole() -> None:
        async with porch() as (host, door):
            callers = [await Caller.at(host.url) for _ in range(3)]
            await until(lambda: door.silent == 3)
            callers.append(await Caller.at(host.url))
            await until(lambda: [caller for caller in callers if caller.hung_up])
            assert door.silent == 3
            callers.append(await Caller.at(host.url, hello("dan")))
            await until(lambda: len(host.guests) == 1)
            for caller in callers:
                await caller.gone()

    run(whole())


def test_too_many_wrong_tokens() -> None:
    """After so many an address may not sign up."""

    async def whole() -> None:
        async with porch() as (host, _):
            for _ in range(MOST_FAILURES):
                caller = await Caller.at(host.url, hello("ann", token="guess"))
                (refusal,) = await caller.rest()
                assert refusal["reason"] == "no seat has this token"
                await caller.gone()
            caller = await Caller.at(host.url, hello("ann"))
            assert await caller.rest() == [{"type": "expelled", "reason": FAILING}]
            assert host.guests == []
            await caller.gone()

    run(whole())


@pytest.mark.parametrize(
    "garbage", [b"GET / HTTP/1.1\r\n", b"PRI * HTTP/2.0\r\n", b"\x16\x03\x01\x02\x00\n", b"{}\n"]
)
def test_only_wrong_secrets_count(garbage: bytes) -> None:
    """Whatever a browser of the same address is made to send, players of that address sign up and return."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await seated(ann, bob)
            for _ in range(MOST_FAILURES + 1):
                stranger = await Caller.at(here.url, garbage)
                assert not garbage.startswith((b"GET", b"PRI")) or await stranger.rest() == []
                await stranger.gone()
            await ann.gone()
            back = await guest(here.url, "ann", token=ann.token)
            new = await guest(here.url, "cyd")
            for caller in (bob, back, new):
                await caller.gone()

    run(whole())


def test_a_valid_token_opens_whatever_came_from_its_address() -> None:
    """An address that is locked out for wrong tokens, and full of silent connections, locks no player out."""

    async def whole() -> None:
        async with room(most_per_address=3) as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await seated(ann, bob)
            for _ in range(MOST_FAILURES + 2):
                stranger = await Caller.at(here.url, hello("eve", token="guess"))
                await stranger.rest()
                await stranger.gone()
            silent = [await Caller.at(here.url) for _ in range(5)]
            await ann.gone()
            back = await guest(here.url, "ann", token=ann.token)
            await back.hear_kind("begin")
            for caller in (bob, back, *silent):
                await caller.gone()

    run(whole())


def test_so_many_seats_from_one_address() -> None:
    """One more is refused with the reason; who leaves makes room."""

    async def whole() -> None:
        async with room(Fish(rows=4, cols=4), 4, most_seats_per_address=2) as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            third = await Caller.at(here.url, hello("cyd"))
            assert await third.rest() == [
                {"type": "expelled", "reason": "there are 2 players from your address already"}
            ]
            await bob.gone()
            await until(lambda: here.server.waiting == 1)
            cyd = await guest(here.url, "cyd")
            for caller in (ann, third, cyd):
                await caller.gone()

    run(whole())


def test_seats_of_a_table_that_is_over_are_free() -> None:
    """The cap is on seats at a time: match follows match."""

    async def whole() -> None:
        async with room(most_seats_per_address=2) as here:
            for number in range(2):
                await asyncio.gather(*(player(here.url, name) for name in ("ann", "bob")))
                await here.result(number)

    run(whole())


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
            await until(lambda: door.silent == 1)
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
