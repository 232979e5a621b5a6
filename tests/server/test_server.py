"""A server: players sign up, sit down and play, in any dialect, at many tables, until it is stopped."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import suppress
from itertools import combinations_with_replacement, islice
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from server import rooms
from server.rooms import (
    DEADLINE,
    NATIVE,
    SMALL,
    UNHURRIED,
    Caller,
    Last,
    guest,
    hello,
    move,
    play_on,
    player,
    room,
    run,
    seated,
    until,
)
from touchline.client import join
from touchline.client.join import Away, Crashed, NotLetIn, Visit
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence, Sanction
from touchline.core.errors import BadInput, BadOptions, TouchlineError
from touchline.core.messages import MOST_INBOUND
from touchline.drivers.event_loop import Table
from touchline.drivers.timekeeper import MOST_CREDIT
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import GEMS, Labyrinth
from touchline.server import server as server_file
from touchline.server.server import Server
from touchline.server.sign_up import Listen
from touchline.transports import tcp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.rooms import Room
    from touchline.core.rules import Game

GAMES: dict[str, Game] = {
    "fish": Fish(rows=5, cols=5),
    "hexapawn": SMALL,
    "labyrinth": Labyrinth(rows=5, cols=7),
}
SPOKEN = [
    (game, dialect)
    for game in GAMES
    for dialect in registry.dialects()
    if game in (registry.dialect(dialect).DIALECT.games or GAMES)
]
NAMES = ("ann", "bob", "cyd", "dan")


@pytest.fixture(autouse=True, params=["asyncio", "uvloop"])
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here holds on both event loops."""
    if request.param == "uvloop":
        monkeypatch.setattr(rooms, "LOOPS", [pytest.importorskip("uvloop").new_event_loop])


def at(dialect: str, scheme: str = "tcp") -> str:
    return f"{scheme}://127.0.0.1:0/{dialect}"


async def all_play(here: Room, urls: Sequence[str], bot: Any = None) -> None:
    """Everybody plays to the end and hears it; nobody is blamed for anything; the record proves itself."""
    names = [chr(ord("a") + number) * 3 for number in range(len(urls))]
    faces = await asyncio.gather(*(player(url, name, bot) for url, name in zip(urls, names, strict=True)))
    result = await here.result()
    assert (result.verdict, result.faults) == ("finished", ())
    assert all(face.over for face in faces)
    assert sorted(here.begun().names) == names


async def two(here: Room) -> tuple[Caller, Caller]:
    """Two who sit; the first is about to be asked."""
    ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
    await seated(ann, bob)
    return ann, bob


# -- a match -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "dialect"), SPOKEN)
def test_a_match_over_tcp(game: str, dialect: str) -> None:
    """In every dialect of every game."""

    async def whole() -> None:
        async with room(GAMES[game], 2, (at(dialect),)) as here:
            await all_play(here, [here.url] * 2)

    run(whole())


@pytest.mark.parametrize(
    ("game", "dialect"), [("hexapawn", "native"), ("fish", "seed-001"), ("labyrinth", "seed-004")]
)
def test_a_match_over_websocket(game: str, dialect: str) -> None:
    """The same players, the same dialects."""

    async def whole() -> None:
        async with room(GAMES[game], 2, (at(dialect, "ws"),)) as here:
            await all_play(here, [here.url] * 2)

    run(whole())


@pytest.mark.parametrize("game", GAMES)
def test_a_table_at_which_everybody_speaks_another_dialect(game: str) -> None:
    """One table, all the dialects of a game, over both transports."""
    spoken = [dialect for name, dialect in SPOKEN if name == game]
    doors = tuple(at(dialect, ("tcp", "ws")[number % 2]) for number, dialect in enumerate(spoken))

    async def whole() -> None:
        async with room(GAMES[game], len(doors), doors) as here:
            await all_play(here, here.urls)

    run(whole())


