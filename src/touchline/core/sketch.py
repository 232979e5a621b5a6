"""Drawings as data: spots with shape, fill, strokes, pieces and labels, so that any screen can show any game.

A game implements `State.sketch()` once; the terminal, the page and the golden play-throughs draw from it.
Law of this file: it depends on no game and no screen.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

Key: TypeAlias = tuple[int, int] | str
"""The name of a spot within its sketch: (row, column) on a board, a word beside it."""


class Piece(Struct, frozen=True):
    """A piece or mark of a seat.

    >>> Piece(seat=0, glyph="R").glyph
    'R'
    """

    seat: int
    glyph: str
    """One character, for text screens."""


class Spot(Struct, frozen=True, kw_only=True):
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
    """Markers of a seat that are not pieces: a home, a goal."""


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
