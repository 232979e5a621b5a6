"""Labyrinth in JSON: states that are taken, states that are refused, and what is written."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from touchline.core.errors import BadInput
from touchline.dialects.notation.labyrinth import (
    coordinate,
    push,
    referee_state,
    state,
    walls,
    write_cell,
    write_cells,
    write_choice,
)
from touchline.games.labyrinth import PASS, Slide


def at(row: int, col: int) -> dict[str, int]:
    return {"row#": row, "column#": col}


def written_state() -> dict[str, Any]:
    """A State, and a RefereeState too, of two players on three rows of four."""
    return {
        "board": {
            "connectors": [list("│─┐└"), list("┌┘┬├"), list("┴┤┼│")],
            "treasures": [[[f"a{row}", f"b{col}"] for col in range(4)] for row in range(3)],
        },
        "spare": {"tilekey": "┴", "1-image": "c", "2-image": "d"},
        "plmt": [
            {"current": at(2, 3), "home": at(1, 1), "color": "red", "goto": at(1, 3)},
            {"current": at(0, 0), "home": at(1, 3), "color": "1A2B3C", "goto": at(1, 1)},
        ],
        "last": [2, "UP"],
    }


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """A state with one thing in it replaced, or taken out if it becomes `...`."""
    value = written_state()
    node: Any = value
    for step in path[:-1]:
        node = node[step]
    if to is ...:
        del node[path[-1]]
    else:
        node[path[-1]] = to
    return value


def test_state() -> None:
    """A State is read as written, and only the goal of the player to move is known."""
    live = state(written_state(), "State", (1, 3))
    position = live.position()
    assert position.connectors == ("│─┐└", "┌┘┬├", "┴┤┼│")
    assert position.treasures[1][2] == ("a1", "b2")
    assert (position.spare.connector, position.spare.treasure) == ("┴", ("c", "d"))
    assert [seeker.avatar for seeker in position.seekers] == [(2, 3), (0, 0)]
    assert [seeker.home for seeker in position.seekers] == [(1, 1), (1, 3)]
    assert [seeker.goal for seeker in position.seekers] == [(1, 3), None]
    assert position.pool is None
    assert position.last == (2, "UP")
    assert (position.to_move, position.due, position.round) == (0, (0, 1), 1)


def test_referee_state() -> None:
    """A RefereeState has everybody's goal, nothing found, and the further goals in their order."""
    position = referee_state({**written_state(), "goals": [at(1, 3), at(0, 0)]}, "State").position()
    assert [seeker.goal for seeker in position.seekers] == [(1, 3), (1, 1)]
    assert [seeker.found for seeker in position.seekers] == [0, 0]
    assert [seeker.homeward for seeker in position.seekers] == [False, False]
    assert position.pool == ((1, 3), (0, 0))
    assert referee_state(written_state(), "State").pool == ()


def test_referee_state_of_the_first_few() -> None:
    """If not all seats are taken, the first ones of `plmt` are."""
    live = referee_state(written_state(), "State", 1)
    assert [seeker.home for seeker in live.seekers] == [(1, 1)]
    assert live.due == (0,)


@pytest.mark.parametrize(
    "value",
    [
        changed("last", to=None),
        changed("last", to=...),
        changed("last", to=[1, "LEFT"]),
        changed("last", to=[99, "DOWN"]),
        changed("plmt", 0, "home", to=at(0, 0)),
        changed("plmt", 1, "home", to=at(1, 1)),
        changed("plmt", 1, "home", to=at(70, 70)),
        changed("plmt", 0, "goto", to=at(1, 1)),
        changed("plmt", 0, "goto", to=at(50, 0)),
        changed("plmt", 1, "color", to="red"),
        changed("plmt", 1, "color", to="mauve"),
        changed("plmt", 1, "current", to=at(2, 3)),
        changed("spare", "1-image", to="nothing of the kind"),
        changed("board", "treasures", 0, 0, to=["c", "d"]),
        {**written_state(), "what else": 1},
    ],
)
def test_lenient(value: dict[str, Any]) -> None:
    """Homes and goals anywhere, shared homes and colours, gems of any name, odd `last` lines are taken."""
    assert len(state(value, "State", (0, 0)).avatars) == 2
    assert len(referee_state(value, "State").avatars) == 2


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (None, "State"),
        ([], "State"),
        (changed("board", to=...), "State"),
        (changed("board", to=[]), "State.board"),
        (changed("board", "connectors", to=...), "State.board"),
        (changed("board", "connectors", to=[]), "State.board"),
        (changed("board", "connectors", to=[[], [], []]), "State.board"),
        (changed("board", "connectors", 1, to=["│"] * 3), "State.board"),
        (changed("board", "connectors", 0, to=["│"] * 5), "State.board"),
        (changed("board", "connectors", 1, 2, to="+"), "State.board"),
        (changed("board", "connectors", 1, 2, to=""), "State.board"),
        (changed("board", "connectors", 1, 2, to="││"), "State.board"),
        (changed("board", "connectors", 1, 2, to=3), "State.board.connectors[1][2]"),
        (changed("board", "treasures", 2, to=[["a", "b"]]), "State.board"),
        (changed("board", "treasures", 2, to=...), "State.board"),
        (changed("board", "treasures", 2, 1, to=["a"]), "State.board.treasures[2][1]"),
        (changed("board", "treasures", 2, 1, to=["a", "b", "c"]), "State.board.treasures[2][1]"),
        (changed("spare", to=...), "State"),
        (changed("spare", "tilekey", to="x\n"), "State.board"),
        (changed("spare", "1-image", to=...), "State.spare"),
        (changed("spare", "2-image", to=2), "State.spare.2-image"),
        (changed("plmt", to=...), "State"),
        (changed("plmt", to={}), "State.plmt"),
        (changed("plmt", 1, to=None), "State.plmt[1]"),
        (changed("plmt", 1, "current", to=at(3, 0)), "State.plmt[1].current"),
        (changed("plmt", 0, "current", to=at(0, 4)), "State.plmt[0].current"),
        (changed("plmt", 0, "current", to=at(-1, 0)), "State.plmt[0].current.row#"),
        (changed("plmt", 0, "current", to={"row#": 1}), "State.plmt[0].current"),
        (changed("plmt", 0, "home", to=...), "State.plmt[0]"),
        (changed("plmt", 0, "home", to=[1, 1]), "State.plmt[0].home"),
        (changed("plmt", 0, "color", to=7), "State.plmt[0].color"),
        (changed("last", to=False), "State.last"),
        (changed("last", to=[0]), "State.last"),
        (changed("last", to=["LEFT", 0]), "State.last[0]"),
        (changed("last", to=[0, "left"]), "State.last[1]"),
        (changed("last", to=[-2, "LEFT"]), "State.last[0]"),
    ],
)
def test_refused(value: Any, where: str) -> None:
    """Wrong types, ragged boards, unknown connectors, avatars off the board, bad directions are refused."""
    for read in (state, referee_state):
        with pytest.raises(BadInput) as caught:
            read(value, "State")
        assert str(caught.value).startswith(f"{where}: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (changed("plmt", 1, "goto", to=...), "State.plmt[1]"),
        (changed("plmt", 1, "goto", to="home"), "State.plmt[1].goto"),
        ({**written_state(), "goals": None}, "State.goals"),
        ({**written_state(), "goals": [at(1, 1), 3]}, "State.goals[1]"),
        ({**written_state(), "goals": [{"row#": 1, "col#": 1}]}, "State.goals[0]"),
    ],
)
def test_referee_state_refused(value: Any, where: str) -> None:
    """A RefereeState must have every goal, and further goals that are coordinates."""
    with pytest.raises(BadInput) as caught:
        referee_state(value, "State")
    assert str(caught.value).startswith(f"{where}: ")
    state(value, "State")


