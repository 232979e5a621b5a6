"""The timekeeper between a referee and ports of which the test is the other side."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from players.tables import TABLES
from touchline.bots.random import Random as RandomBot
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import messages
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Offence
from touchline.core.events import Event, Moved
from touchline.core.happenings import Broken, Failed
from touchline.core.messages import Act, Garbled, Ready
from touchline.drivers.match import Watchers, agreed, opened, referee_for
from touchline.drivers.timekeeper import MOST_CREDIT, Arrival, Timekeeper

if TYPE_CHECKING:
    from collections.abc import Container

    from touchline.core.messages import ToPlayer
    from touchline.drivers.match import Bot

FISH, SEATS = TABLES["fish"]
LIMITS = Limits(set_up=1000, clock=Clock(per_move=100))


class Desk:
    """Ports that note what they are asked for; the time is whatever the test says."""

    def __init__(self) -> None:
        self.time = 0
        self.told: list[tuple[int, str]] = []
        self.closed: list[tuple[int, bool]] = []
        self.taken: dict[int, int] = {}
        self.wire: dict[int, int] = {}

    def now(self) -> int:
        return self.time

    def tell(self, seat: int, message: ToPlayer) -> None:
        self.told.append((seat, type(message).__name__))
        if isinstance(message, messages.Begin | messages.YourTurn):
            self.taken[seat] = self.time

    def handed_over(self, seat: int) -> int | None:
        return self.taken.get(seat)

    def latency(self, seat: int) -> int:
        return self.wire.get(seat, 0)

    def usage(self, seat: int) -> None:
        return None

    def progress(self, seat: int) -> None:
        return None

    def let_think(self, seats: Container[int]) -> None:
        """Nobody here uses a processor."""

    def close(self, seat: int, *, at_once: bool) -> None:
        self.closed.append((seat, at_once))


class Match:
    """A match of Fish at such a desk."""

    def __init__(self, bots: dict[int, Bot] | None = None, conduct: Any = COURSE) -> None:
        names = [f"player {seat}" for seat in range(SEATS)]
        spec = agreed(FISH, names, 1, limits=LIMITS, conduct=conduct)
        talks = [seat for seat in range(SEATS) if seat not in (bots or {})]
        self.desk, self.events = Desk(), list[Event]()
        self.referee = referee_for(spec, opened(spec), talks)
        watchers = Watchers([self.events.append])
        self.timekeeper = Timekeeper(self.referee, self.desk, watchers, bots or {})
        self.timekeeper.begin()

    def seated(self) -> Match:
        for seat in list(self.referee.awaited):
            self.timekeeper.deliver([Arrival(seat, Ready(), 0)])
        return self

    def move(self) -> Act:
        return Act(self.referee.state.legal_moves()[0], self.referee.turn)

    def moved(self) -> Moved:
        return [event for event in self.events if isinstance(event, Moved)][-1]


def test_the_wire_has_a_share_of_the_time_but_no_more_than_it_may() -> None:
    """What a player's answer is under way is not its time, up to a limit."""
    match = Match().seated()
    match.desk.wire[0] = 40
    assert match.timekeeper.due(0) == 140
    match.timekeeper.deliver([Arrival(0, match.move(), 65)])
    assert (match.moved().took, match.moved().wire) == (25, 40)
    match.desk.wire[1] = 10 * MOST_CREDIT
    assert match.timekeeper.due(1) == 100 + MOST_CREDIT
    match.timekeeper.deliver([Arrival(1, match.move(), MOST_CREDIT + 7)])
    assert (match.moved().took, match.moved().wire) == (7, MOST_CREDIT)


def test_whose_time_is_up_first() -> None:
    """The first is who was asked first, whatever its seat; of two at the same time the lower seat."""
    match = Match()
    match.desk.taken = {0: 50, 1: 20, 2: 20}
    assert match.timekeeper.first_due() == (1, 1020)
    match.desk.taken = {0: 50, 2: 20}
    assert match.timekeeper.first_due() == (2, 1020)
    match.desk.taken = {}
    assert match.timekeeper.first_due() == (None, None)


