"""The directive `match`: a recorded match as a small player in the page, which needs no server.

    ```{match} matches/fish.jsonl
    :picture: matches/fish.svg
    :caption: Four house players.
    :at: 12
    ```

A picture that links to a record, `[![caption](fish.svg)](fish.jsonl)`, is the same: so a page reads well on a
code host. Laws of this file: a record that does not verify fails the build; names and reasons of players are
data, never HTML.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from touchline.core import registry
from touchline.core.errors import TouchlineError
from touchline.draw.js_modules import module
from touchline.draw.page_art import art_of, drawings_of
from touchline.records.replay import Replay
from touchline.tournament.report.films import MOST_SPOTS, Films
from touchline.tournament.report.viewer import PAGE, board_modules, sheets_module

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from touchline.tournament.ledger import Ledger

HERE = Path(__file__).parent
SCRIPT, STYLE = "match_player.js", "match_player.css"
_PICTURE = re.compile(r"^\[!\[([^\]]*)\]\(([^)\s]+\.svg)\)\]\(([^)\s]+\.jsonl)\)$", re.MULTILINE)


def setup(app: Sphinx) -> None:
    """Register the directive, its script and its style."""
    app.add_directive("match", MatchDirective)
    app.connect("source-read", pictures_to_players)
    app.connect("build-finished", write_assets)
    app.add_css_file(STYLE)


def pictures_to_players(app: Sphinx, docname: str, content: list[str]) -> None:
    """Replace pictures that link to a record by the directive."""
    player = "```{match} \\3\n:picture: \\2\n:caption: \\1\n```"
    content[0] = _PICTURE.sub(player, content[0])


def write_assets(app: Sphinx, error: Exception | None) -> None:
    """Write the script and the style of the players beside the pages."""
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir, "_static")
        folder.mkdir(exist_ok=True)
        (folder / SCRIPT).write_text(script())
        (folder / STYLE).write_text(style())


def script() -> str:
    """Return the page's own board, the art of our games and the player, as one script."""
    parts, drawings = [board_modules()], dict[str, str]()
    for name in registry.GAMES.ours():
        game = registry.find("games", name)
        parts.append(module(f"{name}_art.js", art_of(game).decode()))
        drawings |= drawings_of(game)
    arts = ", ".join(f'"{game}": MODULES["{game}_art.js"]' for game in registry.GAMES.ours())
    parts.append(f'MODULES["arts.js"] = {{ arts: {{ {arts} }} }};')
    parts.append(sheets_module(drawings))
    parts.append(module(SCRIPT, (HERE / SCRIPT).read_text()))
    return "(() => {\n'use strict';\nconst MODULES = {};\n" + "\n".join(parts) + "\n})();\n"


def style() -> str:
    """Return the style of the players; that of the boards applies within them only."""
    return (HERE / STYLE).read_text() + f".match-player {{\n{(PAGE / 'board.css').read_text()}}}\n"


class MatchDirective(SphinxDirective):
    """A recorded match as a player."""

    required_arguments = 1
    option_spec = {  # noqa: RUF012
        "picture": directives.unchanged_required,
        "caption": directives.unchanged,
        "at": directives.nonnegative_int,
    }

    def run(self) -> list[nodes.Node]:
        relative, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(relative)
        try:
            replay = Replay(Path(path).read_bytes(), relative)
            replay.verify()
        except (OSError, TouchlineError) as error:
            raise self.error(f"{relative}: not a record that verifies: {error}") from None
        html = player_html(Path(path), replay, self._picture(), self.options)
        root = relative_uri(self.env.app.builder.get_target_uri(self.env.docname), "_static/")
        return [nodes.raw("", html.replace("{static}", escape(root)), format="html")]

    def _picture(self) -> str:
        """Return the picture as a data URI, so that a page needs no other file."""
        if "picture" not in self.options:
            return ""
        import base64

        relative, path = self.env.relfn2path(self.options["picture"])
        self.env.note_dependency(relative)
        data = base64.b64encode(Path(path).read_bytes()).decode()
        return f"data:image/svg+xml;base64,{data}"


class _OneRecord:
    """As much of a ledger as a film needs."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def record(self, game: str) -> bytes:
        return self._data


def player_html(path: Path, replay: Replay, picture: str, options: dict[str, Any]) -> str:
    """Return the HTML of a player; the script replaces the picture."""
    films = Films(cast("Ledger", _OneRecord(path.read_bytes())), MOST_SPOTS)
    films.add(path.stem, ())
    caption = options.get("caption", "")
    image = f'<img src="{picture}" alt="{escape(caption)}">' if picture else ""
    game, at = escape(replay.begun.game), options.get("at", "")
    return (
        f'<figure class="match-player" data-game="{game}" data-at="{at}">'
        f'<script type="application/json">{films.json()}</script>'
        f'<div class="stage">{image}</div>'
        + (f"<figcaption>{escape(caption)}</figcaption>" if caption else "")
        + '</figure><script defer src="{static}'
        + f'{SCRIPT}"></script>'
    )
