"""Options that write pictures of a position or a match to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.sketch import Sketch
    from touchline.draw.svg import Theme

THEME = click.Option(
    ["--theme"],
    type=click.Choice(("light", "dark")),
    default="light",
    show_default=True,
    help="Colours of the pictures.",
)


def file_option(ending: str, what: str) -> click.Option:
    """Return an option `--ENDING FILE`."""
    return click.Option([f"--{ending}"], type=click.Path(dir_okay=False), help=what)


def write(file: str, made: Callable[[], bytes]) -> None:
    """Make a picture and write it to a file."""
    data = made()
    try:
        Path(file).write_bytes(data)
    except OSError as error:
        raise BadOptions(f"cannot write {file}: {error.strerror}") from None


def position_files(
    sketch: Sketch, owner: type, theme: str, svg_file: str | None, png_file: str | None
) -> None:
    """Write a position as SVG, as PNG, or both."""
    from touchline.draw.raster import Painter, encoded, on_paper
    from touchline.draw.sheet import sheet_of
    from touchline.draw.svg import Pen, picture, svg

    sheet = sheet_of(owner)
    worn: Theme = "dark" if theme == "dark" else "light"
    drawn = picture(sketch, sheet)
    if svg_file is not None:
        write(svg_file, lambda: svg(drawn, worn, sheet.name).encode())
    if png_file is not None:
        paper = Pen(sheet, worn).value("var(--paper)", sheet.root)
        board = Painter(sheet, worn, 2 * drawn.scale).board
        write(png_file, lambda: encoded(on_paper(board(drawn.scene), paper), "PNG"))