def test_time_is_up_when_it_is_up_and_not_before() -> None:
    """At the very moment, but not a microsecond earlier."""
    match = Match().seated()
    match.desk.time = 99
    match.timekeeper.look_at_the_clock()
    assert not match.referee.faults
    match.desk.time = 100
    match.timekeeper.look_at_the_clock()
    assert [(fault.seat, fault.offence) for fault in match.referee.faults] == [(0, Offence.LATE)]


def test_nobody_is_late_before_it_has_its_question() -> None:
    """A question that has not been taken has no clock."""
    match = Match().seated()
    del match.desk.taken[0]
    match.desk.time = 10**9
    match.timekeeper.look_at_the_clock()
    match.timekeeper.deliver([Arrival(0, match.move(), 10**9)])
    assert match.moved().took == 0
    assert not match.referee.faults


def test_what_was_stamped_late_is_late_unless_no_alarm_rang() -> None:
    """A driver that stamps by the deadline delivers; one whose alarm would have rung says so by `hear`."""
    match = Match().seated()
    match.timekeeper.hear(Arrival(0, match.move(), 5000))
    assert match.moved().took == 100
    match.timekeeper.deliver([Arrival(1, match.move(), 101)])
    assert [(fault.seat, fault.offence) for fault in match.referee.faults] == [(1, Offence.LATE)]


def test_a_player_that_failed_is_given_up() -> None:
    """It is out, told so, and let go at once; the match goes on."""
    match = Match().seated()
    match.timekeeper.deliver([Arrival(1, Failed(1, Offence.FLOOD, "too much"), 5)])
    assert [(fault.seat, fault.offence) for fault in match.referee.faults] == [(1, Offence.FLOOD)]
    assert match.desk.told[-1] == (1, "Expelled")
    assert match.desk.closed == [(1, True)]
    assert match.timekeeper.result is None


def test_everybody_hears_how_it_ended_and_may_stay_to_answer() -> None:
    """Over is the last thing that is told, and nobody is sent away at once."""
    match = Match().seated()
    match.timekeeper.broke(Broken("the roof fell in"))
    assert match.desk.told[-3:] == [(0, "Over"), (1, "Over"), (2, "Over")]
    assert match.desk.closed == [(0, False), (1, False), (2, False)]


def test_things_are_passed_on_in_order() -> None:
    """Of two answers that came at once the first counts, and the second is out of turn."""
    match = Match().seated()
    move = match.move()
    match.timekeeper.deliver([Arrival(0, move, 5), Arrival(0, Garbled("noise"), 5)])
    assert match.moved().move == move.move
    assert [(fault.seat, fault.offence) for fault in match.referee.faults] == [(0, Offence.OUT_OF_TURN)]


class Thinker(RandomBot):
    """A bot that takes its time."""

    def __init__(self, desk: list[Desk], thinks: int) -> None:
        super().__init__(Random(1))
        self._desk, self._thinks = desk, thinks

    def choose(self, view: Any, turn: int = 0) -> Any:
        self._desk[0].time += self._thinks
        return super().choose(view, turn)


def test_bots_here_are_asked_in_turn_and_their_time_is_counted() -> None:
    """A bot in this process is told nothing but its turn, and may be late like anybody."""
    desks: list[Desk] = []
    match = Match({1: Thinker(desks, 30), 2: Thinker(desks, 101)})
    desks.append(match.desk)
    match.seated()
    match.timekeeper.deliver([Arrival(0, match.move(), 5)])
    assert (match.moved().seat, match.moved().took) == (1, 30)
    assert [(fault.seat, fault.offence) for fault in match.referee.faults] == [(2, Offence.LATE)]
    assert {seat for seat, _ in match.desk.told} == {0}
    assert match.desk.closed == []
