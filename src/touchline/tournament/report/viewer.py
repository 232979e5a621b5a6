"""The scripts and styles of the replay viewer: those of the web page, put together for one HTML file.

The viewer draws with the page's own board (`web/static`) and with the art that a game brings; those files are
read as data, and nothing of `web` is imported. Law of this file: a page has only scripts whose hash its
Content-Security-Policy names.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources

import msgspec

from touchline.core import registry
from touchline.core.errors import UnknownName
from touchline.draw.js_modules import embeddable, imports, in_order, module, safe
from touchline.draw.page_art import NO_ART, art_of, drawings_of

PAGE = resources.files("touchline") / "web" / "static"
OURS = resources.files("touchline.tournament.report")
BEHAVIOUR, SHEETS = "behaviour.js", "sheets.js"
"""The names under which the viewer imports what the cup's game brings along."""


def viewer_scripts(game: str) -> tuple[str, ...]:
    """Return the scripts of the viewer for a game, in their order: library, art, viewer."""
    try:
        found = registry.find("games", game)
    except UnknownName:
        found = None
    return (
        safe("'use strict';\nconst MODULES = {};\n" + board_modules()),
        safe(f"{sheets_module(drawings_of(found))}\n{module(BEHAVIOUR, _behaviour(found))}"),
        safe(module("viewer.js", (OURS / "viewer.js").read_text())),
    )


@cache
def board_modules() -> str:
    """Return the page's own board, with all modules that it needs, as a script."""

    def read(name: str) -> str:
        return (PAGE / name).read_text()

    return "\n".join(module(name, read(name)) for name in in_order(["board.js"], read))


def sheets_module(drawings: dict[str, str]) -> str:
    """Return a module with the sheets of symbols by name."""
    return f'MODULES["{SHEETS}"] = {{ sheets: {msgspec.json.encode(drawings).decode()} }};'


@cache
def viewer_style() -> str:
    """Return the style of the viewer and its boards."""
    return (OURS / "viewer.css").read_text() + (PAGE / "board.css").read_text()


def script_hash(script: str) -> str:
    """Return the source expression of a Content-Security-Policy that allows this script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _behaviour(game: type | None) -> str:
    """Return the behaviour of a game; none if the game is not installed, or its module cannot be embedded."""
    try:
        source = NO_ART.decode() if game is None else art_of(game).decode()
    except UnicodeDecodeError:
        return ""
    return source if embeddable(source) and not imports(source) else ""
