"""Depth-limited search by the rules alone.

With two seats it is alpha-beta with a transposition table. With more seats there are two models of the
others: `paranoid` assumes that all of them play against this seat, which keeps alpha-beta sound; `maxn`
assumes that each plays for itself, and searches the whole tree. Where the view hides something, one possible
completion is searched.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.evaluation import followed, seats_seen, worth

if TYPE_CHECKING:
    from touchline.core.rules import Seat, State

MOST_KEPT = 200_000
"""Entries of the transposition table, at most."""
_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2


class Minimax(HouseBot):
    """Play the best move of a search to `depth` moves."""

    levels: ClassVar[tuple[Level, ...]] = (Level(45, {"depth": 2}),)
    slow_at: ClassVar[frozenset[str]] = frozenset({"labyrinth"})

    def __init__(self, depth: int = 3, others: str = "paranoid") -> None:
        if type(depth) is not int or not 1 <= depth <= 64:
            raise ValueError(f"depth is 1 to 64 moves, not {depth}")
        if others not in ("paranoid", "maxn"):
            raise ValueError(f"others is paranoid or maxn, not {others}")
        self.depth, self.others = depth, others

    def choose(self, view: State, turn: int = 0) -> Any:
        return self.think(view).line[0]

    def think(self, view: State) -> Thought:
        state = view.imagine(Random(0))
        search = _Paranoid(state) if self.others == "paranoid" else _MaxN()
        line = search.line(state, self.depth)
        states = followed(state, line)
        values = tuple(worth(states[-1], seats_seen(states)))
        return Thought(values, line, f"{len(line)} moves ahead, {search.looked:,} states")


def _promising(state: State, seat: Seat) -> list[Any]:
    """Order moves by the evaluation after them, the best for the seat to move first, for early cutoffs."""
    mover = state.to_move
    assert mover is not None
    looks = [(worth(state.play(move), seat + 1)[seat], move) for move in state.legal_moves()]
    return [move for _, move in sorted(looks, key=lambda look: look[0], reverse=mover == seat)]


class _Paranoid:
    """Alpha-beta for one seat against all others, with a transposition table."""

    def __init__(self, state: State) -> None:
        seat = state.to_move
        assert seat is not None
        self._seat = seat
        self._kept: dict[Any, tuple[int, float, int, Any]] = {}
        self.looked = 0

    def line(self, state: State, depth: int) -> tuple[Any, ...]:
        """Return the principal variation, as far as the transposition table has it."""
        best = self._best(state, depth)
        line = []
        while best is not None:
            line.append(best)
            state, depth = state.play(best), depth - 1
            kept = self._kept.get(state) if depth and state.to_move is not None else None
            best = kept[3] if kept is not None else None
        return tuple(line)

    def _best(self, state: State, depth: int) -> Any:
        best, value = None, -1.0
        for move in _promising(state, self._seat):
            found = self.value(state.play(move), depth - 1, value, 2.0)
            if best is None or found > value:
                best, value = move, found
        return best

    def value(self, state: State, depth: int, low: float, high: float) -> float:
        """Return the value for the seat if it lies between low and high; else a bound."""
        self.looked += 1
        mover = state.to_move
        if mover is None or depth == 0:
            return worth(state, self._seat + 1)[self._seat]
        kept = self._kept.get(state)
        if kept is not None and kept[0] >= depth:
            _, value, kind, _ = kept
            if kind == _EXACT or (kind == _AT_LEAST and value >= high) or (kind == _AT_MOST and value <= low):
                return value
        value, move = self._searched(state, mover == self._seat, depth, low, high)
        kind = _AT_MOST if value <= low else _AT_LEAST if value >= high else _EXACT
        if len(self._kept) < MOST_KEPT:
            self._kept[state] = (depth, value, kind, move)
        return value

    def _searched(self, state: State, mine: bool, depth: int, low: float, high: float) -> tuple[float, Any]:
        best, chosen = -1.0 if mine else 2.0, None
        moves = _promising(state, self._seat) if depth > 1 else state.legal_moves()
        for move in moves:
            value = self.value(state.play(move), depth - 1, low, high)
            if chosen is None or (value > best if mine else value < best):
                best, chosen = value, move
            if mine:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
        return best, chosen


class _MaxN:
    """Max-n search: each seat plays the move that is best for itself, of equals the first."""

    def __init__(self) -> None:
        self._kept: dict[Any, tuple[int, list[float], tuple[Any, ...]]] = {}
        self.looked = 0

    def line(self, state: State, depth: int) -> tuple[Any, ...]:
        """Return the principal variation."""
        return self._value(state, depth, 0)[1]

    def _value(self, state: State, depth: int, seats: int) -> tuple[list[float], tuple[Any, ...]]:
        """Return the value of each seat that has been to move so far, and the line to it."""
        self.looked += 1
        mover = state.to_move
        if mover is None or depth == 0:
            return worth(state, seats), ()
        seats = max(seats, mover + 1)
        kept = self._kept.get(state)
        if kept is not None and kept[0] == depth and len(kept[1]) >= seats:
            return kept[1], kept[2]
        values: list[float] = []
        line: tuple[Any, ...] = ()
        for move in state.legal_moves():
            found, way = self._value(state.play(move), depth - 1, seats)
            if not line or found[mover] > values[mover]:
                values, line = found, (move, *way)
        if len(self._kept) < MOST_KEPT:
            self._kept[state] = (depth, values, line)
        return values, line
