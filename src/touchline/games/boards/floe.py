"""The board of Fish: a hexagonal grid, its straight lines, and the moves along them, as bitboards.

Odd rows are shifted right by half a tile, so the neighbours of a tile are (row ± 2, same column) and four
tiles in the adjacent rows. Law of this file: everything here depends on the size of the board alone; a set of
tiles is an integer in which bit `row * cols + column` stands for a tile.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from msgspec import Struct

from touchline.core.rules import Cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MOST = 50
"""The most rows and the most columns, which bounds the size of the tables in this file."""
READINGS_KEPT = 4096
"""The most entries of a move cache, which is then cleared: a line of n tiles has 2^n of them."""

# N, NE, SE, S, SW, NW: the order in which the course searches, everywhere.
DIRECTIONS = {
    0: ((-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)),  # from an even row
    1: ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)),  # from an odd row
}


class Place(Struct, frozen=True, gc=False, tag="place"):
    """Put a penguin on a tile."""

    at: Cell
    """The tile: row and column."""


class Slide(Struct, frozen=True, gc=False, tag="slide", rename={"origin": "from", "target": "to"}):
    """Move a penguin straight across free tiles."""

    origin: Cell
    """Where the penguin is: row and column."""
    target: Cell
    """Where it goes: row and column."""


Move: TypeAlias = Place | Slide
M = TypeVar("M", Place, Slide)
T = TypeVar("T")


class Readings(dict[int, tuple[M, ...]]):
    """A cache of the moves along a line of tiles, keyed by the bit set of its free tiles.

    Each of `ways` is a sequence of tiles, each with the move to it. A way ends at the first tile that is not
    free, unless `through` is set.
    """

    def __init__(self, ways: Sequence[Sequence[tuple[int, M]]], *, through: bool) -> None:
        self.mask = sum(bit for way in ways for bit, _ in way)
        self._ways: Sequence[Sequence[tuple[int, M]]] = ways
        self._through = through

    def __missing__(self, free: int) -> tuple[M, ...]:
        moves = []
        for way in self._ways:
            for bit, move in way:
                if free & bit:
                    moves.append(move)
                elif not self._through:
                    break
        if len(self) >= READINGS_KEPT:
            self.clear()
        self[free] = found = tuple(moves)
        return found


class PerTile(dict[int, T]):
    """A value for each tile, computed on first use, because a board may be large."""

    def __init__(self, make: Callable[[int], T]) -> None:
        self._make = make

    def __missing__(self, tile: int) -> T:
        self[tile] = made = self._make(tile)
        return made


class HexGrid:
    """Tables for boards of one size: cells, rays, neighbours and moves."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, (self.rows, self.cols)  # a copy of a state has the same tables, and is equal to it

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        self.cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.rays = PerTile(lambda tile: tuple(tuple(self._walk(tile, way)) for way in range(6)))
        self.neighbours = PerTile(lambda tile: sum(1 << ray[0] for ray in self.rays[tile] if ray))
        self.paths = PerTile(lambda tile: _paths(self.rays[tile]))
        self.slides = PerTile(self._axes)
        places = [(1 << tile, Place(cell)) for tile, cell in enumerate(self.cells)]
        self.places = [
            (reading.mask, reading)
            for start in range(0, rows * cols, cols or 1)
            for reading in [Readings([places[start : start + cols]], through=True)]
        ]

    def _axes(self, tile: int) -> tuple[tuple[int, Readings[Slide]], ...]:
        """Return the slides from a tile along each of its three axes, after the mask of that axis."""
        ways = [
            [(1 << target, Slide(self.cells[tile], self.cells[target])) for target in ray]
            for ray in self.rays[tile]
        ]
        axes = (Readings((ways[axis], ways[axis + 3]), through=False) for axis in range(3))
        return tuple((axis.mask, axis) for axis in axes if axis.mask)

    def _walk(self, tile: int, direction: int) -> Iterator[int]:
        """Yield the tiles in one direction, nearest first. Offsets depend on the parity of the row."""
        row, col = self.cells[tile]
        while True:
            down, right = DIRECTIONS[row % 2][direction]
            row, col = row + down, col + right
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                return
            yield row * self.cols + col

    def bit(self, cell: Cell) -> int:
        """Return the bit of a tile; 0 if the cell is off the board."""
        row, col = cell
        on_board = 0 <= row < self.rows and 0 <= col < self.cols
        return 1 << row * self.cols + col if on_board else 0


def _paths(rays: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """Map each tile on a straight line to the set of tiles that must be free to reach it, itself included."""
    paths = {}
    for ray in rays:
        path = 0
        for target in ray:
            path |= 1 << target
            paths[target] = path
    return paths


grid_of = lru_cache(maxsize=64)(HexGrid)


def _shared(rows: int, cols: int) -> HexGrid:
    """Return the tables of this size that all states share: for unpickling."""
    return grid_of(rows, cols)
