"""The OpenAPI document: every route is in it, what it refers to is there, and answers are what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.web import schema
from touchline.web.app import Site
from touchline.web.openapi import document
from touchline.web.routes import ROUTES
from web.sites import OPEN, live, me, run, site

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[2] / "docs" / "api.md"


def _refs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for part in value.values():
            yield from _refs(part)
    elif isinstance(value, list):
        for part in value:
            yield from _refs(part)


def test_it_mentions_every_route() -> None:
    async def main() -> None:
        app = Site().app()
        served = {
            (route.method, route.resource.canonical)
            for route in app.router.routes()
            if route.method != "HEAD" and route.resource is not None
        }
        told = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}
        pages = ("/", "/t/{id}", "/r/{id}", "/static/{name}", "/art/{game}.{kind}")
        assert told | {("GET", path) for path in pages} == served

    run(main())


def test_what_it_refers_to_is_there() -> None:
    """And every operation has what OpenAPI demands of one."""
    made = json.loads(json.dumps(document()))
    assert made["openapi"].startswith("3.1")
    schemas = made["components"]["schemas"]
    assert {ref.removeprefix("#/components/schemas/") for ref in _refs(made)} <= set(schemas)
    ids = []
    for path, methods in made["paths"].items():
        for operation in methods.values():
            ids.append(operation["operationId"])
            assert operation["responses"]
            assert all(answer["description"] for answer in operation["responses"].values())
            named = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))
    assert len(ids) == len(set(ids)) == len(ROUTES)


def test_the_words_say_the_same() -> None:
    """docs/api.md has every path."""
    text = DOCS.read_text()
    for route in ROUTES:
        path = route.path.replace("{version}", "VERSION")
        assert path.replace("{id}", "ID").replace("{game}", "GAME") in text, route.path


def test_answers_are_what_it_says() -> None:
    """Lines and bodies decode as the types that the document was made from."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), OPEN)
            status, told = await visit.get("/api/openapi.json")
            assert (status, told) == (200, json.loads(json.dumps(document())))
            _, tables = await visit.get("/api/tables")
            msgspec.convert(tables, schema.TableList, strict=True)
            _, told = await visit.post(f"/api/tables/{table}/join", {"name": "bob"})
            msgspec.convert(told, schema.Seated, strict=True)
            other = told["seats"][0]["token"]
            async with live(visit, table, token) as ann, live(visit, table, other) as bob:
                await bob.line()
                await ann.turn()
                for raw in ann.received:
                    msgspec.json.decode(raw, type=schema.LiveLine)

    run(main())
