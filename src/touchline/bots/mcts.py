"""Monte Carlo tree search by the rules alone, for any number of seats and for hidden information.

It is an information-set search: one tree over the moves of a view. Where the view hides something, every
descent samples the hidden part anew, so the truth cannot influence the choice. If there are hundreds of moves
as well, and a tally, every descent would be in another game; then there is no tree below the first move, and
a move is worth the tally after one's own next move, the best of a sample.
"""

from __future__ import annotations

from math import log, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.evaluation import seats_seen, tallied, worth
from touchline.bots.shared.time_budget import thinking, undisturbed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random as Rng

    from touchline.core.rules import Seat, State

EXPLORATION = 0.7
"""The constant of UCB1: how much untested moves are preferred."""
LONGEST, LONGEST_TALLIED = 60, 12
"""Moves of a playout before the state is evaluated; a state with a tally is evaluated sooner."""
WIDTH = 2.0
"""Progressive widening: a node has at most WIDTH * sqrt(visits) children."""
MANY = 100
"""With more legal moves than this and hidden information no tree is grown below the first move."""
SAMPLE = 64
"""Own next moves that are evaluated in a probe."""
PATIENCE = 5.0
"""Seconds after which a choice is made, however many playouts were asked for."""
SURE = 8
"""Visits from which on a node is trusted to predict the next move."""


class _Node:
    """A node of the tree: its visits, and the sum of values for the seat that moved here."""

    __slots__ = ("children", "probed", "total", "untried", "visits")

    def __init__(self) -> None:
        self.visits, self.total = 0, 0.0
        self.probed = False
        """Whether the root is searched by probes, without a tree below the first move."""
        self.children: dict[Any, _Node] = {}
        self.untried: list[Any] | None = None
        """Moves without a child, the most promising last; None before they are first ordered."""


