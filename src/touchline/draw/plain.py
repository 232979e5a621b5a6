"""How a game without art is drawn: symbols of the common sheet, from shape, fill, strokes and label.

Law of this file: it turns a spot into art and nothing else, so there is one way to draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.sketch import Art, Backdrop, Panel, Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.sketch import Sketch, Spot

TARGET = "+"
"""The mark of a place where a piece can go: drawn as a dot."""
HEXAGON = (70.0, 41.0)
"""Units to a step of x and y where hexagons touch."""
MARGIN = 62.0
"""From the centre of the outermost spot to the edge of the board."""
LONG_LABEL = 6
_ARROWS = {"▲": "N", "▶": "E", "▼": "S", "◀": "W"}
_MARKS = {"*": "goal"}


def ground(spot: Spot) -> tuple[Art, ...]:
    """Return the art of a spot that has none."""
    return tuple(_ground(spot))


def _ground(spot: Spot) -> Iterator[Art]:
    if spot.shape == "arrow":
        yield from _button(spot.label)
    elif spot.fill != "gap":
        yield Art(f"plain-{spot.shape}", f"plain-{spot.fill}")
    yield from (Art(f"way-{way}") for way in spot.strokes)
    if spot.shape != "arrow" and spot.fill != "gap" and spot.label and not spot.pieces:
        short = spot.label if len(spot.label) <= LONG_LABEL else f"{spot.label[: LONG_LABEL - 1]}…"
        yield Art("plain-label" if len(short) < 3 else "plain-word", text=short)
    marks = [mark for mark in spot.marks if mark.glyph != TARGET]
    for place, mark in enumerate(marks):
        symbol = _MARKS.get(mark.glyph, "home")
        yield Art(symbol, f"seat{mark.seat % 6}", -32 + 21 * (place % 4), -32 + 21 * (place // 4))


def _button(label: str) -> Iterator[Art]:
    if label in _ARROWS:
        yield Art("plain-arrow")
        yield Art(f"plain-{_ARROWS[label]}")
    elif label:
        yield Art("plain-key")
        yield Art("plain-word", text=label)


def over(spot: Spot) -> tuple[Art, ...]:
    """Return the label of a spot whose middle a piece hides."""
    hidden = spot.pieces and 0 < len(spot.label) <= 2 and spot.fill != "gap" and spot.shape != "arrow"
    return (Art("plain-small", x=25, y=27, text=spot.label),) if hidden else ()


def pieces(spot: Spot) -> Iterator[tuple[Piece, tuple[Art, ...]]]:
    """Yield the pieces of a spot, each with what is drawn: its symbol, or a disc with its glyph."""
    many = len(spot.pieces)
    for place, piece in enumerate(spot.pieces):
        if piece.symbol:
            yield piece, (Art(piece.symbol),)
            continue
        size = 1.0 if many == 1 else 0.62
        x, y = (0.0, 0.0) if many == 1 else (-22.0 + 44 * (place % 2), -20.0 + 40 * (place // 2 % 2))
        placed = Piece(piece.seat, piece.glyph, "piece", x, y, size)
        yield placed, (Art("piece"), Art("plain-glyph", text=piece.glyph))


def backdrop(sketch: Sketch) -> Backdrop:
    """Return the backdrop of a sketch, with what it leaves open: scale, view, and a board under the spots."""
    given = sketch.backdrop
    hexagons = any(spot.shape == "hexagon" for spot in sketch.spots)
    scale = given.scale or (HEXAGON if hexagons else (100.0, 100.0))
    places = [spot.at or (spot.x * scale[0], spot.y * scale[1]) for spot in sketch.spots] or [(0.0, 0.0)]
    left, top = (min(place[axis] for place in places) - MARGIN for axis in (0, 1))
    wide, high = (max(place[axis] for place in places) + MARGIN - low for axis, low in ((0, left), (1, top)))
    panels, ornaments = given.panels, given.ornaments
    if not panels:
        panels = (Panel("plain-board", left, top, wide, high, 22),)
    numbered = given.view is None
    if numbered and not ornaments:
        ornaments = tuple(_numbers(sketch, scale, left, top))
    view = given.view or (left - 40, top - 40, wide + 54, high + 54)
    return Backdrop(panels, ornaments, scale, view, given.dot, given.ring, given.above)


def _numbers(sketch: Sketch, scale: tuple[float, float], left: float, top: float) -> Iterator[Art]:
    """Yield the number of each row beside it, and that of each column above it."""
    for spot in sketch.spots:
        if isinstance(spot.key, tuple):
            row, col = spot.key
            if col == 0:
                yield Art("number", "row", left - 18, spot.y * scale[1], text=str(row))
            if row == 0:
                yield Art("number", "column", spot.x * scale[0], top - 18, text=str(col))
