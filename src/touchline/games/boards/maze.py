"""The board of Labyrinth: tiles with paths, pushes of rows and columns, and reachability, as bitboards.

Law of this file: a maze is four integers, one for each side of a tile. Bit `row * cols + column` is set if
the tile is open to that side. So a push is a bit shift, and reachability is a flood fill.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct

from touchline.core.rules import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 50
"""The most rows and the most columns, which bounds the size of the tables in this file."""

Direction: TypeAlias = Literal["LEFT", "RIGHT", "UP", "DOWN"]
"""The direction in which the tiles of a row or column move."""
Degree: TypeAlias = Literal[0, 90, 180, 270]
"""The rotation of the spare tile in degrees, counter-clockwise."""
Treasure: TypeAlias = tuple[str, str]
"""A pair of gems; their order means nothing."""
Push: TypeAlias = tuple[int, Direction]
"""A row or column and its direction: the index is a row for LEFT and RIGHT, a column for UP and DOWN."""

OPPOSITE: dict[Direction, Direction] = {
    "LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP",
}  # fmt: skip
DEGREES: tuple[Degree, ...] = (0, 90, 180, 270)
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
CONNECTORS = {
    "│": NORTH | SOUTH, "─": EAST | WEST, "┐": WEST | SOUTH, "└": NORTH | EAST,
    "┌": EAST | SOUTH, "┘": NORTH | WEST, "┬": EAST | WEST | SOUTH, "├": NORTH | EAST | SOUTH,
    "┴": EAST | WEST | NORTH, "┤": NORTH | SOUTH | WEST, "┼": NORTH | EAST | SOUTH | WEST,
}  # fmt: skip
DRAWN = {ways: connector for connector, ways in CONNECTORS.items()}
GEMS = tuple(
    """
    alexandrite alexandrite-pear-shape almandine-garnet amethyst ametrine ammolite apatite aplite
    apricot-square-radiant aquamarine australian-marquise aventurine azurite beryl black-obsidian
    black-onyx black-spinel-cushion blue-ceylon-sapphire blue-cushion blue-pear-shape blue-spinel-heart
    bulls-eye carnelian chrome-diopside chrysoberyl-cushion chrysolite citrine citrine-checkerboard
    clinohumite color-change-oval cordierite diamond dumortierite emerald fancy-spinel-marquise garnet
    golden-diamond-cut goldstone grandidierite gray-agate green-aventurine green-beryl
    green-beryl-antique green-princess-cut grossular-garnet hackmanite heliotrope hematite
    iolite-emerald-cut jasper jaspilite kunzite kunzite-oval labradorite lapis-lazuli
    lemon-quartz-briolette magnesite mexican-opal moonstone morganite-oval moss-agate orange-radiant
    padparadscha-oval padparadscha-sapphire peridot pink-emerald-cut pink-opal pink-round
    pink-spinel-cushion prasiolite prehnite purple-cabochon purple-oval purple-spinel-trillion
    purple-square-cushion raw-beryl raw-citrine red-diamond red-spinel-square-emerald-cut rhodonite
    rock-quartz rose-quartz ruby ruby-diamond-profile sphalerite spinel star-cabochon stilbite sunstone
    super-seven tanzanite-trillion tigers-eye tourmaline tourmaline-laser-cut unakite white-square
    yellow-baguette yellow-beryl-oval yellow-heart yellow-jasper zircon zoisite
    """.split()
)


class Slide(Struct, frozen=True, gc=False, tag="slide"):
    """Turn the spare, push it into a line, walk."""

    index: int
    """The number of the row or column that is pushed."""
    direction: Direction
    """Where its tiles go."""
    degree: Degree
    """How far the spare is turned before, counter-clockwise."""
    to: Cell
    """Where you walk after the push: row and column."""


class Pass(Struct, frozen=True, gc=False, tag="pass"):
    """Leave everything as it is."""


Move: TypeAlias = Slide | Pass
PASS = Pass()


class Tile(Struct, frozen=True):
    connector: str
    """Which sides are open, as one character."""
    treasure: Treasure
    """Its two gems."""


def turned(ways: int, degree: int) -> int:
    """Return the open sides of a tile after a counter-clockwise rotation."""
    quarters = degree // 90
    return ways >> quarters | ways << 4 - quarters & 15


class Track:
    """A row or column that can be pushed in one direction."""

    def __init__(self, grid: MazeGrid, index: int, direction: Direction) -> None:
        self.push: Push = (index, direction)
        rows, cols = grid.rows, grid.cols
        if direction in ("LEFT", "RIGHT"):
            self.span, self.step = slice(index * cols, (index + 1) * cols), 1
        else:
            self.span, self.step = slice(index, rows * cols, cols), cols
        line = range(rows * cols)[self.span]
        self.mask = sum(1 << cell for cell in line)
        self.upward = direction in ("RIGHT", "DOWN")
        """Whether the push moves tiles to higher cell numbers."""
        self.entry, self.exit = (line[0], line[-1]) if self.upward else (line[-1], line[0])
        step = self.step if self.upward else -self.step
        self.carried = {cell: cell + step for cell in line} | {self.exit: self.entry}
        """The new cell of each tile after the push, and of the player on it."""
        self._cells = grid.cells

    @cached_property
    def moves(self) -> dict[Degree, list[tuple[int, Slide]]]:
        """All moves with this push by the rotation of the spare, each with the bit of its destination."""
        index, direction = self.push
        return {
            degree: [
                (1 << number, Slide(index, direction, degree, cell))
                for number, cell in enumerate(self._cells)
            ]
            for degree in DEGREES
        }


class MazeGrid:
    """Tables for boards of one size: cells and tracks."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, (self.rows, self.cols)  # a copy of a state has the same tables, and is equal to it

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        self.cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.not_last = sum(1 << cell for cell, (_, col) in enumerate(self.cells) if col < cols - 1)
        self.fixed = [(row, col) for row, col in self.cells if row % 2 and col % 2]
        across: tuple[Direction, ...] = ("LEFT", "RIGHT")
        along: tuple[Direction, ...] = ("UP", "DOWN")
        self.tracks = {
            track.push: track
            for count, directions in ((rows, across), (cols, along))
            for index in range(0, count, 2)
            for direction in directions
            for track in [Track(self, index, direction)]
        }
        """The tracks in the course's search order: rows from the top, then columns from the left."""