@pytest.mark.parametrize("last_first", [False, True])
def test_the_order_of_turns(last_first: bool) -> None:
    """Is the order of complete sign-ups, not of connections; or the last is first."""

    async def whole() -> None:
        async with room(Fish(rows=4, cols=4), 3, last_first=last_first) as here:
            callers = [await Caller.at(here.url) for _ in range(3)]
            callers[0].say(b'{"type":"hel')  # begins first, and is complete last
            for number in (2, 1):
                callers[number].say(hello(NAMES[number]))
                await callers[number].hear_kind("welcome")
            callers[0].say(b'lo","protocol":1,"name":"ann"}\n')
            await until(lambda: here.events[0])
            expected = ("cyd", "bob", "ann")
            assert here.begun().names == (expected[::-1] if last_first else expected)
            for caller in callers:
                await caller.gone()

    run(whole())


def test_players_of_the_house() -> None:
    """Fill the last seats at every table, each anew."""
    made: list[Last] = []

    def make() -> Last:
        made.append(Last())
        return made[-1]

    async def whole() -> None:
        async with room(Fish(rows=4, cols=4), 3, house=[("one", make), ("two", make)]) as here:
            for number in range(2):
                await player(here.url, "ann")
                assert (await here.result(number)).verdict == "finished"
                assert here.begun(number).names == ("ann", "one", "two")
            assert len(made) == 4

    run(whole())


def test_nobody_waits_for_a_player_of_the_house() -> None:
    """At the first table it thinks until the match at the second is over."""
    let = threading.Event()
    waits: list[Callable[[], bool]] = [lambda: let.wait(DEADLINE), lambda: True]

    class Slow(Last):
        def __init__(self) -> None:
            self._wait = waits.pop(0)

        def choose(self, view: Any, turn: int) -> Any:
            assert self._wait()
            return super().choose(view, turn)

    async def whole() -> None:
        async with room(SMALL, 2, house=[("slow", Slow)]) as here:
            ann = asyncio.create_task(player(here.url, "ann"))
            await until(lambda: len(waits) == 1)
            await player(here.url, "bob")
            assert (await here.result(1)).verdict == "finished"
            assert not ann.done()
            let.set()
            await ann
            assert (await here.result(0)).verdict == "finished"

    run(whole())


def test_the_wire_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record has what a seat thought and what the wire took apart, and no wire takes more than so long."""
    monkeypatch.setattr(tcp, "round_trip", lambda sock: micros(5))

    async def whole() -> None:
        async with room() as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await seated(ann, bob)
            asked = await ann.hear_kind("your_turn")
            assert asked["latency"] == 5000
            await asyncio.sleep(0.15)
            ann.say(move(SMALL, asked))
            await asyncio.gather(play_on(ann), play_on(bob))
            await here.result()
            first, *others = here.moves()
            assert first.wire == MOST_CREDIT
            assert first.took >= micros(0.15) - MOST_CREDIT
            assert all(0 <= event.wire <= MOST_CREDIT for event in others)

    run(whole())


def test_the_wire_is_measured() -> None:
    """On loopback it takes next to nothing, but something."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await seated(ann, bob)
            asked = await ann.hear_kind("your_turn")
            await asyncio.sleep(0.05)
            ann.say(move(SMALL, asked))
            await asyncio.gather(play_on(ann), play_on(bob))
            await here.result()
            assert here.moves()[0].took >= micros(0.04)
            assert 0 < here.moves()[0].wire < micros(0.05)

    run(whole())


# -- waiting -------------------------------------------------------------------------------------------


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
        async with room(Fish(rows=4, cols=4), 3, least=1, window=0.4, house=[("last", Last)]) as here:
            loop = asyncio.get_running_loop()
            ann = await guest(here.url, "ann")
            await asyncio.sleep(0.2)
            await ann.gone()
            await until(lambda: here.server.waiting == 0)
            bob = await guest(here.url, "bob")
            start = loop.time()
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


# -- proposals -----------------------------------------------------------------------------------------

