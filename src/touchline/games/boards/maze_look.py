"""How Labyrinth looks: tiles with gems, homes and goals, seekers, keys in the frame, the spare in a tray.

Law of this file: it names symbols of labyrinth.svg and places them; spots that look the same are the same
object.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from touchline.core.sketch import Art, Backdrop, Panel, Piece, Spot, side_by_side
from touchline.games.boards.gems import CUTS

if TYPE_CHECKING:
    from touchline.games.boards.maze import Direction, Treasure

LETTERS = "ABCDEFGHI"
"""The avatars of the seats on a drawing; their homes are the small letters."""
RIM = 64.0
"""The width of the frame."""
TRAY = 168.0
"""The width of the tray, in which the spare lies."""
STRAYS = ("gem-round", "clear")
"""How a gem is drawn that is not one of ours."""
_SEEKER = {"x": 2.0, "y": -1.7, "size": 0.86}


class Look(NamedTuple):
    """What is to be seen on a tile."""

    ways: str
    """The open sides: some of the letters N, E, S, W."""
    gems: Treasure
    capped: bool
    """Whether its way to the north meets stone."""
    fixed: bool
    """Whether the tile never moves."""
    homes: tuple[int, ...] = ()
    goals: tuple[int, ...] = ()
    sought: int | None = None
    """The seat whose goal is drawn largest."""


@lru_cache(maxsize=1 << 14)
def tile(row: int, col: int, look: Look, here: tuple[int, ...]) -> Spot:
    """Return the tile at a place, with the seats that stand on it."""
    return Spot(
        key=(row, col), x=col, y=row, fill="dark" if look.fixed else "light",
        strokes=look.ways, label=" & ".join(look.gems),
        pieces=side_by_side([Piece(seat, LETTERS[seat], f"seeker-{seat % 6}", **_SEEKER) for seat in here]),
        marks=(
            *(Piece(seat, LETTERS[seat].lower()) for seat in look.homes),
            *(Piece(seat, "*") for seat in look.goals),
        ),
        art=ground(look),
    )  # fmt: skip


@lru_cache(maxsize=1 << 13)
def ground(look: Look) -> tuple[Art, ...]:
    """Return a tile, bottom to top: stone, wear, gems, home, goals."""
    tone = f"home{look.homes[0] % 6}" if look.homes else ""
    art = [Art(f"tile-{look.ways}", tone), Art(f"wear-{sum(map(ord, ''.join(look.gems))) % 3}")]
    if look.sought is None or look.sought not in look.goals:  # else the goal is the only gem
        for gem, x in zip(look.gems, (-37, 37), strict=True):
            symbol, hue = CUTS.get(gem, STRAYS)
            art.append(Art(symbol, hue, x, 38))
    if look.capped:
        art.append(Art("cap", tone))
    if look.fixed:
        art.append(Art("bolts"))
    for place, seat in enumerate(look.homes):
        crest = f"home-{seat % 6}" if not place else f"crest-{seat % 6}"
        art.append(Art(crest, f"seat{seat % 6}", *((24 * place - 37, -35) if place else (0, 0))))
    others = [seat for seat in look.goals if seat != look.sought]
    for place, seat in enumerate(others):
        art.append(Art("aim", f"seat{seat % 6} goal", 2 + 22 * place - 11 * (len(others) - 1), 4))
    if look.sought in look.goals:
        art.append(Art("goal", f"seat{look.sought} goal", y=2, size=1.05))
    return tuple(art)


_KEYS = {
    "LEFT": ("◀", 1, 0), "RIGHT": ("▶", -1, 0), "UP": ("▲", 0, 1), "DOWN": ("▼", 0, -1),
}  # fmt: skip


@lru_cache(maxsize=1 << 10)
def key(rows: int, cols: int, index: int, direction: Direction, forbidden: bool) -> Spot:
    """Return the numbered key at which a line is pushed; a socket if that would undo the last push."""
    arrow, aside, below = _KEYS[direction]
    x = (cols if aside > 0 else -1) if aside else index
    y = (rows if below > 0 else -1) if below else index
    off = 0.14  # nearer to the board than a whole tile
    back, sign, tone = ("key-no", "no", "number") if forbidden else ("key", f"arrow-{direction}", "word")
    return Spot(
        key=f"{direction} {index}", x=x, y=y, shape="arrow", fill="gap", label=arrow,
        art=(
            Art(back, size=0.97),
            Art(sign, x=-9 * aside, y=-4 - 9.5 * below, size=0.74),
            Art(tone, x=13 * aside, y=-4 + 10 * below, size=0.9 if index < 10 else 0.8, text=str(index)),
        ),
        at=(100 * (x - aside * off), 100 * (y - below * off)),
    )  # fmt: skip


def _tray(rows: int, cols: int) -> tuple[float, float]:
    """Return where the spare lies: to the right of the frame, and a little above its middle."""
    return 100 * cols - 50 + RIM + 18 + TRAY / 2, 50 * rows - 50 - 42


@lru_cache(maxsize=1 << 10)
def spare(rows: int, cols: int, turn: int, ways: str, gems: Treasure) -> Spot:
    """Return the spare after a number of quarter turns."""
    return Spot(
        key=f"{90 * turn}", x=2 * turn, y=rows + 1, strokes=ways, label=" & ".join(gems),
        art=ground(Look(ways, gems, "N" in ways, fixed=False)), at=_tray(rows, cols), group="spare",
        over=(Art("turn", x=54, y=-54),),
    )  # fmt: skip


@lru_cache(maxsize=64)
def passing(rows: int, cols: int) -> Spot:
    """Return the spot for passing, below the spare."""
    x, y = _tray(rows, cols)
    return Spot(
        key="pass", x=8, y=rows + 1, shape="arrow", fill="gap", label="=", at=(x, y + 122),
        art=(Art("plate"), Art("word", y=-4, text="pass")),
    )  # fmt: skip


@lru_cache(maxsize=64)
def backdrop(rows: int, cols: int) -> Backdrop:
    """Return frame and tray of a board of this size, with the numbers of the lines that cannot be pushed."""
    edge = -50 - RIM
    wide, high = 100 * cols + 2 * RIM, 100 * rows + 2 * RIM
    x, y = _tray(rows, cols)
    left, top = x - TRAY / 2, y - 92
    return Backdrop(
        panels=(
            *_framed("", edge, edge, wide, high),
            Panel("frame-d", -59, -59, 100 * cols + 18, 100 * rows + 18, 8),
            Panel("well", -59, -59, 100 * cols + 18, 100 * rows + 18, 8),
            *_framed("tray ", left, top, TRAY, 272),
            Panel("tray well", x - 62, y - 62, 124, 128, 10),
            Panel("tray slab", x - 51, y - 50, 102, 107, 3),
        ),
        # Without the tone of a row or column: a film has no such numbers, but here the keys have theirs too.
        ornaments=(
            *(Art("number", x=100 * col, y=-86, text=str(col)) for col in range(1, cols, 2)),
            *(Art("number", x=-86, y=100 * row, text=str(row)) for row in range(1, rows, 2)),
        ),
        scale=(100, 100),
        view=(edge - 14, min(edge, top) - 14, wide + 18 + TRAY + 34, max(high, 272 + top - edge) + 40),
        dot=Art("dot", x=2, y=6, size=1.08),
        ring=Art("ring", x=2, y=14),
    )  # fmt: skip


def _framed(tone: str, x: float, y: float, wide: float, high: float) -> tuple[Panel, ...]:
    """Return a slab of wood with its shadow."""
    return (
        Panel(f"{tone}shadow", x + 6, y + 14, wide, high, 34),
        Panel(f"{tone}frame-d", x, y, wide, high, 32),
        Panel(f"{tone}frame", x, y, wide, high - 7, 32),
        Panel(f"{tone}grain", x + 8, y + 8, wide - 16, high - 23, 25),
        Panel(f"{tone}edge", x + 2, y + 2, wide - 4, high - 12, 30),
    )
