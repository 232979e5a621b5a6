"""A sketch as a picture: polygons, discs, ways and words, and these as SVG.

Laws of this file: it knows no game; the same sketch makes the same text; an SVG is well-formed whatever the
labels hold, and stands on its own, with no script, style sheet, font or link.
"""

from __future__ import annotations

import zlib
from html import escape
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.sketch import Piece, Sketch, Spot

UNIT = 48.0
"""The width of a square in pixels."""
MARGIN = 14.0
LINE = 20.0
"""The height of a line of notes in pixels."""
HEXAGON = (UNIT * 0.75, UNIT * sqrt(3) / 4)
"""Pixels to a unit across and down where hexagons must touch: they are wider than high, and two rows apart
is one height."""
_WAYS = {"N": (0.0, -0.5), "E": (0.5, 0.0), "S": (0.0, 0.5), "W": (-0.5, 0.0)}
_ARROWS = {"▲": -pi / 2, "▼": pi / 2, "◀": pi, "▶": 0.0}


class Theme(NamedTuple):
    paper: str
    light: str
    dark: str
    edge: str
    way: str
    ink: str
    faint: str
    seats: tuple[str, ...]


LIGHT = Theme(
    "#f7f5f0", "#fdfcf9", "#e4ddd0", "#b9ad98", "#cbbf9f", "#2b2620", "#8b8171",
    ("#c8312b", "#2563b8", "#1f8a4c", "#8b3fb0", "#c07a00", "#0f8a94"),
)  # fmt: skip
DARK = Theme(
    "#16191d", "#2a3038", "#20252b", "#4a545f", "#5d6b79", "#eceff2", "#98a3ae",
    ("#ff6f61", "#6aa9ff", "#58cf8b", "#c894ee", "#f0b64a", "#4fd0d8"),
)  # fmt: skip
THEMES = {"light": LIGHT, "dark": DARK}


class Polygon(NamedTuple):
    points: tuple[tuple[float, float], ...]
    fill: str
    edge: str


class Disc(NamedTuple):
    x: float
    y: float
    radius: float
    fill: str
    edge: str


class Way(NamedTuple):
    """A thick line."""

    x: float
    y: float
    to_x: float
    to_y: float
    width: float
    colour: str


class Text(NamedTuple):
    """Text around a point, or beginning at it."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    centred: bool = True


Shape: TypeAlias = Polygon | Disc | Way | Text


class Picture(NamedTuple):
    width: int
    height: int
    paper: str
    shapes: tuple[Shape, ...]


def picture(
    sketch: Sketch, theme: Theme = LIGHT, said: tuple[str, ...] = (), *, numbered: bool = False
) -> Picture:
    """Lay out a sketch, with its notes and further lines of text below it.

    `numbered` adds the numbers of the rows and columns at the left and at the top.
    """
    hexagons = any(spot.shape == "hexagon" for spot in sketch.spots)
    across, down = HEXAGON if hexagons else (UNIT, UNIT)
    left = min((spot.x for spot in sketch.spots), default=0.0)
    top = min((spot.y for spot in sketch.spots), default=0.0)
    right = max((spot.x for spot in sketch.spots), default=0.0)
    bottom = max((spot.y for spot in sketch.spots), default=0.0)
    half_wide, half_high = (UNIT / 2, down) if hexagons else (UNIT / 2, UNIT / 2)
    edge = LINE if numbered else 0.0
    x0, y0 = edge + MARGIN + half_wide - left * across, edge + MARGIN + half_high - top * down
    shapes: list[Shape] = []
    for spot in sketch.spots:
        x, y = x0 + spot.x * across, y0 + spot.y * down
        shapes += _spot(spot, x, y, theme)
        if numbered:
            shapes += _numbers(spot, x, y, theme)
    board = edge + 2 * MARGIN + (bottom - top) * down + 2 * half_high
    lines = (*sketch.notes, *said)
    for row, line in enumerate(lines):
        shapes.append(Text(MARGIN, board + LINE * (row + 0.3), line, 13, theme.faint, False))
    wide = edge + 2 * MARGIN + (right - left) * across + 2 * half_wide
    wide = max(wide, min(900.0, 2 * MARGIN + 7 * max(map(len, lines), default=0)))
    return Picture(round(wide), round(board + LINE * len(lines)), theme.paper, tuple(shapes))


def _spot(spot: Spot, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    if spot.shape == "arrow":
        yield from _arrow(spot.label, x, y, theme)
    elif spot.fill != "gap":
        yield _ground(spot, x, y, theme)
    for way in spot.strokes:
        aside, below = _WAYS[way]
        yield Way(x, y, x + aside * UNIT * 0.94, y + below * UNIT * 0.94, UNIT * 0.22, theme.way)
    if spot.strokes:
        yield Disc(x, y, UNIT * 0.11, theme.way, theme.way)
    labelled = bool(spot.pieces) and 0 < len(spot.label) <= 2 and spot.fill != "gap"
    if labelled:  # the piece hides the middle
        yield Text(x, y + 0.345 * UNIT, spot.label, UNIT * 0.2, theme.ink)
    elif spot.shape != "arrow" and spot.fill != "gap":
        yield from _label(spot.label, x, y, theme)
    # A hexagon has no upper corner at the left: its marks begin in the middle.
    aside, below = (0.33 * UNIT, 0.04 * UNIT) if spot.shape == "hexagon" else (0.0, 0.0)
    for place, mark in enumerate(spot.marks):
        yield from _mark(mark, place, x + aside, y + below, theme)
    for place, piece in enumerate(spot.pieces):
        yield from _piece(piece, place, x, y - 0.07 * UNIT if labelled else y, theme)


def _numbers(spot: Spot, x: float, y: float, theme: Theme) -> Iterator[Text]:
    """Write the row beside the first spot of a row, and the column above the first of a column."""
    if isinstance(spot.key, tuple):
        row, col = spot.key
        if col == 0:
            yield Text(MARGIN, y, str(row), 13, theme.faint)
        if row == 0:
            yield Text(x, MARGIN, str(col), 13, theme.faint)


def _ground(spot: Spot, x: float, y: float, theme: Theme) -> Polygon:
    fill = theme.light if spot.fill == "light" else theme.dark
    if spot.shape == "hexagon":
        radius = UNIT / 2 * 0.97
        turns = (pi / 3 * corner for corner in range(6))
        return Polygon(
            tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns), fill, theme.edge
        )
    half = UNIT * 0.48
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return Polygon(tuple((x + aside, y + below) for aside, below in corners), fill, theme.edge)


def _arrow(label: str, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    if label in _ARROWS:
        turns = (_ARROWS[label] + corner * 2 * pi / 3 for corner in range(3))
        points = tuple((x + 0.26 * UNIT * cos(turn), y + 0.26 * UNIT * sin(turn)) for turn in turns)
        yield Polygon(points, theme.faint, theme.edge)
    elif label:
        yield Text(x, y, label, UNIT * 0.4, theme.faint)


def _label(label: str, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Write a short label; draw each part of a longer one as a gem with its own colour."""
    if len(label) <= 2:
        if label:
            yield Text(x, y, label, UNIT * 0.34, theme.ink)
        return
    for place, part in enumerate(label.split(" & ")[:2]):
        aside = (-0.3, 0.3)[place] * UNIT
        colour = _hue(zlib.crc32(part.encode()))
        yield Disc(x + aside, y + 0.32 * UNIT, UNIT * 0.08, colour, theme.edge)