def test_largest_board() -> None:
    """Fifty rows and columns are taken, fifty-one are not."""
    walls({"connectors": [["┼"] * 50] * 50, "treasures": []}, "Board")
    for rows, cols in ((51, 1), (1, 51)):
        with pytest.raises(BadInput, match="50"):
            walls({"connectors": [["┼"] * cols] * rows, "treasures": []}, "Board")


def test_state_without_players() -> None:
    """A State in which nobody stands anywhere is read as such or refused, and no crash."""
    try:
        assert state(changed("plmt", to=[]), "State").avatars == ()
    except BadInput as error:
        message = str(error)
        assert "plmt" in message


def test_walls() -> None:
    """Of a Board alone only the connectors count: the treasures may be too few."""
    board = written_state()["board"]
    maze = walls({**board, "treasures": []}, "Board")
    assert (maze.grid.rows, maze.grid.cols) == (3, 4)
    with pytest.raises(BadInput, match=r"Board\.connectors: "):
        walls({"connectors": [["│"], []], "treasures": []}, "Board")
    with pytest.raises(BadInput, match="Board: "):
        walls({"connectors": [["│"]]}, "Board")


def test_coordinate() -> None:
    """Both spellings of the second key are read, and refusals name the place."""
    assert coordinate(at(1, 2), "Coordinate").cell() == (1, 2)
    assert coordinate({"row#": 1, "col#": 2}, "Coordinate").cell() == (1, 2)
    bad: list[Any] = [{"col#": 2}, {"row#": 1}, [1, 2], None, at(1, -2), {"row#": 1, "col#": "2"}]
    for value in bad:
        before = deepcopy(value)
        with pytest.raises(BadInput, match="Coordinate"):
            coordinate(value, "Coordinate")
        assert value == before


def test_push() -> None:
    """A line is pushed if its index is even and on the board, rows sideways and columns up or down."""
    maze = walls({"connectors": [["┼"] * 5] * 3, "treasures": []}, "Board")
    names = ("Index", "Direction")
    assert push(maze, 2, "LEFT", names) == (2, "LEFT")
    assert push(maze, 4, "UP", names) == (4, "UP")
    bad: list[tuple[Any, Any, str]] = [
        (1, "LEFT", "Index"), (4, "LEFT", "Index"), (6, "DOWN", "Index"), (3, "UP", "Index"),
        (-2, "LEFT", "Index"), ("0", "LEFT", "Index"), (0, "left", "Direction"), (0, None, "Direction"),
    ]  # fmt: skip
    for index, direction, where in bad:
        with pytest.raises(BadInput, match=f"^{where}: "):
            push(maze, index, direction, names)


def test_written() -> None:
    """Coordinates are objects in row-column order, a choice is an array or PASS."""
    maze = walls({"connectors": [["┼"] * 3] * 2, "treasures": []}, "Board")
    assert write_cell((1, 2)) == {"row#": 1, "column#": 2}
    assert write_cells(maze, 0b101010) == [at(0, 1), at(1, 0), at(1, 2)]
    assert write_cells(maze, 0b1, "col#") == [{"row#": 0, "col#": 0}]
    assert write_choice(PASS) == "PASS"
    assert write_choice(Slide(2, "UP", 270, (1, 0))) == [2, "UP", 270, at(1, 0)]
