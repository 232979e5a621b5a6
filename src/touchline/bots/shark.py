"""The strongest house bot for Fish, with two to four seats.

Against one other seat it runs an alpha-beta search from the first placement on, usually to the end of the
game once some tiles are gone. Against several it runs a Monte Carlo tree search. Cut off from all others it
computes the best paths exactly. The kernels in `bots/kernels` do the work, on boards of up to 64 tiles and 31
columns, by the course's rules and by the commercial ones. On larger boards it plays as `mcts` does.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.mcts import Mcts
from touchline.bots.shared.time_budget import undisturbed
from touchline.core.rules import IllegalMove

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.bots.fish.bitboard import FishBitboard
    from touchline.core.rules import Game
    from touchline.games.fish import FishState, Move

FOR_THE_MOVE = 8
"""The part of its nodes with which it looks for the best move of a position that it judges otherwise."""
NODES_PER_PLAYOUT = 100
"""Nodes of a kernel that take as long as one playout without kernels."""


class Shark(HouseBot):
    """Search for a number of seconds per move, or for a number of nodes, which is reproducible."""

    game: ClassVar[str | None] = "fish"
    seats: ClassVar[range | None] = range(2, 5)
    chance: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(100),)
    judging: ClassVar[dict[str, int | float]] = {"nodes": 200_000}

    def __init__(self, rng: Rng, seconds: float = 0.2, nodes: int | None = None) -> None:
        if not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes is a whole number from 1, not {nodes}")
        # Imported here because it imports Numba: only a bot that plays should wait for that.
        from touchline.bots.fish.search import FishSearch
        from touchline.bots.fish.strategies import PlayoutTree

        self._rng, self._seconds, self._nodes = rng, seconds, nodes
        self._search, self._playouts = FishSearch(), PlayoutTree(rng)
        self._board: FishBitboard | None = None

    @classmethod
    def compile_kernels(cls, game: Game | str | None, seats: int | None) -> None:
        """Compile the search against one seat, which every match can come to, and the tree for more seats."""
        from touchline.bots.fish import search, strategies
        from touchline.bots.kernels import compile_kernels

        playouts = () if seats == 2 else strategies.KERNELS
        compile_kernels("shark", (*search.KERNELS, *playouts))

    def choose(self, view: FishState, turn: int = 0) -> Move:
        moves = view.legal_moves()
        return moves[0] if len(moves) == 1 else self.think(view).line[0]

    @undisturbed()
    def think(self, view: FishState) -> Thought:
        """Evaluate a state. IllegalMove if the game is over or the seat to move has no move."""
        return self._thought(view, even=False)

    def judge(self, state: FishState) -> Thought:
        """Evaluate a state for all seats alike: nothing is remembered, and no seat is ahead by its turn."""
        from touchline.bots.fish import strategies
        from touchline.bots.fish.bitboard import fits
        from touchline.bots.fish.search import FishSearch
        from touchline.bots.fish.strategies import PlayoutTree

        self._board, self._rng = None, Random(0)
        self._search, self._playouts = FishSearch(), PlayoutTree(self._rng)
        thought = self._thought(state, even=True)
        if not fits(state) or len((board := self._bitboard(state)).rivals(board.mover)) < 2:
            return thought
        return Thought(strategies.foreseen(self._search, board), thought.line, thought.says)

    def _thought(self, view: FishState, *, even: bool) -> Thought:
        from touchline.bots.fish import strategies
        from touchline.bots.fish.bitboard import fits
        from touchline.bots.fish.node_budget import NodeBudget

        budget = NodeBudget(self._seconds, self._nodes)
        if not view.legal_moves():
            raise IllegalMove("the game is over" if view.to_move is None else "there is no legal move")
        if not fits(view):
            return self._without_kernels().think(view)
        board = self._bitboard(view)
        if board.is_cut_off(board.mover):
            return strategies.collect(self._search, board, budget)
        rivals = board.rivals(board.mover)
        if len(rivals) > 1:
            if even and self._nodes is not None:  # only the best move is wanted, not the values
                budget = NodeBudget(self._seconds, self._nodes // FOR_THE_MOVE)
            return self._playouts.think(board, budget)
        return strategies.duel(self._search, board, rivals[0] if rivals else None, budget, even=even)

    def _bitboard(self, state: FishState) -> FishBitboard:
        """Return the state for the kernels; clear the transposition table if another game has begun."""
        from touchline.bots.fish.bitboard import FishBitboard

        if self._board is None or not self._board.has(state):
            self._board = FishBitboard(state)
            self._search.begin_game(self._rng.getrandbits(62))
        else:
            self._board = self._board.after(state)
        return self._board

    def _without_kernels(self) -> Mcts:
        """Return the bot that plays on boards that are too large for the kernels."""
        if self._nodes is None:
            return Mcts(self._rng, seconds=self._seconds)
        return Mcts(self._rng, playouts=max(1, self._nodes // NODES_PER_PLAYOUT))
