"""The golden play-throughs say what the rules did when somebody last looked at them."""

from __future__ import annotations

import pytest

from scripted import ROOT, script
from touchline.core import registry

FOLDER = ROOT / "tests" / "playthroughs"
WRITTEN: dict[str, str] = script("playthroughs").written()


@pytest.mark.parametrize("name", sorted({*WRITTEN, *(path.name for path in FOLDER.glob("*"))}))
def test_the_rules_still_play_this_game(name: str) -> None:
    """A play-through is there, is meant to be there, and is what the rules say today."""
    assert name in WRITTEN, f"nobody writes {name}: run scripts/playthroughs"
    assert (FOLDER / name).is_file(), f"{name} is missing: run scripts/playthroughs"
    assert (FOLDER / name).read_text() == WRITTEN[name], (
        "stale: run scripts/playthroughs and look at the diff"
    )


def test_every_game_has_a_playthrough() -> None:
    """No game of the house goes without."""
    played = {kind for kind, *_ in script("playthroughs").GAMES.values()}
    assert played == set(registry.GAMES.ours())
