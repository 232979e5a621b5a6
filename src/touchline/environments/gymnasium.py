"""One seat of a game as an environment of Gymnasium; house players sit in the others.

>>> from touchline.environments.gymnasium import SeatEnv
>>> env = SeatEnv("hexapawn", ["random"], rows=3, cols=3)
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
>>> float(reward), terminated
(0.0, False)
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from touchline.bots import make
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.rules import IllegalMove
from touchline.core.sketch import text

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces

    from touchline.environments.encoding import MOST, Encoding, payoffs
except ModuleNotFoundError as error:  # pragma: no cover - the tests have it
    raise BadOptions(f"this needs the package {error.name}: pip install 'touchline[pettingzoo]'") from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Game, State

ILLEGAL = -1.0
"""The reward of an illegal action, which ends the episode."""


class SeatEnv(gymnasium.Env[Any, Any]):
    """A seat of a game. `opponents` are house players, one for each other seat, in turn order.

    An illegal action ends the episode with the reward -1 and the reason in `info["illegal"]`;
    `info["action_mask"]` has the legal ones.
    """

    def __init__(
        self, game: Game | str, opponents: Sequence[str] = ("random",), *, seat: int = 0, **options: Any
    ) -> None:
        rules = registry.game(game, options) if isinstance(game, str) else game
        if not 0 <= seat <= len(opponents):
            raise BadOptions(f"seat {seat} is not at a table of {len(opponents) + 1}")
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.encoding, self.seat = Encoding(rules, len(opponents) + 1), seat
        self._opponents = tuple(opponents)
        self._bots: dict[int, Any] = {}
        self._state: State | None = None
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = spaces.Box(0.0, MOST, self.encoding.shape, np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Start a new game, and play until it is this seat's turn."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 32))
        others = [seat for seat in range(self.encoding.seats) if seat != self.seat]
        self._bots = {
            seat: make(name, self.encoding.game, f"{number} {seat}", {})
            for seat, name in zip(others, self._opponents, strict=True)
        }
        self._state = self.encoding.game.start(self.encoding.seats, Random(number))
        self._play_others()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Any]:
        """Make the move of an action, and play until it is this seat's turn again."""
        assert self._state is not None, "call reset() first"
        move = self.encoding.moves[int(action)]
        try:
            self._state.check(move)
        except IllegalMove as error:
            return self._observation(), ILLEGAL, True, False, {**self._info(), "illegal": str(error)}
        self._state = self._state.play(move)
        self._play_others()
        outcome = self._state.outcome()
        reward = 0.0 if outcome is None else payoffs(outcome)[self.seat]
        return self._observation(), reward, outcome is not None, False, self._info()

    def _play_others(self) -> None:
        assert self._state is not None
        turn = 0
        while (seat := self._state.to_move) is not None and seat != self.seat:
            move = self._bots[seat].choose(self._state.view(seat), turn)
            self._state.check(move)
            self._state, turn = self._state.play(move), turn + 1

    def _observation(self) -> Any:
        assert self._state is not None
        return self.encoding.observation(self._state.view(self.seat), self.seat)

    def _info(self) -> dict[str, Any]:
        assert self._state is not None
        return {"action_mask": self.encoding.mask(self._state, self.seat)}

    def render(self) -> str:
        """Return the board as text."""
        return "" if self._state is None else text(self._state.sketch())
