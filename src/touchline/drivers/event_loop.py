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
from typing import TYPE_CHECKING

from touchline.core.errors import BadOptions
from touchline.core.fast_lane import FastLane
from touchline.core.referee import Broken, Failed
from touchline.dialects.base import UNREADABLE
from touchline.drivers.match import Watchers, announced, opened, referee_for, tell_learners
from touchline.drivers.timekeeper import MOST_CREDIT, Arrival, Timekeeper
from touchline.players.base import Player
from touchline.players.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from touchline.core.clock import Micros
    from touchline.core.conduct import Offence
    from touchline.core.events import Event, Result
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Seat
    from touchline.drivers.match import Bot, MatchSpec

log = logging.getLogger(__name__)

LAST_READS = 5
"""So many rounds of the loop pass between the alarm and the verdict, for what is lying there to be read."""


class AsyncMatch:
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
        self._bots: dict[Seat, Bot] = {}
        self._players: dict[Seat, Player] = {}
        for seat, player in enumerate(players):
            if isinstance(player, Player):
                self._players[seat] = player
            else:
                self._bots[seat] = player
        self._state, self._watchers = opened(spec), Watchers(observers)
        self._referee = referee = referee_for(spec, self._state, sorted(self._players))
        self._timekeeper = Timekeeper(referee, self, self._watchers, self._bots)
        self._lane: FastLane | None = None
        """The fast lane, while legal moves follow each other."""
        self._remote: dict[Seat, Remote] = {}
        self._hidden = spec.game.hidden
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
        if self._lane is not None:
            return self._lane.seat == seat
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
            if self._lane is not None:
                lane, self._lane = self._lane, None
                lane.end()
                self._timekeeper.proceed()
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
        if self._referee.fresh:
            self._open_lane()

    def _open_lane(self) -> None:
        """Use the fast lane if every seat can be asked that way."""
        here = [seat for seat in self._players if seat not in self._referee.absent]
        remote = {seat: player for seat in here if isinstance(player := self._players[seat], Remote)}
        if not self._bots and len(remote) == len(here) and all(player.fast for player in remote.values()):
            self._remote = remote
            self._lane = FastLane(self._referee, remote, self._watchers.see if self._watchers else None)

    def fast_frame(self, seat: Seat, frame: bytes) -> bool:
        """Return whether a frame was a legal move in time, which has been made on the fast lane."""
        lane = self._lane
        if lane is None or lane.seat != seat or self._busy:
            return False
        player = self._remote[seat]
        since, words = player.handed_over, player.fast
        if since is None or words is None:
            return False
        try:
            answer = words.decode_answer(frame)
        except UNREADABLE:
            return False
        now = self.now()
        took = max(0, now - since)
        wire = min(took, player.latency, MOST_CREDIT)
        budget = self._referee.clocks[seat].budget
        took = took - wire if budget is None else min(took - wire, budget)  # no alarm rang: it is in time
        if answer.turn != lane.turn or not lane.move(answer.move, took, wire):
            return False
        if (following := lane.seat) is None:
            self._work(None)
            return True
        budget, state = self._referee.clocks[following].budget, lane.state
        self._remote[following].ask(lane.turn, state.view(following) if self._hidden else state, budget)
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
        seat = None if self._lane is None else self._lane.seat
        if seat is None:
            return self._timekeeper.first_due()[1]
        budget, since = self._referee.clocks[seat].budget, self.handed_over(seat)
        if budget is None or since is None:
            return None
        return since + budget + min(self.latency(seat), MOST_CREDIT)

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
    table = AsyncMatch(spec, players, observers, over.set_result)
    try:
        table.open()
        return await over
    finally:
        table.abandon()
        await asyncio.gather(*table.leaving, return_exceptions=True)
