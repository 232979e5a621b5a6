"""Labyrinth on bitboards of up to 64 tiles: the results of all pushes, rotations of the spare and walks.

A board is five words: as in `games/boards/maze.py` one for each side of a tile, in which bit
`row * cols + column` says that the tile is open to that side, and the openings of the spare. Lines are
numbered in the order in which the course searches; a slide is `4 * line + quarter turns`; `last` is the line
that was pushed last, or -1. The array `lines` has for each line its mask, its step, whether tiles move to
higher numbers, its entry, its exit, and the line that undoes it; before that come the number of lines, the
columns, and the tiles with a right neighbour.

A set of tiles is one word, so each query answers for all tiles at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.bots.kernels import ALL, I64, U64, blank, compiled, lowest, table

if TYPE_CHECKING:
    from touchline.games.boards.maze import Maze, MazeGrid

MOST_TILES = 64
HEAD, FIELDS = 3, 6
MASK, STEP, UPWARD, ENTRY, EXIT, UNDO = range(FIELDS)
_OPPOSITE = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}


def lines_of(grid: MazeGrid) -> Any:
    """Return the constants of a board size."""
    if grid.rows * grid.cols > MOST_TILES:
        raise ValueError(f"a word has {MOST_TILES} bits, and this board {grid.rows * grid.cols} tiles")
    order = {push: number for number, push in enumerate(grid.tracks)}
    row = [len(order), grid.cols, grid.not_last]
    for (index, direction), track in grid.tracks.items():
        undo = order[index, _OPPOSITE[direction]]  # type: ignore[index]
        row += [track.mask, track.step, track.upward, track.entry, track.exit, undo]
    return table(row, "uint64")


def board_of(maze: Maze) -> Any:
    """Return the five words of a maze."""
    sides = maze.sides
    return table([sides.north, sides.east, sides.south, sides.west, maze.spare], "uint64")


def words(length: int) -> Any:
    """Return an array of empty words."""
    return blank(length, "uint64")


@compiled("uint64(uint64, uint64, uint64, uint64)")
def flood(right: int, down: int, cols: int, tiles: int) -> Any:
    """Return all tiles connected with any of these, by links to the right and down."""
    seen, more = U64(0), tiles
    while more != seen:
        seen = more
        more |= (seen & right) << U64(1) | (seen >> U64(1)) & right
        more |= (more & down) << cols | (more >> cols) & down
    return seen


@compiled("uint64(uint64, uint64, uint64, uint64)")
def stride(right: int, down: int, cols: int, tiles: int) -> Any:
    """Return where one may walk from any of these tiles; a walk does not end where it began.

    Walks are reversible, so these are also the tiles from which one may walk to any of these.
    """
    found, left = U64(0), tiles
    while left != U64(0):
        near = flood(right, down, cols, left & (U64(0) - left))
        here = near & tiles
        found |= near ^ here if here & (here - U64(1)) == U64(0) else near
        left &= near ^ U64(ALL)
    return found


@compiled("uint64(uint64, uint64[::1], uint64)")
def hollow(side: int, lines: Any, at: int) -> Any:
    """Return one side of all tiles after a push, before the spare is inserted; `at` is the line's offset."""
    mask, step = lines[at + U64(MASK)], lines[at + U64(STEP)]
    line = side & mask
    moved = line << step if lines[at + U64(UPWARD)] else line >> step
    return side ^ line | moved & mask


@compiled("uint64(uint64, uint64[::1], uint64)")
def carried(tiles: int, lines: Any, at: int) -> Any:
    """Return where tiles, and avatars on them, move with the push of a line."""
    moved = hollow(tiles, lines, at)
    return moved | (tiles >> lines[at + U64(EXIT)] & U64(1)) << lines[at + U64(ENTRY)]


