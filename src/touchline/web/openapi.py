"""The OpenAPI document, generated from the routes and their types."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

import touchline
from touchline.web import schema as api
from touchline.web.http import KEY
from touchline.web.routes import ROUTES, Route

_QUERIES: dict[str, dict[str, Any]] = {
    "game": {"type": "string"},
    "state": {"enum": ["open", "running", "finished"]},
    "theme": {"enum": ["light", "dark"], "default": "light"},
    "n": {"type": "integer", "minimum": 0},
    "turn": {"type": "integer", "minimum": 0},
    "step": {"type": "integer", "minimum": 0},
    "move": {"type": "integer", "minimum": 0},
    "first": {"type": "integer", "minimum": 0, "default": 0},
    "count": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
    "entrant": {"type": "string"},
    "other": {"type": "string"},
    "table": {"type": "string"},
    "url": {"type": "string"},
    "name": {"type": "string"},
    "seconds": {"type": "number", "minimum": 0.02, "maximum": 10, "default": 0.6},
}


@cache
def document() -> dict[str, Any]:
    """Return the document, in OpenAPI 3.1."""
    types = [kind for route in ROUTES for kind in (route.takes, route.gives) if kind not in (None, bytes)]
    schemas, components = msgspec.json.schema_components(
        [*types, api.ErrorBody], ref_template="#/components/schemas/{name}"
    )
    by_type = dict(zip(map(repr, [*types, api.ErrorBody]), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Touchline, the page",
            "version": touchline.__version__,
            "description": "Watch, play and replay. docs/api.md describes the same in words.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": KEY},
            },
        },
    }


def _operation(route: Route, by_type: dict[str, Any]) -> dict[str, Any]:
    parts = [part for part in route.path.split("/") if part not in ("", "api")]
    made: dict[str, Any] = {
        "summary": route.about,
        "operationId": "_".join(
            [route.method.lower(), *(part.strip("{}").replace(".", "_") for part in parts)]
        ),
        "responses": {
            str(route.status): _given(route, by_type),
            "default": {
                "description": "An error.",
                "content": {"application/json": {"schema": by_type[repr(api.ErrorBody)]}},
            },
        },
    }
    parameters = [
        {"name": name, "in": "query", "required": False, "schema": _QUERIES[name]} for name in route.query
    ]
    named = [part.strip("{}") for part in parts if part.startswith("{")]
    parameters[:0] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in named
    ]
    if parameters:
        made["parameters"] = parameters
    if route.token != "no" or route.key:
        made["security"] = _security(route)
    if route.takes is bytes:
        binary = {"schema": {"type": "string", "contentMediaType": route.sends}}
        made["requestBody"] = {"required": True, "content": {route.sends: binary}}
    elif route.takes is not None and route.method == "POST":
        content = {"application/json": {"schema": by_type[repr(route.takes)]}}
        made["requestBody"] = {"required": True, "content": content}
    elif route.takes is not None:
        made["x-messages"] = by_type[repr(route.takes)]
    return made


def _security(route: Route) -> list[dict[str, list[str]]]:
    """Return the ways to be let in; a key is needed only where the server has one."""
    seat: dict[str, list[str]] = {} if route.token == "no" else {"seat": []}
    ways = [{}, seat] if route.token == "may" else [seat]
    return [*ways, {**seat, "key": []}] if route.key else ways


def _given(route: Route, by_type: dict[str, Any]) -> dict[str, Any]:
    if route.gives is None:
        return {"description": route.about, "content": {route.media: {"schema": {"type": "string"}}}}
    schema = by_type[repr(route.gives)]
    if route.status == 101:
        return {"description": f"A WebSocket. {route.about}", "x-messages": schema}
    return {"description": route.about, "content": {route.media: {"schema": schema}}}
