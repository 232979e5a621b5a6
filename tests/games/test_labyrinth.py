"""Labyrinth against its obvious second implementation, and against facts from the rule book."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from obvious.labyrinth import DEGREES, OPEN_SIDES, ObviousLabyrinth
from obvious.laws import (
    MALFORMED,
    WILD,
    assert_judges,
    assert_lawful,
    assert_refuses_lookalikes,
    assert_survives,
    judged_legal,
)
from touchline.core.rules import IllegalMove
from touchline.games import fish
from touchline.games.boards.maze import GEMS
from touchline.games.hexapawn import Step
from touchline.games.labyrinth import (
    Labyrinth,
    LabyrinthPosition,
    LabyrinthState,
    Pass,
    SeekerPosition,
    Slide,
    Tile,
)

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Outcome

SEEDS = st.integers(0, 2**32)


# Against the obvious rules


def fixed_tiles(rows: int, cols: int) -> list[Cell]:
    return [(row, col) for row in range(1, rows, 2) for col in range(1, cols, 2)]


def random_start(rng: Random) -> tuple[Labyrinth, LabyrinthPosition]:
    """Homes and goals on fixed tiles, avatars anywhere, and perhaps near the last of all rounds."""
    seats = rng.randint(2, 4)
    while True:
        rows, cols = rng.randint(2, 7), rng.randint(2, 7)
        fixed = fixed_tiles(rows, cols)
        if len(fixed) >= seats and rows * cols <= 36:
            break
    game = Labyrinth(rows=rows, cols=cols)
    start = game.start(seats, rng).position()
    connectors = rng.choice([list(OPEN_SIDES), ["│", "─", "└", "┐"], ["┬", "┴", "┼"]])
    anywhere = [(row, col) for row in range(rows) for col in range(cols)]
    seekers = tuple(
        SeekerPosition(rng.choice(anywhere), home, rng.choice(fixed), 0, False)
        for home in rng.sample(fixed, seats)
    )
    position = replace(
        start,
        connectors=tuple("".join(rng.choice(connectors) for _ in range(cols)) for _ in range(rows)),
        seekers=seekers,
        pool=tuple(rng.choice(fixed) for _ in range(rng.choice([0, 0, 1, 2, 4]))),
        last=rng.choice([None, (0, "LEFT"), (0, "UP")]),
        round=rng.choice([1, 1, 1, 990, 999, 1000]),
    )
    return game, position


def ranks_of(model: ObviousLabyrinth) -> tuple[int | None, ...]:
    """Treasures first, then having come home, then nearness; a removed seat has no rank."""

    def standing(seat: int) -> tuple[int, bool, int]:
        return model.found[seat], model.came_home == seat, -model.distance(seat)

    places: list[int | None] = [None] * model.seats
    for seat in model.avatar:
        places[seat] = 1 + sum(standing(other) > standing(seat) for other in model.avatar)
    return tuple(places)


def assert_agree(state: LabyrinthState, model: ObviousLabyrinth) -> None:
    assert state.to_move == model.to_move
    assert state.passed_over == model.passed_over
    assert state.reached == model.reached
    assert state.round == model.round
    assert set(state.legal_moves()) == model.legal_moves()
    assert_same_board(state.position(), model)
    assert_same_seekers(state.position(), model)
    assert_same_outcome(state.outcome(), model)


def assert_same_board(position: LabyrinthPosition, model: ObviousLabyrinth) -> None:
    board = model.board
    for row in range(board.rows):
        for col in range(board.cols):
            assert board.tiles[row, col] == (position.connectors[row][col], position.treasures[row][col])
    assert board.spare == (position.spare.connector, position.spare.treasure)
    assert position.last == model.last


def assert_same_seekers(position: LabyrinthPosition, model: ObviousLabyrinth) -> None:
    for seat, seeker in enumerate(position.seekers):
        assert seeker.avatar == model.avatar.get(seat)
        assert seeker.home == model.home[seat]
        assert seeker.goal == model.target[seat]
        assert seeker.found == model.found[seat]
        assert seeker.homeward == (seat in model.going_home)
    assert position.pool == tuple(model.goals)
    assert position.due == (() if model.over else tuple(model.due))
    assert set(position.moved) == model.moved or model.over


def assert_same_outcome(outcome: Outcome | None, model: ObviousLabyrinth) -> None:
    assert (outcome is not None) == model.over
    if outcome is not None:
        assert outcome.winners == model.winners
        assert outcome.scores == model.scores
        assert outcome.ranks == ranks_of(model)
        assert outcome.reason == model.reason


def random_move(state: LabyrinthState, target: Cell, passes: float, rng: Random) -> Slide | Pass:
    """A move that often goes where the seat wants to be, and now and then passes."""
    slides = [move for move in state.legal_moves() if isinstance(move, Slide)]
    if not slides or rng.random() < passes:
        return Pass()
    arriving = [move for move in slides if move.to == target]
    return rng.choice(arriving if arriving and rng.random() < 0.6 else slides)


class Chances:
    """How often what happens in a random game."""

    def __init__(self, rng: Random) -> None:
        self.removal = rng.choice([0, 0, 0.02, 0.05])
        self.removal_when_told = rng.choice([0, 0.3, 0.8])
        self.skip = rng.choice([0, 0.1])
        self.passing = rng.choice([0, 0.1, 0.6, 0.9])


def one_event(
    state: LabyrinthState, model: ObviousLabyrinth, rng: Random, chances: Chances
) -> LabyrinthState:
    """A move, or now and then the removal of a seat or a skipped turn, for both."""
    seat = model.to_move
    assert seat is not None
    told = state.reached is not None and state.reached in model.avatar
    if told and rng.random() < chances.removal_when_told:
        seat = model.reached
    elif rng.random() < chances.removal:
        seat = rng.choice(sorted(model.avatar))
    elif rng.random() < chances.skip:
        model.skip()
        return state.skip()
    else:
        move = random_move(state, model.target[seat], chances.passing, rng)
        model.play(move)
        return state.play(move)
    assert seat is not None
    model.remove(seat)
    return state.without(seat)


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_random_play_agrees_at_every_step(seed: int) -> None:
    """Random games with homecomings, passes, removals and skips agree with the obvious rules."""
    rng = Random(seed)
    game, position = random_start(rng)
    state = game.restore(position)
    model = ObviousLabyrinth(position)
    chances = Chances(rng)
    for step in range(300):
        assert_agree(state, model)
        if step % 5 == 0 or state.to_move is None:
            assert_lawful(game, state, model.seats, rng)
        if state.to_move is None:
            break
        before = state.position()
        after = one_event(state, model, rng, chances)
        assert state.position() == before
        state = after
    for seat in sorted(model.avatar, key=lambda _: rng.random()) if model.over else []:
        state = state.without(seat)
        model.remove(seat)
        assert_agree(state, model)
        assert_lawful(game, state, model.seats, rng)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_a_drawn_game_is_sound(seed: int) -> None:
    """A new game has distinct homes and goals on fixed tiles, avatars at home, and no treasure twice."""
    rng = Random(seed)
    rows, cols, seats = rng.randint(4, 7), rng.randint(4, 7), rng.randint(2, 4)
    further = rng.randint(0, len(fixed_tiles(rows, cols)) - seats)
    position = Labyrinth(rows=rows, cols=cols, goals=further).start(seats, rng).position()
    homes = [seeker.home for seeker in position.seekers]
    assert position.pool is not None
    goals = [seeker.goal for seeker in position.seekers] + list(position.pool)
    assert len(set(homes)) == seats
    assert len(goals) == seats + further
    assert len(set(goals)) == len(goals)
    assert set(homes) | set(goals) <= set(fixed_tiles(rows, cols))
    assert [seeker.avatar for seeker in position.seekers] == homes
    treasures = [frozenset(pair) for line in position.treasures for pair in line]
    treasures.append(frozenset(position.spare.treasure))
    assert len(set(treasures)) == rows * cols + 1


def test_there_are_a_hundred_and_two_gems() -> None:
    """The gems are the course's 102, each a name of whole words."""
    assert len(set(GEMS)) == 102
    assert {"apricot-square-radiant", "tanzanite-trillion", "ruby", "zoisite", "white-square"} <= set(GEMS)
    assert not any(gem.startswith("-") or gem.endswith("-") for gem in GEMS)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_check_agrees_with_the_list_of_moves(seed: int) -> None:
    """Of all moves there are on a board, check() accepts just those that are listed as legal."""
    rng = Random(seed)
    game = Labyrinth(rows=rng.randint(4, 5), cols=rng.randint(4, 5))
    everything = game.all_moves()
    assert len(set(everything)) == len(everything)
    state = game.start(2, rng)
    for _ in range(8):
        assert_judges(state, everything)
        assert set(state.legal_moves()) <= set(everything)
        if state.to_move is not None:
            state = state.play(rng.choice(state.legal_moves()))


