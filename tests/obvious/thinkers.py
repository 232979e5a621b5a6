"""Thinkers, the obvious way: one that plays every game to its end, and one that looks at the next state."""

from __future__ import annotations

from functools import cache
from typing import Any

from touchline.bots.base import Thought
from touchline.bots.shared.evaluation import worth


@cache
def _ends(state: Any, seats: int) -> tuple[tuple[float, ...], tuple[Any, ...]]:
    """What comes of a state if everybody plays for the best end of its own, and how."""
    if state.to_move is None:
        return tuple(worth(state, seats)), ()
    found = [(move, _ends(state.play(move), seats)) for move in state.legal_moves()]
    move, (values, line) = max(found, key=lambda each: each[1][0][state.to_move])
    return values, (move, *line)


class Exhaustive:
    """Knows what every state is worth, of a small open game."""

    game = None
    seats = 2

    def think(self, view: Any) -> Thought:
        values, line = _ends(view, self.seats)
        return Thought(values, line, "wins" if values[view.to_move] == 1 else "does not win")

    def choose(self, view: Any, turn: int = 0) -> Any:
        return self.think(view).line[0]


class Exhaustive3(Exhaustive):
    """The same for three seats."""

    seats = 3


class Eager:
    """Takes what looks best at once, and says how it stands then."""

    game = None
    seats = 2

    def think(self, view: Any) -> Thought:
        seat = view.to_move
        looks = [(worth(view.play(move), self.seats), move) for move in view.legal_moves()]
        values, move = max(looks, key=lambda look: look[0][seat])
        return Thought(tuple(values), (move,), "looks one move ahead")

    def choose(self, view: Any, turn: int = 0) -> Any:
        return self.think(view).line[0]


class Eager3(Eager):
    """The same for three seats."""

    seats = 3
