"""Fish against facts from the rule book."""

from __future__ import annotations

from random import Random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obvious.laws import MALFORMED, WILD, assert_refuses_lookalikes, assert_survives, judged_legal
from touchline.core.rules import Cell, IllegalMove
from touchline.games.fish import Fish, FishPosition, FishState, Place, Slide
from touchline.games.hexapawn import Step
from touchline.games.labyrinth import Pass

Rows = tuple[tuple[int, ...], ...]
Rules = Literal["course", "commercial"]

# Values that are no moves


def put(
    board: Rows,
    *penguins: tuple[Cell, ...] | None,
    scores: tuple[int, ...] | None = None,
    to_move: int = 0,
    rules: Rules = "course",
) -> FishState:
    """A game in which all penguins stand."""
    seats = len(penguins)
    return Fish(rules=rules, board=board).restore(
        FishPosition(
            board=board,
            penguins=penguins,
            scores=scores or (0,) * seats,
            tiles=(0,) * seats if rules == "commercial" else (),
            phase="sliding",
            to_move=to_move,
        )
    )


SIX_BY_FOUR = Fish(rows=6, cols=4, fish=2)
PLACING = SIX_BY_FOUR.start(2, Random(0)).play(Place((0, 0)))
SLIDING = put(((2, 2, 2, 2),) * 6, ((0, 0), (2, 2)), ((1, 1), (3, 0)))


@settings(max_examples=400, deadline=None)
@given(WILD, st.booleans())
def test_check_survives_any_value(value: object, placing: bool) -> None:
    """Whatever a player hands in, check() raises IllegalMove or nothing."""
    assert_survives(PLACING if placing else SLIDING, value)
    assert not judged_legal(SLIDING.without(0).without(1), value)


@settings(max_examples=400, deadline=None)
@given(MALFORMED, st.booleans())
def test_check_survives_malformed_moves(value: object, placing: bool) -> None:
    """A move whose fields have the wrong types is refused like any other."""
    assert_survives(PLACING if placing else SLIDING, value)


def test_a_move_that_only_looks_legal_is_refused() -> None:
    """Lists for places, and floats or strings for numbers, make a legal move illegal."""
    assert_refuses_lookalikes(PLACING)
    assert_refuses_lookalikes(SLIDING)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "place",
        (1, 1),
        Pass(),
        Step((0, 0), (1, 0)),
        Place((0, 0)),
        Place((-1, 0)),
        Place((0, -1)),
        Place((6, 0)),
        Place((0, 4)),
        Place((10**30, 0)),
        Place((0, -(10**30))),
        Slide((0, 0), (1, 0)),
    ],
)
def test_wild_placements_are_refused(value: object) -> None:
    """In placement only a free tile of the board will do."""
    assert not judged_legal(PLACING, value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        Place((5, 3)),
        Slide((0, 0), (0, 0)),
        Slide((0, 0), (0, 1)),
        Slide((0, 0), (5, 3)),
        Slide((0, 0), (-2, 0)),
        Slide((0, 0), (1, -1)),
        Slide((1, 1), (3, 1)),
        Slide((5, 3), (3, 3)),
        Slide((-6, 0), (2, 0)),
        Slide((0, -4), (2, 0)),
        Slide((0, 0), (10**30, 0)),
        Slide((10**30, 10**30), (2, 0)),
    ],
)
def test_wild_slides_are_refused(value: object) -> None:
    """In play only a straight slide of an own penguin will do."""
    assert not judged_legal(SLIDING, value)


# Geometry


def targets(state: FishState) -> set[Cell]:
    return {move.target for move in state.legal_moves() if isinstance(move, Slide)}


def test_the_rule_books_examples_of_reach() -> None:
    """From the top left corner one tile is reached on the first board of the book, three on the second."""
    assert targets(put(((1, 2, 3), (4, 0, 5)), ((0, 0),), ())) == {(1, 0)}
    second = targets(put(((1, 2, 3), (4, 0, 5), (1, 1, 0)), ((0, 0),), ()))
    assert second == {(1, 0), (2, 0), (2, 1)}


