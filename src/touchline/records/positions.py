"""The positions of a record, one for each event: the state, what changed on the board, and a sentence.

Rule of this file: it shows everything, hidden parts too, so it is for matches that are over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from touchline.core.events import Moved
from touchline.core.rules import Walking
from touchline.records.sentences import Sentences, Told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import State
    from touchline.core.sketch import Backdrop, Key, Sketch, Spot
    from touchline.records.replay import Replay


class Position(NamedTuple):
    """The board after an event."""

    told: Told
    whole: bool
    """Whether the whole board must be drawn anew."""
    spots: tuple[Spot, ...]
    """The spots that changed, or all of them."""
    notes: tuple[str, ...]
    backdrop: Backdrop
    """What lies behind the spots; the same in every position."""
    keys: tuple[Key, ...] | None = None
    """The spots of the move that led here, if they were asked for."""


def positions(replay: Replay, *, keys: bool = False) -> Iterator[Position]:
    """Yield the position after each event, with `keys` also the spots of its move.

    BadInput names a line that breaks the rules.
    """
    sentences = Sentences(replay.begun.names, replay.begun.limits)
    shown: Sketch | None = None
    before: State | None = None
    for event, state in replay.states():
        sketch = shown if shown is not None and state is before else state.sketch()
        whole, spots = changed_spots(shown, sketch)
        told = replace(event, move=replay.move_of(event.move)) if isinstance(event, Moved) else event
        picked = None
        if keys and isinstance(told, Moved) and before is not None and shown is not None:
            picked = keys_of(before, shown, told.move)
        yield Position(sentences.of(told, before), whole, spots, sketch.notes, sketch.backdrop, picked)
        shown, before = sketch, state


def keys_of(before: State, sketch: Sketch, move: Any) -> tuple[Key, ...] | None:
    """The spots that a person would pick to make this move; None if it was not a legal one."""
    for legal, keys in zip(before.legal_moves(), sketch.moves, strict=True):
        if legal == move:
            return keys
    return None


def marks_of(before: State, move: Any) -> tuple[Key, ...]:
    """Return the spots that show a move in a picture: those of `keys_of`, and first where a walk begins."""
    keys = keys_of(before, before.sketch(), move) or ()
    start = before.walks_from(move) if keys and isinstance(before, Walking) else None
    return keys if start is None else (start, *keys)


def changed_spots(old: Sketch | None, new: Sketch) -> tuple[bool, tuple[Spot, ...]]:
    """Return whether the whole board must be redrawn, and the spots that must be."""
    if old is None or [spot.key for spot in old.spots] != [spot.key for spot in new.spots]:
        return True, new.spots
    return False, tuple(now for was, now in zip(old.spots, new.spots, strict=True) if was != now)
