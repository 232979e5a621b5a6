"""Mutants from live seats over TCP, WebSocket and pipes: every match ends and counts, and blames the sender.

TCP and WebSocket are the real server and its transports in virtual time, on socket pairs: so waiting takes no
time, and a seed gives the same match again. Pipes are those of real processes.
"""

from __future__ import annotations

import asyncio
import re
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from dialects.mutant_moments import SETTINGS, Setting, boards, valid
from dialects.mutant_seat import DEEP_PIPE, LENIENT, Quick
from mutant_siege.units import MOST_FAILURES, Outcome, Siege, Unit, error_line, errors_logged
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.drivers import event_loop
from touchline.drivers.match import agreed
from touchline.players.address import ServerAddress
from touchline.players.process import Program
from touchline.players.process_connection import ProcessConnection
from touchline.players.remote import Remote
from touchline.server.server import Server
from touchline.testing import virtual_network
from touchline.testing.hostile.player import DialectPlayer, honest
from touchline.testing.hostile.sockets import TEXT, ws_frame
from touchline.testing.mutants import NAMES, Mutants
from touchline.testing.raw_connections import RawTcp, RawWebSocket, perform
from touchline.testing.scripts import Exit, Raw, Read, ScriptedConnection, Write
from touchline.testing.virtual_network import NetworkLoop

if TYPE_CHECKING:
    from touchline.core.events import Event, Result
    from touchline.drivers.match import MatchSpec
    from touchline.testing.hostile.player import Script

LIMITS = Limits(set_up=micros(20), launch=micros(10), clock=Clock(per_move=micros(1)))
REAL_LIMITS = Limits(set_up=micros(60), clock=Clock(per_move=micros(5)))
"""Nobody is hurried in real time; a process that says nothing at all costs five seconds."""
ROGUE = "mallory"
RAW = 0.01
"""The chance that a mutant on a WebSocket is one below its framing, which ends the connection."""
SENT = re.compile(r"sent (\d+) mutants")
SENDER = Path(__file__).with_name("pipe_sender.py")
KNOCKS = 6
"""Mutated sign-ups before a match: fewer than get an address locked out."""


class Sender:
    """A player that sends mutants, and counts them."""

    def __init__(self, setting: Setting, seed: str, name: str | None, *, raw: bool = False) -> None:
        self._rng, self._player = Random(seed), Quick(setting.dialect, name)
        self._mutants, self._raw = Mutants(valid(setting).answers, seed), raw
        self.sent = 0
        self.last: list[bytes] = []
        """The mutants since the last honest answer."""

    def script(self) -> Script:
        """Send mostly mutants, in place of an answer and out of turn; now and then what is right."""
        answer, rng = b"", self._rng
        yield Write(self._player.sign_up())
        while True:
            frame = yield Read()
            answer = self._player.hear(frame) or (answer if b"rejectMove" in frame else b"")
            if self._player.questions == 0 or rng.random() > (0.9 if answer else 0.1):
                self.last.clear()
                yield Write(answer)
                continue
            for _ in range(rng.choice((1, 1, 1, 1, 2, 5))):
                mutant = self._mutants.of(answer.rstrip(b"\n")) if answer else next(self._mutants)
                self.sent += 1
                self.last.append(mutant)
                if self._raw and rng.random() < RAW:
                    yield Raw(self._mutants.of(ws_frame(TEXT, mutant[:2000])))
                else:
                    yield Write(mutant + b"\n")


def check(result: Result, names: tuple[str, ...], players: dict[str, DialectPlayer]) -> None:
    """Raise Siege if the match is void, or an honest player was harmed."""
    if result.verdict == "void":
        raise Siege(f"void: {result.reason}")
    for name, player in players.items():
        seat = names.index(name)
        if any(fault.seat == seat for fault in result.faults) or seat in (*result.expelled, *result.resigned):
            raise Siege(f"{name} is honest and was blamed: {result.faults}")
        if not player.over:
            raise Siege(f"{name} is honest and did not hear the last word")


def run(unit: Unit) -> Outcome:
    """Play matches over a door until a unit's mutants have been sent."""
    outcome = Outcome(unit.where)
    with errors_logged() as logged:
        try:
            if unit.where == "pipes":
                with asyncio.Runner() as runner:
                    runner.run(_over_pipes(unit, outcome))
            else:
                virtual_network.run(_over_network(unit, outcome))
        except Exception as error:
            outcome.fail(unit, error_line(error), what=str(SETTINGS[unit.setting]))
    for line in logged[:MOST_FAILURES]:
        outcome.fail(unit, f"logged: {line}", what=str(SETTINGS[unit.setting]))
    return outcome


# -- TCP and WebSocket ----------------------------------------------------------------------------


