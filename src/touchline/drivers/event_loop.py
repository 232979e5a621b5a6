"""The asyncio driver: one match between players of any kind, driven by callbacks, without a task of its own.

Laws of this file:

- A slow, unresponsive or flooding player does not delay the others.
- Arrivals are timestamped with the clock of the event loop only, so tests can use virtual time.
- An answer is late only if the deadline timer fired before it was read. The timer first lets the loop read
  what has already been received, so a delay of the loop is never charged to a player.
- A match has one deadline timer, which is usually rescheduled only when it fires: most turns create no timer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from touchline.core.errors import BadOptions
from touchline.core.fast_lane import FastLane
from touchline.core.happenings import Broken, Failed, Heard, Lapsed
from touchline.core.text import received
from touchline.dialects.base import UNREADABLE
from touchline.drivers.match import Watchers, announced, opened, referee_for, tell_learners
from touchline.drivers.past import CannotResume, Repeated, patience
from touchline.drivers.timekeeper import MOST_CREDIT, Arrival, Timekeeper
from touchline.players.base import Player
from touchline.players.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Container, Sequence

    from touchline.core.clock import Micros
    from touchline.core.conduct import Offence
    from touchline.core.events import Event, Result
    from touchline.core.happenings import Happening
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Seat
    from touchline.drivers.match import Bot, MatchSpec
    from touchline.drivers.past import Past
    from touchline.players.progress import Progress
    from touchline.sandbox.usage import Usage

log = logging.getLogger(__name__)

LAST_READS = 5
"""Event loop iterations between the deadline and the verdict, so that data already received is read first."""


class AsyncMatch:
    """A match on the running event loop. `open()` starts it; `done` is called with the result."""

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
        """The fast lane, while it is in use."""
        self._remote: dict[Seat, Remote] = {}
        self._hidden = spec.game.hidden
        self._arrivals: deque[Arrival] = deque()
        self._busy = self._over = False
        self._past: deque[Happening] | None = None
        """The rest of the past, while it is replayed."""
        self._repeated = Repeated()
        self._unrepeated: Happening | None = None
        """What a restarted player had said unasked, and has not repeated."""
        self._broke: str | None = None
        self._alarm: asyncio.TimerHandle | asyncio.Handle | None = None
        self._alarm_at: Micros = 0
        self.leaving: list[Awaitable[None]] = []
        """Players that were closed and may not have left yet; await them before the loop ends."""

    @property
    def result(self) -> Result | None:
        return self._timekeeper.result

    def open(self, past: Past | None = None) -> None:
        """Seat the players and begin the match; with a past, resume it."""
        if self._watchers:
            self._watchers.see(announced(self._spec, self._state, sorted(self._players)))
        self._busy = True  # queue arrivals, disconnects too, until the match begins
        for seat, player in list(self._players.items()):
            player.sit(seat, self)
        self._busy = False
        if past is None:
            self._work(lambda: self._timekeeper.begin(self._spec.refused))
        else:
            self._past = deque(past.happenings)
            self._work(lambda: self._timekeeper.begin_past(self._spec.refused, past))

    # -- called by players --------------------------------------------------------------------

    def hear(
        self,
        seat: Seat,
        said: FromPlayer,
        raw: tuple[str, ...] | UnsetType = UNSET,
        fuel: int | UnsetType = UNSET,
        *,
        unasked: bool = False,
    ) -> None:
        """Take a message from a seat."""
        self._arrive(seat, said, raw, fuel, unasked=unasked)

    def ran_out(self, seat: Seat, fuel: int) -> None:
        """Report that the player of a seat was stopped because it ran out of fuel."""
        self._arrive(seat, Lapsed(seat, fuel=fuel))

    def fail(self, seat: Seat, offence: Offence, why: str) -> None:
        """Report that the player of a seat is gone, floods, or does not read."""
        self._arrive(seat, Failed(seat, offence, why))

    def broken(self, why: str) -> None:
        """Report an internal fault: the match becomes void."""
        if self._busy:
            self._broke = self._broke or why
        else:
            self._past = None
            self._work(lambda: self._timekeeper.broke(Broken(why)))

    def suspend(self) -> None:
        """Stop without a result: nobody is judged or told anything more. Its record can be resumed."""
        if self._lane is not None:
            self._lane.end()
            self._lane = None
        self._over = True
        if self._alarm is not None:
            self._alarm.cancel()
        for seat in [*self._players]:
            self.close(seat, at_once=True)

    def last_turn_of(self, seat: Seat) -> int | None:
        """Return the last turn that a seat may take back; None if there is none."""
        return None if self._past is not None else self._referee.last_turn_of(seat)

    def take_back(self, seat: Seat, to_turn: int) -> bool:
        """Go back to before a turn of this seat, which is asked again; return whether that was possible.

        Call it when the others agree: the referee checks only that `MatchSpec.takeback` is true, and that
        the turn is one of this seat and still counts. Not from an observer.
        """
        if self._past is not None or self._busy or self._over:
            return False
        done: list[bool] = []
        self._work(lambda: done.append(self._timekeeper.take_back(seat, to_turn)))
        return any(done)

    def awaits(self, seat: Seat) -> bool:
        """Return whether a seat has been asked and has not answered."""
        if self._lane is not None:
            return self._lane.seat == seat
        return seat in self._referee.awaited

    def returned(self) -> None:
        """Report that a player is back after a restart."""
        if self._past is not None:
            self._work(None)

    def started(self) -> None:
        """Report that a delayed question has been handed over, so that its deadline is scheduled."""
        if not self._busy:
            self._set_alarm()

    # -- called by the timekeeper (`Ports`) ---------------------------------------------------

    def now(self) -> Micros:
        return round(self._loop.time() * 1_000_000)

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        player = self._players.get(seat)
        if player is None:
            return
        try:
            if self._past is not None and player.remembers:
                player.remember(message)
            else:
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

    def usage(self, seat: Seat) -> Usage | None:
        player = self._players.get(seat)
        return None if player is None else player.usage

    def progress(self, seat: Seat) -> Progress | None:
        player = self._players.get(seat)
        return None if player is None else player.progress

    def let_think(self, seats: Container[Seat]) -> None:
        if not self._spec.ponders:
            for seat, player in self._players.items():
                player.let_think(seat in seats)

    def close(self, seat: Seat, *, at_once: bool) -> None:
        player = self._players.pop(seat, None)
        if player is None:
            return
        try:
            player.let_think(True)
            going = player.close(at_once=at_once)
        except Exception:  # the player leaves in any case
            log.exception("seat %d could not be closed", seat)
            return
        if going is not None:
            self.leaving.append(going)

    # -- the queue of arrivals ----------------------------------------------------------------

    def _arrive(
        self,
        seat: Seat,
        what: FromPlayer | Failed | Lapsed,
        raw: tuple[str, ...] | UnsetType = UNSET,
        fuel: int | UnsetType = UNSET,
        *,
        unasked: bool = False,
    ) -> None:
        if seat in self._players:
            self._arrivals.append(Arrival(seat, what, self.now(), raw, fuel, unasked))
            if not self._busy:
                self._work(None)

    def _work(self, first: Callable[[], None] | None) -> None:
        """Call `first`, then process the queue until it is empty. An exception here makes the match void."""
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
            if self._past is None or self._catch_up(self._past):
                while self._arrivals and self._broke is None and self._timekeeper.result is None:
                    self._timekeeper.hear(self._arrivals.popleft())
        except CannotResume as error:
            self._broke = f"the match cannot be resumed: {error}"
        except Exception as error:
            log.exception("the table broke")
            self._broke = f"the table broke: {error!r}"
        if self._broke is not None:
            self._past = None
            self._timekeeper.broke(Broken(self._broke))
        self._busy = False
        result = self._timekeeper.result
        if result is not None:
            self._finish(result)
            return
        self._set_alarm()
        if self._past is None and self._referee.fresh and self._spec.ponders:
            self._open_lane()

    def _catch_up(self, past: deque[Happening]) -> bool:
        """Replay the past, and wait until everybody is back; return whether that is done."""
        self._repeated.add(self._arrivals)
        self._arrivals.clear()
        while past and self._broke is None:
            happening = past[0]
            repeats = isinstance(happening, Heard) and self._is_restarted(happening.seat)
            if repeats and happening is not self._unrepeated and not self._repeated.take(happening):
                self._await_repeated(happening)
                return False
            past.popleft()
            self._timekeeper.replay(happening)
            self._repeated.add(self._arrivals)
            self._arrivals.clear()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        back = [player.await_return() for player in self._players.values() if player.remembers]
        if not all(back):
            return False
        self._past = None
        self._arrivals.extend(self._repeated.rest())
        self._timekeeper.go_live()
        for player in [*self._players.values()]:
            player.go_live()
        return True

    def _is_restarted(self, seat: Seat) -> bool:
        player = self._players.get(seat)
        return player is not None and not player.remembers

    def _await_repeated(self, happening: Happening) -> None:
        """Set a deadline for an answer that a restarted player must repeat."""
        assert isinstance(happening, Heard)
        longest = patience(self._timekeeper.allowance(happening.seat), happening.took)
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if longest is not None:
            self._alarm = self._loop.call_later(longest / 1e6, self._not_repeated, happening)

    def _not_repeated(self, happening: Heard) -> None:
        """Give up waiting: the match is void, unless the player had said it unasked."""
        if self._timekeeper.awaits(happening.seat):
            why = f"seat {happening.seat}, started again, did not repeat its answers in time"
            self.broken(f"the match cannot be resumed: {why}")
        else:
            self._unrepeated = happening
            self._work(None)

    def _open_lane(self) -> None:
        """Use the fast lane if every seat can be asked that way."""
        here = [seat for seat in self._players if seat not in self._referee.absent]
        remote = {seat: player for seat in here if isinstance(player := self._players[seat], Remote)}
        if not self._bots and len(remote) == len(here) and all(player.fast for player in remote.values()):
            self._remote = remote
            self._lane = FastLane(self._referee, remote, self._watchers.see if self._watchers else None)

    def fast_frame(self, seat: Seat, frame: bytes) -> bool:
        """Make the move of a frame on the fast lane; return False if that is impossible or illegal."""
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
        took = took - wire if budget is None else min(took - wire, budget)  # in time: no timer has fired
        usage = player.usage
        cpu = UNSET if usage is None else usage.spent(took)
        if answer.turn != lane.turn or not lane.move(answer.move, took, wire, received((frame,)), cpu):
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
        """Make sure that the timer fires no later than the next deadline; an earlier timer is kept."""
        if self._past is not None:
            return
        until = self._next_deadline()
        if until is None or (self._alarm is not None and self._alarm_at <= until):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = until
        self._alarm = self._loop.call_at(until / 1e6, self._on_alarm)

    def _next_deadline(self) -> Micros | None:
        """Return the next deadline of a seat; None if no deadline runs."""
        seat = None if self._lane is None else self._lane.seat
        if seat is None:
            return self._timekeeper.first_due()[1]
        budget, since = self._referee.clocks[seat].budget, self.handed_over(seat)
        if budget is None or since is None:
            return None
        return since + budget + min(self.latency(seat), MOST_CREDIT)

    def _on_alarm(self, reads: int = LAST_READS) -> None:
        """Check the deadline, after `reads` more iterations of the event loop."""
        until = self._next_deadline()
        if until is not None and self.now() >= until:
            if reads:
                self._alarm = self._loop.call_soon(self._on_alarm, reads - 1)
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
        """Close all players at once and cancel the timer."""
        self._over = True
        if self._alarm is not None:
            self._alarm.cancel()
        for seat in list(self._players):
            self.close(seat, at_once=True)


async def play(
    spec: MatchSpec,
    players: Sequence[Bot | Player],
    observers: Sequence[Callable[[Event], None]] = (),
    past: Past | None = None,
) -> Result:
    """Play a match between players of any kind and return its result; with a past, resume it."""
    over: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    table = AsyncMatch(spec, players, observers, over.set_result)
    try:
        table.open(past)
        return await over
    finally:
        table.abandon()
        await asyncio.gather(*table.leaving, return_exceptions=True)
