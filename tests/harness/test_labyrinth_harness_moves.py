"""xboard, xstate and xchoice of the Labyrinth course: examples worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from harness.labyrinth_specs import SHUT_IN, ask, at, board, crosses, player, state
from touchline.core.errors import BadInput
from touchline.coursework.harness.labyrinth import HARNESSES

if TYPE_CHECKING:
    from touchline.core.rules import Cell

# xboard
WINDING = board("┌─┐", "│┘│", "└┴┘")


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        # the ring; (2, 1) is open upwards, but (1, 1) is open up and left only
        ((0, 0), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]),
        ((1, 1), [(1, 1)]),
        ((2, 2), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]),
    ],
)
def test_xboard(start: Cell, expected: list[Cell]) -> None:
    """Tiles are connected if both are open to each other; they come in row-column order, itself included."""
    assert ask("xboard", WINDING, at(*start)) == [at(*cell) for cell in expected]


def test_xboard_has_no_way_round_the_edge() -> None:
    """A way that leaves the board does not come back on the other side."""
    assert ask("xboard", board("──│", "│┼─"), at(0, 0)) == [at(0, 0), at(0, 1)]
    assert ask("xboard", board("─│─", "│──"), at(0, 2)) == [at(0, 2)]


def test_xboard_spells_as_it_was_asked() -> None:
    """A coordinate with `col#` is answered with `col#`."""
    asked = {"row#": 0, "col#": 1}
    assert ask("xboard", board("──│"), asked) == [{"row#": 0, "col#": 0}, {"row#": 0, "col#": 1}]
    assert ask("xboard", board("──│"), at(0, 1)) == [at(0, 0), at(0, 1)]


def test_xboard_needs_no_treasures() -> None:
    """The treasures of a board do not matter here, and may be missing."""
    assert ask("xboard", {"connectors": [["─", "─"]], "treasures": []}, at(0, 0)) == [at(0, 0), at(0, 1)]


def test_xboard_off_the_board() -> None:
    """A coordinate off the board is refused."""
    for row, col in ((3, 0), (0, 3), (9, 9)):
        with pytest.raises(BadInput, match=f"^Coordinate: row {row}, column {col} is off the board"):
            ask("xboard", WINDING, at(row, col))


# xstate
TURNING = ["───", "│││", "───"]


@pytest.mark.parametrize(
    ("degree", "expected"),
    [
        (0, [(0, 2), (1, 2)]),
        (90, [(1, 2)]),
        (180, [(1, 2)]),
        (270, [(0, 0), (0, 1), (0, 2), (1, 2)]),
    ],
)
def test_xstate_turns_counter_clockwise(degree: int, expected: list[Cell]) -> None:
    """┌ pushed in above the player is ┌, └, ┘, ┐ as it is turned counter-clockwise by 0, 90, 180, 270."""
    answer = ask("xstate", state(TURNING, "┌", player((1, 2))), 0, "LEFT", degree)
    assert answer == [at(*cell) for cell in expected]


@pytest.mark.parametrize(
    ("start", "index", "direction", "place"),
    [
        ((0, 1), 0, "LEFT", (0, 0)),
        ((0, 1), 0, "RIGHT", (0, 2)),
        ((0, 0), 0, "LEFT", (0, 2)),
        ((0, 2), 0, "RIGHT", (0, 0)),
        ((1, 2), 2, "UP", (0, 2)),
        ((1, 2), 2, "DOWN", (2, 2)),
        ((0, 2), 2, "UP", (2, 2)),
        ((2, 0), 0, "DOWN", (0, 0)),
        ((1, 1), 0, "LEFT", (1, 1)),
        ((1, 0), 0, "LEFT", (1, 0)),
    ],
)
def test_xstate_rides_along(start: Cell, index: int, direction: str, place: Cell) -> None:
    """Who stands on the line that moves rides with its tile, and comes back in on the other side."""
    # Upright tiles only, so a push of a row leaves one in a whole column; or level ones, and a whole row.
    letter = "│" if direction in ("LEFT", "RIGHT") else "─"
    answer = ask("xstate", state([letter * 3] * 3, letter, player(start)), index, direction, 0)
    row, col = place
    assert answer == [at(step, col) if letter == "│" else at(row, step) for step in range(3)]


def test_xstate_does_not_forbid_an_undo() -> None:
    """The push is legal by assumption, whatever the last one was."""
    value = state(TURNING, "┌", player((1, 2)), last=(0, "RIGHT"))
    assert ask("xstate", value, 0, "LEFT", 0) == [at(0, 2), at(1, 2)]


def test_xstate_is_about_the_first_player() -> None:
    """The tiles are those that the first player of `plmt` can reach."""
    value = state(["───", "│││", "───"], "─", player((1, 1)), player((2, 0)))
    assert ask("xstate", value, 0, "LEFT", 0) == [at(1, 1)]


@pytest.mark.parametrize(
    ("index", "direction", "degree", "where"),
    [
        (1, "LEFT", 0, "Index"), (4, "LEFT", 0, "Index"), (-2, "UP", 0, "Index"), (0.0, "UP", 0, "Index"),
        (0, "left", 0, "Direction"), (0, 3, 0, "Direction"), (0, "NORTH", 0, "Direction"),
        (0, "LEFT", 45, "Degree"), (0, "LEFT", 360, "Degree"), (0, "LEFT", -90, "Degree"),
        (0, "LEFT", "90", "Degree"), (0, "LEFT", 90.0, "Degree"), (0, "LEFT", False, "Degree"),
    ],
)  # fmt: skip
def test_xstate_refuses(index: Any, direction: Any, degree: Any, where: str) -> None:
    """A line that cannot move, a bad direction and a bad degree are refused."""
    with pytest.raises(BadInput, match=f"^{where}: "):
        ask("xstate", state(TURNING, "┌", player((1, 2))), index, direction, degree)


# xchoice


def choice(strategy: str, value: dict[str, Any], goal: Cell) -> Any:
    return ask("xchoice", strategy, value, at(*goal))


def test_xchoice_pass() -> None:
    """A player that is shut in passes."""
    shut = state(SHUT_IN, "─", player((1, 3)), player((0, 0)))
    assert choice("Riemann", shut, (0, 0)) == "PASS"
    assert choice("Euclid", shut, (3, 3)) == "PASS"


def test_xchoice_on_crosses() -> None:
    """The goal if it can be reached, else the first tile for Riemann and the nearest one for Euclid."""
    value = crosses(3, player((1, 1)))
    assert choice("Riemann", value, (2, 2)) == [0, "LEFT", 0, at(2, 2)]
    assert choice("Riemann", value, (1, 1)) == [0, "LEFT", 0, at(0, 0)]
    assert choice("Euclid", value, (1, 1)) == [0, "LEFT", 0, at(0, 1)]
    assert choice("Euclid", value, (9, 9)) == [0, "LEFT", 0, at(2, 2)]


def test_xchoice_may_not_undo_nor_stay() -> None:
    """LEFT would undo the last push, or would carry the player onto the goal without a step of its own."""
    assert choice("Riemann", {**crosses(3, player((1, 1))), "last": [0, "RIGHT"]}, (2, 2))[:2] == [0, "RIGHT"]
    assert choice("Riemann", crosses(3, player((0, 1))), (0, 0)) == [0, "RIGHT", 0, at(0, 0)]


def test_xchoice_on_even_boards() -> None:
    """On two rows and columns only the first of each moves."""
    # The player in the odd corner is open to the left only: the tile there must be open to the right.
    value = state(["││", "│─"], "│", player((1, 1)))
    # Column 0 UP puts the spare at (1, 0), turned by 90 degrees
    assert choice("Riemann", value, (0, 0)) == [0, "UP", 90, at(1, 0)]


def test_xchoice_takes_either_spelling() -> None:
    """The goal may be spelt with `col#`; the answer has `column#`."""
    asked = {"row#": 2, "col#": 2}
    assert ask("xchoice", "Riemann", crosses(3, player((1, 1))), asked) == [0, "LEFT", 0, at(2, 2)]


@pytest.mark.parametrize("strategy", ["riemann", "", "Random", 1, None, ["Riemann"]])
def test_xchoice_refuses_a_bad_strategy(strategy: Any) -> None:
    """There are two strategies."""
    with pytest.raises(BadInput, match=r"^Strategy: "):
        choice(strategy, crosses(3, player((1, 1))), (0, 0))


@pytest.mark.parametrize("harness", ["xstate", "xchoice"])
def test_nobody_on_the_board(harness: str) -> None:
    """Without a player there is nobody to move."""
    rest: dict[str, list[Any]] = {
        "xstate": [crosses(3), 0, "LEFT", 0],
        "xchoice": ["Riemann", crosses(3), at(0, 0)],
    }
    with pytest.raises(BadInput, match="plmt"):
        ask(harness, *rest[harness])


# All of them


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize(
    "data", [b"", b"1", b"[]", b"{} {}", b"null null null null", b"{", b"\xff", b"[" * 100_000]
)
def test_refuses_what_it_is_not_made_for(harness: str, data: bytes) -> None:
    """No value, the wrong values and broken text are refused in one line."""
    with pytest.raises(BadInput) as caught:
        HARNESSES[harness](data)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
