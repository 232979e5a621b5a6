"""Tables for rogues in every dialect and over every wire, and what a match at one of them left behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from players.survivors import MARK, descriptors, gone, zombies
from players.tables import TABLES, Match
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import FINAL, Offence, Sanction
from touchline.core.events import Event, Faulted
from touchline.core.messages import YourTurn
from touchline.core.registry import CONDUCTS
from touchline.drivers import event_loop
from touchline.drivers.match import agreed
from touchline.players.process import Program
from touchline.players.process_connection import ProcessConnection
from touchline.players.remote import Remote
from touchline.testing import virtual_time
from touchline.testing.hostile.player import DialectPlayer, Moment, Phase, honest, until
from touchline.testing.hostile.table import BEHAVIOURS
from touchline.testing.raw_connections import RawTcp, RawWebSocket, perform
from touchline.testing.scripts import PIPE, ScriptedConnection
from touchline.transports.base import transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from touchline.core.clock import Micros
    from touchline.core.conduct import Conduct
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.testing.hostile.player import Script
    from touchline.transports.base import Connection

NAMES = ("anna", "bert", "carla")
WIRES = ("process", "tcp", "ws")
SILENT_SET_UP = {"seed-001", "seed-002"}
"""In these nothing is answered before the first turn."""
ON_ANOTHERS_TURN = {"early_bird", "moves_ahead", "double_mover", "answers_twice", "flooder", "floods_answers"}
"""These offend while somebody else is to move; a flooder does if what it sends is not looked at at once."""
LIMIT, IN_TIME = 1.0, 0.2
"""Seconds for a move, and what is safely in time."""


def behaving(name: str) -> Callable[[DialectPlayer], Script]:
    """A behaviour of the hostile corpus as a player's script: `NAME`, or `NAME@PHASE` for another phase."""
    word, _, phase = name.partition("@")
    row, at = BEHAVIOURS[word], Phase(phase or "turn")

    def script(player: DialectPlayer) -> Script:
        answer = yield from until(player, at)
        yield from row.act(Moment(player, answer, at, LIMIT, IN_TIME))

    return script


HONEST: dict[str, Callable[[DialectPlayer], Script]] = {
    "honest": honest,
    "trickles": behaving("trickles@sign-up"),
    "pads": behaving("pads@sign-up"),
}
"""Players that commit no offence, by name."""
MISCHIEF = (
    "silent", "illegal_move", "plain_text", "stops_in_the_middle", "floods_answers", "endless_text",
    "one_giant", "moves_ahead", "answers_twice", "stops_reading", "answers_late", "exits",
)  # fmt: skip
"""One behaviour of the corpus of every kind; `hostile/` has all of them, with their verdicts."""


def script(name: str, dialect: str, signs_up: str | None = None, turns: int = 1) -> Script:
    """The script of a player, honest or not, by its name."""
    lies_after = turns if name == "illegal_move" else None
    player = DialectPlayer(dialect, signs_up, turns, lies_after=lies_after)
    return (HONEST.get(name) or behaving(name))(player)


class Setting(NamedTuple):
    """A dialect at one of its games."""

    dialect: str
    table: str

    @property
    def game(self) -> Game:
        return TABLES[self.table][0]

    @property
    def seats(self) -> int:
        return TABLES[self.table][1]

    @property
    def spoken(self) -> type[Dialect]:
        kind: type[Dialect] = registry.dialect(self.dialect)
        return kind

    @property
    def conducts(self) -> list[str]:
        """The dialect's own, and the course's."""
        return sorted({self.spoken.conduct, "course"})

    def __str__(self) -> str:
        return f"{self.dialect}-{self.table}"


SETTINGS = [
    Setting(name, table) for name in registry.dialects() for table in registry.dialect(name).games or TABLES
]


class Plan(NamedTuple):
    """Who plays how, by what rules, and how fast."""

    setting: Setting
    scripts: tuple[str, ...]
    """What they do, by seat."""
    conduct: str = "course"
    seconds: float = 1.0
    """For a move."""
    set_up: float = 20.0
    turns: int = 1
    """How long everybody is honest."""
    held: bool = True
    """Whether the honest are only asked when one that moves in their turn has been found out."""

    @property
    def hasty(self) -> int | None:
        """Who moves in the turn of another, if anybody does."""
        if not self.held:
            return None
        return next((seat for seat, name in enumerate(self.scripts) if name in ON_ANOTHERS_TURN), None)


