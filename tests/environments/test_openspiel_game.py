"""Games as games of OpenSpiel: its own tests and algorithms, and nothing that a player may not see."""

from __future__ import annotations

import importlib
from random import Random
from typing import Any

import pytest

from touchline.environments import openspiel_game

pyspiel: Any = pytest.importorskip("pyspiel")
Shared: Any = importlib.import_module("touchline.environments.openspiel_game").Shared

SMALL: list[tuple[str, int, dict[str, Any]]] = [
    ("hexapawn", 2, {"rows": 3, "cols": 3}),
    ("fish", 3, {"rows": 4, "cols": 4}),
    ("labyrinth", 2, {"rows": 5, "cols": 5}),
]


@pytest.mark.parametrize(("game", "seats", "options"), SMALL[:2], ids=["hexapawn", "fish"])
def test_it_passes_the_test_of_the_library(game: str, seats: int, options: dict[str, Any]) -> None:
    """OpenSpiel's `random_sim_test`, with states written and read again, has no complaint."""
    pyspiel.random_sim_test(
        openspiel_game(game, seats, 5, **options), num_sims=2, serialize=True, verbose=False
    )


def test_its_search_agrees_with_ours() -> None:
    """Alpha-beta of OpenSpiel finds that the first player loses on three by three squares."""
    from open_spiel.python.algorithms import minimax

    value, _ = minimax.alpha_beta_search(openspiel_game("hexapawn", rows=3, cols=3))
    assert value == -1


@pytest.mark.parametrize(("game", "seats", "options"), SMALL, ids=[game for game, _, _ in SMALL])
def test_play_by_chance(game: str, seats: int, options: dict[str, Any]) -> None:
    """Actions are sorted, the string of a game loads it again, and returns sum up to 0."""
    loaded = openspiel_game(game, seats, 3, **options)
    again = pyspiel.load_game(str(loaded))
    state, other, chance = loaded.new_initial_state(), again.new_initial_state(), Random(1)
    for _ in range(60):
        if state.is_terminal():
            break
        assert state.legal_actions() == sorted(state.legal_actions()) == other.legal_actions()
        action = chance.choice(state.legal_actions())
        state.apply_action(action)
        other.apply_action(action)
        assert str(state) == str(other)
    assert sum(state.returns()) == 0


@pytest.mark.parametrize("player", [0, 1, 2])
def test_hidden_goals_stay_hidden(player: int) -> None:
    """Worlds that differ only in what a player may not see give it the same tensor and strings."""
    loaded = openspiel_game("labyrinth", 3, 7, rows=5, cols=5)
    state = loaded.new_initial_state()

    def seen() -> tuple[Any, ...]:
        return (
            state.observation_tensor(player), state.observation_string(player),
            state.information_state_string(player),
        )  # fmt: skip

    whole, before = state.state, seen()
    for number in range(20):
        state._held = Shared(whole.redraw(player, Random(number)))
        assert seen() == before


def test_seeds_are_boards() -> None:
    """Another seed is another board; the same is the same."""
    boards = [str(openspiel_game("fish", 2, seed).new_initial_state()) for seed in (1, 2, 1)]
    assert boards[0] == boards[2] != boards[1]
