"""Drawings as data: spots with shape, fill, strokes, pieces and labels, so that any screen can show any game.

A game implements `State.sketch()` once; the terminal, the page and the golden play-throughs draw from it.
With art, a sketch also names symbols of the game's sheet (`fish.svg` beside `fish.py`), and a screen only
places them; games/README.md describes sheets.
Law of this file: it depends on no game and no screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

Key: TypeAlias = tuple[int, int] | str
"""The name of a spot within its sketch: (row, column) on a board, a word beside it."""


class Art(Struct, frozen=True, omit_defaults=True):
    """A symbol of the game's sheet, or a text, in its place on a spot; a square is 100 units wide.

    >>> Art("gem-pear", "emerald", x=-37, y=38).size
    1
    """

    symbol: str
    """Its id in the sheet, without the name of the game: `floe-0` is `fish-floe-0`; of a text, its class."""
    tone: str = ""
    """Classes of the sheet's style that colour it, with spaces between."""
    x: float = 0
    """The offset of the symbol's (0, 0), or of the middle of the text, from the centre of the spot."""
    y: float = 0
    size: float = 1
    """The scale."""
    text: str = ""
    """What is written instead of a symbol."""


class Panel(Struct, frozen=True, omit_defaults=True):
    """A rectangle behind the board; its tone is a class with fill and stroke.

    >>> Panel("sea", 0, 0, 800, 600, radius=30).tone
    'sea'
    """

    tone: str
    x: float
    y: float
    width: float
    height: float
    radius: float = 0


class Backdrop(Struct, frozen=True, omit_defaults=True):
    """What lies behind the spots and stays the same in a match, and how spots and marks are placed.

    >>> Backdrop(scale=(75, 43.4)).dot.symbol
    'dot'
    """

    panels: tuple[Panel, ...] = ()
    ornaments: tuple[Art, ...] = ()
    """Symbols and texts at absolute places; a number at the edge has the tone "row" or "column"."""
    scale: tuple[float, float] | None = None
    """Units to a step of x and of y; a screen chooses if there is none."""
    view: tuple[float, float, float, float] | None = None
    """The drawing's left, top, width and height; a screen chooses if there is none."""
    dot: Art = Art("dot")
    """Where and how large the mark of a legal target is on its spot."""
    ring: Art = Art("ring")
    """Where and how large the ring round a chosen piece is on its spot."""
    above: tuple[int, ...] = ()
    """The seats for which a screen turns the board upside down, because they look from above."""


class Piece(Struct, frozen=True, omit_defaults=True):
    """A piece or mark of a seat.

    >>> Piece(seat=0, glyph="R").glyph
    'R'
    """

    seat: int
    glyph: str
    """One character, for text screens."""
    symbol: str = ""
    """Its id in the game's sheet, without the name of the game; it is drawn with the class `seatN`."""
    x: float = 0
    """The offset from the centre of the spot."""
    y: float = 0
    size: float = 1


