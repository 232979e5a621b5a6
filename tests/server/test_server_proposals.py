"""Players at a server propose boards."""

from __future__ import annotations

import asyncio
import json
from itertools import combinations_with_replacement, islice
from typing import TYPE_CHECKING

import pytest

from server.matches import MAZE, NAMES, at
from server.rooms import DEADLINE, NATIVE, UNHURRIED, Caller, guest, room, run, until
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence, Sanction
from touchline.core.messages import MOST_INBOUND
from touchline.games.labyrinth import GEMS, Labyrinth

if TYPE_CHECKING:
    from server.rooms import Room

pytestmark = pytest.mark.usefixtures("both_loops")

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