def _hue(number: int) -> str:
    """Return a saturated colour for a number."""
    turn = (number % 360) / 360 * 2 * pi
    parts = (round(140 + 100 * sin(turn + shift)) for shift in (0.0, 2 * pi / 3, 4 * pi / 3))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _mark(mark: Piece, place: int, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Draw a goal as a star, a target as a dot, any other mark as a small square, in the upper corners."""
    colour = theme.seats[mark.seat % len(theme.seats)]
    centre_x, centre_y = x + (-0.33 + 0.22 * (place % 4)) * UNIT, y + (-0.33 + 0.22 * (place // 4)) * UNIT
    if mark.glyph == "*":
        corners = (
            ((0.13 if corner % 2 == 0 else 0.055) * UNIT, pi / 5 * corner - pi / 2) for corner in range(10)
        )
        points = tuple((centre_x + far * cos(turn), centre_y + far * sin(turn)) for far, turn in corners)
        yield Polygon(points, colour, theme.edge)
    elif mark.glyph == "+":
        yield Disc(centre_x, centre_y, 0.1 * UNIT, colour, theme.edge)
    else:
        half = 0.09 * UNIT
        square = ((-half, -half), (half, -half), (half, half), (-half, half))
        yield Polygon(tuple((centre_x + a, centre_y + b) for a, b in square), colour, theme.edge)


def _piece(piece: Piece, place: int, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Draw the first piece in the middle, and the others around it and smaller."""
    colour = theme.seats[piece.seat % len(theme.seats)]
    radius = UNIT * (0.29 if place == 0 else 0.15)
    if place:
        turn = pi / 4 + place * pi / 2
        x, y = x + 0.32 * UNIT * cos(turn), y + 0.32 * UNIT * sin(turn)
    yield Disc(x, y, radius, colour, theme.paper)
    yield Text(x, y, piece.glyph, radius * 1.15, theme.paper)


def svg(drawn: Picture, title: str = "") -> str:
    """Return the picture as SVG text.

    >>> from touchline.core.sketch import Sketch
    >>> svg(picture(Sketch(spots=())))[:26]
    '<svg xmlns="http://www.w3.'
    """
    name = f"<title>{_safe(title)}</title>" if title else ""
    size = f'width="{drawn.width}" height="{drawn.height}" viewBox="0 0 {drawn.width} {drawn.height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif">{name}',
            f'<rect width="100%" height="100%" fill="{drawn.paper}"/>',
            *map(_element, drawn.shapes),
            "</svg>",
        ]
    )


def _element(shape: Shape) -> str:
    match shape:
        case Polygon(points, fill, edge):
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            return f'<polygon points="{corners}" fill="{fill}" stroke="{edge}"/>'
        case Disc(x, y, radius, fill, edge):
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{edge}"/>'
        case Way(x, y, to_x, to_y, width, colour):
            ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
            return f'<line {ends} stroke="{colour}" stroke-width="{width:.1f}"/>'
        case Text(x, y, text, size, colour, centred):
            anchor = ' text-anchor="middle" dominant-baseline="central"' if centred else ""
            place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}"'
            return f'<text {place} fill="{colour}"{anchor}>{_safe(text)}</text>'


def _safe(text: str) -> str:
    """Escape text for XML; an unprintable character becomes a question mark."""
    return escape("".join(char if char.isprintable() else "?" for char in text))
