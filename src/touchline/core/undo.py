"""The undo stack of a match: the states before the turns that still count."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from touchline.core.rules import Seat, State


class UndoStack:
    """The state before each turn that was not taken back, by the number of the turn.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> start, stack = Hexapawn(rows=3, cols=3).start(2, Random(0)), UndoStack()
    >>> stack.push(0, start)
    >>> stack.push(1, start.play(start.legal_moves()[0]))
    >>> stack.last_turn_of(0), stack.undo(0) is start, stack.last_turn_of(1)
    (0, True, None)
    """

    def __init__(self) -> None:
        self._before: dict[int, State] = {}
        """In the order of turns."""

    def push(self, turn: int, state: State) -> None:
        """Keep the state before a turn that is over now."""
        self._before[turn] = state

    def before(self, turn: int) -> State | None:
        """Return the state before a turn; None if it cannot be taken back."""
        return self._before.get(turn)

    def undo(self, turn: int) -> State:
        """Take back this turn and all after it, and return the state before it. KeyError if there is none."""
        state = self._before[turn]
        self._before = {other: kept for other, kept in self._before.items() if other < turn}
        return state

    def last_turn_of(self, seat: Seat) -> int | None:
        """Return the last turn of a seat that counts; None if it has none."""
        turns = (turn for turn, state in reversed(self._before.items()) if state.to_move == seat)
        return next(turns, None)

    def clear(self) -> None:
        """Forget all states: nothing before this moment can be taken back."""
        self._before.clear()
