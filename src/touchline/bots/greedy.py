"""One-move lookahead: the move after which the state is evaluated best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.evaluation import seats_seen, worth

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.core.rules import State


class Greedy(HouseBot):
    """Play the move that is evaluated best at once; among equally good ones a random one."""

    chance: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(20),)

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, view: State, turn: int = 0) -> Any:
        return self._rng.choice(self._best(view))

    def think(self, view: State) -> Thought:
        best = self._best(view)
        move = self._rng.choice(best)
        after = view.play(move)
        values = worth(after, seats_seen([view, after]))
        return Thought(tuple(values), (move,), f"looks best at once, as {_others(len(best) - 1)}")

    def _best(self, view: State) -> list[Any]:
        seat = view.to_move
        assert seat is not None
        found: list[Any] = []
        best = -1.0
        for move in view.legal_moves():
            value = worth(view.play(move), seat + 1)[seat]
            if value > best:
                best, found = value, []
            if value == best:
                found.append(move)
        return found


def _others(count: int) -> str:
    """
    >>> _others(0), _others(1), _others(5)
    ('no other move does', '1 other move does', '5 other moves do')
    """
    return f"{count or 'no'} other move{'s do' if count > 1 else ' does'}"
