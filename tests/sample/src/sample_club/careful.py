"""A bot that leaves its opponent few moves."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.evaluation import seats_seen, worth
from touchline.core.rules import State


class Careful(HouseBot):
    """Play a move that leaves the next seat few moves."""

    chance: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(10, {"slack": 1}), Level(15))

    def __init__(self, rng: Random, slack: int = 0) -> None:
        if slack < 0:
            raise ValueError(f"slack is 0 or more, not {slack}")
        self._rng, self._slack = rng, slack

    def choose(self, view: State, turn: int = 0) -> Any:
        replies = {move: len(view.play(move).legal_moves()) for move in view.legal_moves()}
        few = min(replies.values()) + self._slack
        return self._rng.choice([move for move, count in replies.items() if count <= few])

    def think(self, view: State) -> Thought:
        move = self.choose(view)
        after = view.play(move)
        values = worth(after, seats_seen([view, after]))
        return Thought(tuple(values), (move,), f"leaves {len(after.legal_moves())} moves")
