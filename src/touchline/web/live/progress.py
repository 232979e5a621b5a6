"""Where a match stands, followed from its events alone: the state, the clocks, who must do something.

Law of this file: what it says follows from the events in their order, so a live table and a record that is
played back look the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.core import events
from touchline.core.conduct import Offence, Sanction
from touchline.web import schema
from touchline.web.sentences import Teller, told_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Clock, Limits, Micros
    from touchline.core.events import Event
    from touchline.core.rules import Seat, State
    from touchline.core.sketch import Key, Sketch, Spot


class Progress:
    """One match so far."""

    def __init__(self, state: State, names: Sequence[str], limits: Limits) -> None:
        self.state = state
        self.before: State | None = None
        """The state in which the last move was made."""
        self.last: events.Moved | None = None
        self.turn = 0
        self.result: schema.Result | None = None
        self.arriving: set[Seat] = set()
        """Who must still say that it is ready."""
        self.expelled: set[Seat] = set()
        self.resigned: set[Seat] = set()
        self.names = tuple(names)
        self.teller = Teller(names, limits)
        self._clocks: list[Clock] = [limits.clock] * len(names)
        self._set_up = limits.set_up
        self._used: Micros = 0

    def follow(self, event: Event) -> None:
        """Take in what happened next."""
        match event:
            case events.Begun(talks=talks):
                self.arriving = set(talks)
            case events.SatDown(seat=seat):
                self.arriving.discard(seat)
            case events.Moved(turn, seat, move, took, _, by):
                if by == "seat":
                    self._clocks[seat] = self._clocks[seat].spend(self._used + took)
                self.before, self.last = self.state, event
                self._next(self.state.play(move), turn + 1)
            case events.Faulted(_, seat, offence, _, Sanction.RETRY, _, took) if seat == self.to_move:
                self._used = 0 if offence is Offence.LATE else self._used + took
            case events.Skipped(turn):
                self._next(self.state.skip(), turn + 1)  # type: ignore[attr-defined]
            case events.Expelled(turn, seat) | events.Resigned(turn, seat):
                self._remove(turn, seat, resigned=isinstance(event, events.Resigned))
            case events.Ended(result):
                self.turn, self.result = result.turns, told_result(result, self.names)
                self.arriving.clear()

    def _next(self, state: State, turn: int) -> None:
        self.state, self.turn, self._used = state, turn, 0

    def _remove(self, turn: int, seat: Seat, *, resigned: bool) -> None:
        (self.resigned if resigned else self.expelled).add(seat)
        on_turn = seat == self.to_move
        self.arriving.discard(seat)
        self.state = self.state.without(seat)
        if on_turn:
            self.turn, self._used = turn + 1, 0

    @property
    def to_move(self) -> Seat | None:
        """Whose turn it is, once everybody has sat down."""
        return None if self.arriving or self.result is not None else self.state.to_move

    @property
    def thinking(self) -> tuple[Seat, ...]:
        """Who is waited for."""
        if self.result is not None:
            return ()
        to_move = self.state.to_move
        return tuple(sorted(self.arriving)) or (() if to_move is None else (to_move,))

    def doing(self, away: Sequence[Seat] = ()) -> tuple[schema.Doing, ...]:
        """What each seat is about."""
        return tuple(self._about(seat, seat in away) for seat in range(len(self.names)))

    def _about(self, seat: Seat, away: bool) -> schema.Doing:
        if seat in self.expelled:
            return "expelled"
        if seat in self.resigned:
            return "resigned"
        if self.result is not None:
            return "done"
        if away:
            return "away"
        if seat in self.arriving:
            return "arriving"
        return "thinking" if seat == self.to_move else "waiting"

    def clocks(self, spent: Micros = 0) -> tuple[schema.ClockNow | None, ...]:
        """What everybody has left, when the seat to move has thought for so long."""
        return tuple(
            self._left(clock, self._used + spent if seat == self.to_move else 0)
            for seat, clock in enumerate(self._clocks)
        )

    @staticmethod
    def _left(clock: Clock, used: Micros) -> schema.ClockNow | None:
        if clock.budget is None:
            return None
        return schema.ClockNow(max(0, clock.budget - used) // 1000, clock.bank // 1000)


def scores_of(view: State) -> tuple[int, ...] | None:
    """What each seat has collected, where the game shows it or is over."""
    outcome = view.outcome()
    if outcome is not None:
        return outcome.scores
    shown: Any = getattr(view, "scores", None)
    if isinstance(shown, tuple) and all(type(score) is int for score in shown):
        return shown
    return None


def keys_of(before: State, sketch: Sketch, move: Any) -> tuple[Key, ...] | None:
    """The spots that one would have pointed at to make this move; None if it was not to be made so."""
    for legal, keys in zip(before.legal_moves(), sketch.moves, strict=True):
        if legal == move:
            return keys
    return None


def changed(old: Sketch | None, new: Sketch) -> tuple[bool, tuple[Spot, ...]]:
    """Whether all spots must be drawn anew, and those that must be drawn."""
    if old is None or [spot.key for spot in old.spots] != [spot.key for spot in new.spots]:
        return True, new.spots
    return False, tuple(now for was, now in zip(old.spots, new.spots, strict=True) if was != now)
