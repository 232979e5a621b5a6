"""Fish in JSON: states that are taken, states that are refused, and the way back."""

from __future__ import annotations

from typing import Any

import pytest

from touchline.core.errors import BadInput
from touchline.dialects.notation.fish import board, placing, state, write_action, write_position, write_state
from touchline.games.fish import Place, Slide


def player(color: str, *places: list[int], score: int = 0) -> dict[str, Any]:
    return {"color": color, "score": score, "places": [*places]}


BOARD = [[1, 2, 3], [4, 5], [0, 1, 2]]
WRITTEN: dict[str, Any] = {
    "players": [player("white", [1, 1], [0, 0], score=7), player("red", [2, 2])],
    "board": BOARD,
}


def test_state() -> None:
    """A state is read with its first player to move, and short rows padded with holes."""
    written, live = state(WRITTEN, "State")
    assert [one.color for one in written.players] == ["white", "red"]
    assert live.to_move == 0
    assert not live.placing
    assert live.scores == (7, 0)
    assert live.board() == ((1, 2, 3), (4, 5, 0), (0, 1, 2))
    assert live.position().penguins == (((1, 1), (0, 0)), ((2, 2),))


def test_round_trip() -> None:
    """What was read is written as it was, but for the padding and for who comes first."""
    _, live = state(WRITTEN, "State")
    padded = [[1, 2, 3], [4, 5, 0], [0, 1, 2]]
    assert write_state(live, ["white", "red"], 0) == {**WRITTEN, "board": padded}
    players = WRITTEN["players"]
    assert write_state(live, ["white", "red"], 1) == {"players": players[::-1], "board": padded}
    again, _ = state(write_state(live, ["white", "red"], 0), "State")
    assert again == state({**WRITTEN, "board": padded}, "State")[0]


def test_removed_players_are_left_out() -> None:
    """A player that was removed is not written."""
    _, live = state(WRITTEN, "State")
    assert write_state(live.without(0), ["white", "red"], 0)["players"] == [WRITTEN["players"][1]]


def test_order_from_any_player() -> None:
    """The players are written in turn order from the given one on."""
    _, live = state({"players": [player("red"), player("black"), player("brown")], "board": [[1]]}, "State")
    written = write_state(live, ["red", "black", "brown"], 2)
    assert [one["color"] for one in written["players"]] == ["brown", "red", "black"]


@pytest.mark.parametrize(
    "value",
    [
        {"players": [], "board": [[1]]},
        {"players": [player("red")], "board": [[1]]},
        {"players": [player("black", [0, 0])], "board": [[9]]},
        {"players": [player("red", [0, 1])], "board": [[1, 0]]},
        {"players": [player("red", [1, 1])], "board": [[1, 1], [1]]},
        {"players": [{**player("red"), "age": 3}], "board": [[1]], "round": 1},
        {"players": [player("red")], "board": [[], [1]]},
        {"players": [player("red", [24, 24])], "board": [[5] * 25] * 25},
    ],
)
def test_lenient(value: dict[str, Any]) -> None:
    """The field's states may lack players or penguins, have many fish, and stand penguins in holes."""
    _, live = state(value, "State")
    assert len(live.penguins) == len(value["players"])


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (None, "State"),
        ([], "State"),
        ({"players": []}, "State"),
        ({"board": [[1]]}, "State"),
        ({"players": {}, "board": [[1]]}, "State.players"),
        ({"players": [], "board": [1]}, "State.board[0]"),
        ({"players": [], "board": [[-1]]}, "State.board[0][0]"),
        ({"players": [], "board": [[256]]}, "State.board[0][0]"),
        ({"players": [], "board": [["1"]]}, "State.board[0][0]"),
        ({"players": [], "board": [[1.0]]}, "State.board[0][0]"),
        ({"players": [], "board": [[True]]}, "State.board[0][0]"),
        ({"players": [player("green")], "board": [[1]]}, "State.players[0].color"),
        ({"players": [player("RED")], "board": [[1]]}, "State.players[0].color"),
        ({"players": [player("red", score=-1)], "board": [[1]]}, "State.players[0].score"),
        ({"players": [player("red", [0])], "board": [[1]]}, "State.players[0].places[0]"),
        ({"players": [player("red", [0, -1])], "board": [[1]]}, "State.players[0].places[0][1]"),
        ({"players": [player("red", [0, 1])], "board": [[1]]}, "State.players"),
        ({"players": [player("red", [1, 0])], "board": [[1]]}, "State.players"),
        ({"players": [player("red", [0, 0], [0, 0])], "board": [[1]]}, "State.players"),
        ({"players": [player("red", [0, 0]), player("black", [0, 0])], "board": [[1]]}, "State.players"),
        ({"players": [player("red"), player("red")], "board": [[1]]}, "State.players"),
        ({"players": [], "board": [[1] * 51] * 50}, "State.board"),
        ({"players": [], "board": [[1]] * 2501}, "State.board"),
    ],
)
def test_refused(value: Any, where: str) -> None:
    """Wrong types, unknown or repeated colours, penguins off the board or on each other, and giant boards."""
    with pytest.raises(BadInput) as caught:
        state(value, "State")
    assert str(caught.value).startswith(f"{where}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("empty", [[], [[]], [[], []]])
def test_board_without_tiles(empty: list[list[int]]) -> None:
    """A board without a single place has no penguins; it is read, or refused in words about the board."""
    try:
        _, live = state({"players": [player("red")], "board": empty}, "State")
    except BadInput as error:
        message = str(error)
        assert "range()" not in message
    else:
        assert live.legal_moves() == []
        assert write_state(live, ["red"], 0)["players"] == [player("red")]


def test_board_size() -> None:
    """A board of as many tiles as are allowed is taken, one more is not."""
    assert board([[1] * 2500], "Board") == [[1] * 2500]
    with pytest.raises(BadInput, match="Board: 1 rows of 2501"):
        board([[1] * 2501], "Board")
    with pytest.raises(BadInput, match="Board: 51 rows of 50"):
        board([[1] * 50] + [[]] * 50, "Board")


def test_written_moves() -> None:
    """Positions and actions are arrays, row first."""
    assert write_position((1, 2)) == [1, 2]
    assert write_action(Slide((1, 2), (3, 0))) == [[1, 2], [3, 0]]


def test_placing() -> None:
    """A state in which penguins are placed: on any free tile, until each player has placed its share."""
    written = {"players": [player("red"), player("white", [0, 0])], "board": [[1, 0, 2], [1]]}
    live = placing(written, "State", 1)
    assert live.legal_moves() == [Place((0, 2)), Place((1, 0))]
    after = live.play(Place((0, 2)))
    assert not after.placing
    assert placing(written, "State", 2).play(Place((0, 2))).to_move == 1
    with pytest.raises(BadInput):
        placing({}, "State", 1)