def with_tiles(cells: set[Cell]) -> Rows:
    """A sea with tiles just there."""
    return tuple(tuple(int((row, col) in cells) for col in range(5)) for row in range(9))


EVEN_NEIGHBOURS = [(2, 2), (3, 2), (5, 2), (6, 2), (5, 1), (3, 1)]
ODD_NEIGHBOURS = [(1, 2), (2, 3), (4, 3), (5, 2), (4, 2), (2, 2)]


@pytest.mark.parametrize(
    ("cell", "neighbours"), [((4, 2), EVEN_NEIGHBOURS), ((3, 2), ODD_NEIGHBOURS)], ids=["even", "odd"]
)
def test_a_tile_has_six_neighbours(cell: Cell, neighbours: list[Cell]) -> None:
    """The six neighbours of a tile depend on whether its row is even or odd."""
    around = {(row, col) for row in range(9) for col in range(5)} - {cell}
    for lone in around:
        assert targets(put(with_tiles({cell, lone}), (cell,), ())) == ({lone} & set(neighbours))


def test_parity_alternates_along_a_diagonal() -> None:
    """On a board without holes a penguin slides along three straight lines of hexagons."""
    full = ((1,) * 5,) * 9
    north_south = {(0, 2), (2, 2), (6, 2), (8, 2)}
    rising = {(3, 2), (2, 3), (1, 3), (0, 4), (5, 1), (6, 1), (7, 0), (8, 0)}
    falling = {(3, 1), (2, 1), (1, 0), (0, 0), (5, 2), (6, 3), (7, 3), (8, 4)}
    assert targets(put(full, ((4, 2),), ())) == north_south | rising | falling


def test_there_is_no_way_east_or_west() -> None:
    """On a single row no penguin can move, so the game is over when the last one is placed, and all win."""
    state = Fish(board=((1,) * 8,)).start(2, Random(0))
    for col in range(8):
        assert state.to_move == col % 2
        state = state.play(Place((0, col)))
    outcome = state.outcome()
    assert outcome is not None
    assert state.to_move is None
    assert outcome.winners == (0, 1)
    assert outcome.scores == (0, 0)


@pytest.mark.parametrize("block", ["hole", "own", "foreign"])
def test_a_slide_stops_before_holes_and_penguins(block: str) -> None:
    """A hole and any penguin, own or foreign, end a line."""
    board = ((1,), (0,), (1,), (0,), (0 if block == "hole" else 1,), (0,), (1,))
    mine = ((0, 0), (4, 0)) if block == "own" else ((0, 0),)
    theirs = ((4, 0),) if block == "foreign" else ()
    state = put(board, mine, theirs)
    ahead = [move for move in state.legal_moves() if isinstance(move, Slide) and move.origin == (0, 0)]
    assert ahead == [Slide((0, 0), (2, 0))]
    for row in (4, 6):
        with pytest.raises(IllegalMove):
            state.check(Slide((0, 0), (row, 0)))


# The course of a game


@pytest.mark.parametrize(("seats", "quota"), [(2, 4), (3, 3), (4, 2)])
def test_everybody_places_six_less_the_number_of_seats(seats: int, quota: int) -> None:
    """Two seats place four penguins each, three place three, four place two, one a turn, without any fish."""
    state = SIX_BY_FOUR.start(seats, Random(0))
    for turn in range(seats * quota):
        assert state.position().phase == "placing"
        assert state.to_move == turn % seats
        state = state.play(state.legal_moves()[0])
    position = state.position()
    assert position.phase == "sliding"
    assert state.to_move == 0
    assert position.scores == (0,) * seats
    assert [len(mine or ()) for mine in position.penguins] == [quota] * seats


