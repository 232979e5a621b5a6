"""A game as an environment of Gymnasium: one seat learns, and house players take the others."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium

from touchline.bots.shared import factory
from touchline.core.errors import BadOptions
from touchline.core.rules import IllegalMove, check_seats
from touchline.core.sketch import text
from touchline.environments.spaces import GameSpaces, rewards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Game, Seat, State

ILLEGAL = -1.0
"""The reward of an illegal action, which ends the episode: that of a loss."""


class OneSeatEnv(gymnasium.Env[dict[str, Any], Any]):
    """A seat at a table of house players. An illegal action ends the episode as a loss.

    The mask of the legal actions is in the observation and in `info`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}  # type: ignore[misc]

    def __init__(
        self, game: Game, opponents: Sequence[str] = ("random",), seat: Seat | None = 0,
        render_mode: str | None = "ansi",
    ) -> None:  # fmt: skip
        """`opponents` are the names of house players, in turn order after the learner."""
        self._seats = len(opponents) + 1
        check_seats(game, self._seats, BadOptions)
        if seat is not None and not 0 <= seat < self._seats:
            raise BadOptions(f"there is no seat {seat} at a table of {self._seats}")
        self.game, self._opponents, self._fixed, self.render_mode = game, tuple(opponents), seat, render_mode
        for word in self._opponents:  # fail now, not in the first episode
            factory.make(word, game, "check")
        self._spaces = GameSpaces(game, self._seats)
        self.action_space = self._spaces.action_space()
        self.observation_space = self._spaces.observation_space()
        self.seat: Seat = seat or 0
        """The seat that learns, in this episode."""
        self._state: State = game.start(self._seats, Random(0))
        self._bots: dict[Seat, Any] = {}
        self._turn = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game. The seed decides the board, a drawn seat, and the opponents' chance."""
        super().reset(seed=seed)
        drawn = Random(int(self.np_random.integers(2**62)))
        self.seat = drawn.randrange(self._seats) if self._fixed is None else self._fixed
        self._state, self._turn = self.game.start(self._seats, drawn), 0
        self._bots = {
            (self.seat + 1 + place) % self._seats: factory.make(word, self.game, f"{drawn.random()} {place}")
            for place, word in enumerate(self._opponents)
        }
        self._opponents_move()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action and let the opponents answer."""
        move = self._spaces.moves[int(action)]
        try:
            self._state.check(move)
        except IllegalMove as error:
            return self._seen(), ILLEGAL, True, False, {**self._info(), "illegal": str(error)}
        self._play(move)
        self._opponents_move()
        outcome = self._state.outcome()
        if outcome is None:
            return self._seen(), 0.0, False, False, self._info()
        told = {"reason": outcome.reason, "scores": outcome.scores, "winners": outcome.winners}
        return self._seen(), rewards(outcome)[self.seat], True, False, {**self._info(), **told}

    def _opponents_move(self) -> None:
        while (seat := self._state.to_move) not in (None, self.seat):
            assert seat is not None
            self._play(self._bots[seat].choose(self._state.view(seat), self._turn))

    def _play(self, move: Any) -> None:
        self._state, self._turn = self._state.play(move), self._turn + 1

    def _seen(self) -> dict[str, Any]:
        return dict(self._spaces.observation(self._state, self.seat))

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "action_mask": self._seen()["action_mask"]}

    def render(self) -> Any:
        """Return the board as text, as the learner sees it."""
        return text(self._state.view(self.seat).sketch())
