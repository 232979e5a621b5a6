"""Cells of the hostile corpus with real processes and sockets, and what such a match leaves behind.

As a program, `python -m hostile.real_cells NAME DIALECT WIRE PHASE` prints what is wrong, as JSON: so that a
behaviour that forks can be run in namespaces of its own.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import select
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from players.survivors import MARK, descriptors, gone, zombies
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.drivers import event_loop
from touchline.drivers.match import agreed
from touchline.players.address import ServerAddress
from touchline.players.process import Program
from touchline.players.process_connection import ProcessConnection
from touchline.players.remote import Remote
from touchline.server.server import Server
from touchline.testing.hostile import table
from touchline.testing.hostile.behaviour import Cell, Fate, Wire
from touchline.testing.hostile.player import DialectPlayer, Phase, honest
from touchline.testing.hostile.verdict import ROGUE, Played, conduct_of, game_of, problems, seats_of
from touchline.testing.raw_connections import RawTcp, RawWebSocket, perform
from touchline.testing.scripts import ScriptedConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event, Result
    from touchline.drivers.match import MatchSpec
    from touchline.testing.hostile.player import Script
    from touchline.transports.base import Connection

UNHURRIED, SHORT, START = 20.0, 0.4, 2.0
"""Limits in seconds: where time must not matter, where it must run out, and that of a starting program."""
IN_TIME = 0.2
SLOW = 0.8
"""Seconds that the others think where a player must be heard out of turn."""
AT_ONCE = 6
"""Matches that are played at the same time."""
DEADLINE = 60.0
"""Seconds after which whatever is waited for will not come."""


def limit_of(cell: Cell) -> float:
    """The time limit of a cell: short only where the verdict needs it."""
    waited_out = cell.expected is Fate.TURNED_AWAY and cell.behaviour.set_up is Offence.LATE
    unfinished = cell.expected is Fate.TURNED_AWAY and cell.behaviour.name in {"open_lists", "cut_short"}
    if cell.expected is not Offence.LATE and not waited_out and not unfinished:
        return UNHURRIED
    return START if cell.wire is Wire.PROCESS and cell.phase is Phase.SET_UP else SHORT


def limits_of(cell: Cell) -> Limits:
    """The phase of the cell has its limit; in another nobody is hurried."""
    limit = micros(limit_of(cell))
    early = limit if cell.phase is not Phase.TURN else micros(UNHURRIED)
    return Limits(launch=early, set_up=early, goodbye=micros(1), clock=Clock(per_move=limit))


def thinks(cell: Cell) -> float:
    """How long an honest player thinks about a move."""
    heard_early = {Offence.OUT_OF_TURN, Offence.MALFORMED}
    return SLOW if cell.behaviour.turn is Offence.OUT_OF_TURN and cell.expected in heard_early else 0.0


async def until(condition: Callable[[], object], seconds: float = DEADLINE) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - nobody is told of most conditions
            await asyncio.sleep(0.002)


# -- over pipes -----------------------------------------------------------------------------------


async def over_pipes(cell: Cell) -> Played:
    """The rogue is a process. The others speak from here, so that no slow start makes them late."""
    game, seats = game_of(cell.dialect)
    names, kind = tuple(seats_of(cell)), registry.dialect(cell.dialect)
    players = {name: DialectPlayer(cell.dialect) for name in names if name != ROGUE}
    words = [cell.behaviour.name, cell.dialect, cell.phase.value, str(limit_of(cell)), str(IN_TIME)]
    program = Program([sys.executable, "-m", "touchline.testing.hostile", *words])
    pipes = ProcessConnection(program, goodbye=1)
    scripts = {
        name: ScriptedConnection(honest(player, thinks(cell)), decode=bytes, outlives=True)
        for name, player in players.items()
    }
    connections: list[Connection] = [pipes if name == ROGUE else scripts[name] for name in names]
    spec = agreed(
        game, names, 1, conduct=conduct_of(cell.dialect), limits=limits_of(cell),
        dialects=(cell.dialect,) * seats,
    )  # fmt: skip
    events: list[Event] = []
    try:
        seated = [Remote(connection, kind(game)) for connection in connections]
        result = await event_loop.play(spec, seated, [events.append])
        for script in scripts.values():
            await script.ended(DEADLINE)
    finally:
        pipes.release()
        program.hang_up()
        program.stop(1)
    return Played(result, events, names, players, [])


# -- over a network -------------------------------------------------------------------------------


class Hall:
    """A server with one table on loopback, and those who connect to it."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        game, seats = game_of(cell.dialect)
        self._events: list[Event] = []
        self._results: list[tuple[tuple[str, ...], Result]] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._port = 0
        self._server = Server(
            game, seats, tables=1, patience=0, conduct=conduct_of(cell.dialect), limits=limits_of(cell),
            observers=lambda number, spec, secret: [self._events.append], told=self._told, seed=1,
        )  # fmt: skip

    def _told(self, number: int, spec: MatchSpec, result: Result) -> None:
        self._results.append((tuple(spec.names), result))

    async def open(self) -> None:
        address = f"{self._cell.wire.value}://127.0.0.1:0/{self._cell.dialect}"
        self._port = ServerAddress.read(await self._server.listen(ServerAddress.read(address))).port

    async def enter(self, name: str, todo: Script) -> None:
        """Connect a player, and wait until it has signed up; a rogue may be turned away instead."""
        dialect, waiting = self._cell.dialect, self._server.waiting
        wire = (
            await RawTcp.to(self._port, registry.dialect(dialect).framing)
            if self._cell.wire is Wire.TCP
            else await RawWebSocket.to(self._port, dialect)
        )
        hung_up = select.poll()
        hung_up.register(wire.fileno(), select.POLLRDHUP | select.POLLHUP | select.POLLERR)
        task = self._tasks[name] = asyncio.create_task(perform(todo, wire))
        if name == ROGUE and self._cell.expected is Fate.TURNED_AWAY:
            await until(lambda: task.done() or hung_up.poll(0))
            await until(lambda: self._server.waiting == 0)
        else:
            await until(lambda: self._server.waiting > waiting or self._events)

    async def match(self) -> tuple[tuple[str, ...], Result, list[Event]]:
        async with asyncio.timeout(DEADLINE):
            await self._server.idle.wait()
            await asyncio.wait([task for name, task in self._tasks.items() if name != ROGUE])
        names, result = self._results[0]
        return names, result, self._events

    async def close(self) -> None:
        await self._server.stop(0)
        for task in self._tasks.values():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def over_network(cell: Cell) -> Played:
    hall = Hall(cell)
    await hall.open()
    players = {name: DialectPlayer(cell.dialect, name) for name in seats_of(cell) if name != ROGUE}
    try:
        for name in seats_of(cell):
            if name == ROGUE:
                await hall.enter(name, table.script(cell, name, limit_of(cell), IN_TIME))
            else:
                await hall.enter(name, honest(players[name], thinks(cell)))
        names, result, events = await hall.match()
    finally:
        await hall.close()
    return Played(result, events, names, players, [])