# Positions made by hand. Fixed tiles of a 4 by 4 board: (1, 1) (1, 3) (3, 1) (3, 3).


def seeker(avatar: Cell, home: Cell, goal: Cell, found: int = 0, homeward: bool = False) -> SeekerPosition:
    return SeekerPosition(avatar, home, goal, found, homeward)


def put(connectors: tuple[str, ...], spare: str, *seekers: SeekerPosition, **changes: Any) -> LabyrinthState:
    """A position at the start of a round; treasures do not matter."""
    rows, cols = len(connectors), len(connectors[0])
    game = Labyrinth(rows=rows, cols=cols)
    drawn = Labyrinth(rows=rows + 4, cols=cols + 4).start(2, Random(0)).position()
    position = replace(
        drawn,
        connectors=connectors,
        treasures=tuple(line[:cols] for line in drawn.treasures[:rows]),
        spare=Tile(spare, drawn.spare.treasure),
        seekers=seekers,
        due=tuple(range(len(seekers))),
        **changes,
    )
    return game.restore(position)


OPEN = ("┼┼┼┼",) * 4
"""A board on which one can walk anywhere."""


def open_board(*seekers: SeekerPosition, **changes: Any) -> LabyrinthState:
    return put(OPEN, "┼", *seekers, **changes)


