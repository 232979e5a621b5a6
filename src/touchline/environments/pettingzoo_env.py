"""A game as an environment of PettingZoo: agents take turns (AEC)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from pettingzoo import AECEnv

from touchline.core.rules import check_seats
from touchline.core.sketch import text
from touchline.environments.spaces import GameSpaces, rewards

if TYPE_CHECKING:
    from gymnasium import spaces

    from touchline.core.rules import Game, State


class TableEnv(AECEnv):  # type: ignore[misc]  # pettingzoo has no types
    """A table at which every seat is an agent, called `player_0`, `player_1`, ...

    An illegal action raises IllegalMove; `pettingzoo.utils.wrappers.TerminateIllegalWrapper` turns it into a
    loss. Rewards come at the end and sum up to 0.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "touchline_v0",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
    }

    def __init__(self, game: Game, seats: int | None = None, render_mode: str | None = "ansi") -> None:
        super().__init__()
        seats = game.seats[0] if seats is None else seats
        check_seats(game, seats)
        self.game, self.render_mode = game, render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces = GameSpaces(game, seats)
        self._actions: Any = {agent: self._spaces.action_space() for agent in self.possible_agents}
        self._observations: Any = {agent: self._spaces.observation_space() for agent in self.possible_agents}
        self.state_of_game: State = game.start(seats, Random(0))
        """The whole state, hidden parts too: for evaluation, not for agents."""

    def action_space(self, agent: str) -> spaces.Discrete:
        found: spaces.Discrete = self._actions[agent]
        return found

    def observation_space(self, agent: str) -> spaces.Dict:
        found: spaces.Dict = self._observations[agent]
        return found

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. The seed decides the board and everything else that is drawn."""
        self.agents = [*self.possible_agents]
        self.state_of_game = self.game.start(len(self.agents), Random(seed))
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._next()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, with the mask of its legal actions."""
        return dict(self._spaces.observation(self.state_of_game, self._seat[agent]))

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is; None for one whose game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        move = self._spaces.moves[int(action)]
        self.state_of_game.check(move)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.state_of_game = self.state_of_game.play(move)
        self._clear_rewards()
        outcome = self.state_of_game.outcome()
        if outcome is not None:
            for agent, reward in zip(self.possible_agents, rewards(outcome), strict=True):
                self.rewards[agent] = reward
                self.terminations[agent] = True
                self.infos[agent] = {"reason": outcome.reason, "scores": outcome.scores}
        self._next()
        self._accumulate_rewards()

    def _next(self) -> None:
        """Select the agent whose turn it is; at the end the agents leave in turn."""
        seat = self.state_of_game.to_move
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]

    def render(self) -> str:
        """Return the board as text, as a spectator sees it."""
        return text(self.state_of_game.view(None).sketch())

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
