"""A sketch as blocks of characters, as large as the screen allows.

Laws of this file: it knows no game and no library; every character of a spot knows its spot, so that a mouse
can point at it; the largest size that fits is chosen, and the smallest if none does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec.structs import replace

if TYPE_CHECKING:
    from touchline.core.sketch import Key, Piece, Sketch, Spot

LARGE = 4
"""Lines of a spot beyond which a piece has three."""
LEFT = 3
"""Columns for the numbers of the rows."""


class Cell(NamedTuple):
    """A character of a drawing: of a spot, or of the margin."""

    char: str = " "
    key: Key | None = None
    fill: str = ""
    """The background: that of the spot, or empty."""
    seat: int | None = None
    """The seat in whose colour it is drawn; None for the ordinary colour."""
    token: bool = False
    """Whether it is part of a piece, whose background has the seat's colour."""
    corner: bool = False
    """Whether it rounds a corner: it is drawn in the colour of the background."""


Block: TypeAlias = list[list[Cell]]
SMALL = Cell(" ")


class Size(NamedTuple):
    """How many characters a spot has, and a unit of the sketch across."""

    wide: int
    high: int
    unit: float


SQUARES = (Size(11, 5, 11), Size(7, 3, 7), Size(5, 2, 5), Size(3, 1, 3))
HEXAGONS = (Size(11, 5, 6), Size(7, 3, 4), Size(7, 2, 4), Size(4, 1, 3))
MAZES = (Size(7, 3, 7), Size(5, 3, 5), Size(5, 2, 5))
_JOINTS = {
    frozenset(ways): joint
    for ways, joint in {
        "": " ", "N": "╹", "S": "╻", "E": "╺", "W": "╸",
        "NS": "┃", "EW": "━", "SW": "┓", "NE": "┗", "ES": "┏", "NW": "┛",
        "ESW": "┳", "NES": "┣", "NEW": "┻", "NSW": "┫", "NESW": "╋",
    }.items()
}  # fmt: skip


class Drawing(NamedTuple):
    """A sketch as characters, by row and column."""

    cells: dict[tuple[int, int], Cell]
    width: int
    height: int
    boxes: dict[Key, tuple[int, int, int, int]]
    """The top row, left column, height and width of each spot."""

    def at(self, row: int, col: int) -> Key | None:
        """Return the spot at a character; None beside the board."""
        return self.cells.get((row, col), SMALL).key

    def centre(self, key: Key) -> tuple[float, float]:
        """Return the middle of a spot, as a row and a column."""
        top, left, high, wide = self.boxes[key]
        return top + high / 2, left + wide / 2


def drawing(sketch: Sketch, wide: int, high: int) -> Drawing:
    """Draw a sketch in the largest size that fits into this many columns and rows."""
    made: Drawing | None = None
    for size in _sizes(sketch):
        made = _drawn(sketch, size)
        if made.width <= wide and made.height <= high:
            break
    assert made is not None
    return made


def _sizes(sketch: Sketch) -> tuple[Size, ...]:
    if any(spot.strokes for spot in sketch.spots):
        return MAZES
    return HEXAGONS if any(spot.shape == "hexagon" for spot in sketch.spots) else SQUARES


