"""Look so many moves ahead, by the rules alone.

With more than two seats the search is paranoid: all others are taken to play against this one, which keeps
alpha-beta sound. Where the view hides something it is filled in once, with something possible.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots._worth import worth

if TYPE_CHECKING:
    from touchline.rules import Seat, State

MOST_KEPT = 200_000
"""States whose value is remembered."""
_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2


class Minimax:
    """Play the move from which the worst that the others can do, `depth` moves ahead, is best."""

    game: ClassVar[str | None] = None

    def __init__(self, depth: int = 3) -> None:
        if type(depth) is not int or not 1 <= depth <= 64:
            raise ValueError(f"depth is 1 to 64 moves, not {depth}")
        self.depth = depth

    def choose(self, view: State, turn: int = 0) -> Any:
        seat = view.to_move
        assert seat is not None
        search = _Search(seat)
        best, value = None, -1.0
        state = view.imagine(Random(0))
        for move in _promising(state, seat):
            found = search.value(state.play(move), self.depth - 1, value, 2.0)
            if best is None or found > value:
                best, value = move, found
        return best


def _promising(state: State, seat: Seat) -> list[Any]:
    """The moves, those that look best at once for whoever is to move first: so the search can stop early."""
    mover = state.to_move
    assert mover is not None
    looks = [(worth(state.play(move), seat + 1)[seat], move) for move in state.legal_moves()]
    return [move for _, move in sorted(looks, key=lambda look: look[0], reverse=mover == seat)]


class _Search:
    """Alpha-beta for one seat, with the values of states that came up before."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._kept: dict[Any, tuple[int, float, int]] = {}

    def value(self, state: State, depth: int, low: float, high: float) -> float:
        """What the seat can get from here, if that lies between low and high; else a bound."""
        mover = state.to_move
        if mover is None or depth == 0:
            return worth(state, self._seat + 1)[self._seat]
        kept = self._kept.get(state)
        if kept is not None and kept[0] >= depth:
            _, value, kind = kept
            if kind == _EXACT or (kind == _AT_LEAST and value >= high) or (kind == _AT_MOST and value <= low):
                return value
        value = self._searched(state, mover == self._seat, depth, low, high)
        kind = _AT_MOST if value <= low else _AT_LEAST if value >= high else _EXACT
        if len(self._kept) < MOST_KEPT:
            self._kept[state] = (depth, value, kind)
        return value

    def _searched(self, state: State, mine: bool, depth: int, low: float, high: float) -> float:
        best = -1.0 if mine else 2.0
        moves = _promising(state, self._seat) if depth > 1 else state.legal_moves()
        for move in moves:
            value = self.value(state.play(move), depth - 1, low, high)
            if mine:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        return best
