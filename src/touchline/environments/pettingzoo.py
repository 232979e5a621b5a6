"""A game as an environment of PettingZoo: an `AECEnv` with action masks, for any number of seats.

    >>> from touchline.environments.pettingzoo import env
    >>> game = env("hexapawn", rows=3, cols=3)
    >>> game.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = game.last()
    >>> game.agent_selection, int(observation["action_mask"].sum())
    ('player_0', 3)
    >>> game.close()

`env` has the standard wrappers: an illegal action ends the game with a reward of -1. `raw_env` has none, and
raises IllegalMove.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.sketch import text

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from touchline.environments.encoding import MOST, Encoding, payoffs
except ModuleNotFoundError as error:  # pragma: no cover - the tests have it
    raise BadOptions(f"this needs the package {error.name}: pip install 'touchline[pettingzoo]'") from None

if TYPE_CHECKING:
    from touchline.core.rules import Game, State

ILLEGAL = -1.0
"""The reward of an illegal action."""


def env(game: Game | str, seats: int | None = None, **options: Any) -> Any:
    """Return a game as an environment with the standard wrappers.

    >>> env("fish", seats=3, rows=4, cols=4).possible_agents
    ['player_0', 'player_1', 'player_2']
    """
    made: Any = raw_env(game, seats, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def raw_env(game: Game | str, seats: int | None = None, **options: Any) -> TouchlineEnv:
    """Return a game as an environment without wrappers.

    >>> raw_env("labyrinth", seats=2).action_space("player_0")
    Discrete(3137)
    """
    rules = registry.game(game, options) if isinstance(game, str) else game
    return TouchlineEnv(rules, rules.seats[0] if seats is None else seats)


class TouchlineEnv(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """Any game of Touchline. Seat 2 is the agent `player_2`."""

    def __init__(self, game: Game, seats: int) -> None:
        super().__init__()
        self.metadata = {"name": f"{game.name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.encoding = Encoding(game, seats)
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.state_now: State | None = None
        actions = spaces.Discrete(self.encoding.actions)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0.0, MOST, self.encoding.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
            }
        )
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; the same seed gives the same one."""
        self.agents = [*self.possible_agents]
        self.state_now = self.encoding.game.start(self.encoding.seats, Random(seed))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        """Name the agent to move; at the end, reward and terminate all."""
        assert self.state_now is not None
        if self.state_now.to_move is not None:
            self.agent_selection = self.possible_agents[self.state_now.to_move]
            return
        outcome = self.state_now.outcome()
        assert outcome is not None
        self.rewards = dict(zip(self.possible_agents, payoffs(outcome), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may see, and its legal actions if it is to move."""
        assert self.state_now is not None
        seat = self.possible_agents.index(agent)
        return {
            "observation": self.encoding.observation(self.state_now.view(seat), seat),
            "action_mask": self.encoding.mask(self.state_now, seat),
        }

    def step(self, action: Any) -> None:
        """Make the move of an action; IllegalMove if the rules forbid it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self.state_now is not None
        move = self.encoding.moves[int(action)]
        self.state_now.check(move)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.state_now = self.state_now.play(move)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the board as text."""
        return "" if self.state_now is None else text(self.state_now.sketch())

    def close(self) -> None:
        """Do nothing: there is no window."""
