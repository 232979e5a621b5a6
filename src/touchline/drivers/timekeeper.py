"""The timekeeper: does what the referee says, and tells it what happened and how long it took.

It is the part that the drivers for pipes and for event loops share. Laws of this file: it decides
nothing; a seat's clock starts when the question has been handed over; what arrives was stamped on
arrival, and is passed on in that order.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from touchline.core.messages import Act, FromPlayer, ToPlayer, YourTurn
from touchline.core.referee import Broken, Failed, Happening, Heard, Lapsed, Note, Tell
from touchline.drivers.match import left

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Refused, Result
    from touchline.core.referee import Effect, Referee
    from touchline.core.rules import Seat
    from touchline.drivers.match import Bot, Watchers


MOST_CREDIT: Micros = 100_000
"""How much of the time of a move may be the wire's and not the player's."""


class Arrival(NamedTuple):
    """What a seat said, or the way in which its player failed, and when it came."""

    seat: Seat
    what: FromPlayer | Failed
    at: Micros


class Ports(Protocol):
    """Where messages go."""

    def now(self) -> Micros:
        """The time."""

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        """Send a message, now or as soon as the other side reads."""

    def handed_over(self, seat: Seat) -> Micros | None:
        """When the last question to this seat had been taken; None if it has not."""

    def latency(self, seat: Seat) -> Micros:
        """How long what this seat says is under way, there and back."""

    def close(self, seat: Seat, *, at_once: bool) -> None:
        """Nothing more is sent to this seat or heard from it; perhaps its player must go at once."""


class Timekeeper:
    """Between one referee and the ports to its players; bots in this process are asked right here."""

    def __init__(self, referee: Referee, ports: Ports, watchers: Watchers, bots: Mapping[Seat, Bot]) -> None:
        self._referee, self._ports, self._watchers, self._bots = referee, ports, watchers, bots
        self._thought: deque[Happening] = deque()

    @property
    def result(self) -> Result | None:
        return self._referee.result

    def begin(self, refused: Sequence[Refused] = ()) -> None:
        self._do(self._referee.begin(refused))

    def due(self, seat: Seat) -> Micros | None:
        """When the time of a seat is up; None if it has no limit, or none that runs yet."""
        allowance, handed_over = self._referee.awaited.get(seat), self._ports.handed_over(seat)
        if allowance is None or handed_over is None:
            return None
        return handed_over + allowance + self._credit(seat)

    def _credit(self, seat: Seat) -> Micros:
        """How much of a seat's time may be the wire's."""
        return min(self._ports.latency(seat), MOST_CREDIT)

    def first_due(self) -> tuple[Seat | None, Micros | None]:
        """Whose time is up first, and when; None if nobody's is."""
        first: Seat | None = None
        until: Micros | None = None
        for seat in self._referee.awaited:
            due = self.due(seat)
            if due is not None and (until is None or (due, seat) < (until, first or 0)):
                first, until = seat, due
        return first, until

    def deliver(self, arrivals: Iterable[Arrival]) -> None:
        """Pass on what has arrived."""
        for seat, what, at in arrivals:
            if isinstance(what, Failed):
                self._do(self._referee.take(what))
            else:
                took, wire = self._spent(seat, at)
                self._do(self._referee.take(Heard(seat, what, took, wire)))

    def hear(self, seat: Seat, said: FromPlayer, at: Micros) -> None:
        """Pass on what a seat said before any alarm rang: it is in time."""
        took, wire = self._spent(seat, at)
        allowance = self._referee.awaited.get(seat)
        if allowance is not None and took > allowance:
            took = allowance
        self._do(self._referee.take(Heard(seat, said, took, wire)))

    def _spent(self, seat: Seat, at: Micros) -> tuple[Micros, Micros]:
        """How long a seat has thought since it was asked, and how long that was under way besides."""
        asked = self._ports.handed_over(seat)
        if asked is None or at <= asked:
            return 0, 0
        wire = min(at - asked, self._credit(seat))
        return at - asked - wire, wire

    def look_at_the_clock(self) -> None:
        """Tell the referee if a seat's time is up; whatever has arrived must have been delivered."""
        seat, until = self.first_due()
        if seat is not None and until is not None and self._ports.now() >= until:
            self._do(self._referee.take(Lapsed(seat)))

    def broke(self, fault: Broken) -> None:
        """Something of ours broke."""
        self._do(self._referee.take(fault))

    def proceed(self) -> None:
        """Carry out what the referee says when the fast lane has ended."""
        self._do(self._referee.proceed())

    def _do(self, effects: list[Effect]) -> None:
        self._carry_out(effects)
        while self._thought:
            self._carry_out(self._referee.take(self._thought.popleft()))

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Note):
                self._watchers.see(effect.event)
            elif isinstance(effect, Tell):
                if effect.seat not in self._bots:
                    self._ports.tell(effect.seat, effect.message)
                elif isinstance(effect.message, YourTurn):
                    self._thought.append(self._think(effect.seat, effect.message))
            elif effect.seat not in self._bots:
                self._ports.close(effect.seat, at_once=self._referee.result is None)

    def _think(self, seat: Seat, question: YourTurn) -> Happening:
        start = self._ports.now()
        try:
            move = self._bots[seat].choose(question.view, question.turn)
        except Exception as error:
            return left(seat, error)
        return Heard(seat, Act(move, question.turn), self._ports.now() - start)
