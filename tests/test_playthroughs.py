"""The golden play-throughs say what the rules did when somebody last looked at them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from touchline import registry

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "playthroughs"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("playthroughs", ROOT / "scripts" / "_playthroughs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WRITTEN: dict[str, str] = script().written()


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
    played = {kind for kind, *_ in script().GAMES.values()}
    assert played == set(registry._ours("games"))