def _drawn(sketch: Sketch, size: Size) -> Drawing:
    cells: dict[tuple[int, int], Cell] = {}
    boxes: dict[Key, tuple[int, int, int, int]] = {}
    left = min((spot.x for spot in sketch.spots), default=0)
    tops, maze = _tops(sketch, size), any(spot.strokes for spot in sketch.spots)
    for spot in sketch.spots:
        top, high = tops[spot.y]
        col0 = round((spot.x - left) * size.unit) + LEFT + 1
        block = _arrow(spot, size.wide, high) if spot.shape == "arrow" else _block(spot, size, maze=maze)
        for down, line in enumerate(block):
            for across, cell in enumerate(line):
                cells[top + down, col0 + across] = cell
        boxes[spot.key] = (top, col0, len(block), size.wide)
        if isinstance(spot.key, tuple):
            _number(cells, spot.key, top + (high - 1) // 2, col0 + size.wide // 2)
    width = max((col for _, col in cells), default=-1) + 1
    height = max((row for row, _ in cells), default=-1) + 1
    return Drawing(cells, width, height, boxes)


def _tops(sketch: Sketch, size: Size) -> dict[float, tuple[int, int]]:
    """Return the first line and the height of each row; a row of arrows has one line."""
    rows: dict[float, tuple[int, int]] = {}
    flat = {
        y: all(spot.shape == "arrow" for spot in sketch.spots if spot.y == y)
        for y in sorted({spot.y for spot in sketch.spots})
    }
    line, before = 1, None
    for y, arrows in flat.items():
        if before is not None and y - before < 1:  # rows that overlap keep their distance
            line = rows[before][0] + max(1, round((y - before) * size.high))
        rows[y] = line, 1 if arrows else size.high
        line, before = line + rows[y][1], y
    return rows


def _number(cells: dict[tuple[int, int], Cell], key: tuple[int, int], line: int, middle: int) -> None:
    """Write the number of a row beside it, and that of a column above it."""
    row, col = key
    if col == 0:
        for at, char in enumerate(f"{row:>2}"):
            cells[line, at] = Cell(char)
    if row == 0:
        for at, char in enumerate(f"{col}"):
            cells[0, middle + at] = Cell(char)


def _arrow(spot: Spot, wide: int, high: int) -> Block:
    block = [[Cell(" ", spot.key) for _ in range(wide)] for _ in range(high)]
    block[(high - 1) // 2][wide // 2] = Cell(spot.label[:1] or "·", spot.key)
    return block


def _block(spot: Spot, size: Size, *, maze: bool) -> Block:
    block = [[Cell(" ", spot.key, spot.fill) for _ in range(size.wide)] for _ in range(size.high)]
    if spot.shape == "hexagon" and size.high > 1:
        _round(block, spot)
    if spot.fill == "gap" and not spot.pieces:
        block[(size.high - 1) // 2][size.wide // 2] = Cell("·", spot.key, "gap")
        return block
    if maze:
        _pave(block, spot)
        _people(block, spot)
        odd = isinstance(spot.key, tuple) and sum(spot.key) % 2
        return [[cell._replace(fill=f"{spot.fill} odd") for cell in line] for line in block] if odd else block
    _occupy(block, spot)
    return block


def _round(block: Block, spot: Spot) -> None:
    """Round the corners of a hexagon."""
    for line, (left, right) in ((0, "▗▖"), (-1, "▝▘")):
        for at, char in ((0, left), (-1, right)):
            block[line][at] = Cell(char, spot.key, spot.fill, corner=True)


def _occupy(block: Block, spot: Spot) -> None:
    """Draw the piece of a spot in its middle, and its label below or beside it."""
    high, wide = len(block), len(block[0])
    piece, label = next(iter(spot.pieces), None), spot.label[: wide - 2]
    middle = (high - 1) // 2
    if piece is not None:
        beside = 1 if high == 1 and label else 0
        for line in range(middle - (high > LARGE), middle + (high > LARGE) + 1):
            char = piece.glyph if line == middle else " "
            _token(block[line], wide // 2 - beside, replace(piece, glyph=char), high)
    if label:
        line = middle if piece is None else high - 1
        start = (wide - len(label)) // 2 + (1 if high == 1 and piece is not None else 0)
        for at, char in enumerate(label, start):
            block[line][at] = Cell(char, spot.key, spot.fill)


def _token(line: list[Cell], middle: int, piece: Piece, high: int) -> None:
    """Draw a line of a piece: a character, with the seat's colour around it where there is room."""
    around = 0 if high == 1 else 2 if high > LARGE else 1
    for at in range(middle - around, middle + around + 1):
        char = piece.glyph if at == middle else " "
        line[at] = line[at]._replace(char=char, seat=piece.seat, token=high > 1)


def _pave(block: Block, spot: Spot) -> None:
    """Draw the ways of a tile."""
    high, wide = len(block), len(block[0])
    line, middle = (high - 1) // 2, wide // 2
    block[line][middle] = Cell(_JOINTS.get(frozenset(spot.strokes), " "), spot.key, spot.fill)
    ways = {
        "N": [(row, middle) for row in range(line)],
        "S": [(row, middle) for row in range(line + 1, high)],
        "W": [(line, col) for col in range(middle)],
        "E": [(line, col) for col in range(middle + 1, wide)],
    }
    for way in spot.strokes:
        for row, col in ways[way]:
            block[row][col] = Cell("┃" if way in "NS" else "━", spot.key, spot.fill)


def _people(block: Block, spot: Spot) -> None:
    """Draw the pieces and marks of a tile beside its ways."""
    high, wide = len(block), len(block[0])
    low, middle = high - 1, wide // 2
    places = [(low, middle - 1), (low, middle + 1), (0, middle - 1), (0, middle + 1)]
    marks = [(low, 0), (low, wide - 1)] if high == 2 else [(0, 0), (0, wide - 1), (low, 0), (low, wide - 1)]
    if high == 2:
        places = places[:2]
    for (row, col), piece in zip(places, spot.pieces, strict=False):
        block[row][col] = Cell(piece.glyph, spot.key, spot.fill, piece.seat, token=True)
    for (row, col), piece in zip(marks, spot.marks, strict=False):
        block[row][col] = Cell(piece.glyph, spot.key, spot.fill, piece.seat)
