"""The rules of a game as text for a terminal: Markdown in 80 columns, and positions drawn between it."""

from __future__ import annotations

import io
import re
import sys
from typing import TYPE_CHECKING

import click
from rich.console import Console, Group
from rich.markdown import Heading, Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from touchline.cli._draw import picture
from touchline.draw.game_options import game_options

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderableType, RenderResult

    from touchline.core.rules import Game
    from touchline.draw.rules_page import Figure, RulesPage

WIDE = 80
"""The most columns: longer lines are hard to read."""
_IMAGE = re.compile(r"^!\[.*\]\(.*\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)(?:#[^)]*)?\)")
_CODE = re.compile(r"`[^`\n]+`")
_STYLES = Theme(
    {
        "markdown.h1": "bold",
        "markdown.h2": "bold",
        "markdown.code": "cyan",
        "markdown.item.bullet": "",
        "markdown.table.header": "bold",
    }
)


class _LeftHeading(Heading):
    """A heading at the left, with a line below it where there is no colour."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.text
        if not console.is_terminal:
            yield Text(("=" if self.tag == "h1" else "-") * self.text.cell_len)


class _Prose(Markdown):
    elements = {**Markdown.elements, "heading_open": _LeftHeading}  # noqa: RUF012 - rich reads it so


def terminal_width() -> int:
    """Return the columns to use: those of the terminal, at most 80."""
    import shutil

    return min(WIDE, shutil.get_terminal_size((WIDE, 24)).columns)


def rules_text(game: type[Game], page: RulesPage) -> str:
    """Return the whole page with its pictures and the game's options."""
    parts = [_prose(part) if isinstance(part, str) else _figure(part) for part in page.parts]
    return rendered(Group(*parts, Text(""), _prose("## Options"), Text(""), options_table(game)))


def rendered(what: RenderableType) -> str:
    """Return what rich prints, in colour if stdout shows it."""
    color = click.get_current_context().find_root().obj
    paper = io.StringIO()
    console = Console(
        file=paper,
        force_terminal=_in_colour(),
        no_color=color == "never" or None,
        width=terminal_width(),
        highlight=False,
        theme=_STYLES,
    )
    console.print(what)
    lines = "".join(f"{line.rstrip()}\n" for line in paper.getvalue().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines)  # rich puts two empty lines around a table


def _in_colour() -> bool:
    color = click.get_current_context().find_root().obj
    return {"always": True, "never": False}.get(color, sys.stdout.isatty())


def _prose(markdown: str) -> Markdown:
    """Return a part of the page; pictures are left out, and a link shows the page that it leads to."""
    words = _LINK.sub(r"\1 (\2)", _IMAGE.sub("", markdown))
    if not _in_colour():  # what is coloured on a terminal keeps its backquotes
        words = _CODE.sub(r"`` \g<0> ``", words)
    return _Prose(words, hyperlinks=False)


def _figure(figure: Figure) -> RenderableType:
    drawn = picture(figure.sketch)
    drawn.rstrip()
    lines: list[RenderableType] = [Text(""), drawn, Text(figure.caption, style="italic")]
    if figure.legal:
        lines.append(Text("legal:"))
        lines += [Text(f"  {move}", style="cyan") for move in figure.legal]
    if figure.illegal:
        lines.append(Text("illegal:"))
    for move, reason in figure.illegal:
        lines += [Text(f"  {move}", style="cyan"), Text(f"    {reason}", style="dim")]
    return Padding(Group(*lines), (0, 0, 1, 2))


def options_table(game: type[Game]) -> RenderableType:
    """Return the options of a game, from its fields."""
    options = game_options(game)
    if not options:
        return Text("This game has no options.")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("option", "values", "default", "meaning"):
        table.add_column(head, header_style="bold")
    for option in options:
        table.add_row(f"--{option.name.replace('_', '-')}", option.values, option.default, option.about)
    return table
