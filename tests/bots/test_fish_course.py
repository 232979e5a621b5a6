"""The Fish course's house player against plain max-min without any pruning."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from obvious.maxmin import best_slide
from touchline.bots.fish_course import FishCourse
from touchline.core.rules import IllegalMove
from touchline.games.fish import Fish, FishState, Place, Slide, floating


def random_floe(rng: Random) -> tuple[FishState, int]:
    """A small board with holes and a few penguins, and a depth that plain max-min can bear."""
    seats = rng.choice((2, 2, 2, 3, 4))
    rows, cols = rng.randint(2, 5), rng.randint(1, 4)
    most = rng.choice((1, 2, 5))
    board = [[0 if rng.random() < 0.15 else rng.randint(1, most) for _ in range(cols)] for _ in range(rows)]
    tiles = [(row, col) for row in range(rows) for col in range(cols) if board[row][col]]
    rng.shuffle(tiles)
    penguins = [[tiles.pop() for _ in range(rng.randint(1, 2)) if tiles] for _ in range(seats)]
    state = floating(board, penguins, [rng.randint(0, 9) for _ in range(seats)])
    deepest = 3 if rows * cols <= 12 else 2 if rows * cols <= 16 and seats == 2 else 1
    return state, rng.randint(0, deepest)


@pytest.mark.parametrize("seed", range(12))
def test_as_plain_max_min(seed: int) -> None:
    """On random small boards of two to four seats the bot makes the move that plain max-min makes."""
    rng = Random(seed)
    for _ in range(60):
        state, depth = random_floe(rng)
        expected = best_slide(state, depth)
        if expected is None:
            with pytest.raises(IllegalMove):
                FishCourse(depth).slide(state)
        else:
            assert FishCourse(depth).choose(state) == expected, (state.position(), depth)


def test_whole_games_as_plain_max_min() -> None:
    """Through whole games, in which seats get stuck and are skipped, every move is that of plain max-min."""
    rng = Random(7)
    for _ in range(25):
        state, depth = random_floe(rng)
        if not state.legal_moves():
            continue
        while state.to_move is not None:
            expected = best_slide(state, depth)
            assert FishCourse(depth).choose(state) == expected
            assert expected is not None
            state = state.play(expected)


def test_depth_is_in_own_turns() -> None:
    """At depth 2 a penguin leaves a tile of one fish to stand on one of five that it can leave in turn."""
    # From (1, 0) one step leads to (0, 0), (2, 0), and S to (3, 0); only from (3, 0) on is there more to eat.
    board = [[1, 0], [1, 0], [1, 0], [5, 0], [1, 0], [1, 0], [0, 0], [0, 9]]
    state = floating(board, [[(1, 0)], [(7, 1)]], [0, 0])
    assert FishCourse(1).slide(state) == Slide((1, 0), (0, 0))
    assert FishCourse(2).slide(state) == Slide((1, 0), (3, 0))


def test_depth_zero_is_the_tie_break() -> None:
    """At depth 0 the smallest from and then the smallest to is played, whatever there is to eat."""
    state = floating([[1, 1], [1, 1], [1, 5]], [[(2, 1), (0, 0)], [(2, 0)]], [0, 0])
    assert FishCourse(0).slide(state) == Slide((0, 0), (1, 0))


def test_places_row_by_row() -> None:
    """Penguins go onto the first free tile, row by row, each row from the left, holes left out."""
    state = Fish(board=((0, 1, 1), (1, 1, 1), (1, 1, 1))).start(2, Random(0))
    placed = []
    while state.placing:
        move = FishCourse().choose(state)
        assert isinstance(move, Place)
        placed.append(move.at)
        state = state.play(move)
    assert placed == [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]


def test_errs_without_a_free_tile() -> None:
    """With no tile left to place a penguin on, the bot errs as the course's player does."""
    full = replace(floating([[1]], [[(0, 0)], []], [0, 0], quota=4), placing=True, to_move=1)
    with pytest.raises(IllegalMove, match="free tile"):
        FishCourse().choose(full)


def test_errs_when_stuck_or_over() -> None:
    """A seat that cannot move has no best move, nor has anybody once the game is over."""
    stuck = floating([[1], [0], [0], [1], [1]], [[(0, 0)], [(3, 0)]], [0, 0])
    with pytest.raises(IllegalMove):
        FishCourse(1).slide(stuck)
    over = floating([[1]], [[(0, 0)]], [0]).skip()
    assert over.to_move is None
    with pytest.raises(IllegalMove):
        FishCourse(1).slide(over)


def test_depth_is_natural() -> None:
    """A negative depth is refused."""
    with pytest.raises(ValueError, match="depth"):
        FishCourse(-1)
