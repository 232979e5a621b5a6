"""One turn of Labyrinth: which moves are legal, and what each does to the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.labyrinth_boards import OPEN, ended, go, open_board, put, seeker, two_on_open_board, where
from obvious.labyrinth import DEGREES
from obvious.laws import MALFORMED, WILD, assert_refuses_lookalikes, assert_survives, judged_legal
from touchline.core.rules import IllegalMove
from touchline.games import fish
from touchline.games.hexapawn import Step
from touchline.games.labyrinth import LabyrinthState, Pass, Slide

if TYPE_CHECKING:
    from touchline.core.rules import Cell


def reached_by(state: LabyrinthState, push: tuple[int, str], degree: int) -> set[Cell]:
    """Where the seat to move may go after a push."""
    slides = [move for move in state.legal_moves() if isinstance(move, Slide)]
    return {move.to for move in slides if (move.index, move.direction) == push and move.degree == degree}


# Values that are no moves


@settings(max_examples=400, deadline=None)
@given(WILD, st.booleans())
def test_check_survives_any_value(value: object, over: bool) -> None:
    """Whatever a player hands in, check() raises IllegalMove or nothing."""
    state = two_on_open_board(last=(2, "UP"))
    assert_survives(state.without(0).without(1) if over else state, value)


@settings(max_examples=400, deadline=None)
@given(MALFORMED)
def test_check_survives_malformed_moves(value: object) -> None:
    """A move whose fields have the wrong types is refused like any other."""
    assert_survives(two_on_open_board(last=(2, "UP")), value)


def test_a_move_that_only_looks_legal_is_refused() -> None:
    """Lists for places, and floats or strings for numbers, make a legal move illegal."""
    assert_refuses_lookalikes(two_on_open_board())


@pytest.mark.parametrize(
    "value",
    [
        None,
        "PASS",
        [0, "LEFT", 0, [0, 0]],
        fish.Place((0, 0)),
        fish.Slide((0, 0), (1, 0)),
        Step((0, 0), (1, 0)),
        Slide(-2, "LEFT", 0, (0, 0)),
        Slide(-1, "UP", 0, (0, 0)),
        Slide(1, "LEFT", 0, (0, 0)),
        Slide(3, "DOWN", 0, (0, 0)),
        Slide(4, "RIGHT", 0, (0, 0)),
        Slide(10**30, "UP", 0, (0, 0)),
        Slide(0, "LEFT", 0, (-1, 0)),
        Slide(0, "LEFT", 0, (0, -1)),
        Slide(0, "LEFT", 0, (4, 0)),
        Slide(0, "LEFT", 0, (0, 4)),
        Slide(0, "LEFT", 0, (10**30, 0)),
        Slide(0, "NORTH", 0, (0, 0)),  # type: ignore[arg-type]
        Slide(0, "left", 0, (0, 0)),  # type: ignore[arg-type]
        Slide(0, "LEFT", 45, (0, 0)),  # type: ignore[arg-type]
        Slide(0, "LEFT", 360, (0, 0)),  # type: ignore[arg-type]
        Slide(0, "LEFT", -90, (0, 0)),  # type: ignore[arg-type]
    ],
)
def test_wild_values_are_refused(value: object) -> None:
    """Bad lines, directions, degrees and places are refused even where one can walk anywhere."""
    assert not judged_legal(two_on_open_board(), value)


# A turn


def test_index_limits_are_rows_for_left_and_columns_for_up() -> None:
    """On a board of 2 rows and 7 columns columns 0, 2, 4, 6 can be pushed, and only row 0."""
    state = put(("┼" * 7,) * 2, "┼", seeker((1, 1), (1, 1), (1, 3)), seeker((1, 3), (1, 3), (1, 5)))
    lines = {(move.index, move.direction) for move in state.legal_moves() if isinstance(move, Slide)}
    assert lines == {(0, "LEFT"), (0, "RIGHT")} | {
        (col, way) for col in (0, 2, 4, 6) for way in ("UP", "DOWN")
    }


def test_the_last_row_and_column_of_an_even_board_are_fixed() -> None:
    """On 4 by 4 only the lines 0 and 2 can be pushed."""
    moves = two_on_open_board().legal_moves()
    assert {move.index for move in moves if isinstance(move, Slide)} == {0, 2}


@pytest.mark.parametrize(
    ("direction", "board", "spare"),
    [
        ("LEFT", ("─┐┼", "└┌┘", "┬├┴"), "│"),
        ("RIGHT", ("┼│─", "└┌┘", "┬├┴"), "┐"),
        ("UP", ("└─┐", "┬┌┘", "┼├┴"), "│"),
        ("DOWN", ("┼─┐", "│┌┘", "└├┴"), "┬"),
    ],
)
def test_a_push_moves_the_tiles_its_way(direction: Any, board: tuple[str, ...], spare: str) -> None:
    """The tiles go the way of the push, the far one becomes the spare, the old spare comes in behind."""
    state = put(("│─┐", "└┌┘", "┬├┴"), "┼", seeker((2, 2), (1, 1), (1, 1)), seeker((2, 2), (1, 1), (1, 1)))
    after = state.play(Slide(0, direction, 0, (2, 1))).position()
    assert after.connectors == board
    assert after.spare.connector == spare
    assert after.last == (0, direction)


@pytest.mark.parametrize(
    ("spare", "turns"),
    [("└", "└┘┐┌"), ("│", "│─│─"), ("┬", "┬├┴┤"), ("┼", "┼┼┼┼"), ("┌", "┌└┘┐"), ("┤", "┤┬├┴"), ("─", "─│─│")],
)
def test_degrees_are_counter_clockwise(spare: str, turns: str) -> None:
    """The spare is turned counter-clockwise before it is pushed in."""
    state = put(OPEN, spare, seeker((3, 3), (1, 1), (1, 1)), seeker((3, 3), (1, 3), (1, 1)))
    for degree, turned in zip(DEGREES, turns, strict=True):
        after = state.play(Slide(0, "RIGHT", degree, (3, 2))).position()
        assert after.connectors[0][0] == turned
        assert after.spare.connector == "┼"


def test_the_tile_pushed_out_is_not_turned_back() -> None:
    """A tile that was turned and pushed in and out again keeps its orientation."""
    state = put(("┼┼", "┼┼"), "└", seeker((1, 1), (1, 1), (1, 1)), seeker((1, 1), (1, 1), (1, 1)))
    state = state.play(Slide(0, "RIGHT", 90, (1, 0)))
    assert state.position().connectors[0] == "┘┼"
    state = state.play(Slide(0, "RIGHT", 90, (1, 0))).play(Slide(0, "RIGHT", 180, (1, 1)))
    assert state.position().spare.connector == "┘"


def test_treasures_go_with_their_tiles() -> None:
    """A push moves the treasures together with the connectors."""
    state = two_on_open_board()
    before = state.position()
    after = state.play(go((3, 1), 2, "LEFT")).position()
    assert after.treasures[2] == (*before.treasures[2][1:], before.spare.treasure)
    assert after.spare.treasure == before.treasures[2][0]
    assert after.treasures[0] == before.treasures[0]


def test_avatars_ride_and_wrap_round() -> None:
    """Everybody on a pushed line rides along, and who is pushed out comes in on the other side."""
    state = open_board(
        seeker((1, 1), (1, 1), (1, 3)), seeker((0, 3), (1, 3), (3, 1)), seeker((0, 0), (3, 1), (3, 3))
    )
    after = state.play(go((1, 2), 0, "RIGHT"))
    assert [where(after, seat) for seat in range(3)] == [(1, 2), (0, 0), (0, 1)]
    after = state.play(go((1, 2), 0, "UP"))
    assert [where(after, seat) for seat in range(3)] == [(1, 2), (0, 3), (3, 0)]


def test_the_mover_rides_too_and_walks_from_there() -> None:
    """Who stands on the pushed line walks from where the push has put it."""
    walls = ("││││",) * 4
    state = put(walls, "│", seeker((0, 3), (1, 1), (1, 3)), seeker((1, 1), (1, 1), (1, 3)))
    assert reached_by(state, (0, "RIGHT"), 0) == {(1, 0), (2, 0), (3, 0)}
    assert reached_by(state, (0, "LEFT"), 0) == {(1, 2), (2, 2), (3, 2)}
    assert reached_by(state, (2, "LEFT"), 0) == {(1, 3), (2, 3), (3, 3)}


def test_one_must_leave_the_place_where_the_push_left_one() -> None:
    """Staying is measured from the place after the push; going back to the place before it is fine."""
    state = open_board(seeker((0, 0), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)))
    with pytest.raises(IllegalMove):
        state.check(go((0, 1), 0, "RIGHT"))
    state.check(go((0, 0), 0, "RIGHT"))
    with pytest.raises(IllegalMove):
        state.check(go((0, 0), 2, "RIGHT"))


def test_who_cannot_go_anywhere_must_pass() -> None:
    """A push that leaves no way to go is illegal, so a seat on a tile open only to the edge can only pass."""
    trapped = seeker((1, 1), (1, 1), (1, 1))
    state = put(("┼┼", "┼┌"), "┼", trapped, trapped)
    assert state.legal_moves() == [Pass()]
    with pytest.raises(IllegalMove):
        state.check(Slide(0, "LEFT", 0, (1, 1)))
    assert ended(state.play(Pass()).play(Pass())).reason == "everybody passed"


def test_both_tiles_must_be_open_towards_each_other() -> None:
    """A way ends where only one of two neighbours is open, and does not lead over the edge of the board."""
    one = seeker((1, 1), (1, 1), (1, 1))
    state = put(("──┬", "┤┼─", "─┴─"), "─", one, one)
    everywhere = {(row, col) for row in range(3) for col in range(3)}
    assert reached_by(state, (0, "LEFT"), 0) == everywhere - {(1, 0), (1, 1)}


def test_nobody_may_undo_the_last_push() -> None:
    """The same line may not be pushed back, whatever the degree and the passes between; once more is fine."""
    state = two_on_open_board().play(go((1, 2), 2, "LEFT"))
    for later in (state, state.play(Pass()), state.play(Pass()).play(Pass()), state.skip(), state.without(0)):
        for degree in DEGREES:
            with pytest.raises(IllegalMove):
                later.check(Slide(2, "RIGHT", degree, (1, 0)))
        later.check(go((1, 0), 2, "LEFT"))
        later.check(go((1, 0), 0, "RIGHT"))
        later.check(go((1, 0), 2, "UP"))
        later.check(go((1, 0), 2, "DOWN"))


def test_a_pass_changes_nothing_on_the_board() -> None:
    """After a pass board, spare, last push and avatars are as before."""
    before = two_on_open_board(last=(2, "UP"))
    after = before.play(Pass()).position()
    assert replace(after, due=(0, 1), to_move=0) == before.position()
    assert before.skip() == before.play(Pass())