def two_on_open_board(**changes: Any) -> LabyrinthState:
    """Two seats far from their goals on a board on which one can walk anywhere."""
    return open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), **changes)


def go(to: Cell, index: int = 0, direction: Any = "RIGHT") -> Slide:
    return Slide(index, direction, 0, to)


def ended(state: LabyrinthState) -> Outcome:
    outcome = state.outcome()
    assert outcome is not None
    return outcome


def where(state: LabyrinthState, seat: int) -> Cell | None:
    return state.position().seekers[seat].avatar


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


# The course of a game


def test_reaching_the_goal_sends_one_home() -> None:
    """Who reaches its only goal is sent home, and ends the game by coming home in a later turn."""
    state = two_on_open_board().play(go((3, 3)))
    assert state.reached == 0
    assert state.position().seekers[0] == seeker((3, 3), (1, 1), (1, 1), found=1, homeward=True)
    state = state.play(Pass())
    assert state.reached is None
    outcome = ended(state.play(go((1, 1), 2)))
    assert outcome.winners == (0,)
    assert outcome.scores == (1, 0)
    assert outcome.ranks == (1, 2)
    assert outcome.reason == "came home"


def test_only_ones_own_move_reaches_a_goal() -> None:
    """To be carried onto the goal by a push, or to start there, does not count."""
    state = open_board(seeker((3, 3), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)))
    assert state.reached is None
    state = state.play(Pass()).play(go((1, 2)))
    assert state.position().seekers[0].found == 0
    carried = open_board(seeker((0, 3), (1, 1), (0, 0)), seeker((1, 3), (1, 3), (3, 1)))
    carried = carried.play(Pass()).play(go((1, 2), 0, "RIGHT"))
    assert where(carried, 0) == (0, 0)
    assert carried.reached is None
    assert carried.position().seekers[0].found == 0


