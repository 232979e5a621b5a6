"""The Labyrinth course's test harnesses: functions from the input bytes to JSON-able data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from touchline.core.errors import BadInput
from touchline.coursework.harness.actors import STRATEGIES, Actor, actors, play, server_state
from touchline.dialects.notation.json_stream import arguments, shaped
from touchline.dialects.notation.labyrinth import (
    cell_on,
    column_key,
    coordinate,
    push,
    referee_state,
    state,
    walls,
    write_cells,
    write_choice,
)
from touchline.games.boards.maze import Degree

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.games.labyrinth import LabyrinthState

NAME = re.compile(r"[a-zA-Z0-9]{1,20}")


def xboard(data: bytes) -> list[dict[str, int]]:
    """Return the tiles that can be reached from a coordinate, with the same column key as it has."""
    board, at = arguments(data, ["Board", "Coordinate"])
    maze = walls(board, "Board")
    cell = cell_on(maze, coordinate(at, "Coordinate"), "Coordinate")
    return write_cells(maze, maze.sides.reach(maze.grid, cell), column_key(at))


def xstate(data: bytes) -> list[dict[str, int]]:
    """Return the tiles that the first player can reach after a push, including the one it stands on."""
    names = ["State", "Index", "Direction", "Degree"]
    written, index, direction, turn = arguments(data, names)
    live = state(written, "State")
    if not live.avatars:
        raise BadInput("there is no player", "State.plmt")
    degree: Degree = shaped(turn, Degree, "Degree")
    line = push(live.maze, index, direction, ("Index", "Direction"))
    standing = live.avatars[0]
    assert standing is not None
    cell = live.maze.grid.tracks[line].carried.get(standing, standing)
    return write_cells(live.maze, live.reaches(line, degree) | 1 << cell)


def xchoice(data: bytes) -> Any:
    """Return the choice of a strategy for the first player."""
    strategy, written, goal = arguments(data, ["Strategy", "State", "Coordinate"])
    kind = STRATEGIES[shaped(strategy, Literal["Riemann", "Euclid"], "Strategy")]
    live = state(written, "State", coordinate(goal, "Coordinate").cell())
    if not live.avatars:
        raise BadInput("there is no player", "State.plmt")
    return write_choice(kind().choose(live))


def _table(data: bytes, spec: str, state_name: str) -> tuple[LabyrinthState, list[Actor]]:
    """Read a game and its players; the array of players has the order of `plmt`."""
    players, written = arguments(data, [spec, state_name])
    cast = actors(players, spec)
    live = referee_state(written, state_name)
    if len(cast) != len(live.avatars):
        raise BadInput(f"{len(cast)} players for {len(live.avatars)} places in plmt", spec)
    return live, cast


def xgames(data: bytes) -> list[str]:
    """Return the winners of a game between well-behaved players."""
    live, cast = _table(data, "PlayerSpec", "RefereeState")
    winners, _ = play(live, cast)
    return winners


def xbad(data: bytes) -> tuple[list[str], list[str]]:
    """Return the winners, and the players that misbehaved."""
    return play(*_table(data, "BadPlayerSpec", "RefereeState"))


def xbad2(data: bytes) -> tuple[list[str], list[str]]:
    """Return the winners, and the players that misbehaved."""
    return play(*_table(data, "BadPlayerSpec2", "RefereeState"))


def xserver(data: bytes) -> tuple[list[str], list[str]]:
    """Return the same as xbad2 after a sign-up: the first six valid names play, in reverse order."""
    players, written = arguments(data, ["BadPlayerSpec2", "RefereeState2"])
    cast = actors(players, "BadPlayerSpec2")
    signed_up = [actor for actor in cast if NAME.fullmatch(actor.name)][:6]
    signed_up.reverse()
    if len(signed_up) < 2:
        referee_state(
            written, "RefereeState2", len(signed_up)
        )  # a bad state is an error without players, too
        return [], []
    return play(server_state(written, len(signed_up)), signed_up)


HARNESSES: dict[str, Callable[[bytes], Any]] = {
    "xboard": xboard, "xstate": xstate, "xchoice": xchoice, "xgames": xgames,
    "xbad": xbad, "xbad2": xbad2, "xserver9": xserver, "xserver10": xserver,
}  # fmt: skip
