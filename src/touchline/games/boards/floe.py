"""The floe of Fish: hexagonal tiles, the lines across them, and the moves along a line.

Hexagons lie in rows of which the odd ones are shifted right by half a tile, so a tile touches (row
± 2, same column) and four tiles in the rows next to it. Law of this file: it knows a board's size
and nothing else of a game; a set of tiles is an integer in which bit `row * cols + column` is a
tile.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from msgspec import Struct

from touchline.core.rules import Cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MOST = 50
"""The most rows and columns."""
READINGS_KEPT = 4096
"""The size of the cache of readings of one stretch of tiles; a full cache is cleared."""

# N, NE, SE, S, SW, NW: the order in which the course searches, everywhere.
DIRECTIONS = {
    0: ((-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)),  # from an even row
    1: ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)),  # from an odd row
}


class Place(Struct, frozen=True, gc=False, tag="place"):
    """Put a penguin on a tile."""

    at: Cell


class Slide(Struct, frozen=True, gc=False, tag="slide", rename={"origin": "from", "target": "to"}):
    """Move a penguin straight across free tiles."""

    origin: Cell
    target: Cell


Move: TypeAlias = Place | Slide
M = TypeVar("M", Place, Slide)
T = TypeVar("T")


class Readings(dict[int, tuple[M, ...]]):
    """The moves along a stretch of tiles, by which of them are free, worked out when first met.

    Each way of the stretch is a sequence of tiles with the move each allows; `through` goes on past a tile
    that is not free. A long stretch has many readings, so it forgets now and then.
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
    """Something about each tile, worked out when it is first asked for: a board may be large."""

    def __init__(self, make: Callable[[int], T]) -> None:
        self._make = make

    def __missing__(self, tile: int) -> T:
        self[tile] = made = self._make(tile)
        return made


class Grid:
    """What depends on the size of the board alone."""

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
        """The slides from a tile along each of its three axes, with the tiles that matter to them."""
        ways = [
            [(1 << target, Slide(self.cells[tile], self.cells[target])) for target in ray]
            for ray in self.rays[tile]
        ]
        axes = (Readings((ways[axis], ways[axis + 3]), through=False) for axis in range(3))
        return tuple((axis.mask, axis) for axis in axes if axis.mask)

    def _walk(self, tile: int, direction: int) -> Iterator[int]:
        """The tiles in one direction, nearest first. Parity is that of the row being left."""
        row, col = self.cells[tile]
        while True:
            down, right = DIRECTIONS[row % 2][direction]
            row, col = row + down, col + right
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                return
            yield row * self.cols + col

    def bit(self, cell: Cell) -> int:
        """The tile's bit, 0 if it is off the board."""
        row, col = cell
        on_board = 0 <= row < self.rows and 0 <= col < self.cols
        return 1 << row * self.cols + col if on_board else 0


def _paths(rays: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """For every tile in a straight line, the tiles that must be free to get there, itself included."""
    paths = {}
    for ray in rays:
        path = 0
        for target in ray:
            path |= 1 << target
            paths[target] = path
    return paths


grid_of = lru_cache(maxsize=64)(Grid)
