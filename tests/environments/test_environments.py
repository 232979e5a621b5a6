"""Games as environments pass the checks of PettingZoo and Gymnasium, and play by the rules."""

from __future__ import annotations

import subprocess
import sys
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from touchline.core.errors import BadOptions
from touchline.core.rules import IllegalMove
from touchline.environments.encoding import Encoding
from touchline.environments.gymnasium import SeatEnv
from touchline.environments.pettingzoo import env, raw_env
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("hexapawn", 2, {"rows": 4, "cols": 4}),
    ("fish", 3, {"rows": 4, "cols": 4}),
    ("labyrinth", 3, {"rows": 4, "cols": 4}),
]


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
def test_pettingzoo_accepts_every_game(name: str, seats: int, options: dict[str, Any]) -> None:
    """Its own test of the interface passes, and the same seed gives the same game."""
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of every observation that is a dictionary
        api_test(env(name, seats, **options), num_cycles=60)
        seed_test(lambda: env(name, seats, **options), num_cycles=40)


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
def test_gymnasium_accepts_every_game(name: str, seats: int, options: dict[str, Any]) -> None:
    """Its own checker passes for the last seat of a table."""
    from gymnasium.utils.env_checker import check_env

    check_env(SeatEnv(name, ["random"] * (seats - 1), seat=seats - 1, **options), skip_render_check=True)


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
def test_a_game_of_masked_actions_ends(name: str, seats: int, options: dict[str, Any]) -> None:
    """Random legal actions lead to the end, where the rewards sum to 0."""
    playing, rng = raw_env(name, seats, **options), np.random.default_rng(1)
    playing.reset(seed=1)
    for _ in range(200):
        if any(playing.terminations.values()):
            break
        mask = playing.last()[0]["action_mask"]
        playing.step(rng.choice(np.flatnonzero(mask)))
    else:
        assert name == "labyrinth", "it can go on for 1000 rounds"
        return
    assert sum(playing.rewards.values()) == pytest.approx(0)
    assert max(playing.rewards.values()) >= 0
    assert playing.state_now is not None
    assert playing.state_now.outcome() is not None


def test_an_illegal_action_is_refused() -> None:
    """The raw environment raises, the wrapped one and Gymnasium's end the game with -1."""
    raw = raw_env("hexapawn")
    raw.reset(seed=1)
    wrong = int(np.flatnonzero(raw.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove):
        raw.step(wrong)
    wrapped = env("hexapawn")
    wrapped.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped.step(wrong)
    assert wrapped.rewards["player_0"] == -1
    assert all(wrapped.terminations.values())
    seat = SeatEnv("hexapawn")
    seat.reset(seed=1)
    _, reward, terminated, _, info = seat.step(wrong)
    assert (reward, terminated) == (-1, True)
    assert info["illegal"]


def test_an_observation_holds_nothing_secret() -> None:
    """Two mazes that differ only in the goals of others look the same to a seat, and not to the others."""
    playing = raw_env("labyrinth", 3)
    playing.reset(seed=4)
    first = Labyrinth().start(3, Random(4))
    other = first.redraw(0, Random(9))
    assert playing.state_now == first
    seen = [playing.observe(agent)["observation"] for agent in playing.agents]
    playing.state_now = other
    assert np.array_equal(playing.observe("player_0")["observation"], seen[0])
    assert not np.array_equal(playing.observe("player_1")["observation"], seen[1])


def test_a_missing_library_is_named() -> None:
    """The error says what to install."""
    code = "import sys; sys.modules['pettingzoo'] = None; import touchline.environments.pettingzoo"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'touchline[pettingzoo]'" in done.stderr


def test_an_observer_is_always_first() -> None:
    """Each seat finds its own penguins in the first column, and the fish of a tile in the last."""
    encoding = Encoding(Fish(rows=4, cols=3, fish=2), 2)
    state = encoding.game.start(2, Random(1))
    state = state.play(encoding.moves[0])
    for seat, column in ((0, 0), (1, 1)):
        seen = encoding.observation(state.view(seat), seat)
        assert seen[:, column].sum() == 1
        assert set(seen[:, -1]) == {2}


def test_a_wrong_table_is_refused() -> None:
    with pytest.raises(BadOptions, match="fish is for 2 to 4 players, not 9"):
        raw_env("fish", 9)
    with pytest.raises(BadOptions, match="seat 2 is not at a table of 2"):
        SeatEnv("hexapawn", seat=2)