MAZE = Labyrinth(rows=5, cols=7)
CROSS = ["UP", "DOWN", "LEFT", "RIGHT"]
BOARD = [[{"pathways": CROSS, "gems": [GEMS[row], GEMS[10 + col]]} for col in range(7)] for row in range(5)]
"""A suitable board of nothing but crossings."""


async def signed_up(here: Room, count: int) -> list[Caller]:
    """So many players of seed 004, in this order; all are asked for a board before anybody answers."""
    callers = []
    for number in range(count):
        callers.append(await Caller.at(here.urls[0], ["Signup", [NAMES[number]]]))
        await until(lambda: here.server.waiting in (len(callers), 0))
    for caller in callers:
        assert await caller.hear() == ["ProposeBoard", [5, 7]]
    return callers


async def pass_on(caller: Caller) -> list[str]:
    """Pass at every turn; the calls that were heard."""
    calls = []
    while (call := await caller.hear()) is not None:
        calls.append(call[0])
        caller.say(None if call[0] == "TakeTurn" else "void")
    await caller.gone()
    return calls


def test_a_proposal_is_played_on() -> None:
    """The one that is suitable; who proposed nothing suitable plays as well."""

    async def whole() -> None:
        async with room(MAZE, 2, (at("seed-004"),)) as here:
            ann, bob = await signed_up(here, 2)
            ann.say([])
            bob.say(BOARD)
            call, (projection, _) = await ann.hear()
            assert call == "setup"
            assert [[set(tile["pathways"]) for tile in row] for row in projection["tileGrid"]] == [
                [{*CROSS}] * 7
            ] * 5
            ann.say("void")
            heard = await asyncio.gather(pass_on(ann), pass_on(bob))
            assert [*heard] == [["TakeTurn", "EndOfGame"], ["setup", "TakeTurn", "EndOfGame"]]
            assert (await here.result()).faults == ()
            begun = here.begun()
            assert begun.refused == ()
            assert begun.proposals[0] is None
            assert begun.proposals[1].connectors == begun.position.connectors == ("┼" * 7,) * 5

    run(whole())


@pytest.mark.parametrize(
    ("answer", "offence"),
    [
        (b'"nonsense"', Offence.MALFORMED),
        (b"{}", Offence.MALFORMED),
        (b'[[{"pathways":["IN"],"gems":["a","b"]}]]', Offence.MALFORMED),
        (b"[" * (128 << 10), Offence.FLOOD),
        (None, Offence.LATE),
    ],
)
def test_a_proposal_that_fails(answer: bytes | None, offence: Offence) -> None:
    """Malformed, too long or late: the seat is out before the others are set up, and they do not see it."""
    seconds = 0.3 if answer is None else DEADLINE

    async def whole() -> None:
        limits = Limits(set_up=micros(seconds), clock=Clock(micros(DEADLINE)))
        async with room(MAZE, 3, (at("seed-004"),), limits=limits) as here:
            ann, bad, cyd = await signed_up(here, 3)
            if answer is not None:
                bad.say(answer)
            ann.say(BOARD)
            cyd.say([])
            if answer is None:
                assert await bad.rest() == []
            for caller in (ann, cyd):
                call, (projection, _) = await caller.hear()
                assert (call, len(projection["players"])) == ("setup", 2)
                caller.say("void")
            await asyncio.gather(pass_on(ann), pass_on(cyd))
            assert await bad.rest() == []
            result = await here.result()
            assert result.expelled == (1,)
            assert [(fault.seat, fault.turn, fault.offence) for fault in result.faults] == [(1, 0, offence)]
            assert [(one.seat, one.offence) for one in here.begun().refused] == [(1, offence)]
            assert here.begun().proposals[0].connectors == here.begun().position.connectors
            await bad.gone()

    run(whole())


def test_nobody_proposes_anything() -> None:
    """All are out, and the match is over before it begins."""

    async def whole() -> None:
        async with room(MAZE, 2, (at("seed-004"),)) as here:
            ann, bob = await signed_up(here, 2)
            ann.say({})
            bob.say({})
            assert [await caller.rest() for caller in (ann, bob)] == [[], []]
            assert (await here.result()).expelled == (0, 1)
            for caller in (ann, bob):
                await caller.gone()

    run(whole())