class Hall:
    """A server with one door in virtual time."""

    def __init__(self, unit: Unit) -> None:
        self._setting, self._wire = SETTINGS[unit.setting], unit.where
        game, self.seats = boards(self._setting.table)[0]
        self._results: list[tuple[tuple[str, ...], Result]] = []
        self.server = Server(
            game, self.seats, conduct=LENIENT, limits=LIMITS, patience=0, told=self._told, seed=unit.number
        )
        self._port = 0

    def _told(self, number: int, spec: MatchSpec, result: Result) -> None:
        self._results.append((tuple(spec.names), result))

    async def open(self) -> None:
        url = f"{self._wire}://127.0.0.1:0/{self._setting.dialect}"
        self._port = ServerAddress.read(await self.server.listen(ServerAddress.read(url))).port

    async def enter(self, script: Script) -> asyncio.Task[None]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, NetworkLoop)
        dialect, ours = self._setting.dialect, await loop.connect(self._port)
        wire: RawTcp | RawWebSocket
        if self._wire == "tcp":
            wire = RawTcp(ours, registry.dialect(dialect).framing)
        else:
            wire = await RawWebSocket.over(ours, self._port, dialect)
        return asyncio.create_task(perform(script, wire))

    async def knock(self, frames: Mutants) -> None:
        """Sign up with mutants that hang up at once, one after the other."""
        for _ in range(KNOCKS):
            await (await self.enter(_knock(next(frames))))
            await asyncio.sleep(0.1)
        await asyncio.sleep(61)  # refusals are forgiven after a minute

    async def match(self, sender: Sender) -> None:
        """Play one match with the sender at the first seat."""
        names = NAMES[: self.seats - 1]
        players = {name: DialectPlayer(self._setting.dialect, name) for name in names}
        played, tasks = len(self._results), [await self.enter(sender.script())]
        await asyncio.sleep(0.1)
        for player in players.values():
            tasks.append(await self.enter(honest(player)))
            await asyncio.sleep(0.1)
        try:
            async with asyncio.timeout(36_000):
                while len(self._results) == played:  # noqa: ASYNC110
                    await asyncio.sleep(1)
                await asyncio.wait(tasks[1:])
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        seated, result = self._results[-1]
        check(result, seated, players)


def _knock(frame: bytes) -> Script:
    yield Write(frame + b"\n")
    yield Exit(0)


async def _over_network(unit: Unit, outcome: Outcome) -> None:
    setting, hall, number = SETTINGS[unit.setting], Hall(unit), 0
    knocks = Mutants(valid(setting).sign_ups, f"{unit.random_seed} knocks")
    await hall.open()
    try:
        while outcome.messages < unit.messages:
            await hall.knock(knocks)
            sender = Sender(setting, f"{unit.random_seed} {number}", ROGUE, raw=unit.where == "ws")
            try:
                await hall.match(sender)
            except Siege as error:
                outcome.fail(unit, str(error), b"\n".join(sender.last), f"{setting} match {number}")
                if len(outcome.failures) >= MOST_FAILURES:
                    return
            outcome.messages += sender.sent + KNOCKS
            outcome.matches, number = outcome.matches + 1, number + 1
    finally:
        await hall.server.stop(0)


# -- pipes ----------------------------------------------------------------------------------------


async def _over_pipes(unit: Unit, outcome: Outcome) -> None:
    setting, number = SETTINGS[unit.setting], 0
    while outcome.messages < unit.messages:
        seed = f"{unit.random_seed} {number}"
        program = Program([sys.executable, str(SENDER), str(unit.setting), seed])
        pipes = ProcessConnection(program, goodbye=1)
        try:
            await _match_with(pipes, setting, number)
        except Siege as error:
            outcome.fail(unit, str(error), what=f"{setting} match {number}")
        finally:
            pipes.release()
            program.hang_up()
            program.stop(1)
        counted = SENT.search(program.notes.text())
        outcome.messages += int(counted[1]) if counted else 1
        outcome.matches, number = outcome.matches + 1, number + 1
        if len(outcome.failures) >= MOST_FAILURES:
            return


async def _match_with(pipes: Any, setting: Setting, seed: int) -> None:
    game, seats = boards(setting.table)[0]
    kind, names = registry.dialect(setting.dialect), (ROGUE, *NAMES[: seats - 1])
    players = {name: DialectPlayer(setting.dialect) for name in names[1:]}
    scripts = [
        ScriptedConnection(honest(player), DEEP_PIPE, decode=bytes, outlives=True)
        for player in players.values()
    ]
    spec = agreed(game, names, seed, conduct=LENIENT, limits=REAL_LIMITS)
    events: list[Event] = []
    seated = [Remote(connection, kind(game)) for connection in (pipes, *scripts)]
    result = await event_loop.play(spec, seated, [events.append])
    for script in scripts:
        await script.ended(60)
    check(result, names, players)
