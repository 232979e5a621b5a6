"""A game as a game of OpenSpiel, for its algorithms.

OpenSpiel names a game by a string with simple parameters: `touchline_fish(players=3,seed=4,options=rows:4)`.
The seed is a parameter, so that there are no chance nodes. Options are JSON, quoted as in a URL.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, unquote

import msgspec
import numpy as np
import pyspiel

from touchline.core import registry
from touchline.core.rules import Game, check_seats
from touchline.core.sketch import text
from touchline.environments.observation import Planes
from touchline.environments.spaces import move_list, rewards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from touchline.core.rules import State

LONGEST = 10_000
"""The most moves of a game, as the referee has it by default."""
PREFIX = "touchline_"


def load(game: Game, seats: int, seed: int) -> Any:
    """Register the game with OpenSpiel, if it is not yet, and load it with these options."""
    check_seats(game, seats)
    name = f"{PREFIX}{game.name}"
    if name not in pyspiel.registered_names():
        pyspiel.register_game(_game_type(game), _class_of(game.name))
    chosen = {key: value for key, value in msgspec.to_builtins(game).items() if value}
    written = ";".join(f"{key}:{quote(msgspec.json.encode(value), safe='')}" for key, value in chosen.items())
    return pyspiel.load_game(name, {"players": seats, "seed": seed, "options": written})


def _game_type(game: Game) -> Any:
    kind = pyspiel.GameType
    hidden = kind.Information.IMPERFECT_INFORMATION
    return kind(
        short_name=f"{PREFIX}{game.name}",
        long_name=f"{game.name} of Touchline",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=hidden if game.hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0], "seed": 0, "options": ""},
    )


def _read(name: str, options: str) -> Game:
    """Return the game that the parameters of a game string describe."""
    pairs = (part.partition(":") for part in options.split(";") if part)
    return registry.game(name, {key: msgspec.json.decode(unquote(value)) for key, _, value in pairs})


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game of ours with its options, number of seats and seed."""

    touchline_name: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.game = _read(self.touchline_name, given.get("options", ""))
        self.seats, self.seed = given.get("players", self.game.seats[0]), given.get("seed", 0)
        self.moves = move_list(self.game)
        self.numbers = {move: number for number, move in enumerate(self.moves)}
        self.planes = Planes(self.game, self.seats)
        self.shared = Shared((self.moves, self.numbers))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.moves), max_chance_outcomes=0, num_players=self.seats,
            min_utility=-1.0, max_utility=float(self.seats - 1), utility_sum=0.0, max_game_length=LONGEST,
        )  # fmt: skip
        super().__init__(_game_type(self.game), info, given)

    def new_initial_state(self, state: Any = None) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self, recall=iig_obs_type is not None and iig_obs_type.perfect_recall)


def _class_of(name: str) -> type[SpielGame]:
    """Return the class that OpenSpiel calls for this game: it is known here by name, so it can be pickled."""
    made = type(f"SpielGame_{name}", (SpielGame,), {"touchline_name": name, "__module__": __name__})
    globals()[made.__name__] = made
    return made


class Shared:
    """A value that copies share: OpenSpiel copies states deeply, and ours never change."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __deepcopy__(self, memo: object) -> Shared:
        return self


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of ours, under the names of OpenSpiel."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._shared, self._seats = game.shared, game.seats
        self._held = Shared(game.game.start(game.seats, Random(game.seed)))

    @property
    def state(self) -> State:
        """The whole state, hidden parts too."""
        held: State = self._held.value
        return held

    def current_player(self) -> int:
        seat = self.state.to_move
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        _, numbers = self._shared.value
        return sorted(numbers[move] for move in self.state.legal_moves())

    def _apply_action(self, action: int) -> None:
        moves, _ = self._shared.value
        self._held = Shared(self.state.play(moves[action]))

    def _action_to_string(self, player: int, action: int) -> str:
        moves, _ = self._shared.value
        return msgspec.json.encode(moves[action]).decode()

    def is_terminal(self) -> bool:
        return self.state.to_move is None

    def returns(self) -> list[float]:
        outcome = self.state.outcome()
        return [0.0] * self._seats if outcome is None else [*rewards(outcome)]

    def __str__(self) -> str:
        return text(self.state.sketch())


class SpielObserver:
    """What a player sees: its view as planes and as text; with perfect recall also the moves so far."""

    def __init__(self, game: Any, *, recall: bool) -> None:
        self._planes, self._recall = game.planes, recall
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(self._planes.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._planes.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the planes of a player's view."""
        self.dict["observation"][:] = self._planes.of(state.state.view(player), player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return a player's view as text. Moves are public in our games, so all of them are recalled."""
        seen = msgspec.json.encode(state.state.view(player).position()).decode()
        moves = " ".join(str(action) for action in state.history()) if self._recall else ""
        return f"player {player} {seen} {moves}".strip()
