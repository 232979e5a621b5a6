"""The timekeeper: carries out the referee's effects, and reports to it what happened and how long it took.

The drivers for programs and for event loops share it. Laws of this file: it decides nothing; a seat's clock
starts when the question has been handed over; arrivals are passed on in the order of their timestamps.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import UNSET, UnsetType

from touchline.bots.base import is_clocked
from touchline.core.conduct import ABSENT
from touchline.core.happenings import (
    Broken,
    Failed,
    Happening,
    Heard,
    Lapsed,
    Note,
    Restarted,
    Tell,
    TookBack,
)
from touchline.core.messages import Act, FromPlayer, ToPlayer, YourTurn
from touchline.drivers.lateness import lateness
from touchline.drivers.match import left

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Refused, Result
    from touchline.core.happenings import Effect
    from touchline.core.referee import Referee
    from touchline.core.rules import Seat
    from touchline.drivers.match import Bot, Watchers
    from touchline.drivers.past import Past
    from touchline.players.progress import Progress
    from touchline.sandbox.usage import Usage


MOST_CREDIT: Micros = 100_000
"""The most latency that a player is not charged, 100 ms a move: a slow link must not stretch the limit."""


class Arrival(NamedTuple):
    """A message of a seat, or the failure of its player, with its timestamp."""

    seat: Seat
    what: FromPlayer | Failed | Lapsed
    """A lapse is that of a player that was stopped, because it ran out of fuel."""
    at: Micros
    raw: tuple[str, ...] | UnsetType = UNSET
    """The message as it came."""
    fuel: int | UnsetType = UNSET
    """The fuel that the player used for it."""
    unasked: bool = False
    """Whether it was sent before the question that stands."""


class Ports(Protocol):
    """The connections to the players, by seat, and the clock of their driver."""

    def now(self) -> Micros:
        """Return the current time of the driver's clock."""

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        """Send a message; under backpressure, as soon as the player reads."""

    def handed_over(self, seat: Seat) -> Micros | None:
        """Return when the last question was handed over to this seat; None if it has not been yet."""

    def latency(self, seat: Seat) -> Micros:
        """Return the round-trip time to this seat."""

    def usage(self, seat: Seat) -> Usage | None:
        """Return the processor time of a seat's program since it was asked; None if it is none of ours."""

    def progress(self, seat: Seat) -> Progress | None:
        """Return how far a seat's program has come with its question; None if it is none of ours."""

    def let_think(self, seats: Container[Seat]) -> None:
        """Freeze the programs of all other seats, where programs may not ponder."""

    def close(self, seat: Seat, *, at_once: bool) -> None:
        """Close a seat after its last messages; with `at_once` the match goes on without it."""


