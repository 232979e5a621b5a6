"""The player that plays anything."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from touchline.bots.random import Random as RandomBot
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth

GAMES = [Hexapawn(), Fish(), Fish(rules="commercial"), Labyrinth(rows=5, cols=5)]


def played(game: Any, seed: int) -> list[Any]:
    """The moves of a game, or of its first eighty turns, each one checked."""
    state = game.start(2, Random(1))
    bot = RandomBot(Random(seed))
    moves: list[Any] = []
    while state.to_move is not None and len(moves) < 80:
        move = bot.choose(state.view(state.to_move))
        state.check(move)
        moves.append(move)
        state = state.play(move)
    return moves


@pytest.mark.parametrize("game", GAMES)
def test_legal_and_reproducible(game: Any) -> None:
    """Every move is legal, the same seed plays the same game, and seeds differ."""
    games = [played(game, seed) for seed in range(5)]
    assert games == [played(game, seed) for seed in range(5)]
    assert any(other != games[0] for other in games)


def test_every_move_comes_up() -> None:
    """Each legal move is played sooner or later."""
    state = Hexapawn().start(2, Random(0))
    bot = RandomBot(Random(3))
    seen = [bot.choose(state) for _ in range(200)]
    assert all(move in seen for move in state.legal_moves())