def test_who_talks_while_others_propose() -> None:
    """What nobody asked for is out of turn, once, and is never taken for an answer to what is asked later."""

    async def whole() -> None:
        async with room(MAZE, 2, (at("seed-004"),)) as here:
            ann, bob = await signed_up(here, 2)
            ann.say(BOARD)
            for _ in range(3):
                ann.say("void")
            ann.say(b'"nonsense"\n')
            await until(lambda: here.server._starting[0][0]._refused)
            bob.say([])
            heard = await asyncio.gather(pass_on(ann), pass_on(bob))
            assert [*heard] == [["setup", "TakeTurn", "EndOfGame"]] * 2
            result = await here.result()
            assert result.verdict == "finished"
            assert [(one.seat, one.offence, one.sanction) for one in result.faults] == [
                (0, Offence.OUT_OF_TURN, Sanction.RETRY)
            ]

    run(whole())


def test_a_large_proposal() -> None:
    """Thirty by thirty tiles with every blank that people write: far more than messages have elsewhere."""
    pairs = combinations_with_replacement(GEMS, 2)
    tiles = [{"pathways": ["UP", "DOWN", "LEFT", "RIGHT"], "gems": pair} for pair in islice(pairs, 900)]
    board = json.dumps([tiles[start : start + 30] for start in range(0, 900, 30)], indent=2).encode()
    assert len(board) > 2 * MOST_INBOUND

    async def whole() -> None:
        async with room(Labyrinth(rows=30, cols=30), 2, (at("seed-004"),)) as here:
            callers = [await Caller.at(here.url, ["Signup", [name]]) for name in ("ann", "bob")]
            for caller in callers:
                assert await caller.hear() == ["ProposeBoard", [30, 30]]
                caller.say(board)
            for caller in callers:
                assert (await caller.hear())[0] == "setup"
                await caller.gone()
            assert (await here.result()).faults[0].offence is Offence.GONE
            assert here.begun().refused == ()

    run(whole())


@pytest.mark.parametrize("dialect", ["seed-004", "native"])
def test_who_is_lost_while_others_propose(dialect: str) -> None:
    """It is gone before the match, also one that has proposed already, and one that is not asked."""

    async def whole() -> None:
        async with room(MAZE, 3, (at("seed-004"), NATIVE), limits=UNHURRIED) as here:
            if dialect == "native":
                lost = await guest(here.urls[1], "dan")
            else:
                lost = await Caller.at(here.urls[0], ["Signup", ["dan"]])
                await until(lambda: here.server.waiting == 1)
            others = [await Caller.at(here.urls[0], ["Signup", [name]]) for name in ("ann", "bob")]
            for caller in others if dialect == "native" else (lost, *others):
                assert await caller.hear() == ["ProposeBoard", [5, 7]]
            if dialect != "native":
                lost.say(BOARD)
                await until(lambda: not here.server._starting[0][0].asked(0))
            await lost.gone()
            await until(lambda: here.server._starting[0][0]._refused)
            for caller in others:
                caller.say([])
            await asyncio.gather(*map(pass_on, others))
            result = await here.result()
            assert [(one.seat, one.offence) for one in here.begun().refused] == [(0, Offence.GONE)]
            assert (result.verdict, result.expelled) == ("finished", (0,))

    run(whole())


# -- many tables ---------------------------------------------------------------------------------------


def test_fifty_tables() -> None:
    """All at once, and all are finished without a fault."""

    async def whole() -> None:
        async with room(tables=50) as here:
            guests = [await guest(here.url, f"player {number}") for number in range(100)]
            await asyncio.gather(*map(play_on, guests))
            await until(lambda: len(here.results) == 50)
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)
            for number in range(50):
                result = await here.result(number)
                assert (result.verdict, result.faults) == ("finished", ())

    run(whole())


