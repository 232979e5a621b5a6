"""Monte Carlo tree search, by the rules alone, for any number of seats and for games that hide things.

One tree is grown over the moves that a seat can tell apart. Where the view hides something, every descent
fills it in anew with something possible, so what is true cannot matter. If there are hundreds of moves as
well, and a tally, no tree is grown below the first move, for each descent would be in another game: a move is
then worth what the tally says after one's own next one, the best of a handful.
"""

from __future__ import annotations

from math import log, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots.base import Thought
from touchline.bots.shared.evaluation import seats_seen, worth
from touchline.bots.shared.time_budget import thinking, undisturbed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random as Rng

    from touchline.core.rules import Seat, State

CURIOSITY = 0.7
LONGEST, LONGEST_TALLIED = 60, 12
"""Moves of a playout before the state is judged as it is; a state with a tally can be judged sooner."""
WIDTH = 2.0
MANY = 100
"""More moves than there is time to grow a tree over while it is another game in every descent."""
HANDFUL = 64
"""Of so many answers the best is taken for what one's next move may come to."""
PATIENCE = 5.0
"""Seconds after which a choice is made, however many playouts were asked for."""
SURE = 8
"""So many visits make a guess of what comes next."""


class _Node:
    """A state that was reached by these moves: how often, and what came of it for the seat that moved."""

    __slots__ = ("children", "probed", "total", "untried", "visits")

    def __init__(self) -> None:
        self.visits, self.total = 0, 0.0
        self.probed = False
        """Whether there is no tree below."""
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
        self._until = 0.0

    @undisturbed()
    def choose(self, view: State, turn: int = 0) -> Any:
        moves = view.legal_moves()
        return moves[0] if len(moves) == 1 else _favourite(self._grown(view), moves)

    @undisturbed()
    def think(self, view: State) -> Thought:
        """What came of its playouts; others are taken to expect what they have at the end of the line."""
        root, state, seat = self._grown(view), view.imagine(self._rng), view.to_move
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

    def _grown(self, view: State) -> _Node:
        """The tree after all playouts, or as many as there is time for: the longest may come once more."""
        root, done, longest, now = _Node(), 0, 0.0, perf_counter()
        hides = view.imagine(self._rng) != view
        root.probed = hides and hasattr(view, "tally") and len(view.legal_moves()) > MANY
        attempt = self._probe if root.probed else self._descend
        self._until = now + thinking(PATIENCE if self._seconds is None else self._seconds)
        while not done or (done < self._playouts and now + longest < self._until):
            attempt(root, view.imagine(self._rng))
            done += 1
            before, now = now, perf_counter()
            longest = max(longest, now - before)
        return root

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

    def _probe(self, root: _Node, state: State) -> None:
        """One move, any answers of the others, and the best of a handful of one's own after them."""
        seat = state.to_move
        assert seat is not None
        move, _ = self._step(root, state, seat)
        state = state.play(move)
        while state.to_move not in (seat, None):
            state = state.play(self._rng.choice(state.legal_moves()))
        after = [state]
        if state.to_move is not None:
            answers = state.legal_moves()
            few = answers if len(answers) <= HANDFUL else self._rng.sample(answers, HANDFUL)
            after = [state.play(answer) for answer in few]
        root.visits += 1
        root.children[move].visits += 1
        # as the seat sees it itself: what was imagined of the others is left out
        root.children[move].total += max(worth(end.view(seat), seat + 1)[seat] for end in after)

    def _step(self, node: _Node, state: State, seat: Seat) -> tuple[Any, bool]:
        """The move to follow from a node, and whether it is tried for the first time.

        The most promising moves are tried first, and others only as a node is visited more often: where there
        are hundreds of moves there is no time for all of them.
        """
        legal = state.legal_moves()
        if node.untried is None:
            node.untried = self._looked_at(state, legal, seat)
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

    def _looked_at(self, state: State, moves: Sequence[Any], seat: Seat) -> list[Any]:
        """The moves, the most promising last; those for which there is no time are as if unpromising."""
        looks = []
        for number, move in enumerate(moves):
            if number % 16 == 15 and perf_counter() > self._until:
                break
            looks.append((worth(state.play(move), seat + 1)[seat], self._rng.random(), move))
        looks.sort(key=lambda look: look[:2])
        return [*moves[len(looks) :], *(move for _, _, move in looks)]

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


def _favourite(node: _Node, moves: Sequence[Any]) -> Any:
    """The move tried most often, of equals the first; without a tree the best of those tried often enough."""
    tried = node.children
    if not node.probed:
        return max(moves, key=lambda move: tried[move].visits if move in tried else -1)
    enough = max(child.visits for child in tried.values()) / 2
    known = [move for move in moves if move in tried and tried[move].visits >= enough]
    return max(known, key=lambda move: tried[move].total / tried[move].visits)
