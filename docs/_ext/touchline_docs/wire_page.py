"""The reference of the native dialect's messages, from its JSON Schema and AsyncAPI (`docs/wire`)."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.dialects import native
from touchline_docs.field_docs import field_docs
from touchline_docs.markdown import code, plain, table

if TYPE_CHECKING:
    from collections.abc import Iterator

WIRE = Path(__file__).parents[2] / "wire"
MADE = "<!-- made by docs/_ext/touchline_docs/wire_page.py from docs/wire -->"
INTRODUCTION = """\
# The native dialect, message by message

One JSON value a line over TCP, stdin and stdout, one a message over WebSocket. A player ignores messages and
fields that it does not know. The same as machines read it: [JSON Schema](../../wire/native.json) and
[AsyncAPI](../../wire/asyncapi.json).

## Who says what, and when
"""


def page() -> str:
    """Return the page."""
    schema = json.loads((WIRE / "native.json").read_text())
    asyncapi = json.loads((WIRE / "asyncapi.json").read_text())
    return "\n".join([MADE, INTRODUCTION, *_operations(asyncapi), *_messages(schema), *_games(schema)])


def _operations(asyncapi: dict[str, Any]) -> Iterator[str]:
    rows = []
    for name, operation in asyncapi["operations"].items():
        said, answers = _tags(operation), _tags(operation.get("reply", {}))
        who = "referee" if operation["action"] == "send" else "player"
        rows.append((code(name), who, said, answers or "nothing", plain(operation["summary"])))
    yield table(["step", "from", "message", "answered by", "meaning"], rows)


def _tags(part: dict[str, Any]) -> str:
    return ", ".join(code(one["$ref"].rpartition("/")[2]) for one in part.get("messages", []))


def _messages(schema: dict[str, Any]) -> Iterator[str]:
    for title, key in (("What the referee says", "referee_says"), ("What a player says", "player_says")):
        yield f"## {title}\n"
        for option in schema[key]["anyOf"]:
            definition = schema["$defs"][_name(option)]
            yield f"### {definition['properties']['type']['enum'][0]}\n"
            yield from _definition(definition, field_docs(getattr(native, definition["title"])))


def _games(schema: dict[str, Any]) -> Iterator[str]:
    for game, parts in schema["games"].items():
        yield f"## Moves and positions of {game}\n"
        kinds = [_name(one) for one in parts["move"].get("anyOf", [parts["move"]])]
        for name in [*kinds, *_reached(schema, _name(parts["position"]))]:
            yield f"### {game}: {_short(name)}\n"
            yield from _definition(schema["$defs"][name], field_docs(_type(name, game)))


def _reached(schema: dict[str, Any], name: str) -> list[str]:
    """Return a definition and those that it refers to."""
    found = [name]
    for at in found:
        for reference in _references(schema["$defs"][at]):
            if reference not in found:
                found.append(reference)
    return found


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield _name(part)
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)


def _type(name: str, game: str) -> type[Any]:
    """Return the type of a definition: its name has its module where two types of one name are defined."""
    module, _, short = name.rpartition(".")
    home = importlib.import_module(module or registry.find("games", game).__module__)
    found: type[Any] = getattr(home, short)
    return found


def _definition(definition: dict[str, Any], meanings: dict[str, str]) -> Iterator[str]:
    """Yield a table of the fields, the type of the message first."""
    yield plain(" ".join(definition.get("description", "").split())) + "\n"
    required = definition.get("required", [])
    fields = sorted(definition.get("properties", {}).items(), key=lambda field: field[0] != "type")
    rows = [
        (code(name), plain(kind(shape)), _default(name, shape, required), plain(meanings.get(name, "")))
        for name, shape in fields
    ]
    if rows:
        yield table(["field", "type", "default", "meaning"], rows)


def _default(name: str, shape: dict[str, Any], required: list[str]) -> str:
    return "required" if name in required else code(json.dumps(shape.get("default")))


def kind(shape: dict[str, Any]) -> str:
    """Return the type of a JSON Schema in words.

    >>> kind({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    'array of (integer or null)'
    """
    if "$ref" in shape:
        return _short(_name(shape))
    if "enum" in shape:
        return ", ".join(f"`{json.dumps(value)}`" for value in shape["enum"])
    if "anyOf" in shape:
        return " or ".join(dict.fromkeys(map(kind, shape["anyOf"])))
    if "prefixItems" in shape:
        return f"[{', '.join(map(kind, shape['prefixItems']))}]"
    if shape.get("type") == "array":
        item = kind(shape.get("items", {}))
        return f"array of ({item})" if " or " in item else f"array of {item}"
    return str(shape.get("type", "any JSON value"))


def _name(reference: dict[str, Any]) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _short(name: str) -> str:
    return name.rpartition(".")[2]
