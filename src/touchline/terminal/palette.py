"""The colours of the full screen, for a dark background."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style

from touchline.draw.seat_colours import colours_of, lightened, luminance
from touchline.draw.sheet import common_sheet, sheet_of

if TYPE_CHECKING:
    from touchline.core.rules import Game
    from touchline.draw.sheet import Sheet
    from touchline.terminal.blocks import Cell

PAPER, INK, FAINT, WAY = "#15191e", "#e8ecf0", "#8d99a6", "#d8c48f"
FILLS = {
    "light": "#39434e", "dark": "#2b333c", "light odd": "#333c46", "dark odd": "#272e36",
    "gap": PAPER, "gap odd": PAPER, "": PAPER,
}  # fmt: skip
LIT, PICKED, CURSOR, MARKED, FLASH = "#2c6e49", "#8a6d1f", "#f7e27c", "#3f4f78", "#6f86c9"
"""Backgrounds: spots that may be picked or are picked, the cursor, the last move, and a new one."""
NIGHT, PALE = "#0b0d0f", "#c3ccd5"
BLACK = 0.035
"""A colour darker than this is black."""


_worn: list[Sheet] = []
"""The sheet of the game on this screen, which shows one."""


def wear(game: type[Game]) -> None:
    """Take the colours of the seats from the sheet of a game."""
    _worn[:] = [sheet_of(game)]


@lru_cache(maxsize=16)
def _colours(sheet: Sheet) -> tuple[str, ...]:
    return tuple(_on_dark(colour.fill) for colour in colours_of(sheet))


def _on_dark(colour: str) -> str:
    """Return a seat's colour for a dark screen; black stays black, and is drawn on a pale ground."""
    return NIGHT if luminance(colour) < BLACK else lightened(colour, PAPER)


def seat_colour(seat: int) -> str:
    """Return the colour of a seat on this screen."""
    colours = _colours(_worn[0] if _worn else common_sheet())
    return colours[seat % len(colours)]


def seat_style(seat: int) -> Style:
    """Return the style of a seat's name."""
    colour = seat_colour(seat)
    return Style(color=colour, bold=True, bgcolor=PALE if colour == NIGHT else None)


def cell_style(cell: Cell, glow: str | None) -> Style:
    """Return the style of a character; `glow` is a background that replaces that of its spot."""
    colour = INK if cell.seat is None else seat_colour(cell.seat)
    return _style(cell._replace(key=None if cell.key is None else ""), colour, glow)


@lru_cache(maxsize=4096)
def _style(cell: Cell, seat: str, glow: str | None) -> Style:
    ground = FILLS[cell.fill] if glow is None else glow
    if cell.corner:
        return Style(color=ground, bgcolor=PAPER)
    if glow == CURSOR and not cell.token:
        return Style(color=NIGHT, bgcolor=CURSOR, bold=True)
    if cell.token and cell.seat is not None:
        return Style(color=PALE if seat == NIGHT else NIGHT, bgcolor=seat, bold=True)
    if cell.seat is not None:
        return Style(color=seat, bgcolor=PALE if seat == NIGHT else ground, bold=True)
    colour = FAINT if cell.key is None or cell.fill == "gap" else INK
    return Style(color=WAY if cell.char in "┃━┏┓┗┛┣┫┳┻╋╹╻╺╸" else colour, bgcolor=ground)
