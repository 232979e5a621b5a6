"""Games for libraries of reinforcement learning. They need the extra `rl`, or `openspiel`.

    observation.py     a view as an array, made from its drawing, so that every game has one
    spaces.py          actions, observations and rewards of a game
    pettingzoo_env.py  all seats learn: an environment of PettingZoo
    gymnasium_env.py   one seat learns and house players take the others: an environment of Gymnasium
    openspiel_game.py  a game of OpenSpiel

Actions are the numbers of `game.all_moves()`. An observation is the view of its seat with the mask of its
legal actions: nothing that the seat may not see is in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.environments.gymnasium_env import OneSeatEnv
    from touchline.environments.pettingzoo_env import TableEnv

__all__ = ["gymnasium_env", "openspiel_game", "pettingzoo_env"]


def pettingzoo_env(game: str, seats: int | None = None, **options: Any) -> TableEnv:
    """Return a game as an environment of PettingZoo, with an agent `player_0`, `player_1`, ... for each seat.

    >>> env = pettingzoo_env("hexapawn", rows=3, cols=3)
    >>> env.reset(seed=1)
    >>> env.agent_selection, env.action_space("player_0")
    ('player_0', Discrete(28))
    """
    from touchline.core import registry

    try:
        from touchline.environments.pettingzoo_env import TableEnv
    except ModuleNotFoundError as error:
        raise _missing(error, "rl") from None
    return TableEnv(registry.game(game, options), seats)


def gymnasium_env(
    game: str, opponents: Sequence[str] = ("random",), seat: int | None = 0, **options: Any
) -> OneSeatEnv:
    """Return a game as an environment of Gymnasium: one seat learns, house players take the others.

    With `seat=None` every episode draws the seat.

    >>> env = gymnasium_env("hexapawn", ["minimax:depth=2"], rows=3, cols=3)
    >>> observation, info = env.reset(seed=1)
    >>> observation["observation"].shape, int(observation["action_mask"].sum())
    ((3, 3, 9), 3)
    """
    from touchline.core import registry

    try:
        from touchline.environments.gymnasium_env import OneSeatEnv
    except ModuleNotFoundError as error:
        raise _missing(error, "rl") from None
    return OneSeatEnv(registry.game(game, options), opponents, seat)


def openspiel_game(game: str, seats: int | None = None, seed: int = 0, **options: Any) -> Any:
    """Return a game as a `pyspiel.Game`. The seed decides the board and everything else that is drawn.

    >>> state = openspiel_game("hexapawn", rows=3, cols=3).new_initial_state()
    >>> state.current_player(), [state.action_to_string(action) for action in state.legal_actions()][0]
    (0, '{"from":[0,0],"to":[1,0]}')
    """
    from touchline.core import registry

    try:
        from touchline.environments.openspiel_game import load
    except ModuleNotFoundError as error:
        raise _missing(error, "openspiel") from None
    made = registry.game(game, options)
    return load(made, made.seats[0] if seats is None else seats, seed)


def _missing(error: ModuleNotFoundError, extra: str) -> BadOptions:
    return BadOptions(f"{error.name} is not installed: run `pip install 'touchline[{extra}]'`")
