"""What is written down about the native dialect is what its types say today."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from scripted import ROOT, script

if TYPE_CHECKING:
    from collections.abc import Iterator

WIRE = ROOT / "docs" / "wire"
WRITTEN: dict[str, str] = script("schema").written()


@pytest.mark.parametrize("name", sorted({*WRITTEN, *(path.name for path in WIRE.glob("*.json"))}))
def test_the_schema_is_fresh(name: str) -> None:
    """Each file in docs/wire is what scripts/schema would write."""
    assert name in WRITTEN, f"nobody writes {name}"
    assert (WIRE / name).read_text() == WRITTEN[name], "stale: run scripts/schema"


WORDS = {
    "welcome": "Welcome",
    "begin": "Begin",
    "your_turn": "YourTurn",
    "accepted": "Accepted",
    "rejected": "Rejected",
    "update": "Update",
    "skipped": "Skipped",
    "expelled": "Expelled",
    "over": "Over",
    "hello": "Hello",
    "ready": "Ready",
    "act": "Move",
    "resign": "Resign",
}


def test_the_schema_knows_every_word() -> None:
    """Each message has its tag, its fields and what it is for."""
    defs = script("schema").schema()["$defs"]
    for tag, name in WORDS.items():
        assert defs[name]["description"]
        assert defs[name]["properties"]["type"] == {"enum": [tag]}


# -- AsyncAPI -----------------------------------------------------------------------------------

FIELDS = {
    # What each object of an AsyncAPI 3.0 document may have, of what we use or could; and what it must.
    "root": (
        "asyncapi info id servers defaultContentType channels operations components x-games",
        "asyncapi info",
    ),
    "info": ("title version description termsOfService contact license tags externalDocs", "title version"),
    "server": (
        "host protocol protocolVersion pathname description title summary variables security tags"
        " externalDocs bindings",
        "host protocol",
    ),
    "variable": ("enum default description examples", ""),
    "channel": (
        "address messages title summary description servers parameters tags externalDocs bindings",
        "",
    ),
    "operation": (
        "action channel title summary description security tags externalDocs bindings traits messages reply",
        "action channel",
    ),
    "reply": ("address channel messages", ""),
    "message": (
        "headers payload correlationId contentType name title summary description tags externalDocs bindings"
        " examples traits",
        "",
    ),
    "components": ("schemas messages", ""),
}


def fits(kind: str, found: dict[str, Any]) -> None:
    may, must = (set(fields.split()) for fields in FIELDS[kind])
    assert must <= found.keys() <= may, kind


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((WIRE / "asyncapi.json").read_text())
    return found


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(inner)


def resolved(found: dict[str, Any], reference: str) -> Any:
    assert reference.startswith("#/")
    value: Any = found
    for step in reference[2:].split("/"):
        value = value[step]
    return value


def test_every_object_of_the_asyncapi_document_has_the_fields_it_may_have() -> None:
    found = document()
    fits("root", found)
    assert found["asyncapi"] == "3.0.0"
    fits("info", found["info"])
    fits("components", found["components"])
    for server in found["servers"].values():
        fits("server", server)
        used = set(re.findall(r"\{(\w+)\}", server["host"] + server.get("pathname", "")))
        assert used == server["variables"].keys()
        for variable in server["variables"].values():
            fits("variable", variable)
    for channel in found["channels"].values():
        fits("channel", channel)
    for operation in found["operations"].values():
        fits("operation", operation)
        assert operation["action"] in ("send", "receive")
        fits("reply", operation.get("reply", {}))
    for message in found["components"]["messages"].values():
        fits("message", message)
    for name in (*found["components"]["schemas"], *found["components"]["messages"]):
        assert re.fullmatch(r"[\w.-]+", name)


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    """And those of an operation to messages of its channel, by way of that channel, as they must."""
    found = document()
    for part in parts(found):
        if "$ref" in part:
            assert part.keys() == {"$ref"}, "what stands beside a reference is ignored"
            assert resolved(found, part["$ref"])
    for operation in found["operations"].values():
        for side in (operation, operation.get("reply", {"messages": []})):
            for message in side["messages"]:
                assert message["$ref"].startswith(f"{side['channel']['$ref']}/messages/")
    assert {server["$ref"] for server in found["channels"]["seat"]["servers"]} == {
        "#/servers/tcp",
        "#/servers/websocket",
    }


def test_the_asyncapi_document_has_every_word_in_an_operation() -> None:
    found = document()
    assert {tag: message["payload"]["$ref"] for tag, message in found["components"]["messages"].items()} == {
        tag: f"#/components/schemas/{name}" for tag, name in WORDS.items()
    }
    said = {
        message["$ref"].rpartition("/")[2]
        for operation in found["operations"].values()
        for side in (operation, operation.get("reply", {"messages": []}))
        for message in side["messages"]
    }
    assert said == found["channels"]["seat"]["messages"].keys() == WORDS.keys()


def test_the_asyncapi_document_is_in_the_older_json_schema() -> None:
    """There a tuple has a list of items; and a discriminator is the name of a property."""
    for part in parts(document()["components"]["schemas"]):
        assert "prefixItems" not in part
        assert not isinstance(part.get("discriminator"), dict)
        if isinstance(part.get("items"), list):
            assert part["additionalItems"] is False
            assert part["minItems"] == part["maxItems"] == len(part["items"])


def test_what_is_said_in_transcripts_is_in_the_asyncapi_document() -> None:
    """Every frame of a native transcript has a type that is known, and the fields of it."""
    found = document()
    frames = [
        json.loads(frame)
        for path in (ROOT / "tests" / "transcripts" / "native").glob("*.txt")
        for frame in re.findall(r"^[\w >-]+: (\{.*\})$", path.read_text(), re.MULTILINE)
    ]
    assert len(frames) > 50
    for frame in frames:
        message = found["components"]["messages"][frame["type"]]
        shape = resolved(found, message["payload"]["$ref"])
        assert {*shape["required"]} <= frame.keys() <= shape["properties"].keys()
