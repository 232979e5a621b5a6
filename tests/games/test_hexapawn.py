"""Hexapawn against its obvious second implementation, and against facts from the rule book."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obvious.hexapawn import ObviousHexapawn
from obvious.laws import (
    MALFORMED,
    WILD,
    assert_judges,
    assert_lawful,
    assert_refuses_lookalikes,
    assert_survives,
    judged_legal,
)
from touchline.core.perft import perft
from touchline.core.rules import IllegalMove
from touchline.games.fish import Place
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, HexapawnState, Step
from touchline.games.labyrinth import Pass

SEEDS = st.integers(0, 2**32)


def begin(rows: int, cols: int) -> HexapawnState:
    return Hexapawn(rows=rows, cols=cols).start(2, Random(0))


def put(*board: str, to_move: int = 0) -> HexapawnState:
    return Hexapawn(rows=len(board), cols=len(board[0])).restore(HexapawnPosition(board, to_move))


def assert_agree(state: HexapawnState, model: ObviousHexapawn) -> None:
    assert state.to_move == model.to_move
    assert state.passed_over == ()
    assert state.position().board == model.position()
    assert set(state.legal_moves()) == model.legal_moves()
    outcome = state.outcome()
    assert (outcome is not None) == model.over
    if outcome is not None:
        assert outcome.winners == model.winners
        assert outcome.scores == model.scores
        assert outcome.ranks == model.ranks
        assert outcome.reason == model.reason


def random_end(rng: Random, rows: int, cols: int) -> HexapawnState:
    """The end of a random game, in which a seat may be removed."""
    state = begin(rows, cols)
    removal = rng.randrange(8 * rows * cols)
    for ply in range(2 * cols * (rows - 2) + 2):
        if state.to_move is None:
            return state
        if ply == removal:
            return state.without(rng.randrange(2))
        state = state.play(rng.choice(state.legal_moves()))
    raise AssertionError("a game has at most 2 * cols * (rows - 2) + 1 plies")


@settings(max_examples=400, deadline=None)
@given(SEEDS)
def test_random_play_agrees_at_every_step(seed: int) -> None:
    """Random games on random boards, some with a removal, agree with the obvious rules at every step."""
    rng = Random(seed)
    game = Hexapawn(rows=rng.randint(2, 8), cols=rng.randint(1, 8))
    state = game.start(2, rng)
    model = ObviousHexapawn(state.position())
    removals = 0.03 if rng.random() < 0.3 else 0
    while True:
        assert_agree(state, model)
        assert_lawful(game, state, 2, rng)
        if state.to_move is None:
            break
        before = state.position()
        if rng.random() < removals:
            seat = rng.randrange(2)
            after = state.without(seat)
            model.remove(seat)
        else:
            move = rng.choice(state.legal_moves())
            after = state.play(move)
            model.play(move)
        assert state.position() == before
        state = after


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_check_agrees_with_the_list_of_moves(seed: int) -> None:
    """Of all moves there are on a board, check() accepts just those that are listed as legal."""
    rng = Random(seed)
    game = Hexapawn(rows=rng.randint(2, 5), cols=rng.randint(1, 5))
    everything = game.all_moves()
    assert len(set(everything)) == len(everything)
    state = game.start(2, rng)
    while state.to_move is not None:
        assert_judges(state, everything)
        assert set(state.legal_moves()) <= set(everything)
        state = state.play(rng.choice(state.legal_moves()))
    assert_judges(state, everything)


MIDGAME = put("1.2", ".1.", "2.1", to_move=1)


@settings(max_examples=300, deadline=None)
@given(WILD, st.booleans())
def test_check_survives_any_value(value: object, over: bool) -> None:
    """Whatever a player hands in, check() raises IllegalMove or nothing."""
    assert_survives(MIDGAME.without(0) if over else MIDGAME, value)


@settings(max_examples=300, deadline=None)
@given(MALFORMED)
def test_check_survives_malformed_moves(value: object) -> None:
    """A move whose fields have the wrong types is refused like any other."""
    assert_survives(MIDGAME, value)


def test_a_move_that_only_looks_legal_is_refused() -> None:
    """Lists for places, and floats or strings for numbers, make a legal move illegal."""
    assert_refuses_lookalikes(MIDGAME)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "move",
        7,
        (),
        Place((1, 1)),
        Pass(),
        Step((-1, 0), (0, 0)),
        Step((0, -1), (1, -1)),
        Step((0, 3), (1, 3)),
        Step((0, 0), (-1, 0)),
        Step((10**30, 0), (10**30 + 1, 0)),
        Step((0, 10**30), (1, 10**30)),
        Step((0, 0), (1, -1)),
        Step((0, 2), (1, 3)),
        Step((0, 0), (0, 0)),
        Step((2, 0), (1, 0)),
    ],
)
def test_wild_values_are_refused(value: object) -> None:
    """Values that are no move, or lie off the board, are refused at the start of a 3 by 3 game."""
    assert not judged_legal(begin(3, 3), value)


def test_white_walks_down_and_black_walks_up() -> None:
    """Seat 0 fills the first row and walks towards the last, seat 1 the other way."""
    state = begin(3, 3)
    assert state.position().board == ("111", "...", "222")
    assert state.to_move == 0
    after = state.play(Step((0, 1), (1, 1)))
    assert after.position().board == ("1.1", ".1.", "222")
    assert after.to_move == 1
    assert set(after.legal_moves()) == {
        Step((2, 0), (1, 0)),
        Step((2, 2), (1, 2)),
        Step((2, 0), (1, 1)),
        Step((2, 2), (1, 1)),
    }


def test_a_pawn_captures_only_diagonally_and_need_not() -> None:
    """A pawn takes an enemy diagonally ahead, never straight ahead, and may step instead."""
    state = put("11.", "2..", ".22")
    assert set(state.legal_moves()) == {Step((0, 1), (1, 0)), Step((0, 1), (1, 1))}
    after = state.play(Step((0, 1), (1, 0)))
    assert after.position().board == ("1..", "1..", ".22")
    with pytest.raises(IllegalMove):
        state.check(Step((0, 0), (1, 0)))


def test_a_pawn_does_not_capture_its_own() -> None:
    """A diagonal step onto an own pawn is refused."""
    with pytest.raises(IllegalMove):
        put("11.", ".1.", "222").check(Step((0, 0), (1, 1)))


def test_a_row_does_not_wrap_round() -> None:
    """The last column of one row is no neighbour of the first column of the next."""
    assert set(put("..1", "2..", "2..").legal_moves()) == {Step((0, 2), (1, 2))}
    assert set(put("..1", "1..", "..2", to_move=1).legal_moves()) == {Step((2, 2), (1, 2))}


def test_reaching_the_far_row_wins_at_once() -> None:
    """A pawn on the far row wins, by a step or by a capture, even where the opponent is also stuck."""
    for move in (Step((1, 0), (2, 0)), Step((1, 0), (2, 1))):
        outcome = put("...", "1..", ".2.").play(move).outcome()
        assert outcome is not None
        assert outcome.winners == (0,)
        assert outcome.ranks == (1, 2)
        assert outcome.reason == "reached the far row"


def test_who_cannot_move_has_lost() -> None:
    """The mover wins when the opponent is blocked, or has no pawn left."""
    blocked = put("1.", "..", "2.").play(Step((0, 0), (1, 0))).outcome()
    assert blocked is not None
    assert (blocked.winners, blocked.reason) == ((0,), "opponent cannot move")
    bare = put(".1..", "2...", "....", "....").play(Step((0, 1), (1, 0))).outcome()
    assert bare is not None
    assert (bare.winners, bare.reason) == ((0,), "opponent cannot move")


def test_a_board_without_a_first_move_is_lost_before_it_begins() -> None:
    """On 2 by 1 seat 0 cannot move, so seat 1 has won at the start."""
    state = begin(2, 1)
    assert state.to_move is None
    assert state.legal_moves() == []
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (1,)


@pytest.mark.parametrize("cols", range(2, 9))
def test_two_rows_are_won_with_the_first_capture(cols: int) -> None:
    """On two rows seat 0 has 2 * (cols - 1) captures, and each of them wins."""
    state = begin(2, cols)
    assert len(state.legal_moves()) == 2 * (cols - 1)
    for move in state.legal_moves():
        outcome = state.play(move).outcome()
        assert outcome is not None
        assert outcome.winners == (0,)


@pytest.mark.parametrize("rows", range(3, 9))
def test_one_column_is_pure_parity(rows: int) -> None:
    """With one column the pawns meet: odd rows are won by seat 0, even ones by seat 1."""
    state = begin(rows, 1)
    plies = 0
    while state.to_move is not None:
        (move,) = state.legal_moves()
        state = state.play(move)
        plies += 1
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == ((0,) if rows % 2 else (1,))
    assert plies == rows - 2


def count_games(state: HexapawnState, plies: int, ends: list[tuple[int, str]]) -> None:
    outcome = state.outcome()
    if outcome is not None:
        ends.append((plies, outcome.reason))
    for move in state.legal_moves():
        count_games(state.play(move), plies + 1, ends)


def test_three_by_three_in_full() -> None:
    """The 3 by 3 game has 134 courses, 108 by reaching and 26 by blocking, the longest of 7 plies."""
    ends: list[tuple[int, str]] = []
    count_games(begin(3, 3), 0, ends)
    reasons = [reason for _, reason in ends]
    assert len(ends) == 134
    assert reasons.count("reached the far row") == 108
    assert reasons.count("opponent cannot move") == 26
    assert max(plies for plies, _ in ends) == 7


def test_three_by_three_has_135_positions() -> None:
    """The 3 by 3 game has 135 positions, 33 with seat 0 and 37 with seat 1 to move."""
    seen = {begin(3, 3)}
    to_visit = list(seen)
    while to_visit:
        state = to_visit.pop()
        for move in state.legal_moves():
            after = state.play(move)
            if after not in seen:
                seen.add(after)
                to_visit.append(after)
    assert len(seen) == 135
    assert [sum(state.to_move == seat for state in seen) for seat in (0, 1)] == [33, 37]


def wins(state: HexapawnState) -> bool:
    """Whether the seat to move wins with best play."""
    return any(not wins(state.play(move)) for move in state.legal_moves())


@pytest.mark.parametrize(
    ("rows", "cols", "winner"),
    [(3, 1, 0), (3, 2, 1), (3, 3, 1), (3, 4, 0), (4, 1, 1), (4, 2, 1), (4, 3, 1), (5, 2, 1)],
)
def test_the_winner_with_best_play_is_the_published_one(rows: int, cols: int, winner: int) -> None:
    """Small boards are won by whom theory says."""
    assert wins(begin(rows, cols)) == (winner == 0)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_removed_seat_has_lost(seat: int) -> None:
    """When a seat is removed the other has won, and the removed one has no rank."""
    state = begin(4, 4).without(seat)
    outcome = state.outcome()
    assert outcome is not None
    assert state.to_move is None
    assert outcome.winners == (1 - seat,)
    assert outcome.ranks[seat] is None
    assert outcome.ranks[1 - seat] == 1
    assert outcome.reason == "opponent removed"


def test_without_both_seats_nobody_wins() -> None:
    """When both seats are removed there is no winner, in whatever order they go."""
    for first in (0, 1):
        outcome = begin(4, 4).without(first).without(1 - first).outcome()
        assert outcome is not None
        assert outcome.winners == ()
        assert outcome.ranks == (None, None)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_the_end_is_the_end(seed: int) -> None:
    """A finished game has a single winner, no moves, and stays finished when a seat is removed."""
    rng = Random(seed)
    state = random_end(rng, rng.randint(2, 5), rng.randint(1, 5))
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.winners) == 1
    assert state.legal_moves() == []
    assert state.without(rng.randrange(2)).to_move is None


def obvious_perft(start: HexapawnPosition, line: tuple[Step, ...], depth: int, counts: list[int]) -> None:
    """Count the moves after a line of play, and after all that follow, by playing each line anew."""
    model = ObviousHexapawn(start)
    for move in line:
        model.play(move)
    for move in model.legal_moves():
        counts[len(line)] += 1
        if len(line) + 1 < depth:
            obvious_perft(start, (*line, move), depth, counts)


@pytest.mark.parametrize("rows", [2, 3, 4])
@pytest.mark.parametrize("cols", [1, 2, 3, 4])
def test_perft_agrees_with_the_obvious_count(rows: int, cols: int) -> None:
    """Counting lines of play with either implementation gives the same numbers."""
    state = begin(rows, cols)
    counts = [0] * 4
    obvious_perft(state.position(), (), 4, counts)
    assert perft(state, 4) == counts