@pytest.mark.parametrize("words", [b"x\n" * 100, b"[" * 70_000, b'{"type":"ready"}\n' * 20, b"x\n", b"\xff"])
def test_a_rogue_harms_nobody_at_another_table(words: bytes) -> None:
    """Ten tables of honest players finish meanwhile; its own opponent wins, as soon as a line is whole."""

    async def whole() -> None:
        async with room() as here:
            rogue, victim = await two(here)
            await rogue.hear_kind("your_turn")
            for _ in range(100):
                rogue.say(words)
            honest = [await guest(here.url, f"player {number}") for number in range(20)]
            await asyncio.gather(*map(play_on, honest))
            for number in range(1, 11):
                result = await here.result(number)
                assert (result.verdict, result.faults) == ("finished", ())
            if words != b"\xff":
                assert (await victim.hear_kind("over"))["outcome"]["winners"] == [1]
                assert {one.seat for one in (await here.result(0)).faults} == {0}
            for caller in (rogue, victim):
                await caller.gone()

    run(whole())


@pytest.mark.parametrize("part", ["_observers", "open"])
def test_a_table_that_cannot_be_opened(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Because its record cannot be written, say: that costs its players a match, and nobody else anything."""

    def broken(*args: Any) -> None:
        raise OSError("no space left on device")

    async def whole() -> None:
        async with room(tables=2) as here:
            with monkeypatch.context() as patch:
                broken_part: Any = Table if part == "open" else here.server
                patch.setattr(broken_part, part, broken)
                ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
                for caller in (ann, bob):
                    assert await caller.rest() == [{"type": "expelled", "reason": "the table broke"}]
                    await caller.gone()
            assert not here.server._seated
            await asyncio.gather(*[play_on(await guest(here.url, name)) for name in ("ann", "bob")])
            assert (await here.result(1)).verdict == "finished"
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)

    run(whole())


def test_whoever_is_told_may_fail() -> None:
    """The server goes on, and is done when it is done."""

    def told(*args: Any) -> None:
        raise BrokenPipeError

    async def whole() -> None:
        async with room(tables=1, told=told) as here:
            await asyncio.gather(*[play_on(await guest(here.url, name)) for name in ("ann", "bob")])
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)

    run(whole())


def test_nothing_is_kept_of_a_match() -> None:
    """When it is over and everybody has gone, neither seats nor guests nor those who leave are remembered."""

    async def whole() -> None:
        async with room(MAZE, 2, (at("seed-004"),)) as here:
            for _ in range(3):
                await asyncio.gather(*(player(here.url, name) for name in ("ann", "bob")))
            server = here.server
            await until(lambda: not server._leaving)
            assert (server._seated, server._running, server._starting, server.waiting) == ({}, {}, {}, 0)

    run(whole())


# -- coming back ---------------------------------------------------------------------------------------


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
            assert here.moves()[0].took >= micros(0.05), "what it thought before counts"

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
            assert loop.time() - start >= 0.1
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


# -- the end -------------------------------------------------------------------------------------------


def test_no_more_tables() -> None:
    """After the last one nobody is let in, and when it is over the server is done."""

    async def whole() -> None:
        async with room(tables=1) as here:
            ann, bob = await two(here)
            assert not here.server.idle.is_set()
            late = await Caller.at(here.url, hello("cyd"))
            assert await late.rest() == [{"type": "expelled", "reason": "it is too late to sign up"}]
            await asyncio.gather(play_on(ann), play_on(bob))
            await asyncio.wait_for(here.server.idle.wait(), DEADLINE)
            await late.gone()

    run(whole())


@pytest.mark.parametrize(("game", "dialect", "words"), [
    ("hexapawn", "native", [{"type": "expelled", "reason": "the server takes nobody more"}]),
    ("fish", "seed-000", [["terminate", []]]),
    ("fish", "seed-001", [["notifyBanned", ["the server takes nobody more"]]]),
    ("hexapawn", "seed-002", []),
    ("labyrinth", "seed-004", []),
])  # fmt: skip
def test_those_who_wait_are_told(game: str, dialect: str, words: list[Any]) -> None:
    """When the server stops, each in its own words if there are any, and their connections are closed."""

    async def whole() -> None:
        names = {"native": hello("ann"), "seed-002": b"ann\n", "seed-004": ["Signup", ["ann"]]}
        async with room(GAMES[game], 2, (at(dialect),)) as here:
            caller = await Caller.at(here.url, names.get(dialect, "ann"))
            await until(lambda: here.server.waiting == 1)
            await asyncio.wait_for(here.server.stop(60), DEADLINE)
            heard = await caller.rest()
            assert [
                word for word in heard if not (isinstance(word, dict) and word["type"] == "welcome")
            ] == words
            with pytest.raises(ConnectionRefusedError):
                await Caller.at(here.url)
            await caller.gone()

    run(whole())


def test_stopping_lets_a_match_finish() -> None:
    """Within the time it has; also one whose player must come back first."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            stopping = asyncio.create_task(here.server.stop(DEADLINE))
            await until(lambda: here.server._stopping)
            await ann.gone()
            back = await guest(here.url, "ann", token=ann.token)
            await asyncio.gather(play_on(back), play_on(bob))
            await stopping
            assert (await here.result()).verdict == "finished"

    run(whole())


def test_stopping_voids_what_does_not_finish() -> None:
    """Nobody has lost; everybody hears it, and the record is whole."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            await ann.hear_kind("your_turn")
            await asyncio.wait_for(here.server.stop(0.05), DEADLINE)
            result = await here.result()
            assert (result.verdict, result.reason, result.outcome) == ("void", "the server was stopped", None)
            for caller in (ann, bob):
                (last,) = await caller.rest()
                assert (last["type"], last["verdict"]) == ("over", "void")
                await caller.gone()

    run(whole())


def test_stopping_while_proposals_are_awaited() -> None:
    """There will be no match: everybody is sent away, and nothing begins afterwards."""

    async def whole() -> None:
        limits = Limits(set_up=micros(0.5), clock=Clock(micros(DEADLINE)))
        async with room(MAZE, 3, (at("seed-004"), NATIVE), limits=limits) as here:
            native = await guest(here.urls[1], "nat")
            callers = [await Caller.at(here.urls[0], ["Signup", [name]]) for name in ("ann", "bob")]
            for caller in callers:
                assert await caller.hear() == ["ProposeBoard", [5, 7]]
            callers[0].say([])
            await asyncio.wait_for(here.server.stop(0.05), DEADLINE)
            assert here.server.idle.is_set()
            assert await native.rest() == [{"type": "expelled", "reason": "the server was stopped"}]
            for caller in callers:
                assert await caller.rest() == []
            await asyncio.sleep(0.6)  # the time for proposals is up
            assert not here.events
            for caller in (native, *callers):
                await caller.gone()

    run(whole())


# -- what cannot be served -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "url", "why"),
    [
        (SMALL, "tcp://127.0.0.1:0/klingon", "no dialect is called 'klingon'; there are: fish-course"),
        (SMALL, "tcp://127.0.0.1:0/seed-001", "seed-001 is spoken in fish, not in hexapawn"),
        (Hexapawn(rows=9, cols=9), "tcp://127.0.0.1:0/seed-002", "at most 8 rows"),
        (SMALL, "tcp://0.0.0.0:0/seed-002", "no word for the key that a seat needs"),
        (
            SMALL,
            "tcp://no-such-host.invalid:0/native",
            "cannot listen at tcp://no-such-host.invalid:0/native: ",
        ),
    ],
)
def test_a_door_that_cannot_be_opened(game: Game, url: str, why: str) -> None:
    """Says so before anybody has come."""

    async def whole() -> None:
        server = Server(game, 2, key="the key")
        with pytest.raises(TouchlineError, match=why):
            await server.listen(Listen.read(url))
        await server.stop(0)

    run(whole())


def test_a_port_that_is_taken() -> None:
    async def whole() -> None:
        async with room() as here:
            with pytest.raises(BadOptions, match="address already in use"):
                await here.server.listen(Listen.read(here.url))

    run(whole())


def test_a_game_that_cannot_begin() -> None:
    """A board without room for so many is found out before anybody has come."""

    async def whole() -> None:
        with pytest.raises(BadOptions, match="fish"):
            Server(Fish(rows=2, cols=2), 4)
        with pytest.raises(BadOptions, match="fish"):
            Server(Fish(rows=2, cols=4), 4, least=2)

    run(whole())


# -- the other side ------------------------------------------------------------------------------------


def test_joining_waits_for_the_server() -> None:
    """It tries again until somebody answers, and says so once it begins to wait."""

    async def whole() -> None:
        async with room() as first:
            url = first.url
        waited: list[str] = []
        early = asyncio.create_task(player(url, "ann", waiting=waited.append))
        await until(lambda: waited)
        async with room(listen=(url,)) as here:
            await player(url, "bob")
            assert (await early).over
            assert (await here.result()).faults == ()

    run(whole())


def test_joining_nobody() -> None:
    """Where nobody comes up in time, that is said."""

    async def whole() -> None:
        async with room() as here:
            url = here.url
        listen = Listen.read(url)
        with pytest.raises(Away, match=f"nobody answers at {url}: .*; is the server running"):
            await join.join(listen, registry.dialect("native").FACE(None), "lines", "ann", seconds=0.3)

    run(whole())


def test_joining_a_server_that_leaves() -> None:
    """Before the match is over: that is said; without a token there is no coming back."""

    async def whole() -> None:
        async with room(SMALL, 2, (at("seed-002"),)) as here:
            waiting = asyncio.create_task(player(here.url, "ann"))
            await until(lambda: here.server.waiting == 1)
            await here.server.stop(0)
            with pytest.raises(Away, match="the server hung up before the match was over"):
                await waiting

    run(whole())


@pytest.mark.parametrize(
    ("name", "key", "why"), [("referee", "k", "nobody may be called"), ("ann", None, "key")]
)
def test_joining_where_one_is_not_let_in(name: str, key: str | None, why: str) -> None:
    """The server's reason is told, and it is no match that was over."""

    async def whole() -> None:
        async with room(key="k") as here:
            with pytest.raises(NotLetIn, match=why):
                await player(here.url, name, key=key)

    run(whole())


def test_a_player_that_raises() -> None:
    """Is told apart from a server that says nonsense."""

    class Broken:
        def choose(self, view: Any, turn: int) -> Any:
            raise KeyError("oops")

    async def whole() -> None:
        async with room(patience=0) as here:
            other = asyncio.create_task(player(here.url, "bob"))
            await until(lambda: here.server.waiting == 1)
            with pytest.raises(Crashed, match="ann raised KeyError: 'oops'") as caught:
                await player(here.url, "ann", Broken())
            assert isinstance(caught.value.__cause__, KeyError)
            assert (await other).over
            assert [(one.seat, one.offence) for one in (await here.result()).faults] == [(1, Offence.GONE)]

    run(whole())


class Relay:
    """Between players and a server; it can break every connection, and let nobody through."""

    def __init__(self, url: str) -> None:
        self._to = Listen.read(url)
        self._ways: list[asyncio.StreamWriter] = []
        self.calls = 0
        self.mute = False
        self.url = ""

    async def open(self) -> asyncio.Server:
        server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.url = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}/native"
        return server

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        self._ways.append(writer)
        if self.mute:
            self.cut()
            return
        far_reader, far_writer = await asyncio.open_connection(self._to.host, self._to.port)
        self._ways.append(far_writer)
        await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(4096):
                writer.write(data)
        writer.close()

    def cut(self) -> None:
        for way in self._ways:
            way.transport.abort()
        self._ways.clear()


