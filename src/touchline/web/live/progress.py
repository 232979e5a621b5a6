"""The progress of a match, computed from its events: state, clocks, whom the match waits for.

Rule of this file: everything follows from the events in their order, so a live table and a record that is
played back look the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core import events
from touchline.core.conduct import LATENESS, Sanction
from touchline.core.fold import Fold
from touchline.web import schema
from touchline.web.sentences import Teller, result_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Clock, Limits, Micros
    from touchline.core.events import Event
    from touchline.core.rules import Seat, State


class Progress:
    """One match so far."""

    def __init__(self, state: State, names: Sequence[str], limits: Limits) -> None:
        self._fold = Fold(state)
        self.before: State | None = None
        """The state in which the last move was made."""
        self.last: events.Moved | None = None
        self.turn = 0
        self.result: schema.ResultSummary | None = None
        self.arriving: set[Seat] = set()
        """The seats that have not yet said that they are ready."""
        self.names = tuple(names)
        self.teller = Teller(names, limits)
        self._left: dict[Seat, schema.Doing] = {}
        """The seats that were expelled or have resigned."""
        self._clocks: list[Clock] = [limits.clock_of(seat) for seat in range(len(names))]
        self._used: Micros = 0
        """What the seat to move has used in earlier attempts of this turn."""

    def follow(self, event: Event) -> None:
        """Take in the next event."""
        mover, before = self.to_move, self.state
        self._fold.take(event)
        match event:
            case events.Begun(talks=talks):
                self.arriving = set(talks)
            case events.SatDown(seat=seat):
                self.arriving.discard(seat)
            case events.Moved(turn, seat, _, took, _, by):
                if by == "seat":
                    self._clocks[seat] = self._clocks[seat].spend(self._used + took)
                self.before, self.last = before, event
                self._next_turn(turn)
            case events.Faulted(_, seat, offence, _, Sanction.RETRY, _, took) if seat == mover:
                self._used = 0 if offence in LATENESS else self._used + took
            case events.Skipped(turn):
                self._next_turn(turn)
            case events.TakenBack(turn):
                self.before = self.last = None
                self._next_turn(turn)
            case events.Expelled(turn, seat) | events.Resigned(turn, seat):
                self._left[seat] = "resigned" if isinstance(event, events.Resigned) else "expelled"
                self.arriving.discard(seat)
                if seat == mover:
                    self._next_turn(turn)
            case events.Ended(result):
                mover = None if self.last is None else self.last.seat
                self.turn, self.result = result.turns, result_summary(result, self.names, mover)
                self.arriving.clear()

    def _next_turn(self, turn: int) -> None:
        self.turn, self._used = turn + 1, 0

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self._fold.state

    @property
    def to_move(self) -> Seat | None:
        """The seat to move; None before every seat is ready, and at the end."""
        return None if self.arriving or self.result is not None else self.state.to_move

    @property
    def thinking(self) -> tuple[Seat, ...]:
        """The seats that the match waits for."""
        if self.result is not None:
            return ()
        to_move = self.state.to_move
        return tuple(sorted(self.arriving)) or (() if to_move is None else (to_move,))

    def doing(
        self, away: Sequence[Seat] = (), missing: Sequence[Seat] = (), waking: Sequence[Seat] = ()
    ) -> tuple[schema.Doing, ...]:
        """What each seat is doing; `away` are the browsers' seats without a connection.

        While seats are `missing` after a restart of the server, nobody thinks; nor does a seat that is
        `waking`, because its kernels are being compiled.
        """
        found = [
            self._doing(seat, seat in away or seat in missing, bool(missing))
            for seat in range(len(self.names))
        ]
        return tuple(
            "waking" if now == "thinking" and seat in waking else now for seat, now in enumerate(found)
        )

    def _doing(self, seat: Seat, away: bool, paused: bool) -> schema.Doing:
        if seat in self._left:
            return self._left[seat]
        if self.result is not None:
            return "done"
        if away:
            return "away"
        if seat in self.arriving:
            return "arriving"
        return "thinking" if seat == self.to_move and not paused else "waiting"

    def clocks(self, spent: Micros = 0) -> tuple[schema.ClockNow | None, ...]:
        """The time that each seat has left, if the seat to move has been thinking for `spent`."""
        return tuple(
            _time_left(clock, self._used + spent if seat == self.to_move else 0)
            for seat, clock in enumerate(self._clocks)
        )


def _time_left(clock: Clock, used: Micros) -> schema.ClockNow | None:
    if clock.budget is None:
        return None
    return schema.ClockNow(max(0, clock.budget - used) // 1000, clock.bank // 1000)
