"""The strongest player of Fish in the house, for two to four seats.

Against one other seat it looks ahead with alpha-beta, from the first placement on, and as a rule to the very
end once some tiles are gone; against several it grows a tree of playouts; cut off from all others it counts.
The kernels that do it are in `bots/engine`; they play on boards of up to 64 tiles and 31 columns, by the
course's rules and the commercial ones. On larger boards it plays as `mcts` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from touchline.bots.mcts import Mcts
from touchline.bots.shared.time_budget import undisturbed
from touchline.core.rules import IllegalMove

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.bots.base import Thought
    from touchline.bots.fish.sea import Sea
    from touchline.games.fish import FishState, Move

A_STATE = 100
"""Nodes of a kernel that take as long as a playout by the rules alone."""


class Shark:
    """Think for so many seconds about a move; or for so many nodes, and then always the same."""

    game: ClassVar[str] = "fish"
    strongest: ClassVar[bool] = True
    chance: ClassVar[bool] = True

    def __init__(self, rng: Rng, seconds: float = 0.2, nodes: int | None = None) -> None:
        if not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes is a whole number from 1, not {nodes}")
        # Here, not above: the kernels are compiled when they are imported, and only who plays should wait.
        from touchline.bots.fish.memory import Desk
        from touchline.bots.fish.strategies import Crowd

        self._rng, self._seconds, self._nodes = rng, seconds, nodes
        self._desk, self._crowd = Desk(), Crowd(rng)
        self._sea: Sea | None = None

    def choose(self, view: FishState, turn: int = 0) -> Move:
        moves = view.legal_moves()
        return moves[0] if len(moves) == 1 else self.think(view).line[0]

    @undisturbed()
    def think(self, view: FishState) -> Thought:
        """What it makes of a state. IllegalMove if the game is over or the seat to move cannot."""
        from touchline.bots.fish import strategies as ways
        from touchline.bots.fish.allowance import Allowance
        from touchline.bots.fish.sea import fits

        allowance = Allowance(self._seconds, self._nodes)
        if not view.legal_moves():
            raise IllegalMove("the game is over" if view.to_move is None else "there is no legal move")
        if not fits(view):
            return self._by_the_rules_alone().think(view)
        sea = self._seen(view)
        if sea.is_cut_off(sea.mover):
            return ways.count(self._desk, sea, allowance)
        rivals = sea.rivals(sea.mover)
        if len(rivals) > 1:
            return self._crowd.think(sea, allowance)
        return ways.duel(self._desk, sea, rivals[0] if rivals else None, allowance)

    def _seen(self, state: FishState) -> Sea:
        """The state for the kernels; what was found out before is of use while the game is the same."""
        from touchline.bots.fish.sea import Sea

        if self._sea is None or not self._sea.has(state):
            self._sea = Sea(state)
            self._desk.forget(self._rng.getrandbits(62))
        else:
            self._sea = self._sea.after(state)
        return self._sea

    def _by_the_rules_alone(self) -> Mcts:
        if self._nodes is None:
            return Mcts(self._rng, seconds=self._seconds)
        return Mcts(self._rng, playouts=max(1, self._nodes // A_STATE))