grid_of = lru_cache(maxsize=64)(MazeGrid)


def _shared(rows: int, cols: int) -> MazeGrid:
    """Return the tables of this size that all states share: for unpickling."""
    return grid_of(rows, cols)


class Sides(Struct, frozen=True, gc=False):
    """The sets of tiles that are open to each side."""

    north: int
    east: int
    south: int
    west: int

    def hollow(self, track: Track) -> Sides:
        """Return the sides after a push, before the spare is inserted."""
        mask, step = track.mask, track.step
        stay = ~mask
        if track.upward:
            return Sides(
                self.north & stay | (self.north & mask) << step & mask,
                self.east & stay | (self.east & mask) << step & mask,
                self.south & stay | (self.south & mask) << step & mask,
                self.west & stay | (self.west & mask) << step & mask,
            )
        return Sides(
            self.north & stay | (self.north & mask) >> step & mask,
            self.east & stay | (self.east & mask) >> step & mask,
            self.south & stay | (self.south & mask) >> step & mask,
            self.west & stay | (self.west & mask) >> step & mask,
        )

    def filled(self, cell: int, ways: int) -> Sides:
        """Return the sides after a tile is inserted into the empty cell."""
        return Sides(
            self.north | (ways & 1) << cell,
            self.east | (ways >> 1 & 1) << cell,
            self.south | (ways >> 2 & 1) << cell,
            self.west | (ways >> 3) << cell,
        )

    def reach(self, grid: MazeGrid, cell: int) -> int:
        """Return the set of tiles reachable from a cell, itself included.

        Two neighbours are connected if both are open to each other.
        """
        cols = grid.cols
        right = self.east & self.west >> 1 & grid.not_last
        down = self.south & self.north >> cols
        seen, more = 0, 1 << cell
        while more != seen:
            seen = more
            more = (
                seen | (seen & right) << 1 | seen >> 1 & right
                | (seen & down) << cols | seen >> cols & down
            )  # fmt: skip
        return seen


class Maze(Struct, frozen=True, gc=False):
    """All tiles: those on the board, and the spare."""

    grid: MazeGrid
    sides: Sides
    treasures: tuple[Treasure, ...]
    """The treasure on each tile of the board."""
    spare: int
    """The open sides of the spare."""
    spare_treasure: Treasure

    def ways(self, cell: int) -> int:
        """Return the open sides of a tile on the board."""
        sides = self.sides
        return (
            sides.north >> cell & 1 | (sides.east >> cell & 1) << 1
            | (sides.south >> cell & 1) << 2 | (sides.west >> cell & 1) << 3
        )  # fmt: skip

    def pushed(self, track: Track, degree: int) -> Maze:
        """Return the maze after a push. The new spare is the tile that drops out, not rotated."""
        sides = self.sides.hollow(track).filled(track.entry, turned(self.spare, degree))
        treasures, line = [*self.treasures], self.treasures[track.span]
        if track.upward:
            dropped, treasures[track.span] = line[-1], (self.spare_treasure, *line[:-1])
        else:
            dropped, treasures[track.span] = line[0], (*line[1:], self.spare_treasure)
        return Maze(self.grid, sides, tuple(treasures), self.ways(track.exit), dropped)


def maze_of(
    connectors: Sequence[Sequence[str]], treasures: Sequence[Sequence[Treasure]], spare: Tile
) -> Maze:
    """Make a maze; raise ValueError unless it is a rectangle of known connectors, each with a treasure."""
    rows, cols = len(connectors), len(connectors[0]) if connectors else 0
    if not (1 <= rows <= MOST and 1 <= cols <= MOST):
        raise ValueError(f"a board has 1 to {MOST} rows and columns, not {rows} by {cols}")
    if len(treasures) != rows or any(len(row) != cols for row in (*connectors, *treasures)):
        raise ValueError(f"connectors and treasures are not {rows} rows of {cols} each")
    letters = [letter for row in connectors for letter in row]
    if strange := {*letters, spare.connector} - set(CONNECTORS):
        raise ValueError(f"not a connector: {min(strange)!r}")
    north, east, south, west = (
        sum((CONNECTORS[letter] >> side & 1) << cell for cell, letter in enumerate(letters))
        for side in range(4)
    )
    return Maze(
        grid=grid_of(rows, cols),
        sides=Sides(north, east, south, west),
        treasures=tuple(pair for row in treasures for pair in row),
        spare=CONNECTORS[spare.connector],
        spare_treasure=spare.treasure,
    )
