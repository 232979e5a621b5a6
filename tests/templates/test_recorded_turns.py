"""The positions that come with a bot in another language, and their legal moves."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from touchline.core import registry
from touchline.templates.turns import TABLES, turns

GAMES = ("fish", "hexapawn", "labyrinth")


def _lines(game: str) -> list[Any]:
    return [json.loads(line) for line in turns(game).splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_the_legal_moves_are_those_of_the_rules(game: str) -> None:
    """Every position can be restored, and its moves are read as those of a player are."""
    kind = registry.GAMES[game]
    for line in _lines(game):
        options = next(options for options, _ in TABLES[game] if _fits(game, options, line["position"]))
        view = registry.game(game, options).restore(msgspec.convert(line["position"], kind.Position))
        moves = [msgspec.json.decode(text, type=kind.Move) for text in line["legal"]]
        assert moves == view.legal_moves()
        assert moves != []


def _fits(game: str, options: dict[str, Any], position: Any) -> bool:
    try:
        registry.game(game, options).restore(msgspec.convert(position, registry.GAMES[game].Position))
    except ValueError:
        return False
    return True


def test_every_rule_about_moves_is_met() -> None:
    """There are placements, holes, the commercial rules and a seat that is out; captures; and an undo."""
    fish = [line["position"] for line in _lines("fish")]
    assert {position["phase"] for position in fish} == {"placing", "sliding"}
    assert any(None in position["penguins"] for position in fish)
    assert any(position["tiles"] for position in fish)
    assert any(0 in row for position in fish for row in position["board"])
    steps = [json.loads(move) for line in _lines("hexapawn") for move in line["legal"]]
    assert any(step["from"][1] != step["to"][1] for step in steps)
    labyrinth = [line["position"] for line in _lines("labyrinth")]
    assert {position["to_move"] for position in labyrinth} == {0, 1}
    assert {position["last"] is None for position in labyrinth} == {True, False}


def test_they_are_the_same_every_time() -> None:
    """So that a project that is written again does not differ."""
    assert turns("labyrinth") == turns("labyrinth")
