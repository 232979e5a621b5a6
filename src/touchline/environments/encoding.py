"""Moves as numbers and views as arrays, for any game.

An action is an index into `game.all_moves()`, whose order is fixed. An observation has a row for each spot of
the first sketch and these columns, in which the observer is the first seat and the others follow in order:

    pieces of each seat | goals of each seat | other marks of each seat | ways N, E, S, W | hole | number

It is made from the view of the observer alone, so it holds nothing that this seat may not see.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from touchline.core.rules import Game, Outcome, Seat, State
    from touchline.core.sketch import Spot

MOST = 255.0
"""The largest number in an observation; larger labels are cut to it."""
WAYS = "NESW"


class Encoding:
    """The numbers of one game with a number of seats.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> encoding = Encoding(Hexapawn(rows=3, cols=3), 2)
    >>> state = encoding.game.start(2, Random(0))
    >>> encoding.actions, int(encoding.mask(state, 0).sum()), encoding.observation(state.view(0), 0).shape
    (28, 3, (9, 12))
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.moves: list[Any] = [*game.all_moves()]
        self._index = {move: number for number, move in enumerate(self.moves)}
        try:
            sketch = game.start(seats, Random(0)).sketch()
        except ValueError as error:
            raise BadOptions(f"{game.name}: {error}") from None
        self._rows = {spot.key: row for row, spot in enumerate(sketch.spots)}
        self.shape = (len(self._rows), 3 * seats + len(WAYS) + 2)

    @property
    def actions(self) -> int:
        """The number of actions."""
        return len(self.moves)

    def action(self, move: Any) -> int:
        """Return the action of a move."""
        return self._index[move]

    def mask(self, state: State, seat: Seat) -> NDArray[np.int8]:
        """Return 1 for each action that is legal for a seat; all 0 if it is not its turn."""
        mask = np.zeros(self.actions, np.int8)
        if state.to_move == seat:
            mask[[self._index[move] for move in state.legal_moves()]] = 1
        return mask

    def observation(self, view: State, seat: Seat) -> NDArray[np.float32]:
        """Return the view of a seat as numbers."""
        array = np.zeros(self.shape, np.float32)
        for spot in view.sketch().spots:
            if spot.key in self._rows:
                self._write(array[self._rows[spot.key]], spot, seat)
        return array

    def _write(self, row: NDArray[np.float32], spot: Spot, seat: Seat) -> None:
        seats = self.seats
        for piece in spot.pieces:
            row[(piece.seat - seat) % seats] = 1
        for mark in spot.marks:
            row[seats * (1 if mark.glyph == "*" else 2) + (mark.seat - seat) % seats] = 1
        for way in spot.strokes:
            row[3 * seats + WAYS.index(way)] = 1
        row[-2] = spot.fill == "gap"
        row[-1] = min(float(spot.label), MOST) if spot.label.isascii() and spot.label.isdigit() else 0


def payoffs(outcome: Outcome) -> list[float]:
    """Return the reward of each seat: they sum to 0, and a sole winner gets 1.

    >>> from touchline.core.rules import Outcome
    >>> payoffs(Outcome((1,), (2, 1, 2), (0, 5, 0), "over")), payoffs(Outcome((0, 1), (1, 1), (3, 3), "over"))
    ([-0.5, 1.0, -0.5], [0.0, 0.0])
    """
    count, won = len(outcome.ranks), len(outcome.winners)
    if won == 0 or count == 1:
        return [0.0] * count
    share = (count - won) / won / (count - 1)
    return [share if seat in outcome.winners else -1 / (count - 1) for seat in range(count)]
