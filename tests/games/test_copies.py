"""States as values: copied and pickled, as researchers send them to other processes."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest

from touchline.core import registry


@pytest.mark.parametrize("name", registry.names("games"))
def test_a_pickled_state_is_the_same_state(name: str) -> None:
    """It is equal, hashes alike, plays on alike, and does not carry tables that all states share."""
    state, chance = registry.game(name).start(2, Random(1)), Random(2)
    for _ in range(8):
        data = pickle.dumps(state)
        again = pickle.loads(data)
        assert again == state == copy.deepcopy(state)
        assert hash(again) == hash(state)
        assert len(data) < 2_000
        move = chance.choice(state.legal_moves())
        assert again.play(move) == state.play(move)
        state = state.play(move)


@pytest.mark.parametrize("name", registry.names("games"))
def test_pickled_views_hide_what_views_hide(name: str) -> None:
    """What is sent to another process has nothing that the view lacks."""
    state = registry.game(name).start(2, Random(1))
    for seat in (0, 1, None):
        assert pickle.loads(pickle.dumps(state.view(seat))) == state.view(seat)
