"""Games as environments of Gymnasium: one seat learns, house players take the others."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from touchline.core.errors import BadOptions
from touchline.environments import gymnasium_env

pytest.importorskip("gymnasium")

SMALL: list[tuple[str, list[str], dict[str, Any]]] = [
    ("hexapawn", ["random"], {"rows": 3, "cols": 3}),
    ("fish", ["greedy", "random"], {}),
    ("labyrinth", ["euclid"], {"rows": 5, "cols": 5}),
]


@pytest.mark.parametrize(("game", "opponents", "options"), SMALL, ids=[game for game, _, _ in SMALL])
def test_it_passes_the_check_of_the_library(game: str, opponents: list[str], options: dict[str, Any]) -> None:
    """Gymnasium's `check_env` has no complaint."""
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Box observation space (minimum|maximum).*")
        check_env(gymnasium_env(game, opponents, **options), skip_render_check=True)


def episode(env: Any, seed: int) -> tuple[list[int], float, dict[str, Any]]:
    """Play an episode by chance."""
    chance, actions = Random(seed), []
    _, info = env.reset(seed=seed)
    while True:
        actions.append(chance.choice(np.flatnonzero(info["action_mask"]).tolist()))
        _, reward, over, _, info = env.step(actions[-1])
        if over:
            return actions, reward, info


def test_the_same_seed_is_the_same_episode() -> None:
    """The seed decides the board, the seat and the opponents' chance."""
    played = [episode(gymnasium_env("fish", ["random"], seat=None), seed) for seed in (1, 2, 1)]
    runs = [(actions, reward, info["seat"], info["scores"]) for actions, reward, info in played]
    assert runs[0] == runs[2] != runs[1]


def test_rewards_are_those_of_the_seat() -> None:
    """A win is 1 and a loss -1 for two; the seat is drawn for each episode if none is given."""
    env, seats = gymnasium_env("hexapawn", ["random"], seat=None, rows=4, cols=4), set()
    for seed in range(20):
        _, reward, info = episode(env, seed)
        seats.add(info["seat"])
        assert reward == (1 if info["seat"] in info["winners"] else -1)
    assert seats == {0, 1}


def test_an_illegal_action_is_a_loss() -> None:
    """It ends the episode, and the rules say why."""
    env = gymnasium_env("hexapawn", rows=3, cols=3)
    _, info = env.reset(seed=1)
    _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, over) == (-1.0, True)
    assert info["illegal"]


@pytest.mark.parametrize(
    ("opponents", "seat", "said"),
    [
        (["nobody"], 0, "nobody"),
        (["random"] * 5, 0, "2 players"),
        (["random"], 2, "no seat 2"),
        (["euclid"], 0, "euclid"),
    ],
)
def test_wrong_tables_are_refused(opponents: list[str], seat: int, said: str) -> None:
    """A table that cannot be is refused when it is made, not in the first episode."""
    with pytest.raises((BadOptions, KeyError), match=said):
        gymnasium_env("hexapawn", opponents, seat)
