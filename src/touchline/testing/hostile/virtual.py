"""Play cells of the hostile corpus in virtual time: thousands of matches with timeouts take seconds.

Over TCP and WebSocket the real server, its doors and the real transports are used, on socket pairs; a
process is a script behind a connection with the limits of a pipe.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.drivers import event_loop
from touchline.drivers.match import agreed
from touchline.players.address import ServerAddress
from touchline.players.remote import Remote
from touchline.server.server import Server
from touchline.testing import virtual_network
from touchline.testing.hostile import table
from touchline.testing.hostile.behaviour import Fate, Wire
from touchline.testing.hostile.player import DialectPlayer, honest
from touchline.testing.hostile.verdict import ROGUE, THINKS, Played, conduct_of, game_of, seats_of
from touchline.testing.raw_connections import RawTcp, RawWebSocket, perform
from touchline.testing.scripts import ScriptedConnection
from touchline.testing.virtual_network import NetworkLoop

if TYPE_CHECKING:
    from touchline.core.events import Event, Result
    from touchline.drivers.match import MatchSpec
    from touchline.testing.hostile.behaviour import Cell
    from touchline.testing.hostile.player import Script

LIMIT, IN_TIME = 1.0, 0.9
"""Seconds for every answer, and what is still in time."""
LIMITS = Limits(
    launch=micros(LIMIT), set_up=micros(LIMIT), goodbye=micros(1), clock=Clock(per_move=micros(LIMIT))
)
GOODBYE = 5.0
"""Seconds after which a match is over for everybody: the last answer, and the time to close."""
TRIED = 20.0
"""Seconds after which whoever has not signed up by then never will."""
SEED = 1


def play(cell: Cell) -> Played:
    """Play a match with the player of a cell at the first seat and honest players at all others."""
    main = _with_pipes(cell) if cell.wire is Wire.PROCESS else _over_network(cell)
    return virtual_network.run(main)


async def _with_pipes(cell: Cell) -> Played:
    game, seats = game_of(cell.dialect)
    names = tuple(seats_of(cell))
    players = {name: DialectPlayer(cell.dialect) for name in names if name != ROGUE}
    scripts = {name: honest(player, THINKS) for name, player in players.items()}
    scripts[ROGUE] = table.script(cell, None, LIMIT, IN_TIME)
    connections = [ScriptedConnection(scripts[name], decode=bytes, outlives=True) for name in names]
    speak = registry.dialect(cell.dialect)
    spec = agreed(
        game, names, SEED, conduct=conduct_of(cell.dialect), limits=LIMITS, dialects=(cell.dialect,) * seats
    )
    events: list[Event] = []
    seated = [Remote(connection, speak(game)) for connection in connections]
    result = await event_loop.play(spec, seated, [events.append])
    for connection in connections:
        await connection.ended(GOODBYE)
    return Played(result, events, names, players, await _leftovers())


class _Hall:
    """A server with one table, and the players that connect to it."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._game, self._seats = game_of(cell.dialect)
        self._events: list[Event] = []
        self._results: list[tuple[tuple[str, ...], Result]] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.server = Server(
            self._game, self._seats, tables=1, patience=0, conduct=conduct_of(cell.dialect), limits=LIMITS,
            observers=lambda number, spec, secret: [self._events.append], told=self._told, seed=SEED,
        )  # fmt: skip
        self._port = 0

    def _told(self, number: int, spec: MatchSpec, result: Result) -> None:
        self._results.append((tuple(spec.names), result))

    async def open(self) -> None:
        address = f"{self._cell.wire.value}://127.0.0.1:0/{self._cell.dialect}"
        url = await self.server.listen(ServerAddress.read(address))
        self._port = ServerAddress.read(url).port

    async def enter(self, name: str, todo: Script) -> None:
        """Connect a player, and wait until it has signed up or has had the time for it."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, NetworkLoop)
        waiting, ours = self.server.waiting, await loop.connect(self._port)
        dialect = self._cell.dialect
        wire = (
            RawTcp(ours, registry.dialect(dialect).framing)
            if self._cell.wire is Wire.TCP
            else await RawWebSocket.over(ours, self._port, dialect)
        )
        self._tasks[name] = asyncio.create_task(perform(todo, wire))
        if name == ROGUE and self._cell.expected is Fate.TURNED_AWAY:
            await asyncio.sleep(TRIED)
            return
        late = loop.time() + TRIED
        while self.server.waiting == waiting and not self._events and loop.time() < late:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def match(self) -> tuple[tuple[str, ...], Result, list[Event]]:
        async with asyncio.timeout(3600):
            await self.server.idle.wait()
            await asyncio.wait([task for name, task in self._tasks.items() if name != ROGUE])
        names, result = self._results[0]
        return names, result, self._events

    async def close(self) -> list[str]:
        """Stop the server; return which connections it had left open."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, NetworkLoop)
        await asyncio.sleep(GOODBYE)
        left = [f"the server keeps a connection: {transport}" for transport in loop.left]
        await self.server.stop(0)
        for task in self._tasks.values():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        return left


async def _over_network(cell: Cell) -> Played:
    hall = _Hall(cell)
    await hall.open()
    left: list[str] = []
    players = {name: DialectPlayer(cell.dialect, name) for name in seats_of(cell) if name != ROGUE}
    try:
        for name in seats_of(cell):
            if name == ROGUE:
                await hall.enter(name, table.script(cell, name, LIMIT, IN_TIME))
            else:
                await hall.enter(name, honest(players[name], THINKS))
        names, result, events = await hall.match()
    finally:
        left += await hall.close()
    return Played(result, events, names, players, [*left, *await _leftovers()])


async def _leftovers() -> list[str]:
    """Return the tasks that still run after everything was closed."""
    for _ in range(5):
        await asyncio.sleep(0)  # a cancelled task needs an iteration to end
    left = asyncio.all_tasks() - {asyncio.current_task()}
    return [f"a task still runs: {task}" for task in left]
