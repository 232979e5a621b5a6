"""How Hexapawn looks: squares of maple and cherry in a frame, and turned pawns.

Law of this file: it names symbols of hexapawn.svg and places them; spots that look the same are the same
object.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from touchline.core.sketch import Art, Backdrop, Panel, Piece, Spot

RIM = 46.0
"""The width of the frame."""
_SQUARES = {"light": (Art("light"),), "dark": (Art("dark"),)}
_PAWNS = tuple((Piece(seat, glyph, f"pawn-{seat}", y=-4, size=0.98),) for seat, glyph in enumerate("12"))


@lru_cache(maxsize=1 << 12)
def spot(row: int, col: int, owner: int | None) -> Spot:
    """Return the square at a place, with the pawn of a seat."""
    fill: Literal["light", "dark"] = "dark" if (row + col) % 2 else "light"
    pieces = () if owner is None else _PAWNS[owner]
    return Spot(key=(row, col), x=col, y=row, fill=fill, pieces=pieces, art=_SQUARES[fill])


@lru_cache(maxsize=64)
def backdrop(rows: int, cols: int) -> Backdrop:
    """Return the frame round a board of this size, with the numbers of its rows and columns."""
    edge = -50 - RIM
    wide, high = 100 * cols + 2 * RIM, 100 * rows + 2 * RIM
    return Backdrop(
        panels=(
            Panel("shadow", edge + 8, edge + 18, wide, high, 26),
            Panel("frame-d", edge, edge, wide, high + 10, 24),
            Panel("frame", edge, edge, wide, high, 24),
            Panel("grain", edge + 4, edge + 4, wide - 8, high - 8, 20),
            Panel("edge", edge + 2, edge + 2, wide - 4, high - 4, 22),
            Panel("frame-d", -57, -57, 100 * cols + 14, 100 * rows + 14, 5),
            Panel("inlay", -53, -53, 100 * cols + 6, 100 * rows + 6, 3),
        ),
        ornaments=(
            *(Art("number", "column", x=100 * col, y=-50 - RIM / 2, text=str(col)) for col in range(cols)),
            *(Art("number", "row", x=-50 - RIM / 2, y=100 * row, text=str(row)) for row in range(rows)),
        ),
        scale=(100, 100),
        view=(edge - 14, edge - 14, wide + 36, high + 46),
        dot=Art("dot", size=1.8),
        ring=Art("ring", y=30, size=1.08),
        above=(0,),
    )
