"""Games for libraries of reinforcement learning. They need the extra `rl`.

    observation.py     a view as an array, made from its drawing, so that every game has one
    spaces.py          actions, observations and rewards of a game
    pettingzoo_env.py  all seats learn: an environment of PettingZoo
    gymnasium_env.py   one seat learns and house players take the others: an environment of Gymnasium

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

__all__ = ["gymnasium_env", "pettingzoo_env"]


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
        raise _missing(error) from None
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
        raise _missing(error) from None
    return OneSeatEnv(registry.game(game, options), opponents, seat)


def _missing(error: ModuleNotFoundError) -> BadOptions:
    return BadOptions(f"{error.name} is not installed: run `pip install 'touchline[rl]'`")
