"""The Fish course's test harnesses: functions from the input bytes to JSON-able data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from touchline.bots.fish_course import FishCourse
from touchline.core.errors import BadInput
from touchline.core.rules import IllegalMove
from touchline.dialects.notation.fish import (
    MOST_CELLS,
    Board,
    Position,
    board,
    state,
    write_action,
    write_state,
)
from touchline.dialects.notation.json_stream import arguments, shaped
from touchline.games.fish import FishState, Slide, floating

if TYPE_CHECKING:
    from collections.abc import Callable


class BoardPosn(Struct):
    position: Position
    board: Board


class MoveResponseQuery(Struct, rename={"origin": "from", "target": "to"}):
    state: dict[str, Any]
    origin: Position
    target: Position


class GameDescription(Struct):
    row: Annotated[int, Meta(ge=1, le=MOST_CELLS)]
    column: Annotated[int, Meta(ge=1, le=MOST_CELLS)]
    players: Annotated[list[tuple[str, Annotated[int, Meta(ge=0)]]], Meta(min_length=2, max_length=4)]
    fish: Annotated[int, Meta(ge=1, le=255)]


def xboard(data: bytes) -> int:
    """Count the tiles that can be reached from a position in straight lines."""
    (value,) = arguments(data, ["Board-Posn"])
    query = shaped(value, BoardPosn, "Board-Posn")
    floe = floating(board(query.board, "Board-Posn.board"), [], [])
    row, col = query.position
    if not floe.table.grid.bit(query.position):
        raise BadInput(f"row {row}, column {col} is off the board", "Board-Posn.position")
    reachable = 0
    for ray in floe.table.grid.rays[row * floe.table.grid.cols + col]:
        for cell in ray:
            if not floe.fish[cell]:
                break
            reachable += 1
    return reachable


def xstate(data: bytes) -> dict[str, Any] | bool:
    """Move the first player's first penguin one step in the first free direction, and return the state."""
    (value,) = arguments(data, ["State"])
    written, live = state(value, "State")
    if not written.players or not live.penguins[0]:
        return False
    penguin = live.penguins[0][0]
    for neighbour in _neighbours(live, penguin):
        if live.free >> neighbour & 1:
            cells = live.table.grid.cells
            after = live.play(Slide(cells[penguin], cells[neighbour]))
            return write_state(after, [player.color for player in written.players], 1)
    return False


def _neighbours(live: FishState, cell: int) -> list[int]:
    """Return the neighbours of a tile in the order N, NE, SE, S, SW, NW."""
    return [ray[0] for ray in live.table.grid.rays[cell] if ray]


def xtree(data: bytes) -> list[list[int]] | bool:
    """Return the move of the second player that ends next to the tile the first player just moved to."""
    (value,) = arguments(data, ["Move-Response-Query"])
    query = shaped(value, MoveResponseQuery, "Move-Response-Query")
    _, live = state(query.state, "Move-Response-Query.state")
    if not live.penguins:
        raise BadInput("there is no player to move", "Move-Response-Query.state.players")
    move = Slide(query.origin, query.target)
    try:
        live.check(move)
    except IllegalMove as error:
        raise BadInput(f"not a legal move of the first player: {error}", "Move-Response-Query") from None
    after = live.play(move)
    row, col = query.target
    if after.to_move != 1:  # "if player 2 is stuck: false (no skip to player 3)"
        return False
    replies = [reply for reply in after.legal_moves() if isinstance(reply, Slide)]
    for neighbour in _neighbours(after, row * after.table.grid.cols + col):
        cell = after.table.grid.cells[neighbour]
        if there := [reply for reply in replies if reply.target == cell]:
            return write_action(min(there, key=lambda reply: reply.origin))
    return False


def xstrategy(data: bytes) -> list[list[int]] | bool:
    """Return the best action of the first player, looking D of its own turns ahead."""
    (value,) = arguments(data, ["Depth-State"])
    depth, written = shaped(value, tuple[Annotated[int, Meta(ge=0, le=100)], dict[str, Any]], "Depth-State")
    _, live = state(written, "Depth-State[1]")
    if not live.penguins or not live.legal_moves():
        return False
    return write_action(FishCourse(depth).slide(live))


def xref(data: bytes) -> list[str]:
    """Return the winners of a game of house players on a board with the same number of fish on every tile."""
    (value,) = arguments(data, ["Game-Description"])
    game = shaped(value, GameDescription, "Game-Description")
    names = [name for name, _ in game.players]
    floe = board([[game.fish] * game.column for _ in range(game.row)], "Game-Description")
    count = len(names)
    live = replace(floating(floe, [()] * count, [0] * count, quota=6 - count), placing=True)
    players = [FishCourse(depth) for _, depth in game.players]
    while (seat := live.to_move) is not None:
        try:
            live = live.play(players[seat].choose(live))
        except IllegalMove:  # no tile is left to place a penguin on: the player fails
            live = live.without(seat)
    outcome = live.outcome()
    assert outcome is not None
    return sorted(names[seat] for seat in outcome.winners)


HARNESSES: dict[str, Callable[[bytes], Any]] = {
    "xboard": xboard, "xstate": xstate, "xtree": xtree, "xstrategy": xstrategy, "xref": xref,
}  # fmt: skip