class Cutting(Last):
    """Its connection breaks while it thinks."""

    def __init__(self, relay: Relay, loop: asyncio.AbstractEventLoop) -> None:
        self._relay, self._loop = relay, loop
        self.turns: list[int] = []

    def choose(self, view: Any, turn: int) -> Any:
        self.turns.append(turn)
        if len(self.turns) <= 2:
            self._loop.call_soon_threadsafe(self._relay.cut)
        return super().choose(view, turn)


def test_a_player_whose_connection_breaks_comes_back() -> None:
    """By itself, to its seat, in the middle of its turn, and more than once."""

    async def whole() -> None:
        async with room() as here:
            relay = Relay(here.url)
            async with await relay.open():
                bot = Cutting(relay, asyncio.get_running_loop())
                ann = asyncio.create_task(player(relay.url, "ann", bot))
                await until(lambda: here.server.waiting == 1)
                await player(here.url, "bob")
                assert (await ann).over
                assert (await here.result()).faults == ()
                assert relay.calls >= 2
                relay.cut()

    run(whole())


def test_a_place_in_the_lobby_is_taken_anew() -> None:
    """Who waits has no seat to come back to: when its connection breaks it signs up again."""

    async def whole() -> None:
        async with room() as here:
            relay = Relay(here.url)
            async with await relay.open():
                heard: list[bytes] = []
                ann = asyncio.create_task(player(relay.url, "ann", heard=heard.append))
                await until(lambda: heard)
                relay.cut()
                await until(lambda: len(heard) == 2)
                await player(here.url, "bob")
                assert (await ann).over
                assert (await here.result()).faults == ()

    run(whole())


