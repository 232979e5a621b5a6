"""Whole matches with seeded players, seeded faults and simulated time, through either driver.

A simulated player depends only on the seed, its seat and the messages it gets. So one seed gives one match,
byte for byte, on the event loop as well as on pipes.
"""

from __future__ import annotations

import asyncio
import hashlib
import heapq
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from touchline.core.clock import Clock, Limits, Micros, micros
from touchline.core.conduct import Offence
from touchline.core.events import encode
from touchline.core.happenings import Failed
from touchline.core.messages import QUESTIONS, Act, Begin, FromPlayer, Garbled, Ready, YourTurn
from touchline.drivers.event_loop import play
from touchline.drivers.match import Watchers, agreed, announced, opened, referee_for
from touchline.drivers.programs import keep
from touchline.drivers.timekeeper import Arrival, Timekeeper
from touchline.players.base import Player
from touchline.testing import virtual_time

if TYPE_CHECKING:
    from collections.abc import Container

    from touchline.core.conduct import Conduct
    from touchline.core.events import Event, Result
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat
    from touchline.drivers.match import MatchSpec
    from touchline.players.base import Table

Reaction: TypeAlias = tuple[Micros, "FromPlayer | Failed"]
"""A delay after a message, and what the player then says, or how it fails."""

LIMITS = Limits(set_up=micros(1), clock=Clock(micros(0.2), bank=micros(0.3), increment=micros(0.01)))


class Mind:
    """A simulated player that plays random legal moves and commits a fault with a given probability."""

    def __init__(self, seed: int, seat: Seat, game: Game, faults: float) -> None:
        self._rng = Random(f"{seed} {seat}")
        self._seat, self._faults = seat, faults
        self._strangers = list(game.all_moves())

    def react(self, message: ToPlayer) -> list[Reaction]:
        """Return the player's reactions to a message, each with its delay."""
        if isinstance(message, Begin):
            return self._sit_down()
        return self._move(message) if isinstance(message, YourTurn) else []

    def _soon(self) -> Micros:
        return self._rng.randrange(1, 50_000) * 10 + self._seat  # no two seats speak at the same time

    def _sit_down(self) -> list[Reaction]:
        rng = self._rng
        if rng.random() >= self._faults:
            return [(self._soon(), Ready(rng.random() < 0.5))]
        fault = rng.choice((Garbled("noise"), Failed(self._seat, Offence.GONE, "exited with 1"), None))
        return [] if fault is None else [(self._soon(), fault)]

    def _move(self, question: YourTurn) -> list[Reaction]:
        rng, turn, soon = self._rng, question.turn, self._soon() // 4
        honest = Act(rng.choice(question.view.legal_moves()), turn)
        if rng.random() >= self._faults:
            return [(soon, honest)]
        stranger = Act(rng.choice(self._strangers), turn)
        much_later = (question.allowance or 0) + soon
        faults: list[list[Reaction]] = [
            [],
            [(soon, stranger)],
            [(soon, Garbled("noise"))],
            [(much_later, honest)],
            [(soon, honest), (soon + 100, stranger)],
            [(soon, Act(honest.move, turn - 1)), (soon + 100, honest)],
            [(soon, Act(honest.move, turn + 1))],
            [(soon, Failed(self._seat, Offence.GONE, "exited with 1"))],
            [(soon, Failed(self._seat, Offence.FLOOD, "a line is too long"))],
        ]
        return rng.choice(faults)


class SimulatedPorts:
    """Ports in simulated time: waiting advances the clock to the next reaction or deadline."""

    def __init__(self, minds: dict[Seat, Mind]) -> None:
        self._minds, self._time = minds, 0
        self._coming: list[tuple[Micros, int, Seat, FromPlayer | Failed]] = []
        self._handed_over: dict[Seat, Micros] = {}
        self._count = 0

    def now(self) -> Micros:
        return self._time

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        if seat not in self._minds:
            return
        if isinstance(message, QUESTIONS):
            self._handed_over[seat] = self._time
        for after, what in self._minds[seat].react(message):
            self._count += 1
            heapq.heappush(self._coming, (self._time + after, self._count, seat, what))

    def handed_over(self, seat: Seat) -> Micros | None:
        return self._handed_over.get(seat)

    def latency(self, seat: Seat) -> Micros:
        return 0

    def usage(self, seat: Seat) -> None:
        return None

    def progress(self, seat: Seat) -> None:
        """Return None: there is no program."""

    def let_think(self, seats: Container[Seat]) -> None:
        """Do nothing: a simulated player uses no processor."""

    def close(self, seat: Seat, *, at_once: bool) -> None:
        self._minds.pop(seat, None)

    def wait(self, until: Micros | None) -> list[Arrival]:
        while self._coming and (until is None or self._coming[0][0] <= until):
            self._time, _, seat, what = heapq.heappop(self._coming)
            if seat in self._minds:
                if isinstance(what, Failed):
                    del self._minds[seat]
                return [Arrival(seat, what, self._time)]
        if until is None:
            raise virtual_time.Deadlock("there is no deadline, and no player will say anything")
        self._time = max(self._time, until)
        return []


class SimulatedPlayer(Player):
    """A simulated player for the event loop."""

    latency: Micros = 0
    handed_over: Micros | None = None

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def sit(self, seat: Seat, table: Table) -> None:
        self._seat, self._table = seat, table
        self._gone = False

    def tell(self, message: ToPlayer) -> None:
        now = self._table.now()
        if isinstance(message, QUESTIONS):
            self.handed_over = now
        loop = asyncio.get_running_loop()
        for after, what in self._mind.react(message):
            loop.call_at((now + after) / 1e6, self._happen, what)

    def _happen(self, what: FromPlayer | Failed) -> None:
        if self._gone:
            return
        if isinstance(what, Failed):
            self._gone = True
            self._table.fail(self._seat, what.offence, what.why)
        else:
            self._table.hear(self._seat, what)

    def close(self, *, at_once: bool) -> None:
        self._gone = True


class Trace:
    """An observer that keeps the encoded events and their hash."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.lines: list[bytes] = []

    def __call__(self, event: Event) -> None:
        line = encode(event)
        self._hash.update(line)
        self.lines.append(line)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def simulated(
    game: Game, seats: int, seed: int, conduct: Conduct, *, faults: float, on_loop: bool, turn_cap: int = 300
) -> tuple[Result, Trace]:
    """Play one match; return its result and its trace."""
    spec = agreed(
        game,
        [f"mind {seat}" for seat in range(seats)],
        seed,
        nonce="",  # so that the trace depends on the seed alone
        conduct=conduct,
        limits=LIMITS,
        turn_cap=turn_cap,
    )
    minds = {seat: Mind(seed, seat, game, faults) for seat in range(seats)}
    trace = Trace()
    if on_loop:
        return virtual_time.run(_on_loop(spec, minds, trace)), trace
    return _by_worker(spec, minds, trace), trace


async def _on_loop(spec: MatchSpec, minds: dict[Seat, Mind], trace: Trace) -> Result:
    players: list[Any] = [SimulatedPlayer(mind) for mind in minds.values()]
    return await play(spec, players, [trace])


def _by_worker(spec: MatchSpec, minds: dict[Seat, Mind], trace: Trace) -> Result:
    state, talks, watchers = opened(spec), sorted(minds), Watchers([trace])
    watchers.see(announced(spec, state, talks))
    ports = SimulatedPorts(minds)
    return keep(Timekeeper(referee_for(spec, state, talks), ports, watchers, {}), ports)
