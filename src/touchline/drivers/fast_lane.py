"""The fast way through a match: legal moves in time, made without asking the referee about each.

A native player's legal answer in time, while nobody else says anything, can only have one consequence, and
that is what happens here, as the referee would do it. Law of this file: at the first thing that is anything
else the match is handed back to the referee, which then decides about that thing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.core.events import Moved, PassedOver
from touchline.core.rules import IllegalMove
from touchline.dialects.base import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros
    from touchline.core.referee import Referee
    from touchline.core.rules import Seat
    from touchline.drivers.match import Watchers
    from touchline.drivers.timekeeper import Timekeeper

NOT_NOW = (*UNREADABLE, IllegalMove)


class Sprint:
    """From one fresh question of the referee's to the next thing that it must decide."""

    __slots__ = ("_cap", "_clocks", "_decode", "_moved", "_see", "_talks", "asked", "state", "turn")

    def __init__(
        self, referee: Referee, watchers: Watchers, decode: Callable[[bytes], Any], talks: Any
    ) -> None:
        """`decode` reads an answer, `talks` has the seats that can be asked here."""
        self.state, self.turn = referee.state, referee.turn
        self.asked: Seat | None = next(iter(referee.awaited))
        self._clocks, self._cap = referee.clocks, referee.turn_cap
        self._decode, self._talks = decode, talks
        self._moved: set[Seat] = set()
        self._see = watchers.see if watchers else None

    def budget(self) -> Micros | None:
        """How long the seat that is asked has."""
        assert self.asked is not None
        return self._clocks[self.asked].budget

    def take(self, frame: bytes, spent: Micros, credit: Micros = 0) -> bool:
        """Make the move that the seat that is asked has answered with; False if it must be judged.

        It is in time, or the alarm would have rung. After it somebody is `asked`, or nobody can be.
        """
        seat, state, turn = self.asked, self.state, self.turn
        assert seat is not None
        try:
            said = self._decode(frame)
            move = said.move
            if said.turn != turn:
                return False
            state.check(move)
        except NOT_NOW:
            return False
        clock, wire = self._clocks[seat], min(spent, credit)
        took = spent - wire
        if clock.per_move is not None:
            took = min(took, clock.per_move + clock.bank)
            self._clocks[seat] = clock.spend(took)
        self.state = state = state.play(move)
        self.turn = turn = turn + 1
        self._moved.add(seat)
        if self._see is not None:
            self._see(Moved(turn - 1, seat, move, took, wire))
            if state.passed_over:
                self._see(PassedOver(turn, state.passed_over))
        following = state.to_move
        self.asked = following if turn < self._cap and following in self._talks else None
        return True

    def hand_back(self, timekeeper: Timekeeper) -> None:
        """Let the referee go on from here."""
        timekeeper.hand_back(self.state, self.turn, self._moved, self.asked)