def with_one(name: str, setting: Setting, conduct: str = "course", seat: int = 0, **others: Any) -> Plan:
    """A table at which this one sits among the honest."""
    scripts = ["honest"] * setting.seats
    scripts[seat] = name
    return Plan(setting, tuple(scripts), conduct, **others)


# -- verdicts -------------------------------------------------------------------------------------


def price(name: str, setting: Setting, conduct: Conduct, offence: Offence) -> Sanction:
    """What a rogue's first offence costs: the first step of the ladder, where that can be done."""
    step = conduct.ladder(offence).sanction(1)
    if step in FINAL:
        return step
    if name in ("dozer", "silent@set-up") and setting.dialect not in SILENT_SET_UP:
        return Sanction.EXPEL
    if name in ON_ANOTHERS_TURN:
        return Sanction.RETRY
    if step is Sanction.SKIP and not hasattr(setting.game.start(setting.seats, Random(1)), "skip"):
        return Sanction.EXPEL
    return step


def check(match: Match, name: str, plan: Plan, offence: Offence) -> None:
    """The rogue pays, the right price; the record proves itself, and nobody else is blamed."""
    match.verify()
    seat, setting = plan.scripts.index(name), plan.setting
    first = next(fault for fault in match.result.faults if fault.seat == seat)
    assert first.offence is offence, first
    assert first.sanction is price(name, setting, CONDUCTS[plan.conduct], offence), first
    assert all(match.unharmed(other) for other in range(setting.seats) if other != seat), match.result.faults
    assert match.result.verdict != "void"
    if first.sanction is Sanction.EXPEL:
        assert match.result.expelled == (seat,)
    if first.sanction is Sanction.FORFEIT:
        assert match.result.verdict == "forfeited"
        assert match.result.outcome is not None
        assert seat not in match.result.outcome.winners


# -- the table ------------------------------------------------------------------------------------


class Gate:
    """Opens when somebody has been found out."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open
        self._waiting: list[Callable[[], None]] = []

    def see(self, event: Event) -> None:
        if isinstance(event, Faulted) and not self.is_open:
            self.is_open = True
            for then in self._waiting:
                asyncio.get_running_loop().call_soon(then)

    def after(self, then: Callable[[], None]) -> None:
        self._waiting.append(then)


class Held(Remote):
    """A player that is not asked before the gate is open: so who moves in its turn does so for certain."""

    def __init__(self, connection: Connection, dialect: Dialect, gate: Gate) -> None:
        super().__init__(connection, dialect, goodbye=5)
        self._gate = gate

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, YourTurn):
            self._hold(lambda: super(Held, self).tell(message))
        else:
            super().tell(message)

    def ask(self, turn: int, view: Any, allowance: Micros | None) -> None:
        self._hold(lambda: super(Held, self).ask(turn, view, allowance))

    def _hold(self, ask: Callable[[], None]) -> None:
        if self._gate.is_open:
            ask()
            return
        self.handed_over = None
        self._gate.after(lambda: ask() if self._table is not None else None)


async def refereed(plan: Plan, connections: Sequence[Connection]) -> Match:
    game, kind = plan.setting.game, plan.setting.spoken
    gate, no_gate = Gate(is_open=plan.hasty is None), Gate(is_open=True)
    players = [
        Held(connection, kind(game), no_gate if seat == plan.hasty else gate)
        for seat, connection in enumerate(connections)
    ]
    spec = agreed(
        game,
        NAMES[: plan.setting.seats],
        1,
        conduct=CONDUCTS[plan.conduct],
        limits=Limits(set_up=micros(plan.set_up), clock=Clock(per_move=micros(plan.seconds))),
        turn_cap=500,
    )
    events: list[Event] = []
    result = await event_loop.play(spec, players, [events.append, gate.see])
    return Match(result, events)


async def alone() -> None:
    """Nothing that was started is still running."""
    for _ in range(5):
        await asyncio.sleep(0)  # what was called off needs a moment to end
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    assert not left, "every task ends with the match"


def in_virtual_time(plan: Plan, framing: str | None = None, pipe: int = PIPE, wait: float = 0) -> Match:
    """Scripts on the same loop. The first seat's pipe may be short; the match may begin a while later."""

    async def whole() -> Match:
        cut = framing or plan.setting.spoken.framing
        todo = [script(name, plan.setting.dialect, turns=plan.turns) for name in plan.scripts]
        connections = [
            ScriptedConnection(each, PIPE if seat else pipe, cut, bytes) for seat, each in enumerate(todo)
        ]
        await asyncio.sleep(wait)
        match = await refereed(plan, connections)
        await alone()
        return match

    return virtual_time.run(whole())


