"""The fast lane: the one implementation of a legal turn.

A legal move in time has one consequence: the clock is charged, the move is played and noted, seats that
cannot move are passed over, and the next turn begins. `FastLane.move` does that. The referee makes each legal
move through it. A driver may make several legal moves through it, one after another, without asking the
referee about each, if these preconditions hold (`Referee.fresh` checks the first three):

1. The match has begun: every seat is ready, and there is no result.
2. One seat is asked, for the first time in its turn, so none of its time is used up.
3. No seat wants updates, and none is guided to its next goal: no seat is told about another seat's move.
4. The driver can ask every seat in `seats` directly, and each of them has a player that can answer.

At the first answer that is not a legal move in time the driver ends the lane, and the referee decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from touchline.core.events import Moved, PassedOver
from touchline.core.rules import IllegalMove

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from touchline.core.clock import Micros
    from touchline.core.events import Event
    from touchline.core.referee import Referee
    from touchline.core.rules import Seat


class FastLane:
    """A series of legal moves, from the referee's current state until `end()`.

    >>> from random import Random
    >>> from touchline.core.clock import UNTIMED
    >>> from touchline.conducts.course import CONDUCT
    >>> from touchline.core.referee import Referee
    >>> from touchline.games.hexapawn import Hexapawn
    >>> start = Hexapawn(rows=3, cols=3).start(2, Random(0))
    >>> referee = Referee(start, names=("a", "b"), conduct=CONDUCT, limits=UNTIMED,
    ...                   turn_cap=100, seed=1, nonce="")
    >>> lane = FastLane(referee, seats={0, 1})
    >>> lane.move(lane.state.legal_moves()[0], took=0), lane.seat
    (True, 1)
    >>> lane.end()
    >>> referee.turn
    1
    """

    __slots__ = (
        "_cap", "_clocked", "_clocks", "_moved", "_referee", "_seats", "_see", "_used",
        "seat", "state", "turn",
    )  # fmt: skip

    def __init__(
        self, referee: Referee, seats: Container[Seat], see: Callable[[Event], None] | None = None
    ) -> None:
        self._referee, self._seats, self._see = referee, seats, see
        self._clocks, self._cap, self._used = referee.clocks, referee.turn_cap, referee.used
        self._clocked = referee.limits.clock.per_move is not None
        # Without faults and removals, the referee has no count to reset, and no seat owes an answer.
        self._moved: set[Seat] | None = set() if referee.faults or referee.expelled else None
        self.state, self.turn = state, turn = referee.state, referee.turn
        seat = state.to_move
        self.seat: Seat | None = seat if turn < self._cap and seat in seats else None
        """The seat that must move; None if the lane ends here."""

    def move(
        self,
        move: Any,
        took: Micros,
        wire: Micros = 0,
        raw: tuple[str, ...] | UnsetType = UNSET,
        cpu: Micros | UnsetType = UNSET,
        fuel: int | UnsetType = UNSET,
    ) -> bool:
        """Make the move of `seat` and return True; an illegal or late move changes nothing and returns False.

        The seat thought for `took` µs; the transmission of its answer took another `wire` µs. `raw` is the
        answer as it came, `cpu` the processor time of its program. `fuel` is noted; only the referee compares
        it with the limit.
        """
        seat, state, turn = self.seat, self.state, self.turn
        if seat is None:
            return False
        try:
            state.check(move)
        except IllegalMove:
            return False
        if self._clocked:
            clock, spent = self._clocks[seat], self._used + took
            if clock.late(spent):
                return False
            self._clocks[seat], self._used = clock.spend(spent), 0
        self.state = state = state.play(move)
        self.turn = following = turn + 1
        if self._moved is not None:
            self._moved.add(seat)
        if self._see is not None:
            self._see(Moved(turn, seat, move, took, wire, "seat", raw, cpu, fuel))
            if state.passed_over:
                self._see(PassedOver(following, state.passed_over))
        seat = state.to_move
        self.seat = seat if seat in self._seats and following < self._cap else None
        return True

    def end(self) -> None:
        """Hand the match back to the referee, with the moves played and `seat` as the seat that was asked."""
        self._referee.resume(self.state, self.turn, self._moved or (), self.seat)