class Spot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place in a drawing, about one unit wide and high, centred at (x, y); y grows downwards.

    >>> Spot(key=(0, 1), x=1, y=0, label="3").shape
    'square'
    """

    key: Key
    x: float
    y: float
    shape: Literal["square", "hexagon", "arrow"] = "square"
    fill: Literal["light", "dark", "gap"] = "light"
    """The background; `gap` is a hole in the board."""
    strokes: str = ""
    """Lines from the centre to the edges: any of the letters N, E, S, W."""
    label: str = ""
    pieces: tuple[Piece, ...] = ()
    """The pieces on this spot; the first is drawn largest."""
    marks: tuple[Piece, ...] = ()
    """Markers of a seat that are not pieces: a home, a goal. Screens with art leave them to `art`."""
    art: tuple[Art, ...] = ()
    """The ground, bottom to top; without any, a screen draws shape, fill, strokes and label."""
    over: tuple[Art, ...] = ()
    """What lies above the pieces: badges."""
    at: tuple[float, float] | None = None
    """The centre in units of the drawing, if it is not (x, y) times the scale."""
    group: str = ""
    """Spots of one group share a place, and a screen shows one of them at a time, at first the first."""


class Sketch(Struct, frozen=True, kw_only=True):
    """A state as a drawing.

    >>> row = [Spot(key=(0, col), x=col, y=0, pieces=(Piece(0, "R"),)) for col in range(2)]
    >>> print(text(Sketch(spots=tuple(row), notes=("red to move",))))
        0  1
     0  R  R
    red to move
    """

    spots: tuple[Spot, ...]
    moves: tuple[tuple[Key, ...], ...] = ()
    """For each of `legal_moves()`, in that order, the spots to point at to choose it."""
    notes: tuple[str, ...] = ()
    """Lines for what the board does not show: scores, whose turn it is."""
    sides: tuple[str, ...] = ()
    """The colour of each seat by the rules of the game: "red"; empty if a screen may choose."""
    legend: tuple[tuple[str, str], ...] = ()
    """What the characters of the drawing mean: ("R", "penguin")."""
    marked: tuple[Key, ...] = ()
    """Spots to point out, such as those of the last move; a screen sets it."""
    backdrop: Backdrop = Backdrop()
    """The frame, the sea, and how spots are placed; the same in every position of a match."""


_STANDS = (
    ((0.0, 0.0, 1.0),),
    ((-17.0, -5.0, 0.8), (17.0, 7.0, 0.8)),
    ((0.0, -13.0, 0.7), (-20.0, 8.0, 0.7), (20.0, 8.0, 0.7)),
    ((-18.0, -12.0, 0.66), (18.0, -12.0, 0.66), (-18.0, 11.0, 0.66), (18.0, 11.0, 0.66)),
    ((0.0, -20.0, 0.58), (-24.0, -6.0, 0.58), (24.0, -6.0, 0.58), (-15.0, 13.0, 0.58), (15.0, 13.0, 0.58)),
    (
        (-24.0, -14.0, 0.55), (0.0, -18.0, 0.55), (24.0, -14.0, 0.55),
        (-24.0, 10.0, 0.55), (0.0, 14.0, 0.55), (24.0, 10.0, 0.55),
    ),
)  # fmt: skip
"""For a number of pieces on one spot: the offset and scale of each, those at the back first."""


def side_by_side(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return pieces that share a spot moved apart and made smaller, so that each is seen.

    >>> [piece.size for piece in side_by_side((Piece(0, "A", "seeker-0"), Piece(1, "B", "seeker-1")))]
    [0.8, 0.8]
    """
    if len(pieces) < 2:
        return tuple(pieces)
    places = _STANDS[min(len(pieces), len(_STANDS)) - 1]
    stands = (places[at % len(places)] for at in range(len(pieces)))
    return tuple(
        replace(piece, x=piece.x + x, y=piece.y + y, size=piece.size * size)
        for piece, (x, y, size) in zip(pieces, stands, strict=True)
    )


class Ink(NamedTuple):
    """One character of a text drawing, with the seat and fill from which a screen chooses its colours."""

    char: str
    seat: int | None = None
    fill: str = ""
    marked: bool = False


Block: TypeAlias = list[list[Ink]]


def _mosaic(spot: Spot) -> Block:
    """Return a tile of 5 × 3 characters: its lines, its pieces, and its marks in the corners."""
    fill = spot.fill
    block = [[Ink(" ", None, fill) for _ in range(5)] for _ in range(3)]
    ways = {"N": [(0, 2)], "S": [(2, 2)], "W": [(1, 0), (1, 1)], "E": [(1, 3), (1, 4)]}
    for way in spot.strokes:
        for row, col in ways[way]:
            block[row][col] = Ink("│" if way in "NS" else "─", None, fill)
    centre = _JOINTS.get(frozenset(spot.strokes), spot.label[:1] or " ")
    block[1][2] = Ink(centre, None, fill)
    for (row, col), piece in zip(((1, 2), (1, 1), (1, 3), (2, 1), (2, 3), (0, 2)), spot.pieces, strict=False):
        block[row][col] = Ink(piece.glyph, piece.seat, fill)
    for (row, col), piece in zip(((0, 0), (0, 4), (0, 1), (0, 3), (2, 0), (2, 4)), spot.marks, strict=False):
        block[row][col] = Ink(piece.glyph, piece.seat, fill)
    return block


