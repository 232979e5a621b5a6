"""The move that looks best at once: what every game has for an opponent that is not quite blind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from touchline.bots._worth import worth

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.rules import State


class Greedy:
    """Play the move after which the seat stands best; of equally good ones any."""

    game: ClassVar[str | None] = None
    chance: ClassVar[bool] = True

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, view: State, turn: int = 0) -> Any:
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
        return self._rng.choice(found)
