"""Labyrinth in the course's JSON: Coordinate, Board, Tile, Player, State, RefereeState, Choice, and back.

The field's inputs are freer than the course's definitions: homes and goals lie anywhere, two
players share a home or a colour, `last` names a line that cannot move or is not there at all. All
of that is taken as it is; what does not have the right shape, or stands off the board, is refused.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from touchline.core.errors import BadInput
from touchline.dialects.notation.json_stream import shaped
from touchline.games.boards.maze import DRAWN, PASS, Degree, Direction, Maze, Pass, Push, Slide, Tile, maze_of
from touchline.games.labyrinth import LabyrinthState, Seeker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Cell, Seat

Index: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 31)]
Gem: TypeAlias = str
Colour: TypeAlias = str
COLOURS = ("purple", "orange", "pink", "red", "blue", "green", "yellow", "white", "black")


class Coordinate(Struct, rename={"row": "row#", "column": "column#"}):
    row: Index
    column: Index

    def cell(self) -> Cell:
        return self.row, self.column


class Board(Struct):
    connectors: list[list[str]]
    treasures: list[list[tuple[Gem, Gem]]]


class CourseTile(Struct, rename={"first": "1-image", "second": "2-image"}):
    tilekey: str
    first: Gem
    second: Gem


class Player(Struct):
    current: Coordinate
    home: Coordinate
    color: Colour


class RefereePlayer(Player):
    goto: Coordinate


class State(Struct):
    board: Board
    spare: CourseTile
    plmt: list[Player]
    last: tuple[Index, Direction] | None = None


class RefereeState(Struct):
    board: Board
    spare: CourseTile
    plmt: list[RefereePlayer]
    last: tuple[Index, Direction] | None = None
    goals: list[Coordinate] = []


Choice: TypeAlias = Literal["PASS"] | tuple[Index, Direction, Degree, Coordinate]


def walls(value: Any, name: str) -> Maze:
    """Read a Board alone: only its connectors matter, its treasures may be missing."""
    board = shaped(value, Board, name)
    cols = len(board.connectors[0]) if board.connectors else 0
    blank = [[("", "")] * cols for _ in board.connectors]
    return _maze(board.connectors, blank, Tile("┼", ("", "")), f"{name}.connectors")


def maze_from(board: Board, spare: CourseTile, name: str) -> Maze:
    """Read a Board and a spare Tile."""
    outside = Tile(spare.tilekey, (spare.first, spare.second))
    return _maze(board.connectors, board.treasures, outside, name)


def _maze(
    connectors: list[list[str]], treasures: list[list[tuple[Gem, Gem]]], spare: Tile, name: str
) -> Maze:
    try:
        return maze_of(connectors, treasures, spare)
    except ValueError as error:
        raise BadInput(str(error), name) from None


def state(value: Any, name: str, goal: Cell | None = None) -> LabyrinthState:
    """Read a State in which the player to move seeks `goal`, and the goals of the others are unknown."""
    written = shaped(value, State, name)
    goals = [goal if place == 0 else None for place in range(len(written.plmt))]
    return _live(written, [*written.plmt], goals, None, name)


def referee_state(value: Any, name: str, seats: int | None = None) -> LabyrinthState:
    """Read a RefereeState at the start of its first round, with all of its players or the first few."""
    written = shaped(value, RefereeState, name)
    players = written.plmt[:seats]
    goals = [player.goto.cell() for player in players]
    return _live(written, [*players], [*goals], tuple(goal.cell() for goal in written.goals), name)


def _live(
    written: State | RefereeState,
    players: list[Player],
    goals: list[Cell | None],
    pool: tuple[Cell, ...] | None,
    name: str,
) -> LabyrinthState:
    maze = maze_from(written.board, written.spare, f"{name}.board")
    avatars = []
    for place, player in enumerate(players):
        avatars.append(cell_on(maze, player.current, f"{name}.plmt[{place}].current"))
    return LabyrinthState(
        maze=maze,
        avatars=tuple(avatars),
        seekers=tuple(Seeker(player.home.cell(), goal) for player, goal in zip(players, goals, strict=True)),
        pool=pool,
        last=written.last,
        round=1,
        due=tuple(range(len(players))),
    )


def coordinate(value: Any, name: str) -> Coordinate:
    """Read a Coordinate; some programs of the course spell its second key `col#`."""
    if column_key(value) == "col#":
        value = {"row#": value.get("row#"), "column#": value["col#"]}
    return shaped(value, Coordinate, name)


def column_key(value: Any) -> str:
    """Return how a Coordinate spells its second key."""
    return "col#" if isinstance(value, dict) and "col#" in value else "column#"


def cell_on(maze: Maze, at: Coordinate, name: str) -> int:
    """Return the number of a tile, which must be on the board."""
    if at.row >= maze.grid.rows or at.column >= maze.grid.cols:
        raise BadInput(f"row {at.row}, column {at.column} is off the board", name)
    return at.row * maze.grid.cols + at.column


def push(maze: Maze, index: Any, direction: Any, names: tuple[str, str]) -> Push:
    """Read an Index and a Direction, which must name a row or column that can slide."""
    line: Push = (shaped(index, Index, names[0]), shaped(direction, Direction, names[1]))
    if line not in maze.grid.tracks:
        raise BadInput(f"no line {line[0]} can be pushed {line[1]}", names[0])
    return line


def write_cell(cell: Cell, key: str = "column#") -> dict[str, int]:
    row, col = cell
    return {"row#": row, key: col}


def write_cells(maze: Maze, bits: int, key: str = "column#") -> list[dict[str, int]]:
    """Write the Coordinates of a set of tiles, in row-column order."""
    return [write_cell(cell, key) for number, cell in enumerate(maze.grid.cells) if bits >> number & 1]


def write_choice(move: Slide | Pass) -> Any:
    if isinstance(move, Pass):
        return "PASS"
    return [move.index, move.direction, move.degree, write_cell(move.to)]


def chosen(choice: Choice) -> Slide | Pass:
    """Return the move that a Choice stands for."""
    if choice == "PASS":
        return PASS
    index, direction, degree, to = choice
    return Slide(index, direction, degree, to.cell())


def colours(seats: int, lot: int | None) -> tuple[Colour, ...]:
    """Return a colour for each seat: the course's names in an order drawn by lot, then six hex digits.

    >>> colours(3, None), colours(3, 5)
    (('purple', 'orange', 'pink'), ('blue', 'green', 'yellow'))
    """
    names = COLOURS if lot is None else tuple(Random(lot).sample(COLOURS, len(COLOURS)))
    return tuple(names[seat] if seat < len(names) else f"{seat:06X}" for seat in range(seats))


def write_board(maze: Maze) -> dict[str, Any]:
    cols, count = maze.grid.cols, len(maze.grid.cells)
    letters = [DRAWN[maze.ways(cell)] for cell in range(count)]
    starts = range(0, count, cols)
    return {
        "connectors": [letters[start : start + cols] for start in starts],
        "treasures": [maze.treasures[start : start + cols] for start in starts],
    }


def write_spare(maze: Maze) -> dict[str, str]:
    first, second = maze.spare_treasure
    return {"tilekey": DRAWN[maze.spare], "1-image": first, "2-image": second}


def write_state(live: LabyrinthState, first: Seat, colours: Sequence[Colour] = COLOURS) -> dict[str, Any]:
    """Write the public State: `plmt` begins with this seat, and removed players are left out."""
    seats = range(len(live.seekers))
    order = [seat for seat in (*seats[first:], *seats[:first]) if live.avatars[seat] is not None]
    return {
        "board": write_board(live.maze),
        "spare": write_spare(live.maze),
        "plmt": [_player(live, seat, colours[seat]) for seat in order],
        "last": live.last,
    }


def _player(live: LabyrinthState, seat: Seat, colour: Colour) -> dict[str, Any]:
    current = standing(live, seat)
    assert current is not None, "a removed seat is left out"
    return {
        "current": write_cell(current),
        "home": write_cell(live.seekers[seat].home),
        "color": colour,
    }


def standing(live: LabyrinthState, seat: Seat) -> Cell | None:
    """Return where a seat's avatar is; None if it was removed."""
    cell = live.avatars[seat]
    return None if cell is None else live.maze.grid.cells[cell]