class Mcts(HouseBot):
    """Monte Carlo tree search, for a number of playouts or for a number of seconds per move."""

    chance: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(70, {"seconds": 0.3}), Level(80, {"seconds": 2.0}))

    def __init__(self, rng: Rng, playouts: int = 400, seconds: float | None = None) -> None:
        if type(playouts) is not int or playouts < 1:
            raise ValueError(f"playouts is a whole number from 1, not {playouts}")
        if seconds is not None and not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        self._rng, self._seconds = rng, seconds
        self._playouts = playouts if seconds is None else 1 << 62
        self._until = 0.0

    @undisturbed()
    def choose(self, view: State, turn: int = 0) -> Any:
        moves = view.legal_moves()
        return moves[0] if len(moves) == 1 else _favourite(self._grow(view), moves)

    @undisturbed()
    def think(self, view: State) -> Thought:
        """Evaluate by playouts; the other seats' values are those at the end of the expected line."""
        root, state, seat = self._grow(view), view.imagine(self._rng), view.to_move
        assert seat is not None
        line, node, states = [_favourite(root, view.legal_moves())], root, [state]
        best = root.children[line[0]]
        while True:
            states.append(states[-1].play(line[-1]))
            node = node.children[line[-1]]
            known = [move for move in states[-1].legal_moves() if move in node.children]
            if not known or node.visits < SURE:
                break
            line.append(_favourite(node, known))
        values = worth(states[-1], seats_seen(states))
        values[seat] = mine = best.total / best.visits
        if len(values) == 2:
            values[1 - seat] = 1 - mine
        says = f"{mine:.0%} of {best.visits:,} playouts of {root.visits:,}"
        return Thought(tuple(values), tuple(line), says)

    def _grow(self, view: State) -> _Node:
        """Run all playouts, or as many as fit the time if each takes as long as the longest so far."""
        root, done, longest, now = _Node(), 0, 0.0, perf_counter()
        hides = view.imagine(self._rng) != view
        root.probed = hides and tallied(view) is not None and len(view.legal_moves()) > MANY
        attempt = self._probe if root.probed else self._descend
        self._until = now + thinking(PATIENCE if self._seconds is None else self._seconds)
        while not done or (done < self._playouts and now + longest < self._until):
            attempt(root, view.imagine(self._rng))
            done += 1
            before, now = now, perf_counter()
            longest = max(longest, now - before)
        return root

    def _descend(self, root: _Node, state: State) -> None:
        """Select down the tree, expand one leaf, play out, and back up the values."""
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

    def _probe(self, root: _Node, state: State) -> None:
        """Try one move with random replies, and back up the best of a sample of own next moves."""
        seat = state.to_move
        assert seat is not None
        move, _ = self._step(root, state, seat)
        state = state.play(move)
        while state.to_move not in (seat, None):
            state = state.play(self._rng.choice(state.legal_moves()))
        after = [state]
        if state.to_move is not None:
            answers = state.legal_moves()
            few = answers if len(answers) <= SAMPLE else self._rng.sample(answers, SAMPLE)
            after = [state.play(answer) for answer in few]
        root.visits += 1
        root.children[move].visits += 1
        # evaluated from the seat's own view, so that what was imagined of the others has no weight
        root.children[move].total += max(worth(end.view(seat), seat + 1)[seat] for end in after)

    def _step(self, node: _Node, state: State, seat: Seat) -> tuple[Any, bool]:
        """Return the move to follow from a node, and whether it is new.

        Progressive widening: promising moves are tried first, and others only as the node gets more visits,
        because there is no time for hundreds of moves.
        """
        legal = state.legal_moves()
        if node.untried is None:
            node.untried = self._ordered(state, legal, seat)
        known = [move for move in legal if move in node.children]
        if len(known) <= WIDTH * sqrt(node.visits) or not known:
            allowed = None if len(known) + len(node.untried) == len(legal) else set(legal)
            while node.untried:
                move = node.untried.pop()
                if allowed is None or move in allowed:
                    node.children[move] = _Node()
                    return move, True
            strange = [move for move in legal if move not in node.children]
            if strange:  # legal only in the current sample of the hidden part
                move = self._rng.choice(strange)
                node.children[move] = _Node()
                return move, True
        return self._selected(node, known), False

    def _ordered(self, state: State, moves: Sequence[Any], seat: Seat) -> list[Any]:
        """Order moves by evaluation, the best last; moves that there is no time to evaluate come first."""
        looks = []
        for number, move in enumerate(moves):
            if number % 16 == 15 and perf_counter() > self._until:
                break
            looks.append((worth(state.play(move), seat + 1)[seat], self._rng.random(), move))
        looks.sort(key=lambda look: look[:2])
        return [*moves[len(looks) :], *(move for _, _, move in looks)]

    def _selected(self, node: _Node, moves: list[Any]) -> Any:
        """Return the move with the highest UCB1 bound, counting visits of these moves only."""
        spread = EXPLORATION * sqrt(log(1 + sum(node.children[move].visits for move in moves)))

        def bound(move: Any) -> float:
            child = node.children[move]
            return child.total / child.visits + spread / sqrt(child.visits)

        return max(moves, key=bound)

    def _playout(self, state: State, seats: int) -> list[float]:
        """Play random moves from here and return the value per seat."""
        for _ in range(LONGEST if tallied(state) is None else LONGEST_TALLIED):
            if state.to_move is None:
                break
            state = state.play(self._rng.choice(state.legal_moves()))
        return worth(state, seats)


def _favourite(node: _Node, moves: Sequence[Any]) -> Any:
    """Return the most visited move; after probes, the best by mean value of those with enough visits."""
    tried = node.children
    if not node.probed:
        return max(moves, key=lambda move: tried[move].visits if move in tried else -1)
    enough = max(child.visits for child in tried.values()) / 2
    known = [move for move in moves if move in tried and tried[move].visits >= enough]
    return max(known, key=lambda move: tried[move].total / tried[move].visits)
