"""What both kinds of environment share: actions, observations, spaces and rewards of one game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from touchline.core.errors import BadOptions
from touchline.environments.observation import Planes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from touchline.core.rules import Game, Outcome, Seat, State

MOST_ACTIONS = 200_000
"""The largest number of actions: their mask has a byte for each."""


def move_list(game: Game) -> list[Any]:
    """Return all moves of a game in their fixed order: an action is a place in this list."""
    moves = list(game.all_moves())
    if len(moves) > MOST_ACTIONS:
        raise BadOptions(f"{game.name} has {len(moves)} moves, over {MOST_ACTIONS}: take a smaller board")
    return moves


class GameSpaces:
    """Actions are the numbers of all moves; an observation has planes and a mask of legal actions."""

    def __init__(self, game: Game, seats: int) -> None:
        self.moves = move_list(game)
        self._numbers = {move: number for number, move in enumerate(self.moves)}
        self.planes = Planes(game, seats)

    def action_space(self) -> spaces.Discrete:
        return spaces.Discrete(len(self.moves))

    def observation_space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, self.planes.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.moves),), np.int8),
            }
        )

    def observation(self, state: State, seat: Seat) -> dict[str, NDArray[Any]]:
        """Return what a seat sees, and what it may do: nothing if it is not its turn."""
        view = state.view(seat)
        mask = np.zeros(len(self.moves), np.int8)
        if state.to_move == seat:
            mask[[self._numbers[move] for move in view.legal_moves()]] = 1
        return {"observation": self.planes.of(view, seat), "action_mask": mask}


def rewards(outcome: Outcome) -> tuple[float, ...]:
    """Return a reward per seat: the winners share what the losers pay, 1 each, so that the sum is 0.

    >>> from touchline.core.rules import Outcome
    >>> rewards(Outcome(winners=(1,), ranks=(2, 1, 2), scores=(1, 5, 1), reason="nobody can move"))
    (-1.0, 2.0, -1.0)
    >>> rewards(Outcome(winners=(0, 1), ranks=(1, 1), scores=(5, 5), reason="nobody can move"))
    (0.0, 0.0)
    """
    seats, winners = range(len(outcome.ranks)), outcome.winners
    if not winners:
        return tuple(0.0 for _ in seats)
    prize = (len(seats) - len(winners)) / len(winners)
    return tuple(prize if seat in winners else -1.0 for seat in seats)
