"""The scripts and styles of the replay viewer: those of the web page, put together for one HTML file.

The viewer draws with the page's own board (`web/static`) and with the art that a game brings; those files are
read as data, and nothing of `web` is imported. Law of this file: a page has only scripts whose hash its
Content-Security-Policy names.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources

from touchline.core import registry
from touchline.core.errors import UnknownName
from touchline.draw.page_art import art_of

PAGE = resources.files("touchline") / "web" / "static"
OURS = resources.files("touchline.tournament.report")
ART = "game_art.js"
"""The name under which the viewer imports the art of the cup's game."""
_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(?:[^"]*/)?([^"/]+)";?$', re.MULTILINE)
_EXPORT = re.compile(
    r"^export\s+((?:async\s+)?function\*?|const|let|class)\s+([A-Za-z_$][\w$]*)", re.MULTILINE
)
_REST = re.compile(r"^\s*(?:import\s|export\s)", re.MULTILINE)


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
    return "" if _REST.search(_EXPORT.sub("", _IMPORT.sub("", source)).replace("export {};", "")) else source


def module(name: str, source: str) -> str:
    """Return a JavaScript module as a script that puts its exports into `MODULES`.

    >>> print(module("a.js", 'import { b as c } from "./b.js";\\nexport const d = c;'))
    MODULES["a.js"] = (() => {
    const { b: c } = MODULES["b.js"];
    const d = c;
    return { d };
    })();
    """
    names = [found[2] for found in _EXPORT.finditer(source)]
    body = _IMPORT.sub(_required, source).replace("export {};", "")
    body = _EXPORT.sub(r"\1 \2", body).strip()
    return f'MODULES["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(names)} }};\n}})();'


def _required(found: re.Match[str]) -> str:
    names = ", ".join(re.sub(r"\s+as\s+", ": ", name.strip()) for name in found[1].split(",") if name.strip())
    return f'const {{ {names} }} = MODULES["{found[2]}"];'


def safe(script: str) -> str:
    """Return a script that ends no `<script>` element: in strings `\\/` is the same as `/`."""
    return re.sub(r"<(?=/script|!--|script)", r"\\x3c", script, flags=re.IGNORECASE)
