"""Board queries for Minotaur: pushes, walks and values, by kernels or by the rules.

A board of up to 64 tiles is an array of words for the kernels. A larger board is the maze of the rules, which
answers the same queries more slowly, except for `outlook`. A slide is `4 * line + quarter turns`, a set of
tiles is an integer with a bit for each, and a value is an integer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from touchline.bots.kernels import blank, compile_kernels, table
from touchline.bots.kernels import labyrinth as kernels
from touchline.games.boards.maze import DEGREES, OPPOSITE, Maze, MazeGrid, Push, Sides, turned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


KERNELS = (kernels.push, kernels.walks, kernels.outlook, kernels.in_one_turn)
"""What `KernelBoards` call."""
KINDS = {0b1111: 1, 0b0101: 2, 0b1010: 2}
"""How many rotations differ of a cross and of a straight; of all other tiles there are four."""
ROOM = 10
"""Words of work space that the kernels need."""


class Stakes(NamedTuple):
    """The value of a turn, and what it loses when a rival reaches a tile in the turn after it."""

    reached: int
    """The value of a turn that ends on the target."""
    missed: int
    """The value of any other turn."""
    costs: tuple[tuple[int, ...], ...]
    """Rival, tile, and the loss if the target was reached and if it was not."""


class TrackNumbers:
    """The numbering of a board's tracks: the rows and columns that can be pushed, per direction."""

    def __init__(self, grid: MazeGrid) -> None:
        self.grid, self.tracks = grid, list(grid.tracks.values())
        self.number = {push: number for number, push in enumerate(grid.tracks)}

    def last(self, push: Push | None) -> int:
        """Return the number of the last push; -1 if there was none or none that can be undone."""
        return -1 if push is None else self.number.get(push, -1)

    def carried(self, cell: int, slide: int) -> int:
        """Return the tile to which a slide carries an avatar on this tile."""
        return cell if slide < 0 else self.tracks[slide >> 2].carried.get(cell, cell)


class KernelBoards:
    """Queries about boards of one size, by kernels. It is stateless, so threads may share it."""

    def __init__(self, grid: MazeGrid) -> None:
        compile_kernels("minotaur", KERNELS)
        self._lines = kernels.lines_of(grid)
        self._cells, self._slides = grid.rows * grid.cols, 4 * len(grid.tracks)

    def board(self, maze: Maze) -> Any:
        """Return the board of a maze, as the other queries take it."""
        return kernels.board_of(maze)

    def kinds(self, board: Any) -> int:
        """Return how many rotations of the spare differ."""
        return KINDS.get(int(board[4]), 4)

    def pushed(self, board: Any, slide: int) -> Any:
        """Return the board after a slide."""
        after = kernels.words(5)
        kernels.push(board, slide, self._lines, after)
        return after

    def walks(self, board: Any, last: int, cell: int) -> list[int]:
        """Return for each slide the tiles in reach from a tile; none if the slide undoes the last one."""
        found = kernels.words(self._slides)
        kernels.walks(board, last, cell, self._lines, found)
        return [int(reach) for reach in found]

    def outlook(
        self, board: Any, last: int, target: int, rivals: Sequence[int], stakes: Stakes
    ) -> tuple[list[int], int]:
        """Return the value of a turn from each tile, and the tiles from which it can end on the target."""
        cells = self._cells
        row = [stakes.reached, stakes.missed] + [0] * (2 * cells * len(rivals))
        for rival, cell, when_reached, when_missed in stakes.costs:
            base = 2 + 2 * cells * rival + cell
            row[base] += when_reached
            row[base + cells] += when_missed
        worths, room = blank(cells), kernels.words(ROOM)
        found = kernels.outlook(
            board, last, 1 << target, table(rivals), table(row), self._lines, worths, room
        )
        return [int(worth) for worth in worths], int(found)

    def sources(self, board: Any, last: int, target: int) -> int:
        """Return the tiles from which the target can be reached in one turn."""
        return int(kernels.in_one_turn(board, last, 1 << target, self._lines, True))

    def within_two_turns(self, board: Any, last: int, cell: int, target: int) -> bool:
        """Return whether the target is at most two turns away from a tile, if nobody else pushes."""
        return any(
            reach & (1 << target | self.sources(self.pushed(board, slide), slide >> 2, target))
            for slide, reach in enumerate(self.walks(board, last, cell))
            if reach and slide & 3 < self.kinds(board)
        )


class RulesBoards:
    """The same queries by the rules, for boards of any size, without `outlook`."""

    def __init__(self, grid: MazeGrid) -> None:
        self._grid, self._tracks = grid, list(grid.tracks.values())
        order = {push: number for number, push in enumerate(grid.tracks)}
        self._undo = [order[index, OPPOSITE[direction]] for index, direction in grid.tracks]

    def board(self, maze: Maze) -> Maze:
        return maze

    def kinds(self, board: Maze) -> int:
        return len({turned(board.spare, degree) for degree in DEGREES})

    def pushed(self, board: Maze, slide: int) -> Maze:
        return board.pushed(self._tracks[slide >> 2], DEGREES[slide & 3])

    def _slides(self, board: Maze, last: int) -> Iterator[int]:
        kinds = self.kinds(board)
        for line in range(len(self._tracks)):
            if self._undo[line] != last:
                yield from range(4 * line, 4 * line + kinds)

    def _filled(self, board: Maze, slide: int) -> Sides:
        track = self._tracks[slide >> 2]
        return board.sides.hollow(track).filled(track.entry, turned(board.spare, DEGREES[slide & 3]))

    def walks(self, board: Maze, last: int, cell: int) -> list[int]:
        found, kinds = [0] * (4 * len(self._tracks)), self.kinds(board)
        for slide in self._slides(board, last):
            here = self._tracks[slide >> 2].carried.get(cell, cell)
            reach = self._filled(board, slide).reach(self._grid, here) ^ 1 << here
            for turn in range(slide & 3, 4, kinds):
                found[slide & ~3 | turn] = reach
        return found

    def sources(self, board: Maze, last: int, target: int) -> int:
        """Return the tiles from which the target can be reached in one turn."""
        found = 0
        for slide in self._slides(board, last):
            track = self._tracks[slide >> 2]
            near = self._filled(board, slide).reach(self._grid, target) ^ 1 << target
            found |= near & ~track.mask
            for cell, to in track.carried.items():
                found |= (near >> to & 1) << cell
        return found


@lru_cache(maxsize=16)
def boards_of(grid: MazeGrid) -> Boards:
    """Return the queries for a size of board; cached."""
    small = grid.rows * grid.cols <= kernels.MOST_TILES
    return KernelBoards(grid) if small else RulesBoards(grid)


Boards: TypeAlias = KernelBoards | RulesBoards


def bits(tiles: int) -> Iterator[int]:
    """Yield the tiles of a set, the highest number first."""
    while tiles:
        cell = tiles.bit_length() - 1
        tiles ^= 1 << cell
        yield cell


def apart(cols: int, one: int, other: int) -> int:
    """Return the square of the distance between two tiles."""
    return int((one // cols - other // cols) ** 2 + (one % cols - other % cols) ** 2)
