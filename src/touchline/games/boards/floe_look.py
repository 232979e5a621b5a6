"""How Fish looks: floes in the sea with their fish, penguins, and a badge that counts what a penguin hides.

Law of this file: it names symbols of fish.svg and places them; spots that look the same are the same object.
"""

from __future__ import annotations

from functools import lru_cache

from touchline.core.sketch import Art, Backdrop, Panel, Piece, Spot

ACROSS, DOWN = 75.0, 43.4
"""Units to a step of x and y: a floe is 90 wide, and rows overlap as hexagons do."""
MOST_DRAWN = 5
"""The most fish that are drawn on a floe; more are written."""
GLYPHS = "RWBK"


@lru_cache(maxsize=1 << 15)
def spot(row: int, col: int, fish: int, seat: int | None) -> Spot:
    """Return the tile at a place, with so many fish (0 is a hole) and the penguin of a seat."""
    return Spot(
        key=(row, col), x=2 * col + row % 2, y=row, shape="hexagon",
        fill="light" if fish else "gap",
        label=str(fish),
        pieces=() if seat is None else (Piece(seat, GLYPHS[seat], f"penguin-{seat}", y=1.5, size=0.88),),
        art=_ground(fish, (row * 7 + col * 5) % 3, seat is None),
        over=() if seat is None or not fish else _badge(fish),
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _ground(fish: int, kind: int, bare: bool) -> tuple[Art, ...]:
    if not fish:
        return (Art("hole", y=4),)
    floe = Art(f"floe-{kind}")
    if not bare:  # the penguin stands on its fish
        return (floe,)
    if fish > MOST_DRAWN:
        return (floe, Art("shoal-1"), *_badge(fish))
    return (floe, Art(f"shoal-{fish}"))


@lru_cache(maxsize=1024)
def _badge(fish: int) -> tuple[Art, ...]:
    return (Art("badge", x=21, y=29), Art("count", x=13, y=29, text=str(fish)))


@lru_cache(maxsize=64)
def backdrop(rows: int, cols: int) -> Backdrop:
    """Return the sea under a board of this size, with the numbers of its rows and columns."""
    left, top = -72.0, -80.0
    wide = (2 * (cols - 1) + (rows > 1)) * ACROSS - 2 * left
    high = (rows - 1) * DOWN + 158
    sea = (left, top, wide, high, 30.0)
    lights = tuple(
        Art("light", x=round(left + 20 + at * wide / 3.1), y=top + drop, size=round(wide / 1100, 2))
        for at, drop in enumerate((30, 170, 60))
        if drop + 180 * wide / 1100 < high
    )
    chips = (
        Art("chip-0", x=left + 26, y=round(top + high - 28)),
        Art("chip-1", x=round(left + 0.34 * wide), y=top + 22),
        Art("chip-2", x=left + wide - 48, y=top + 26),
    )
    numbers = (
        *(Art("number", "column", x=2 * col * ACROSS, y=top - 17, text=str(col)) for col in range(cols)),
        *(Art("number", "row", x=left - 18, y=round(row * DOWN, 1), text=str(row)) for row in range(rows)),
    )
    return Backdrop(
        panels=(Panel("sea", *sea), Panel("waves", *sea)),
        ornaments=(*lights, *chips, *numbers),
        scale=(ACROSS, DOWN),
        view=(left - 34, top - 34, wide + 46, round(high + 46, 1)),
        dot=Art("dot", y=32, size=0.93),
        ring=Art("ring", x=2, y=15),
    )