# -- all of it ------------------------------------------------------------------------------------


async def played(cells: Sequence[Cell]) -> list[str]:
    """Play cells, several at a time because most of it is waiting; say what is wrong."""
    at_once = asyncio.Semaphore(AT_ONCE)

    async def one(cell: Cell) -> list[str]:
        async with at_once, asyncio.timeout(2 * DEADLINE):
            match = await (over_pipes(cell) if cell.wire is Wire.PROCESS else over_network(cell))
        return [f"{cell}: {problem}" for problem in problems(cell, match)]

    found = [problem for some in await asyncio.gather(*map(one, cells)) for problem in some]
    with suppress(TimeoutError):  # a connection that is closed may take a second to end
        await until(lambda: len(asyncio.all_tasks()) == 1)
    return [
        *found,
        *(f"a task still runs: {task}" for task in asyncio.all_tasks() - {asyncio.current_task()}),
    ]


def wrong_with(cells: Sequence[Cell]) -> list[str]:
    """Play cells for real; say what is wrong with the verdicts, and what was left behind."""
    before = descriptors(), zombies()
    mark = os.environ[MARK] = secrets.token_hex(8)
    try:
        with asyncio.Runner() as runner:
            found = runner.run(played(cells))
    finally:
        del os.environ[MARK]
    if (descriptors(), zombies()) != before:
        found.append(f"descriptors and zombies: {before} before, {(descriptors(), zombies())} after")
    return found + [f"a process is left: {name}" for name in gone(mark)]


def wrong_apart(cell: Cell, prefix: list[str]) -> list[str]:
    """The same in namespaces of its own."""
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = os.pathsep.join(filter(None, [tests, os.environ.get("PYTHONPATH")]))
    words = [cell.behaviour.name, cell.dialect, cell.wire.value, cell.phase.value]
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "hostile.real_cells", *words],
        env={**os.environ, "PYTHONPATH": paths}, capture_output=True, timeout=2 * DEADLINE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=list[str])


def main() -> None:
    name, dialect, wire, phase = sys.argv[1:]
    cell = Cell(table.BEHAVIOURS[name], dialect, Wire(wire), Phase(phase))
    sys.stdout.buffer.write(msgspec.json.encode(wrong_with([cell])))


if __name__ == "__main__":
    main()