def test_the_quota_does_not_grow_when_a_seat_is_removed() -> None:
    """The number of penguins goes by who sat down, not by who is left."""
    state = SIX_BY_FOUR.start(3, Random(0)).without(1)
    order = []
    while state.position().phase == "placing":
        order.append(state.to_move)
        state = state.play(state.legal_moves()[0])
    assert order == [0, 2, 0, 2, 0, 2]
    assert state.to_move == 0


def test_the_next_in_turn_places_when_the_placer_is_removed() -> None:
    """A removal in placement passes the turn to the next seat, not to the one after."""
    state = SIX_BY_FOUR.start(4, Random(0)).play(Place((0, 0)))
    assert state.to_move == 1
    assert state.without(1).to_move == 2
    assert state.without(1).passed_over == ()
    assert state.without(0).to_move == 1
    assert state.without(0).play(Place((0, 0))).to_move == 2


def test_a_seat_skipped_in_placement_places_later() -> None:
    """Who is skipped in placement still gets all its penguins."""
    state = SIX_BY_FOUR.start(4, Random(0)).skip()
    order = []
    while state.position().phase == "placing":
        order.append(state.to_move)
        state = state.play(state.legal_moves()[0])
    assert order == [1, 2, 3, 0, 1, 2, 3, 0]


def test_a_slide_eats_the_tile_that_is_left() -> None:
    """The fish of the tile left are gained, and that tile is gone at once."""
    state = put(((3,), (0,), (5,), (0,), (4,)), ((2, 0),), ((4, 0),), scores=(7, 0))
    after = state.play(Slide((2, 0), (0, 0))).position()
    assert after.board == ((3,), (0,), (0,), (0,), (4,))
    assert after.scores == (12, 0)
    assert after.penguins == (((0, 0),), ((4, 0),))


def test_the_last_tile_does_not_count() -> None:
    """By the course's rules the fish under a standing penguin belong to nobody."""
    state = put(((5,), (0,), (1,)), ((2, 0),), ())
    outcome = state.play(Slide((2, 0), (0, 0))).outcome()
    assert outcome is not None
    assert outcome.scores == (1, 0)
    assert outcome.winners == (0,)


def test_the_last_tile_counts_in_the_published_game() -> None:
    """By the published rules a penguin that cannot move is taken off with its tile."""
    state = put(((5,), (0,), (1,)), ((2, 0),), (), rules="commercial").play(Slide((2, 0), (0, 0)))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == (6, 0)
    assert state.position().board == ((0,), (0,), (0,))
    assert state.position().penguins == ((), ())


def test_tiles_break_a_tie_in_the_published_game() -> None:
    """By the published rules the seat with more tiles wins among equals in fish."""
    board = ((1, 0, 3), (0, 0, 0), (2, 0, 0))
    state = put(board, ((0, 0),), ((0, 2),), rules="commercial")
    outcome = state.play(Slide((0, 0), (2, 0))).outcome()
    assert outcome is not None
    assert outcome.scores == (3, 3)
    assert outcome.winners == (0,)
    assert outcome.ranks == (1, 2)


def test_penguins_stand_on_one_fish_in_the_published_game() -> None:
    """By the published rules a penguin is placed on a tile with one fish only."""
    board = ((1, 1, 1, 1, 2), (1, 1, 1, 1, 3))
    state = Fish(rules="commercial", board=board).start(2, Random(0))
    assert len(state.legal_moves()) == 8
    with pytest.raises(IllegalMove):
        state.check(Place((0, 4)))
    assert judged_legal(Fish(board=board).start(2, Random(0)), Place((0, 4)))


LANES = ((1, 1, 1), (0, 0, 0), (1, 1, 1), (0, 0, 0), (1, 1, 1), (0, 0, 0), (1, 1, 1))
"""Three columns in which one can only go up and down."""