def test_coming_back_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody answers and hangs up without a word, it tries again for so long, with pauses."""
    monkeypatch.setattr(join, "COMING_BACK", 0.5)

    async def whole() -> None:
        async with room() as here:
            relay = Relay(here.url)
            async with await relay.open():
                heard: list[bytes] = []
                ann = asyncio.create_task(player(relay.url, "ann", heard=heard.append))
                await until(lambda: heard)
                bob = asyncio.create_task(player(here.url, "bob"))
                await until(lambda: len(heard) > 1)
                relay.mute = True
                relay.cut()
                with pytest.raises(Away):
                    await asyncio.wait_for(ann, DEADLINE)
                assert relay.calls < 10
                bob.cancel()
                await asyncio.gather(bob, return_exceptions=True)

    run(whole())


async def _nonsense(words: bytes) -> None:
    """Join a server that says this."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(words)
        with suppress(ConnectionError):
            await reader.read()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        await player(f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}/native", "ann")


def test_a_server_that_never_stops_talking() -> None:
    """No more than so much is kept of it while the player thinks."""
    closed: list[bool] = []
    connection: Any = SimpleNamespace(close=lambda at_once: closed.append(at_once), listen=lambda visit: None)

    async def whole() -> None:
        visit = Visit(connection)
        for _ in range(join.MOST_UNHEARD):
            visit.frame(b"{}")
        assert not closed
        visit.frame(b"{}")
        assert closed == [True]
        assert len([frame async for frame in visit.frames()]) == join.MOST_UNHEARD + 1

    run(whole())


def test_a_server_that_says_nonsense() -> None:
    """It is no player's fault."""
    with pytest.raises(BadInput, match="the server said what cannot be read"):
        run(_nonsense(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    with pytest.raises(Away, match="before the match was over"):
        run(_nonsense(b"{}" * (1 << 20)))


def test_who_gives_up() -> None:
    """May do so at any time, and is blamed for nothing."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await two(here)
            await ann.hear_kind("your_turn")
            bob.say({"type": "resign", "why": "no"})
            assert await bob.rest() == [{"type": "expelled", "reason": "no"}]
            assert (await ann.hear_kind("over"))["outcome"]["winners"] == [0]
            result = await here.result()
            assert (result.resigned, result.faults) == ((1,), ())
            for caller in (ann, bob):
                await caller.gone()

    run(whole())
