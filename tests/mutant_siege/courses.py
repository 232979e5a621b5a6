"""Mutants at the servers of the courses: one player of a tournament sends them, the others are honest."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from courses.test_xserver import referee_state
from dialects.mutant_moments import SETTINGS
from mutant_siege.live_seats import ROGUE, Sender, _knock
from mutant_siege.units import MOST_FAILURES, Outcome, Siege, Unit, error_line, errors_logged
from touchline.coursework.courses import fish, labyrinth
from touchline.dialects.notation.json_stream import values
from touchline.testing import virtual_network
from touchline.testing.hostile.player import DialectPlayer, honest
from touchline.testing.mutants import NAMES, Mutants
from touchline.testing.raw_connections import RawTcp, perform
from touchline.testing.virtual_network import NetworkLoop

if TYPE_CHECKING:
    from touchline.testing.hostile.player import Script

KNOCKS = 6
HONEST = (*NAMES, "erik")
"""Enough for the tournament of Fish, which needs five."""


def run(unit: Unit) -> Outcome:
    """Play tournaments of a course until a unit's mutants have been sent; each has a server of its own."""
    outcome = Outcome("courses")
    with errors_logged() as logged:
        try:
            number = 0
            while outcome.messages < unit.messages and len(outcome.failures) < MOST_FAILURES:
                virtual_network.run(_tournament(unit, number, outcome))
                number += 1
        except Exception as error:
            outcome.fail(unit, error_line(error), what=str(SETTINGS[unit.setting]))
    for line in logged[:MOST_FAILURES]:
        outcome.fail(unit, f"logged: {line}", what=str(SETTINGS[unit.setting]))
    return outcome


async def _tournament(unit: Unit, number: int, outcome: Outcome) -> None:
    setting, seed = SETTINGS[unit.setting], f"{unit.random_seed} {number}"
    opened: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    is_fish = setting.table == "fish"
    if is_fish:
        server = asyncio.create_task(_fish(opened))
    else:
        server = asyncio.create_task(_labyrinth(opened, number))
    port = await opened
    framing = "values"
    sender = Sender(setting, seed, ROGUE[:5])
    knocks = Mutants([json.dumps(name).encode() for name in HONEST], f"{seed} knocks")
    for _ in range(KNOCKS):
        await (await _enter(port, framing, _knock(next(knocks))))
        await asyncio.sleep(0.1)
    players = [DialectPlayer(setting.dialect, name) for name in (HONEST if is_fish else HONEST[:2])]
    tasks = [await _enter(port, framing, sender.script())]
    for player in players:
        await asyncio.sleep(0.1)
        tasks.append(await _enter(port, framing, honest(player)))
    try:
        async with asyncio.timeout(36_000):
            failed = await server
            await asyncio.wait(tasks[1:])
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    outcome.messages += max(1, sender.sent) + KNOCKS
    outcome.matches += 1
    try:
        _check(failed, players)
    except Siege as error:
        outcome.fail(unit, str(error), b"\n".join(sender.last), f"{setting} tournament {number}")


async def _fish(opened: asyncio.Future[int]) -> int:
    """The tournament of Fish: how many players failed."""
    done = await fish.xserver(0, sign_up=5, name=1, call=1, listening=opened.set_result)
    return 99 if done is None else done[1]


async def _labyrinth(opened: asyncio.Future[int], seed: int) -> int:
    """The game of Labyrinth: how many of the honest misbehaved, as the server says."""
    data = json.dumps(referee_state(6, Random(seed))).encode()
    assert next(iter(values(data))) is not None
    _, kicked = await labyrinth.xserver(0, data, sign_up=5, name=1, call=1, listening=opened.set_result)
    return sum(name in HONEST for name in kicked) + 1


def _check(failed: int, players: list[DialectPlayer]) -> None:
    if failed > 1:
        raise Siege(f"{failed} players failed, and only one sends mutants")
    for player in players:
        if not player.over:
            raise Siege("an honest player did not hear the last word")


async def _enter(port: int, framing: str, script: Script) -> asyncio.Task[None]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, NetworkLoop)
    return asyncio.create_task(perform(script, RawTcp(await loop.connect(port), framing)))
