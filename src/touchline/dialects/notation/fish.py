"""Fish in the course's JSON: Board, Position, Player, State, Action, and back.

A State's `players` are in turn order with the player to move first, so a seat here is a place in
that list, and the list is turned when the turn passes on. Rows of a Board may be short: the missing
tiles are holes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from touchline.core.errors import BadInput
from touchline.dialects.notation.json_stream import shaped
from touchline.games.fish import FishState, Slide, floating, table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Cell

MOST_CELLS = 2500

Natural: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 53)]
Position: TypeAlias = tuple[Natural, Natural]
# "1 to 5 fish" says the course; the field's boards have tiles with more.
Board: TypeAlias = list[list[Annotated[int, Meta(ge=0, le=255)]]]
Colour: TypeAlias = Literal["red", "white", "brown", "black"]


class Player(Struct):
    color: Colour
    score: Natural
    places: list[Position]


class State(Struct):
    players: list[Player]
    board: Board


def board(rows: Board, name: str) -> Board:
    """Return the board. Raise BadInput if it is larger than we accept."""
    width = max(map(len, rows), default=0)
    if len(rows) * width > MOST_CELLS:
        raise BadInput(f"{len(rows)} rows of {width} are more than {MOST_CELLS} tiles", name)
    return rows


def state(value: Any, name: str) -> tuple[State, FishState]:
    """Read a State: as it was written, and as a game after the placements, with its first player to move."""
    written = shaped(value, State, name)
    board(written.board, f"{name}.board")
    colours = [player.color for player in written.players]
    if len(set(colours)) < len(colours):
        raise BadInput("two players have the same color", f"{name}.players")
    try:
        live = floating(
            written.board,
            [player.places for player in written.players],
            [player.score for player in written.players],
        )
    except ValueError as error:
        raise BadInput(str(error), f"{name}.players") from None
    return written, live


def placing(value: Any, name: str, quota: int) -> FishState:
    """Read a State during the placements, with its first player to place a penguin."""
    _, live = state(value, name)
    grid = live.table.grid
    table = table_of(grid.rows, grid.cols, False, quota, len(live.penguins))
    return replace(live, table=table, placing=True)


def write_state(live: FishState, colours: Sequence[str], first: int) -> dict[str, Any]:
    """Write a State in which the player of seat `first` is first; removed players are left out."""
    count = len(live.penguins)
    order = [(first + turn) % count for turn in range(count)]
    return {
        "players": [
            {
                "color": colours[seat],
                "score": live.scores[seat],
                "places": [write_position(live.table.grid.cells[cell]) for cell in live.penguins[seat]],
            }
            for seat in order
            if seat not in live.removed
        ],
        "board": [list(row) for row in live.board()],
    }


def write_position(cell: Cell) -> list[int]:
    return list(cell)


def write_action(move: Slide) -> list[list[int]]:
    return [write_position(move.origin), write_position(move.target)]
