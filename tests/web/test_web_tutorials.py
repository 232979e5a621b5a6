"""Tutorials over HTTP."""

from __future__ import annotations

import pytest

from web.sites import run, site


@pytest.mark.parametrize("game", ["fish", "hexapawn", "labyrinth"])
def test_a_tutorial_has_five_steps_with_drawings(game: str) -> None:
    """Positions, legal moves, those that go on, and the drawings after them."""

    async def main() -> None:
        async with site() as visit:
            status, seen = await visit.get(f"/api/games/{game}/tutorial")
            assert (status, seen["game"], len(seen["steps"])) == (200, game, 5)
            for number, step in enumerate(seen["steps"]):
                legal, wanted = step["position"]["legal"], step["wanted"]
                assert set(wanted) <= set(range(len(legal)))
                keys = [spot["key"] for spot in step["position"]["spots"]]
                assert [spot["key"] for spot in step["after"]] == keys
                path = f"/api/games/{game}/tutorial/after?step={number}&move="
                assert await visit.get(f"{path}{wanted[0]}") == (200, {"spots": step["after"]})
                assert (await visit.get(f"{path}{len(legal)}"))[0] == 400

    run(main())


def test_a_game_that_is_not_there() -> None:
    async def main() -> None:
        async with site() as visit:
            status, told = await visit.get("/api/games/chess/tutorial")
            assert (status, told["error"]) == (404, "not_found")
            assert (await visit.get("/api/games/fish/tutorial/after?step=9&move=0"))[0] == 400

    run(main())
