"""The driver for an event loop: players of any kind at one table, by callbacks and without a task of its own.

Laws of this file: one slow, deaf or noisy player holds up nobody else; what arrives is stamped by the loop's
clock and by no other, so that a test can be its time; an answer is late only if the alarm rang before it was
read, and the alarm lets everything be read that is lying there, so the loop's own lateness is never charged
to a player; a table keeps one alarm, which is set anew only when it rings, so that a turn costs no timer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol, cast

from touchline.core.errors import BadOptions
from touchline.core.referee import Broken, Failed
from touchline.drivers.fast_lane import Sprint
from touchline.drivers.match import Bot, Watchers, announced, opened, referee_for, tell_learners
from touchline.drivers.timekeeper import MOST_CREDIT, Arrival, Timekeeper

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from touchline.core.clock import Micros
    from touchline.core.conduct import Offence
    from touchline.core.events import Event, Result
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Seat
    from touchline.drivers.match import MatchSpec

log = logging.getLogger(__name__)

LAST_READS = 5
"""So many rounds of the loop pass between the alarm and the verdict, for what is lying there to be read."""


class Player(Protocol):
    """Whoever sits at a table that is run by an event loop. None of its methods may wait."""

    def sit(self, seat: Seat, table: Table) -> None:
        """Take this seat: from now on tell the table what is said and what goes wrong."""

    def tell(self, message: ToPlayer) -> None:
        """Hand over a message, now or as soon as the player reads."""

    @property
    def handed_over(self) -> Micros | None:
        """When the player had the last question, by the table's clock; None if it has not yet."""

    @property
    def latency(self) -> Micros:
        """How long what is said is under way, there and back."""

    def close(self, *, at_once: bool) -> Awaitable[None] | None:
        """Part with it; what is returned is done when it has gone."""


