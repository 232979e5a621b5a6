"""Random legal moves: the baseline opponent in every game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.evaluation import seats_seen, worth

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.core.rules import State


class Random(HouseBot):
    """Play any legal move, all equally likely."""

    chance: ClassVar[bool] = True
    quick: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(0),)

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def choose(self, view: State, turn: int = 0) -> Any:
        return self.rng.choice(view.legal_moves())

    def think(self, view: State) -> Thought:
        moves = view.legal_moves()
        values = worth(view, seats_seen([view]))
        return Thought(tuple(values), (self.rng.choice(moves),), f"any of {len(moves)} moves")