# -- over real wires ------------------------------------------------------------------------------


class FirstFrame:
    """Waits for the frame with which a player signs up."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.came: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        connection.listen(self)

    def frame(self, frame: bytes) -> None:
        self._connection.receiver = None
        self.came.set_result(frame)

    def lost(self, why: str) -> None:
        self.came.set_exception(ConnectionError(why))

    flooded = lost

    def writable(self) -> None:
        """Nothing was sent."""


@asynccontextmanager
async def open_door(wire: str, setting: Setting) -> AsyncIterator[tuple[int, asyncio.Queue[Connection]]]:
    """A port to come in by, and those who have come in."""
    arrived: asyncio.Queue[Connection] = asyncio.Queue()
    server = await transport(wire).listen("127.0.0.1", 0, arrived.put_nowait, framing=setting.spoken.framing)
    try:
        yield server.port, arrived
    finally:
        server.close()
        await asyncio.sleep(0)


async def come_in(wire: str, setting: Setting, port: int) -> RawTcp | RawWebSocket:
    if wire == "tcp":
        return await RawTcp.to(port, setting.spoken.framing)
    return await RawWebSocket.to(port, setting.dialect)


@asynccontextmanager
async def performing(todo: Script, wire: RawTcp | RawWebSocket) -> AsyncIterator[None]:
    task = asyncio.create_task(perform(todo, wire))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def over_network(
    wire: str, plan: Plan, make: Callable[[str, str, str], Script] = script
) -> AsyncIterator[list[Connection]]:
    """Everybody signs up over the wire, one after another."""
    setting = plan.setting
    async with open_door(wire, setting) as (port, arrived), AsyncExitStack() as stack:
        connections: list[Connection] = []
        for name, signs_up in zip(plan.scripts, NAMES, strict=False):
            todo = make(name, setting.dialect, signs_up)
            await stack.enter_async_context(performing(todo, await come_in(wire, setting, port)))
            connection = await arrived.get()
            stack.callback(connection.close, at_once=True)
            assert setting.spoken.read_sign_up(await FirstFrame(connection).came).name == signs_up
            connections.append(connection)
        yield connections


def command(name: str, dialect: str) -> list[str]:
    """The command of a player as a process."""
    word, _, phase = name.partition("@")
    begins = phase or ("sign-up" if name in HONEST else "turn")
    words = [name, dialect] if name == "honest" else [word, dialect, begins]
    return [sys.executable, "-m", "touchline.testing.hostile", *words]


@asynccontextmanager
async def over_pipes(plan: Plan, *, honest_too: bool) -> AsyncIterator[list[Connection]]:
    """The rogue is a process; the honest speak from here in the same lines: no slow start makes them late."""
    programs: list[ProcessConnection] = []
    connections: list[Connection] = []
    try:
        for name in plan.scripts:
            if name == "honest" and not honest_too:
                honest = script(name, plan.setting.dialect)
                connections.append(ScriptedConnection(honest, decode=bytes))
                continue
            programs.append(ProcessConnection(Program(command(name, plan.setting.dialect))))
            connections.append(programs[-1])
        yield connections
    finally:
        for pipes in programs:
            pipes.release()
            pipes.program.stop()


def for_real(
    wire: str,
    plan: Plan,
    *,
    honest_too: bool = False,
    make: Callable[[str, str, str], Script] = script,
    loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
) -> Match:
    """A match in real time over a wire; it leaves no task, process or descriptor behind."""
    before = descriptors(), zombies()

    async def whole() -> Match:
        over = (
            over_pipes(plan, honest_too=honest_too) if wire == "process" else over_network(wire, plan, make)
        )
        async with asyncio.timeout(60), over as connections:
            match = await refereed(plan, connections)
        await alone()
        return match

    mark = os.environ[MARK] = secrets.token_hex(8)
    try:
        with asyncio.Runner(loop_factory=loop) as runner:
            match = runner.run(whole())
    finally:
        del os.environ[MARK]
    assert (descriptors(), zombies()) == before
    assert wire != "process" or gone(mark) == []
    return match


def real_plan(name: str, setting: Setting, conduct: str) -> Plan:
    """A plan in which nobody is hurried."""
    return with_one(name, setting, conduct, seconds=20.0)