class Table:
    """One match. `open()` it; what its players say drives it, until `done` is told the result."""

    def __init__(
        self,
        spec: MatchSpec,
        players: Sequence[Bot | Player],
        observers: Sequence[Callable[[Event], None]] = (),
        done: Callable[[Result], None] | None = None,
    ) -> None:
        if len(players) != len(spec.names):
            raise BadOptions(f"{len(players)} players for {len(spec.names)} seats")
        self._spec, self._done = spec, done
        self._loop = asyncio.get_running_loop()
        self._bots = bots = {seat: player for seat, player in enumerate(players) if isinstance(player, Bot)}
        self._players: dict[Seat, Player] = {
            seat: player for seat, player in enumerate(players) if not isinstance(player, Bot)
        }
        self._state, self._watchers = opened(spec), Watchers(observers)
        self._referee = referee = referee_for(spec, self._state, sorted(self._players))
        self._timekeeper = Timekeeper(referee, self, self._watchers, bots)
        self._quick = not bots and all(hasattr(player, "quick") for player in self._players.values())
        self._sprint: Sprint | None = None
        self._arrivals: deque[Arrival] = deque()
        self._busy = self._over = False
        self._broke: str | None = None
        self._alarm: asyncio.TimerHandle | asyncio.Handle | None = None
        self._alarm_at: Micros = 0
        self.leaving: list[Awaitable[None]] = []
        """Those who have not gone yet."""

    @property
    def result(self) -> Result | None:
        return self._timekeeper.result

    def open(self) -> None:
        """Seat everybody and begin."""
        if self._watchers:
            self._watchers.see(announced(self._spec, self._state, sorted(self._players)))
        self._busy = True  # what came before it begins, also that somebody has gone, is looked at when it has
        for seat, player in list(self._players.items()):
            player.sit(seat, self)
        self._busy = False
        self._work(lambda: self._timekeeper.begin(self._spec.refused))

    # -- what players tell the table ----------------------------------------------------------

    def hear(self, seat: Seat, said: FromPlayer) -> None:
        """A seat said this."""
        self._arrive(seat, said)

    def fail(self, seat: Seat, offence: Offence, why: str) -> None:
        """A seat's player is gone, floods, or does not read."""
        self._arrive(seat, Failed(seat, offence, why))

    def broken(self, why: str) -> None:
        """Something of ours broke."""
        if self._busy:
            self._broke = self._broke or why
        else:
            self._work(lambda: self._timekeeper.broke(Broken(why)))

    def awaits(self, seat: Seat) -> bool:
        """Whether a seat has been asked and has not answered."""
        if self._sprint is not None:
            return self._sprint.asked == seat
        return seat in self._referee.awaited

    def started(self) -> None:
        """A question has been handed over only now: its clock runs."""
        if not self._busy:
            self._set_alarm()

    # -- what the timekeeper asks of it -------------------------------------------------------

    def now(self) -> Micros:
        return round(self._loop.time() * 1_000_000)

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        player = self._players.get(seat)
        if player is None:
            return
        try:
            player.tell(message)
        except Exception as error:
            log.exception("seat %d could not be told", seat)
            self._broke = self._broke or f"telling seat {seat}: {error!r}"

    def handed_over(self, seat: Seat) -> Micros | None:
        player = self._players.get(seat)
        return None if player is None else player.handed_over

    def latency(self, seat: Seat) -> Micros:
        player = self._players.get(seat)
        return 0 if player is None else player.latency

    def close(self, seat: Seat, *, at_once: bool) -> None:
        player = self._players.pop(seat, None)
        if player is None:
            return
        try:
            going = player.close(at_once=at_once)
        except Exception:  # it is leaving anyhow
            log.exception("seat %d could not be parted with", seat)
            return
        if going is not None:
            self.leaving.append(going)

    # -- one thing after another --------------------------------------------------------------

    def _arrive(self, seat: Seat, what: FromPlayer | Failed) -> None:
        if seat in self._players:
            self._arrivals.append(Arrival(seat, what, self.now()))
            if not self._busy:
                self._work(None)

    def _work(self, first: Callable[[], None] | None) -> None:
        """Pass on what has arrived, and what arrives meanwhile; what breaks is our fault, no player's."""
        if self._busy or self._over:
            return
        self._busy = True
        try:
            if self._sprint is not None:
                sprint, self._sprint = self._sprint, None
                sprint.hand_back(self._timekeeper)
            if first is not None:
                first()
            while self._arrivals and self._broke is None and self._timekeeper.result is None:
                seat, what, at = arrival = self._arrivals.popleft()
                if isinstance(what, Failed):
                    self._timekeeper.deliver((arrival,))
                else:
                    self._timekeeper.hear(seat, what, at)
        except Exception as error:
            log.exception("the table broke")
            self._broke = f"the table broke: {error!r}"
        if self._broke is not None:
            self._timekeeper.broke(Broken(self._broke))
        self._busy = False
        result = self._timekeeper.result
        if result is not None:
            self._finish(result)
            return
        self._set_alarm()
        if self._quick and self._referee.fresh:
            self._start_sprint()

    def _start_sprint(self) -> None:
        """If everybody can be asked the quick way, go on so."""
        players = [cast("Any", player) for player in self._players.values()]
        if all(player.quick is not None for player in players):
            native = players[0].quick
            self._sprint = Sprint(self._referee, self._watchers, native.decode_answer, self._players)

    def hurry(self, seat: Seat, frame: bytes) -> bool:
        """Whether this frame of a native player was a move, and has been made the quick way."""
        sprint = self._sprint
        if sprint is None or sprint.asked != seat or self._busy:
            return False
        player: Any = self._players[seat]
        since, now = player.handed_over, self.now()
        if since is None or not sprint.take(frame, max(0, now - since), min(player.latency, MOST_CREDIT)):
            return False
        following = sprint.asked
        if following is None:
            self._work(None)
            return True
        budget, asked = sprint.budget(), cast("Any", self._players[following])
        asked.ask(sprint.turn, sprint.state.view(following), budget)
        if budget is not None and (self._alarm is None or now + budget < self._alarm_at):
            self._set_alarm()
        return True

    def _set_alarm(self) -> None:
        """Have one that rings no later than somebody's time is up; one that rings earlier is good enough."""
        until = self._due()
        if until is None or (self._alarm is not None and self._alarm_at <= until):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = until
        self._alarm = self._loop.call_at(until / 1e6, self._ring)

    def _due(self) -> Micros | None:
        """When the next seat's time is up."""
        sprint = self._sprint
        if sprint is None or sprint.asked is None:
            return self._timekeeper.first_due()[1]
        budget, since = sprint.budget(), self.handed_over(sprint.asked)
        if budget is None or since is None:
            return None
        return since + budget + min(self.latency(sprint.asked), MOST_CREDIT)

    def _ring(self, reads: int = LAST_READS) -> None:
        until = self._due()
        if until is not None and self.now() >= until:
            if reads:
                self._alarm = self._loop.call_soon(self._ring, reads - 1)
                return
            self._alarm = None
            self._work(self._timekeeper.look_at_the_clock)
            return
        self._alarm = None
        self._set_alarm()

    def _finish(self, result: Result) -> None:
        self._over = True
        if self._alarm is not None:
            self._alarm.cancel()
        self._arrivals.clear()
        tell_learners(self._bots.items(), result)
        if self._done is not None:
            self._done(result)

    def abandon(self) -> None:
        """Let everybody go at once."""
        self._over = True
        if self._alarm is not None:
            self._alarm.cancel()
        for seat in list(self._players):
            self.close(seat, at_once=True)


async def play(
    spec: MatchSpec,
    players: Sequence[Bot | Player],
    observers: Sequence[Callable[[Event], None]] = (),
) -> Result:
    """Play a match between players of any kind."""
    over: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    table = Table(spec, players, observers, over.set_result)
    try:
        table.open()
        return await over
    finally:
        table.abandon()
        await asyncio.gather(*table.leaving, return_exceptions=True)
