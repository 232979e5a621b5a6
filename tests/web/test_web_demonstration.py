"""The short match of each game that the lobby shows."""

from __future__ import annotations

import pytest

from touchline.web.demonstration import MOST_MOVES, demonstration
from web.sites import run, site


@pytest.mark.parametrize("game", ["fish", "hexapawn", "labyrinth"])
def test_a_demonstration_moves(game: str) -> None:
    """Every move changes spots of the drawing, and the same match is made again."""
    made = demonstration(game)
    known = {spot.key for spot in made.spots}
    assert 3 <= len(made.moves) <= MOST_MOVES
    for move in made.moves:
        assert move.spots
        assert {spot.key for spot in move.spots} <= known
    assert demonstration(game) == made


def test_it_is_served_and_an_unknown_game_is_not_found() -> None:
    async def main() -> None:
        async with site() as visit:
            status, told = await visit.get("/api/games/hexapawn/demonstration")
            assert (status, told["game"]) == (200, "hexapawn")
            status, told = await visit.get("/api/games/chess/demonstration")
            assert (status, told["error"]) == (404, "not_found")

    run(main())
