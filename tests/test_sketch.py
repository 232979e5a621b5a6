"""A sketch is drawn as text so that a person can read it."""

from __future__ import annotations

from random import Random

from touchline.core.sketch import Piece, Sketch, Spot, ink, text
from touchline.games.fish import Fish, Place
from touchline.games.hexapawn import Hexapawn


def test_squares_show_who_stands_on_them() -> None:
    """Rows are numbered on the left and columns at the top."""
    assert text(Hexapawn(rows=3, cols=2).start(2, Random(0)).sketch()).splitlines() == [
        "    0  1",
        " 0  1  1",
        " 1  ·  ·",
        " 2  2  2",
    ]


def test_hexagons_are_shifted_in_odd_rows_and_holes_are_dots() -> None:
    """A hexagon shows its penguin and its fish."""
    state = Fish(board=((1, 2), (0, 3), (4, 5), (1, 1), (1, 1))).start(2, Random(0)).play(Place((2, 0)))
    assert text(state.sketch()).splitlines() == [
        "     0     1",
        " 0 ( 1)  ( 2)",
        " 1      ·   ( 3)",
        " 2 (R4)  ( 5)",
        " 3    ( 1)  ( 1)",
        " 4 ( 1)  ( 1)",
        "fish: red 0, white 0",
    ]


def test_ways_cross_a_tile_and_marks_sit_in_its_corners() -> None:
    """A tile with strokes is five characters wide and three high."""
    tee = Spot(
        key=(0, 0), x=0, y=0, strokes="ESW", pieces=(Piece(0, "A"), Piece(1, "B")), marks=(Piece(2, "c"),)
    )
    arrow = Spot(key="LEFT 0", x=1, y=0, shape="arrow", fill="gap", label="◀")
    assert text(Sketch(spots=(tee, arrow), notes=("note",))).splitlines() == [
        "     0",
        "   c",
        " 0 ─BA──  ◀",
        "     │",
        "note",
    ]


def test_ink_knows_whose_it_is() -> None:
    """Screens with colours are told whose piece a character shows."""
    seats = {char.seat for line in ink(Hexapawn().start(2, Random(0)).sketch()) for char in line}
    assert seats == {None, 0, 1}


def test_an_empty_sketch_is_empty() -> None:
    """Nothing to draw is no error."""
    assert text(Sketch(spots=())) == ""
