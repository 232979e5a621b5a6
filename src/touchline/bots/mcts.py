"""Monte Carlo tree search, by the rules alone, for any number of seats and for games that hide things.

One tree is grown over the moves that a seat can tell apart. Where the view hides something, every descent
fills it in anew with something possible, so what is true cannot matter.
"""

from __future__ import annotations

from math import log, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots._worth import worth

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.rules import Seat, State

CURIOSITY = 0.7
LONGEST, LONGEST_TALLIED = 60, 12
"""Moves of a playout before the state is judged as it is; a state with a tally can be judged sooner."""
GAIN = 0.9
"""How much of the given time is used: the rest is for being in time."""
WIDTH = 2.0
PATIENCE = 5.0
"""Seconds after which a choice is made, however many playouts were asked for."""


class _Node:
    """A state that was reached by these moves: how often, and what came of it for the seat that moved."""

    __slots__ = ("children", "total", "untried", "visits")

    def __init__(self) -> None:
        self.visits, self.total = 0, 0.0
        self.children: dict[Any, _Node] = {}
        self.untried: list[Any] | None = None
        """Moves that have no child yet, the most promising last; None if nobody has looked."""


class Mcts:
    """Try moves at random, and those more often that came out well; so many playouts, or so many seconds."""

    game: ClassVar[str | None] = None
    chance: ClassVar[bool] = True

    def __init__(self, rng: Rng, playouts: int = 400, seconds: float | None = None) -> None:
        if type(playouts) is not int or playouts < 1:
            raise ValueError(f"playouts is a whole number from 1, not {playouts}")
        if seconds is not None and not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        self._rng, self._seconds = rng, seconds
        self._playouts = playouts if seconds is None else 1 << 62

    def choose(self, view: State, turn: int = 0) -> Any:
        moves = view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        root, done = _Node(), 0
        until = perf_counter() + GAIN * (PATIENCE if self._seconds is None else self._seconds)
        while done < self._playouts and perf_counter() < until:
            self._descend(root, view.imagine(self._rng))
            done += 1
        tried = root.children
        return max(moves, key=lambda move: tried[move].visits if move in tried else -1)

    def _descend(self, root: _Node, state: State) -> None:
        """Down the tree, one new leaf, a playout, and back."""
        node = root
        way: list[tuple[Seat, _Node]] = []
        while (seat := state.to_move) is not None:
            move, fresh = self._step(node, state, seat)
            node = node.children[move]
            way.append((seat, node))
            state = state.play(move)
            if fresh:
                break
        values = self._playout(state, 1 + max((seat for seat, _ in way), default=0))
        root.visits += 1
        for seat, visited in way:
            visited.visits += 1
            visited.total += values[seat]

    def _step(self, node: _Node, state: State, seat: Seat) -> tuple[Any, bool]:
        """The move to follow from a node, and whether it is tried for the first time.

        The most promising moves are tried first, and others only as a node is visited more often: where there
        are hundreds of moves there is no time for all of them.
        """
        legal = state.legal_moves()
        if node.untried is None:
            looks = [(worth(state.play(move), seat + 1)[seat], self._rng.random(), move) for move in legal]
            node.untried = [move for _, _, move in sorted(looks, key=lambda look: look[:2])]
        known = [move for move in legal if move in node.children]
        if len(known) <= WIDTH * sqrt(node.visits) or not known:
            allowed = None if len(known) + len(node.untried) == len(legal) else set(legal)
            while node.untried:
                move = node.untried.pop()
                if allowed is None or move in allowed:
                    node.children[move] = _Node()
                    return move, True
            strange = [move for move in legal if move not in node.children]
            if strange:  # possible only in what is imagined now
                move = self._rng.choice(strange)
                node.children[move] = _Node()
                return move, True
        return self._most_promising(node, known), False

    def _most_promising(self, node: _Node, moves: list[Any]) -> Any:
        """The move with the best upper bound; only those count that are legal in what is imagined now."""
        spread = CURIOSITY * sqrt(log(1 + sum(node.children[move].visits for move in moves)))

        def bound(move: Any) -> float:
            child = node.children[move]
            return child.total / child.visits + spread / sqrt(child.visits)

        return max(moves, key=bound)

    def _playout(self, state: State, seats: int) -> list[float]:
        """What comes of random moves from here."""
        for _ in range(LONGEST_TALLIED if hasattr(state, "tally") else LONGEST):
            if state.to_move is None:
                break
            state = state.play(self._rng.choice(state.legal_moves()))
        return worth(state, seats)