def test_a_goal_at_home_does_not_win_at_once() -> None:
    """Who finds its goal at home must leave and come back."""
    state = open_board(seeker((0, 0), (1, 1), (1, 1)), seeker((1, 3), (1, 3), (3, 1)))
    state = state.play(go((1, 1)))
    assert state.to_move == 1
    assert state.position().seekers[0] == seeker((1, 1), (1, 1), (1, 1), found=1, homeward=True)
    state = state.play(Pass()).play(go((1, 2))).play(Pass())
    assert state.to_move == 0
    assert ended(state.play(go((1, 1)))).reason == "came home"


def test_the_rest_of_the_round_is_not_played_after_a_homecoming() -> None:
    """The game ends the moment somebody comes home."""
    state = open_board(
        seeker((0, 0), (1, 1), (1, 1), found=1, homeward=True), seeker((1, 3), (1, 3), (3, 1))
    ).play(go((1, 1)))
    assert state.to_move is None
    assert state.legal_moves() == []


def test_the_sequence_of_goals_is_common_to_all() -> None:
    """Who reaches its goal first gets the first goal of the sequence, the next one the next."""
    state = open_board(
        seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), pool=((1, 3), (3, 3), (1, 1))
    )
    state = state.play(go((3, 3))).play(go((3, 1)))
    seekers = state.position().seekers
    assert [(one.goal, one.found, one.homeward) for one in seekers] == [
        ((1, 3), 1, False),
        ((3, 3), 1, False),
    ]
    assert state.position().pool == ((1, 1),)
    state = state.play(go((1, 3))).play(go((3, 3)))
    seekers = state.position().seekers
    assert [(one.goal, one.found) for one in seekers] == [((1, 1), 2), ((1, 3), 2)]
    assert [one.homeward for one in seekers] == [True, True]


def test_the_last_goal_at_home_is_the_homecoming() -> None:
    """If the last goal of all is one's home, to reach it ends the game and is no treasure."""
    state = open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), pool=((1, 1),))
    outcome = ended(state.play(go((3, 3))).play(Pass()).play(go((1, 1))))
    assert outcome.scores == (1, 0)
    assert outcome.winners == (0,)
    assert outcome.reason == "came home"


def test_an_earlier_goal_at_home_counts() -> None:
    """If more goals follow, a goal at one's own home is a treasure like any other."""
    state = open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), pool=((1, 1), (3, 1)))
    state = state.play(go((3, 3))).play(Pass()).play(go((1, 1)))
    assert state.to_move == 1
    assert state.position().seekers[0] == seeker((1, 1), (1, 1), (3, 1), found=2)


def test_who_ends_the_game_may_lose() -> None:
    """Most treasures win, even over the seat that came home."""
    outcome = ended(
        open_board(
            seeker((0, 0), (1, 1), (1, 1), found=1, homeward=True), seeker((1, 3), (1, 3), (3, 1), found=2)
        ).play(go((1, 1)))
    )
    assert outcome.winners == (1,)
    assert outcome.scores == (1, 2)
    assert outcome.ranks == (2, 1)


def test_who_comes_home_wins_alone_among_equals() -> None:
    """With as many treasures, the seat that came home beats one that stands on its target."""
    outcome = ended(
        open_board(
            seeker((0, 0), (1, 1), (1, 1), found=1, homeward=True),
            seeker((1, 3), (1, 3), (1, 3), found=1, homeward=True),
        ).play(go((1, 1)))
    )
    assert outcome.winners == (0,)


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [
        (seeker((3, 3), (1, 1), (1, 1)), seeker((1, 0), (1, 3), (1, 3)), (0,)),  # 8 against 9
        (seeker((3, 2), (1, 1), (1, 1)), seeker((1, 1), (1, 3), (3, 2)), (0, 1)),  # 5 against 5
        (seeker((1, 1), (1, 1), (3, 3)), seeker((1, 2), (1, 3), (1, 3)), (1,)),
        (seeker((0, 0), (1, 1), (3, 3), 1), seeker((3, 1), (1, 3), (3, 1)), (0,)),
        (seeker((0, 0), (1, 1), (1, 1), 1, True), seeker((1, 1), (1, 3), (1, 1), 0), (0,)),
        (seeker((1, 3), (1, 1), (1, 1), 1, True), seeker((3, 2), (1, 3), (3, 1), 1), (1,)),
    ],
)
def test_the_nearest_wins_when_everybody_passes(
    first: SeekerPosition, second: SeekerPosition, winners: tuple[int, ...]
) -> None:
    """Among equals in treasures the Euclidean distance to the next target decides, and all ties win."""
    outcome = ended(open_board(first, second).play(Pass()).play(Pass()))
    assert outcome.winners == winners
    assert outcome.reason == "everybody passed"


