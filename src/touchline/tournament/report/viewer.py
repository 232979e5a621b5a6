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

from touchline.core import registry
from touchline.core.errors import UnknownName
from touchline.draw.js_modules import embeddable, module, safe
from touchline.draw.page_art import art_of

PAGE = resources.files("touchline") / "web" / "static"
OURS = resources.files("touchline.tournament.report")
ART = "game_art.js"
"""The name under which the viewer imports the art of the cup's game."""


def viewer_scripts(game: str) -> tuple[str, ...]:
    """Return the scripts of the viewer for a game, in their order: library, art, viewer."""
    library = [
        module(name, (PAGE / name).read_text()) for name in ("dom.js", "spots.js", "art.js", "board.js")
    ]
    return (
        safe("'use strict';\nconst MODULES = {};\n" + "\n".join(library)),
        safe(module(ART, _art(game))),
        safe(module("viewer.js", (OURS / "viewer.js").read_text())),
    )


@cache
def viewer_style() -> str:
    """Return the style of the viewer and its boards."""
    return (OURS / "viewer.css").read_text() + (PAGE / "board.css").read_text()


def script_hash(script: str) -> str:
    """Return the source expression of a Content-Security-Policy that allows this script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _art(game: str) -> str:
    """Return the art of a game; none if the game is not installed, or its module cannot be embedded."""
    try:
        source = art_of(registry.find("games", game)).decode()
    except (UnknownName, UnicodeDecodeError):
        return ""
    return source if embeddable(source) else ""