def test_a_stuck_seat_is_passed_over_and_blocks_on() -> None:
    """A seat that cannot move is passed over silently; its penguins stay and block."""
    board = ((1, 0, 1), (0, 0, 0), (1, 0, 1), (0, 0, 0), (1, 1, 1))
    state = put(board, ((0, 0),), ((4, 1),), ((0, 2),))
    after = state.play(Slide((0, 0), (2, 0)))
    assert after.to_move == 2
    assert after.passed_over == (1,)
    assert after.position().penguins[1] == ((4, 1),)
    assert after.position().board[4][1] == 1


def test_a_removal_sets_others_free() -> None:
    """When a seat is removed its tiles stay, so a seat that was stuck may move again."""
    state = put(LANES, ((0, 0),), ((2, 0), (0, 1)), ((0, 2),))
    assert targets(state) == set()
    state = put(LANES, ((0, 0),), ((2, 0), (0, 1)), ((0, 2),), to_move=1).play(Slide((0, 1), (2, 1)))
    assert state.to_move == 2
    state = state.play(Slide((0, 2), (2, 2)))
    assert state.to_move == 1
    assert state.passed_over == (0,)
    freed = state.without(1)
    assert freed.to_move == 2
    assert freed.passed_over == ()
    assert freed.position().board[2][0] == 1
    assert freed.play(Slide((2, 2), (4, 2))).to_move == 0


def test_the_lone_survivor_plays_on() -> None:
    """A seat that is left alone goes on until it cannot move."""
    state = put(LANES, ((0, 0),), ((0, 1),)).without(1)
    for row in (0, 2, 4):
        assert state.to_move == 0
        state = state.play(Slide((row, 0), (row + 2, 0)))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (0,)
    assert outcome.scores == (3, 0)
    assert outcome.reason == "nobody can move"


def test_a_removed_seat_keeps_its_fish_and_has_no_rank() -> None:
    """A removed seat is not ranked, whatever its score."""
    state = put(((1,), (0,), (1,)), ((0, 0),), (), scores=(0, 40)).without(1)
    outcome = state.play(Slide((0, 0), (2, 0))).outcome()
    assert outcome is not None
    assert outcome.winners == (0,)
    assert outcome.ranks == (1, None)
    assert outcome.scores == (1, 40)


def test_without_anybody_nobody_wins() -> None:
    """When all seats are removed there is no winner."""
    state = SIX_BY_FOUR.start(3, Random(0)).without(1).without(2).without(0)
    outcome = state.outcome()
    assert outcome is not None
    assert state.to_move is None
    assert outcome.winners == ()
    assert outcome.ranks == (None, None, None)
    assert outcome.reason == "nobody is left"


def test_whoever_ties_wins() -> None:
    """All seats with the most fish win, and the next rank is counted from them."""
    state = put(((1,), (0,), (1,)), ((0, 0),), (), (), scores=(3, 4, 1))
    outcome = state.play(Slide((0, 0), (2, 0))).outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1)
    assert outcome.ranks == (1, 1, 3)


def test_who_can_move_cannot_pass() -> None:
    """There is no move that does nothing."""
    assert all(isinstance(move, Slide) and move.origin != move.target for move in SLIDING.legal_moves())


@pytest.mark.parametrize("seats", [1, 5])
def test_only_two_to_four_may_sit_down(seats: int) -> None:
    """Fish is for two to four."""
    with pytest.raises(ValueError, match="2 to 4"):
        SIX_BY_FOUR.start(seats, Random(0))


def test_a_board_must_have_room_for_all_penguins() -> None:
    """A board of eight tiles does for two and four seats, but not for three."""
    game = Fish(board=((1,) * 8,))
    game.start(2, Random(0))
    game.start(4, Random(0))
    with pytest.raises(ValueError, match="9 penguins"):
        game.start(3, Random(0))


def test_short_rows_are_filled_with_holes() -> None:
    """Rows may differ in length: the longest gives the width."""
    state = Fish(board=((1, 2, 3), (4,), (1, 1, 1, 1), (2,))).start(2, Random(0))
    assert state.position().board == ((1, 2, 3, 0), (4, 0, 0, 0), (1, 1, 1, 1), (2, 0, 0, 0))
