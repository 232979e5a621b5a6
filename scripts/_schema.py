"""Generate docs/wire/native.json and docs/wire/asyncapi.json from the types of the native dialect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import msgspec

from touchline.core import registry
from touchline.dialects.native import PROTOCOL, Hello, Move, Ready, Resign, Said

FOLDER = Path(__file__).parent.parent / "docs" / "wire"

Heard = Hello | Ready | Move | Resign
"""The messages of a player."""


def _described(template: str) -> tuple[list[dict[str, Any]], dict[str, Any], list[str]]:
    """Return the schemas of all messages, moves and positions, their components, and the games' names."""
    games = {name: registry.find("games", name) for name in registry.GAMES.ours()}
    kinds: list[Any] = [Said, Heard]
    for game in games.values():
        kinds += [game.Move, game.Position]
    shapes, components = msgspec.json.schema_components(kinds, ref_template=template)
    return list(shapes), components, [*games]


def _by_game(shapes: list[dict[str, Any]], games: list[str]) -> dict[str, Any]:
    return {
        name: {"move": shapes[2 * place], "position": shapes[2 * place + 1]}
        for place, name in enumerate(games)
    }


# -- JSON Schema --------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """What the referee says, what a player says, and the moves and positions of each of our games."""
    (referee, player, *rest), components, games = _described("#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Touchline, native dialect, protocol {PROTOCOL}: one JSON value a line",
        "referee_says": referee,
        "player_says": player,
        "games": _by_game(rest, games),
        "$defs": components,
    }


# -- AsyncAPI -----------------------------------------------------------------------------------

SERVERS = {
    "tcp": {
        "host": "{host}:{port}",
        "protocol": "tcp",
        "description": "One JSON value a line, UTF-8. One of a player's has at most 64 KiB.",
    },
    "websocket": {
        "host": "{host}:{port}",
        "pathname": "/native",
        "protocol": "ws",
        "description": "One JSON value a message, not compressed. One of a player's has at most 64 KiB.",
    },
}
VARIABLES = {
    "host": {"default": "localhost", "description": "Where the organiser listens."},
    "port": {
        "default": "4500",
        "description": "Where `touchline serve` listens unless it is told otherwise.",
    },
}

OPERATIONS: dict[str, tuple[str, str, list[str], list[str]]] = {
    "signUp": (
        "receive",
        "A player connects and says who it is, or that it comes back; a refusal is `expelled`.",
        ["hello"],
        ["welcome", "expelled"],
    ),
    "begin": ("send", "A match begins, and the player takes its seat.", ["begin"], ["ready"]),
    "ask": (
        "send",
        "The player is asked for a move. Its answer has the number of the turn, so a late one does no harm.",
        ["your_turn"],
        ["act", "resign"],
    ),
    "tell": (
        "send",
        "What became of a move, and how things are; all but `rejected` only if `ready` asked for updates.",
        ["accepted", "rejected", "update", "skipped"],
        [],
    ),
    "part": ("send", "The last word. Nothing follows, and nothing is heard.", ["expelled", "over"], []),
    "giveUp": ("receive", "A player may resign at any time.", ["resign"], []),
}
"""What the referee does: its side of it, what it is, the messages, and what answers them."""


def asyncapi() -> dict[str, Any]:
    """The native dialect as an AsyncAPI document, from the referee's point of view."""
    (_, _, *rest), components, games = _described("#/components/schemas/{name}")
    messages = {_tag(kind): _message(kind) for kind in (*get_args(Said), *get_args(Heard))}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Touchline, native dialect",
            "version": f"{PROTOCOL}",
            "description": (
                "A player and the referee of a match. A player ignores words and fields that it does not "
                "know. What a move and a position look like is the game's affair: see `x-games`."
            ),
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {name: server | {"variables": VARIABLES} for name, server in SERVERS.items()},
        "channels": {
            "seat": {
                "address": None,
                "title": "One connection, one player",
                "description": "Everything that is said, in both directions; each message has its `type`.",
                "servers": [{"$ref": f"#/servers/{name}"} for name in SERVERS],
                "messages": {tag: {"$ref": f"#/components/messages/{tag}"} for tag in messages},
            }
        },
        "operations": {name: _operation(*operation) for name, operation in OPERATIONS.items()},
        "components": {
            "messages": messages,
            "schemas": {name: _draft_07(part) for name, part in components.items()},
        },
        "x-games": _draft_07(_by_game(rest, games)),
    }


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _message(kind: Any) -> dict[str, Any]:
    message = {
        "name": _tag(kind),
        "title": kind.__name__,
        "summary": kind.__doc__,
        "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
    }
    if "turn" in kind.__struct_fields__:
        message["correlationId"] = {"location": "$message.payload#/turn"}
    return message


def _operation(action: str, summary: str, said: list[str], answers: list[str]) -> dict[str, Any]:
    channel = {"$ref": "#/channels/seat"}
    operation = {"action": action, "summary": summary, "channel": channel, "messages": _on_channel(said)}
    if answers:
        operation["reply"] = {"channel": channel, "messages": _on_channel(answers)}
    return operation


def _on_channel(tags: list[str]) -> list[dict[str, str]]:
    return [{"$ref": f"#/channels/seat/messages/{tag}"} for tag in tags]


def _draft_07(part: Any) -> Any:
    """The same in the older JSON Schema that AsyncAPI is built on, where a tuple is written in another way.

    What it calls a discriminator is something else than what it is elsewhere; the tags say as much.
    """
    if isinstance(part, list):
        return [_draft_07(each) for each in part]
    if not isinstance(part, dict):
        return part
    older = {key: _draft_07(value) for key, value in part.items() if key != "discriminator"}
    if "prefixItems" in older:
        older |= {"items": older.pop("prefixItems"), "additionalItems": False}
    return older


# -- both ---------------------------------------------------------------------------------------


def written() -> dict[str, str]:
    """Return every generated file by its name."""
    return {"native.json": _text(schema()), "asyncapi.json": _text(asyncapi(), sort_keys=False)}


def _text(document: dict[str, Any], *, sort_keys: bool = True) -> str:
    return json.dumps(document, indent=1, sort_keys=sort_keys, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in written().items():
        (FOLDER / name).write_text(text)
        print(f"wrote docs/wire/{name}")