class Timekeeper:
    """Connects one referee with the ports to its players; it calls the bots of this process directly."""

    def __init__(self, referee: Referee, ports: Ports, watchers: Watchers, bots: Mapping[Seat, Bot]) -> None:
        self._referee, self._ports, self._watchers, self._bots = referee, ports, watchers, bots
        self._clocked = {seat: bot for seat, bot in bots.items() if is_clocked(bot)}
        self._bot_answers: deque[Happening] = deque()
        self._past: Past | None = None
        """The past, while it is replayed."""
        self._unasked: list[tuple[Seat, YourTurn]] = []
        """Questions to bots of this process that are not asked yet, while the past is replayed."""

    @property
    def result(self) -> Result | None:
        return self._referee.result

    def begin(self, refused: Sequence[Refused] = ()) -> None:
        """Begin the match without the seats that are refused."""
        self._do(self._referee.begin(refused))

    # -- the past of a match that is resumed --------------------------------------------------

    def begin_past(self, refused: Sequence[Refused], past: Past) -> None:
        """Begin to replay the past: `replay()` takes each of its happenings, then `go_live()` ends it."""
        self._past = past
        self._carry_out(self._referee.begin(refused))

    def replay(self, happening: Happening) -> None:
        """Take a happening of the past. Bots are asked again, and their answers dropped."""
        assert self._past is not None
        for seat, question in self._unasked:
            if seat not in self._past.kept:
                self._think(seat, question)
        self._unasked.clear()
        if isinstance(happening, Failed) and happening.offence in ABSENT:
            self._ports.close(happening.seat, at_once=True)
        self._carry_out(self._referee.take(happening))

    def go_live(self) -> None:
        """Go on from the position of the record: the questions that stand are asked."""
        self._past = None
        self._carry_out(self._referee.take(Restarted()))
        self._bot_answers.extend(self._think(seat, question) for seat, question in self._unasked)
        self._unasked.clear()
        self._do([])

    def allowance(self, seat: Seat) -> Micros | None:
        """Return the time limit of a seat that is asked; 0 if it is not asked."""
        return self._referee.awaited.get(seat, 0)

    def awaits(self, seat: Seat) -> bool:
        """Return whether a seat is asked. What it said unasked need not be repeated."""
        return seat in self._referee.awaited

    # -- the match ----------------------------------------------------------------------------

    def due(self, seat: Seat) -> Micros | None:
        """Return the deadline of a seat; None if it has no limit, or its clock does not run yet."""
        allowance, handed_over = self._referee.awaited.get(seat), self._ports.handed_over(seat)
        if allowance is None or handed_over is None:
            return None
        return handed_over + allowance + self._credit(seat)

    def _credit(self, seat: Seat) -> Micros:
        """Return the network latency that is not charged to a seat."""
        return min(self._ports.latency(seat), MOST_CREDIT)

    def first_due(self) -> tuple[Seat | None, Micros | None]:
        """Return the seat with the earliest deadline, and the deadline; None if no deadline runs."""
        first: Seat | None = None
        until: Micros | None = None
        for seat in self._referee.awaited:
            due = self.due(seat)
            if due is not None and (until is None or (due, seat) < (until, first or 0)):
                first, until = seat, due
        return first, until

    def deliver(self, arrivals: Iterable[Arrival]) -> None:
        """Pass arrivals on to the referee."""
        for arrival in arrivals:
            self._pass_on(arrival, *self._spent(arrival.seat, arrival.at))

    def hear(self, arrival: Arrival) -> None:
        """Pass on an arrival that was read before the deadline timer fired: it is in time."""
        took, wire = self._spent(arrival.seat, arrival.at)
        allowance = self._referee.awaited.get(arrival.seat)
        if allowance is not None and took > allowance:
            took = allowance
        self._pass_on(arrival, took, wire)

    def _pass_on(self, arrival: Arrival, took: Micros, wire: Micros) -> None:
        seat, what, _, raw, fuel, unasked = arrival
        if isinstance(what, Failed | Lapsed):
            self._do(self._referee.take(what))
        else:
            cpu = self._cpu(seat, took)
            self._do(self._referee.take(Heard(seat, what, took, wire, raw, cpu, fuel, unasked)))

    def _cpu(self, seat: Seat, took: Micros) -> Micros | UnsetType:
        """Return the processor time of a seat's program since it was asked."""
        usage = self._ports.usage(seat)
        return UNSET if usage is None else usage.spent(took)

    def _spent(self, seat: Seat, at: Micros) -> tuple[Micros, Micros]:
        """Return the time that a seat has thought since it was asked, and the network latency besides."""
        asked = self._ports.handed_over(seat)
        if asked is None or at <= asked:
            return 0, 0
        wire = min(at - asked, self._credit(seat))
        return at - asked - wire, wire

    def look_at_the_clock(self) -> None:
        """Tell the referee if a deadline has passed. Deliver all arrivals first."""
        seat, until = self.first_due()
        if seat is not None and until is not None and self._ports.now() >= until:
            took, usage = self._referee.awaited[seat] or 0, self._ports.usage(seat)
            starved, cpu = usage is not None and usage.starved(took), self._cpu(seat, took)
            seen = self._ports.progress(seat)
            why = lateness(self._referee.phase, took, cpu, seen, starved=starved)
            self._do(self._referee.take(Lapsed(seat, starved, cpu, why=why)))

    def take_back(self, seat: Seat, to: int) -> bool:
        """Take back a turn of this seat, and return whether the referee allowed it."""
        effects = self._referee.take(TookBack(seat, to))
        self._do(effects)
        return bool(effects)

    def broke(self, fault: Broken) -> None:
        """Report an internal fault to the referee."""
        self._do(self._referee.take(fault))

    def proceed(self) -> None:
        """Carry out the effects of the referee after the fast lane has ended."""
        self._do(self._referee.proceed())

    def _do(self, effects: list[Effect]) -> None:
        self._carry_out(effects)
        while self._bot_answers:
            self._carry_out(self._referee.take(self._bot_answers.popleft()))
        if self._referee.result is None:
            self._ports.let_think(self._referee.awaited)

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Note):
                self._watchers.see(effect.event)
            elif isinstance(effect, Tell):
                if effect.seat not in self._bots:
                    self._ports.tell(effect.seat, effect.message)
                elif isinstance(effect.message, YourTurn) and self._past is not None:
                    self._unasked.append((effect.seat, effect.message))
                elif isinstance(effect.message, YourTurn):
                    self._bot_answers.append(self._think(effect.seat, effect.message))
            elif effect.seat not in self._bots:
                self._ports.close(effect.seat, at_once=self._referee.result is None)

    def _think(self, seat: Seat, question: YourTurn) -> Happening:
        start = self._ports.now()
        if seat in self._clocked:
            self._clocked[seat].allow(question.allowance)
        try:
            move = self._bots[seat].choose(question.view, question.turn)
        except Exception as error:
            return left(seat, error)
        return Heard(seat, Act(move, question.turn), self._ports.now() - start)