def test_all_pass_is_about_a_round() -> None:
    """Passes in a row across two rounds do not end the game; a round of passes does."""
    state = two_on_open_board().play(go((1, 2))).play(Pass()).play(Pass())
    assert state.to_move == 1
    state = state.play(go((1, 2)))
    assert state.round == 3
    state = state.play(Pass()).play(Pass())
    assert ended(state).reason == "everybody passed"


def three(**changes: Any) -> LabyrinthState:
    return open_board(
        seeker((1, 1), (1, 1), (3, 3)),
        seeker((1, 3), (1, 3), (3, 1)),
        seeker((3, 1), (3, 1), (1, 3)),
        **changes,
    )


def test_removed_seats_do_not_count_in_a_round_of_passes() -> None:
    """If all who survive a round have passed the game ends, whatever the removed had done."""
    moved_then_removed = three().play(go((1, 2))).play(Pass()).without(0)
    assert moved_then_removed.to_move == 2
    assert ended(moved_then_removed.play(Pass())).reason == "everybody passed"
    assert ended(three().play(Pass()).play(Pass()).without(2)).reason == "everybody passed"
    assert ended(three().without(0).play(Pass()).play(Pass())).reason == "everybody passed"
    others_moved = three().play(go((1, 2))).play(Pass()).without(2)
    assert others_moved.to_move == 0
    assert others_moved.round == 2


def test_a_removed_seat_drops_out_of_the_round() -> None:
    """The turn passes to the next seat that is due, and later rounds go without the removed one."""
    state = three().without(0)
    assert state.to_move == 1
    assert where(state, 0) is None
    assert three().without(1).to_move == 0
    state = three().without(1).play(go((1, 2)))
    assert state.to_move == 2
    assert state.play(Pass()).to_move == 0


def test_a_seat_removed_when_told_its_next_goal_does_not_close_the_round() -> None:
    """If the move that closed a round was by a seat removed right then, the others' passes end the game."""
    state = three().play(Pass()).play(Pass()).play(go((1, 3)))
    assert (state.reached, state.round, state.to_move) == (2, 2, 0)
    failed = state.without(2)
    outcome = ended(failed)
    assert outcome.reason == "everybody passed"
    assert outcome.ranks[2] is None
    assert failed.position().last == (0, "RIGHT")
    going_on = three().play(Pass()).play(go((1, 2))).play(go((1, 3), 0)).without(2)
    assert (going_on.to_move, going_on.round) == (0, 2)
    another = state.without(0)
    assert (another.to_move, another.round) == (1, 2)


def test_the_game_lasts_a_thousand_rounds() -> None:
    """The game ends after the thousandth round, not before."""
    state = two_on_open_board()
    rounds = 0
    while state.to_move is not None:
        if state.to_move == 0:
            rounds += 1
            assert state.round == rounds
            state = state.play(go((1, 2) if where(state, 0) == (1, 1) else (1, 1), 2, "LEFT"))
        else:
            state = state.play(Pass())
    assert rounds == 1000
    outcome = ended(state)
    assert outcome.reason == "1000 rounds are over"
    assert outcome.winners == (0, 1)


