"""Write the JSON Schema of the native dialect, from its types: docs/wire/native.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from touchline import registry
from touchline.dialects.native import PROTOCOL, Move, Ready, Said

FILE = Path(__file__).parent.parent / "docs" / "wire" / "native.json"


def schema() -> dict[str, Any]:
    """What the referee says, what a player says, and the moves and positions of each of our games."""
    games = {name: registry.find("games", name) for name in registry._ours("games")}
    kinds: list[Any] = [Said, Ready | Move]
    for game in games.values():
        kinds += [game.Move, game.Position]
    shapes, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    referee, player, *rest = shapes
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Touchline, native dialect, protocol {PROTOCOL}: one JSON value a line",
        "referee_says": referee,
        "player_says": player,
        "games": {
            name: {"move": rest[2 * place], "position": rest[2 * place + 1]}
            for place, name in enumerate(games)
        },
        "$defs": components,
    }


def text() -> str:
    return json.dumps(schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text())
    print("wrote docs/wire/native.json")