@compiled("uint64(uint64, uint64[::1], uint64)")
def carried_back(tiles: int, lines: Any, at: int) -> Any:
    """Return from where tiles came with the push of a line."""
    mask, step = lines[at + U64(MASK)], lines[at + U64(STEP)]
    line = tiles & mask
    moved = line >> step if lines[at + U64(UPWARD)] else line << step
    return tiles ^ line | moved & mask | (tiles >> lines[at + U64(ENTRY)] & U64(1)) << lines[at + U64(EXIT)]


@compiled("int64(uint64)")
def turns_of(spare: int) -> Any:
    """Return how many rotations of a tile differ: a cross has one, a straight two."""
    if spare == U64(15):
        return 1
    return 2 if spare == U64(5) or spare == U64(10) else 4


@compiled("uint64(uint64, uint64)")
def turned(spare: int, quarters: int) -> Any:
    """Return the openings of a tile rotated counter-clockwise."""
    return (spare >> quarters | spare << (U64(4) - quarters)) & U64(15)


@compiled("uint64(uint64, uint64, uint64, uint64, uint64)")
def ways(north: int, east: int, south: int, west: int, cell: int) -> Any:
    """Return the openings of a tile on the board."""
    one = U64(1)
    return (
        north >> cell & one | (east >> cell & one) << one
        | (south >> cell & one) << U64(2) | (west >> cell & one) << U64(3)
    )  # fmt: skip


@compiled("boolean(uint64[::1], int64, int64)")
def undoes(lines: Any, line: int, last: int) -> bool:
    """Return whether a push of one line undoes the last push."""
    return last >= 0 and lines[U64(HEAD + FIELDS * line + UNDO)] == U64(last)


@compiled("UniTuple(uint64, 4)(uint64[::1], uint64[::1], uint64)")
def hollowed(board: Any, lines: Any, at: int) -> Any:
    """Return the sides of all tiles after a push, before the spare is inserted."""
    return (
        hollow(board[0], lines, at), hollow(board[1], lines, at),
        hollow(board[2], lines, at), hollow(board[3], lines, at),
    )  # fmt: skip


@compiled("UniTuple(uint64, 2)(UniTuple(uint64, 4), uint64, uint64[::1], uint64)")
def links(sides: Any, tile: int, lines: Any, at: int) -> Any:
    """Return the links to the right and down once a tile is inserted where a line was pushed."""
    entry, one = lines[at + U64(ENTRY)], U64(1)
    north, east = sides[0] | (tile & one) << entry, sides[1] | (tile >> one & one) << entry
    south, west = sides[2] | (tile >> U64(2) & one) << entry, sides[3] | (tile >> U64(3)) << entry
    return east & west >> one & lines[2], south & north >> lines[1]


@compiled("void(uint64[::1], int64, uint64[::1], uint64[::1])")
def push(board: Any, slide: int, lines: Any, out: Any) -> None:
    """Write the board after a slide."""
    at = U64(HEAD + FIELDS * (slide >> 2))
    entry, tile = lines[at + U64(ENTRY)], turned(board[4], U64(slide & 3))
    dropped = ways(board[0], board[1], board[2], board[3], lines[at + U64(EXIT)])
    for side in range(4):
        out[side] = hollow(board[side], lines, at) | (tile >> U64(side) & U64(1)) << entry
    out[4] = dropped


@compiled("uint64(uint64[::1], uint64[::1], uint64)")
def walked(board: Any, lines: Any, tiles: int) -> Any:
    """Return where one may walk on a board from any of these tiles; walks are reversible."""
    cols = lines[1]
    right = board[1] & board[3] >> U64(1) & lines[2]
    return stride(right, board[2] & board[0] >> cols, cols, tiles)