def test_the_last_round_is_played_to_its_end() -> None:
    """In round 1000 everybody still has a turn."""
    state = two_on_open_board(round=1000).play(go((1, 2)))
    assert state.to_move == 1
    assert state.play(go((1, 2))).to_move is None


def test_without_anybody_nobody_wins() -> None:
    """When all seats are removed the game is over and has no winner."""
    state = three().without(1).without(2).without(0)
    assert state.to_move is None
    outcome = ended(state)
    assert outcome.winners == ()
    assert outcome.ranks == (None, None, None)
    assert outcome.reason == "nobody is left"


def test_the_lone_survivor_plays_on() -> None:
    """A seat that is left alone goes on, and its pass is a round of passes."""
    state = two_on_open_board().without(1).play(go((3, 3)))
    assert state.to_move == 0
    assert ended(state.play(Pass())).winners == (0,)
    assert ended(state.play(go((1, 1)))).reason == "came home"


def test_a_removed_seat_keeps_its_treasures_and_has_no_rank() -> None:
    """A removed seat cannot win, whatever it has found."""
    state = open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1), found=5)).without(1)
    outcome = ended(state.play(Pass()))
    assert outcome.winners == (0,)
    assert outcome.ranks == (1, None)
    assert outcome.scores == (0, 5)


# Views


def test_a_view_shows_ones_own_goal_only() -> None:
    """A seat sees what it is after itself; of others it sees only homes and avatars."""
    state = three(pool=((1, 1),)).play(go((3, 3)))
    full = state.position()
    for seat in range(3):
        seen = state.view(seat).position()
        assert seen.pool is None
        assert seen.reached == (0 if seat == 0 else None)
        assert seen.seekers[seat] == full.seekers[seat]
        for other in range(3):
            if other != seat:
                one = full.seekers[other]
                assert seen.seekers[other] == SeekerPosition(one.avatar, one.home, None, None, None)


def test_a_spectator_sees_no_goal() -> None:
    """A spectator sees neither goals nor the sequence of goals."""
    seen = three(pool=((1, 1),)).view(None).position()
    assert seen.pool is None
    assert [(one.goal, one.found, one.homeward) for one in seen.seekers] == [(None, None, None)] * 3
    assert [one.avatar for one in seen.seekers] == [(1, 1), (1, 3), (3, 1)]


def test_nothing_is_hidden_once_the_game_is_over() -> None:
    """After the end every view is the whole truth."""
    state = three(pool=((1, 1),)).play(Pass()).play(Pass()).play(Pass())
    for seat in (None, 0, 1, 2):
        assert state.view(seat) == state


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_what_is_imagined_fits_the_view(seed: int) -> None:
    """What is imagined from a view knows everything, plays like a state, and looks the same to that seat."""
    rng = Random(seed)
    game, position = random_start(rng)
    state = game.restore(replace(position, round=1))
    for _ in range(rng.randrange(6)):
        if state.to_move is not None:
            state = state.play(rng.choice(state.legal_moves()))
    for seat in (None, *range(len(position.seekers))):
        view = state.view(seat)
        whole = view.imagine(rng)
        assert whole.view(seat) == view
        written = whole.position()
        assert written.pool is not None
        assert all(None not in (one.goal, one.found, one.homeward) for one in written.seekers)
        fixed = set(fixed_tiles(len(position.connectors), len(position.connectors[0])))
        assert {one.goal for one in written.seekers} <= fixed
        assert game.restore(view.position()) == view
        if whole.to_move is not None:
            whole.play(rng.choice(whole.legal_moves()))


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_one_can_play_from_a_view(seed: int) -> None:
    """A seat that moves in its own view sees the board that everybody else sees."""
    rng = Random(seed)
    game, position = random_start(rng)
    state = game.restore(replace(position, round=1))
    view = state.view(0)
    move = rng.choice(state.legal_moves())
    after, seen = state.play(move).position(), view.play(move).position()
    assert seen.connectors == after.connectors
    assert seen.spare == after.spare
    assert [one.avatar for one in seen.seekers] == [one.avatar for one in after.seekers]
    assert seen.to_move == after.to_move
    assert seen.last == after.last
