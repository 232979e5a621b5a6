"""Games as environments of PettingZoo: its own tests, our rules, and nothing that a seat may not see."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from touchline.core.errors import BadOptions
from touchline.core.rules import IllegalMove
from touchline.environments import pettingzoo_env
from touchline.games.labyrinth import LabyrinthState

pytest.importorskip("pettingzoo")

SMALL: list[tuple[str, int, dict[str, Any]]] = [
    ("hexapawn", 2, {"rows": 3, "cols": 3}),
    ("fish", 3, {}),
    ("labyrinth", 2, {"rows": 5, "cols": 5}),
]


@pytest.mark.parametrize(("game", "seats", "options"), SMALL, ids=[game for game, _, _ in SMALL])
def test_it_passes_the_tests_of_the_library(game: str, seats: int, options: dict[str, Any]) -> None:
    """PettingZoo's `api_test` and `seed_test` have no complaint."""
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")  # it warns of all dictionaries but its own
        api_test(pettingzoo_env(game, seats, **options), num_cycles=150)
        seed_test(lambda: pettingzoo_env(game, seats, **options), num_cycles=40)


@pytest.mark.parametrize(("game", "seats", "options"), SMALL, ids=[game for game, _, _ in SMALL])
def test_actions_are_the_legal_moves(game: str, seats: int, options: dict[str, Any]) -> None:
    """The mask allows the legal moves and no others, rewards come at the end, and sum up to 0."""
    env, chance = pettingzoo_env(game, seats, **options), Random(3)
    env.reset(seed=3)
    for _ in range(400):
        seat = env.state_of_game.to_move
        if seat is None:
            break
        assert env.agent_selection == f"player_{seat}"
        mask = env.observe(env.agent_selection)["action_mask"]
        allowed = [env.game.all_moves()[number] for number in np.flatnonzero(mask).tolist()]
        assert set(allowed) == set(env.state_of_game.legal_moves())
        others = [agent for agent in env.agents if agent != env.agent_selection]
        assert not any(env.observe(agent)["action_mask"].any() for agent in others)
        env.step(chance.choice(np.flatnonzero(mask).tolist()))
    outcome = env.state_of_game.outcome()
    if outcome is not None:
        assert sum(env.rewards.values()) == 0
        assert all(env.rewards[f"player_{seat}"] >= 0 for seat in outcome.winners)


def test_an_illegal_action_is_refused() -> None:
    """The rules say why."""
    env = pettingzoo_env("hexapawn", rows=3, cols=3)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.observe("player_0")["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove):
        env.step(illegal)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_hidden_goals_stay_hidden(seat: int) -> None:
    """Two worlds that differ only in what a seat may not see give it the same array, and others not."""
    env = pettingzoo_env("labyrinth", 3, rows=5, cols=5)
    env.reset(seed=7)
    state = env.state_of_game
    assert isinstance(state, LabyrinthState)
    other = f"player_{(seat + 1) % 3}"
    seen, theirs, changed = env.observe(f"player_{seat}"), env.observe(other), 0
    for number in range(20):
        env.state_of_game = state.redraw(seat, Random(number))
        for name, array in env.observe(f"player_{seat}").items():
            assert np.array_equal(array, seen[name])
        changed += not np.array_equal(env.observe(other)["observation"], theirs["observation"])
    assert changed > 10


def test_an_observer_comes_first() -> None:
    """The pieces of the observer are in the first plane, whichever seat it has."""
    env = pettingzoo_env("hexapawn", rows=3, cols=3)
    env.reset(seed=1)
    first, second = (env.observe(agent)["observation"][:, :, 0] for agent in env.agents)
    assert first.tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert second.tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 1]]


def test_a_board_with_too_many_moves() -> None:
    """A mask of millions of actions is refused in words."""
    with pytest.raises(BadOptions, match="take a smaller board"):
        pettingzoo_env("labyrinth", rows=31, cols=31)


def test_render() -> None:
    """It renders the board as text."""
    env = pettingzoo_env("hexapawn", rows=3, cols=3)
    env.reset(seed=1)
    assert env.render().splitlines()[1].split() == ["0", "1", "1", "1"]
    env.close()
