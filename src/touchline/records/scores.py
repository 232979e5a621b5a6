"""The scores of a state, for screens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.rules import Scored

if TYPE_CHECKING:
    from touchline.core.rules import State


def scores_of(view: State) -> tuple[int, ...] | None:
    """Return the score of each seat, if the game shows it or is over."""
    outcome = view.outcome()
    if outcome is not None:
        return outcome.scores
    shown = view.scores if isinstance(view, Scored) else None
    if isinstance(shown, tuple) and all(type(score) is int for score in shown):
        return shown
    return None