_JOINTS = {
    frozenset(ways): joint
    for ways, joint in {
        "NS": "│", "EW": "─", "SW": "┐", "NE": "└", "ES": "┌", "NW": "┘",
        "ESW": "┬", "NES": "├", "NEW": "┴", "NSW": "┤", "NESW": "┼",
    }.items()
}  # fmt: skip


def _chip(spot: Spot) -> Block:
    """Return a spot as one line of text: its piece or mark, its label, and brackets around a hexagon."""
    piece = next(iter((*spot.pieces, *spot.marks)), None)
    if spot.fill == "gap" and piece is None:
        text = [*map(Ink, "  · " if spot.shape == "hexagon" else " · ")]
    elif spot.shape == "hexagon":
        glyph = Ink(piece.glyph, piece.seat) if piece else Ink(" ")
        text = [Ink("("), glyph, *map(Ink, spot.label), Ink(")")]
    else:
        fill = spot.fill
        glyph = Ink(piece.glyph, piece.seat, fill) if piece else Ink(spot.label[:1] or "·", None, fill)
        beside = Ink(spot.marks[0].glyph, spot.marks[0].seat, fill) if spot.pieces and spot.marks else None
        text = [Ink(" ", None, fill), glyph, beside or Ink(" ", None, fill)]
    return [text]


def _marked(block: Block) -> Block:
    """Return a spot with brackets around it: of one line at its ends, of a tile in its lower corners."""
    last = [one._replace(marked=True) for one in block[-1]]
    left, right = ("<", ">") if last[0].char == "(" else ("[", "]")
    if last[0].char in " (":
        last[0] = last[0]._replace(char=left)
    if last[-1].char in " )":
        last[-1] = last[-1]._replace(char=right)
    return [*([one._replace(marked=True) for one in line] for line in block[:-1]), last]


def ink(sketch: Sketch) -> list[list[Ink]]:
    """Return the drawing as lines of characters, rows numbered on the left and columns at the top."""
    mosaic = any(spot.strokes for spot in sketch.spots)
    wide, high = (5, 3) if mosaic else (3, 1)
    left = min((spot.x for spot in sketch.spots), default=0)
    top = min((spot.y for spot in sketch.spots), default=0)
    paper: dict[tuple[int, int], Ink] = {}
    for spot in sketch.spots:
        row0, col0 = round((spot.y - top) * high) + 1, round((spot.x - left) * wide) + 3
        block = _mosaic(spot) if mosaic else _chip(spot)
        if spot.key in sketch.marked:
            block = _marked(block)
        for down, line in enumerate(block):
            for across, char in enumerate(line):
                paper[row0 + down, col0 + across] = char
        if isinstance(spot.key, tuple):
            row, col = spot.key
            if col == 0:
                _write(paper, row0 + high // 2, 0, f"{row:>2}")
            if row == 0:
                _write(paper, 0, col0 + len(block[0]) // 2, f"{col}")
    height = max((row for row, _ in paper), default=-1) + 1
    lines = []
    for row in range(height):
        width = max((col for r, col in paper if r == row), default=-1) + 1
        lines.append([paper.get((row, col), Ink(" ")) for col in range(width)])
    return lines


def _write(paper: dict[tuple[int, int], Ink], row: int, col: int, text: str) -> None:
    for offset, char in enumerate(text):
        paper[row, col + offset] = Ink(char)


def text(sketch: Sketch) -> str:
    """Return the drawing and its notes as plain text."""
    lines = ["".join(char.char for char in line).rstrip() for line in ink(sketch)]
    return "\n".join([*lines, *sketch.notes])
