"""Fold events into states: the one place that applies an event to a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from touchline.core.events import Begun, Expelled, Moved, Resigned, Skipped, TakenBack
from touchline.core.undo import UndoStack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.events import Event
    from touchline.core.rules import Skippable, State


def after(state: State, event: Event) -> State:
    """Return the state after an event; most events leave it as it is.

    The move of `Moved` must already be one of the game's moves, not its JSON form. Nothing is checked: the
    referee did that before it wrote the event. ValueError for `TakenBack`, which needs a `Fold`.
    """
    match event:
        case Moved(move=move):
            return state.play(move)
        case Skipped():
            return cast("Skippable", state).skip()
        case Expelled(seat=seat) | Resigned(seat=seat):
            return state.without(seat)
        case TakenBack():
            raise ValueError("the state of an earlier turn follows from all events before, not from a state")
        case _:
            return state


class Fold:
    """The state of a match, which follows its events; take-backs too, if it is given the event `begun`.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> start = Hexapawn(rows=3, cols=3).start(2, Random(0))
    >>> fold = Fold(start, takeback=True)
    >>> fold.take(Moved(0, 0, start.legal_moves()[0])) == start
    False
    >>> fold.take(TakenBack(1, 0, to=0)) == start
    True
    """

    def __init__(self, state: State, *, takeback: bool = False) -> None:
        self.state = state
        self._undo = UndoStack() if takeback else None
        """None if no turn can be taken back, so that the states of a long match are not kept."""

    def take(self, event: Event) -> State:
        """Return the state after the next event. ValueError if it takes back what cannot be taken back."""
        undo = self._undo
        if isinstance(event, Begun):
            self._undo = UndoStack() if event.takeback is True else None
        elif isinstance(event, TakenBack):
            if undo is None or undo.before(event.to) is None:
                raise ValueError(f"turn {event.to} cannot be taken back")
            self.state = undo.undo(event.to)
        else:
            if undo is not None and isinstance(event, Moved | Skipped):
                undo.push(event.turn, self.state)
            self.state = after(self.state, event)
            if undo is not None and isinstance(event, Expelled | Resigned):
                undo.clear()
        return self.state


def turns_taken_back(events: Iterable[Event]) -> frozenset[int]:
    """Return the numbers of the turns that were taken back.

    >>> moves = [Moved(0, 0, None), Moved(1, 1, None), TakenBack(2, 1, to=1), Moved(3, 1, None)]
    >>> sorted(turns_taken_back(moves))
    [1, 2]
    """
    return frozenset(
        turn for event in events if isinstance(event, TakenBack) for turn in range(event.to, event.turn + 1)
    )
