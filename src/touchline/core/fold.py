"""Fold events into states: the one function that applies an event to a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from touchline.core.events import Expelled, Moved, Resigned, Skipped

if TYPE_CHECKING:
    from touchline.core.events import Event
    from touchline.core.rules import Skippable, State


def after(state: State, event: Event) -> State:
    """Return the state after an event; most events leave it as it is.

    The move of `Moved` must already be one of the game's moves, not its JSON form. Nothing is checked: the
    referee did that before it wrote the event.
    """
    match event:
        case Moved(move=move):
            return state.play(move)
        case Skipped():
            return cast("Skippable", state).skip()
        case Expelled(seat=seat) | Resigned(seat=seat):
            return state.without(seat)
        case _:
            return state