@compiled("void(uint64[::1], int64, int64, uint64[::1], uint64[::1])")
def walks(board: Any, last: int, cell: int, lines: Any, out: Any) -> None:
    """Write for each slide where one may walk from a tile; nowhere if the slide undoes the last one."""
    kinds = turns_of(board[4])
    for line in range(lines[0]):
        at = U64(HEAD + FIELDS * line)
        if undoes(lines, line, last):
            for quarters in range(4):
                out[4 * line + quarters] = U64(0)
            continue
        sides = hollowed(board, lines, at)
        here = carried(U64(1) << U64(cell), lines, at)
        for quarters in range(4):
            if quarters >= kinds:
                out[4 * line + quarters] = out[4 * line + quarters % kinds]
                continue
            right, down = links(sides, turned(board[4], U64(quarters)), lines, at)
            out[4 * line + quarters] = flood(right, down, lines[1], here) ^ here


@compiled("uint64(uint64[::1], int64, uint64, uint64[::1], boolean)")
def in_one_turn(board: Any, last: int, tiles: int, lines: Any, back: bool) -> Any:
    """Return the tiles that can be reached from one of these in one turn; `back`: from which one can be."""
    kinds, found = turns_of(board[4]), U64(0)
    for line in range(lines[0]):
        at = U64(HEAD + FIELDS * line)
        if undoes(lines, line, last):
            continue
        sides = hollowed(board, lines, at)
        here, there = tiles if back else carried(tiles, lines, at), U64(0)
        for quarters in range(kinds):
            right, down = links(sides, turned(board[4], U64(quarters)), lines, at)
            there |= stride(right, down, lines[1], here)
        found |= carried_back(there, lines, at) if back else there
    return found


@compiled("uint64(uint64[::1], int64, uint64, uint64[::1], uint64[::1], int64)")
def sources(board: Any, last: int, tiles: int, lines: Any, room: Any, turns: int) -> Any:
    """Return from where one of these tiles is at most so many turns away, if nobody else pushes.

    The work space has five words for each turn after the first.
    """
    if turns == 1:
        return in_one_turn(board, last, tiles, lines, True)
    kinds, found, here = turns_of(board[4]), U64(0), room[:5]
    for slide in range(4 * lines[0]):
        line = slide >> 2
        if slide & 3 < kinds and not undoes(lines, line, last):
            push(board, slide, lines, here)
            near = tiles | sources(here, line, tiles, lines, room[5:], turns - 1)
            found |= carried_back(walked(here, lines, near), lines, U64(HEAD + FIELDS * line))
    return found


@compiled("uint64(uint64[::1], int64, uint64, int64[::1], int64[::1], uint64[::1], int64[::1], uint64[::1])")
def outlook(
    board: Any, last: int, target: int, rivals: Any, stakes: Any, lines: Any, out: Any, room: Any
) -> Any:
    """Write the value of a turn from each tile, given what the rivals can do after it.

    `stakes` begins with the value of a turn that ends on the target, and of one that does not. Then it has
    for each rival two values per tile: the loss in the first case, and in the second, if the rival can get
    there in its next turn. Return the tiles from which the target can be reached.
    """
    kinds, cells, found, otherwise = turns_of(board[4]), len(out), U64(0), I64(0)
    for cell in range(cells):
        out[cell] = 0
    for slide in range(4 * lines[0]):
        line = slide >> 2
        if slide & 3 >= kinds or undoes(lines, line, last):
            continue
        at = U64(HEAD + FIELDS * line)
        push(board, slide, lines, room)
        reached, missed = stakes[0], stakes[1]
        for number in range(len(rivals)):
            rival = carried(U64(1) << U64(rivals[number]), lines, at)
            there = in_one_turn(room, line, rival, lines, False)
            base = 2 + 2 * cells * number
            while there != U64(0):
                cell = lowest(there)
                there &= there - U64(1)
                reached -= stakes[base + cell]
                missed -= stakes[base + cells + cell]
        otherwise = max(otherwise, missed)
        near = carried_back(walked(room, lines, target), lines, at)
        found |= near
        while near != U64(0):
            cell = lowest(near)
            near &= near - U64(1)
            out[cell] = max(out[cell], reached)
    for cell in range(cells):
        out[cell] = max(out[cell], otherwise)
    return found
