"""Drawings of the full screen: every spot can be seen, pointed at and picked, in every game and size."""

from __future__ import annotations

from random import Random

import pytest

from players.tables import TABLES
from touchline.core.rules import State
from touchline.core.sketch import Sketch, Spot
from touchline.terminal.blocks import drawing
from touchline.terminal.choice import Choice, nearest, neighbour

SIZES = [(0, 0), (54, 19), (200, 100)]


def states(game: str) -> list[State]:
    rules, seats = TABLES[game]
    state, rng, seen = rules.start(seats, Random(1)), Random(2), list[State]()
    while state.to_move is not None and len(seen) < 12:
        seen.append(state)
        state = state.play(rng.choice(state.legal_moves()))
    return seen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", TABLES)
def test_every_spot_is_where_it_says(game: str, size: tuple[int, int]) -> None:
    """The middle of a spot belongs to it, and the pieces on it are drawn."""
    for state in states(game):
        sketch = state.sketch()
        drawn = drawing(sketch, *size)
        for spot in sketch.spots:
            row, col = drawn.centre(spot.key)
            assert drawn.at(int(row), int(col)) == spot.key
            top, left, high, wide = drawn.boxes[spot.key]
            chars = {drawn.cells[top + down, left + at].char for down in range(high) for at in range(wide)}
            assert {piece.glyph for piece in (*spot.pieces[:2], *spot.marks[:2])} <= chars


@pytest.mark.parametrize("game", TABLES)
def test_a_larger_screen_has_a_larger_board(game: str) -> None:
    """And the smallest board is drawn where none fits."""
    sketch = states(game)[0].sketch()
    small, large = drawing(sketch, 0, 0), drawing(sketch, 200, 100)
    assert small.width * small.height < large.width * large.height
    assert drawing(sketch, large.width, large.height) == large
    assert drawing(sketch, large.width - 1, large.height) != large


@pytest.mark.parametrize("game", TABLES)
def test_every_legal_move_can_be_picked(game: str) -> None:
    """Spot by spot, each of them lit; and taken back again."""
    for state in states(game):
        sketch = state.sketch()
        for number, keys in enumerate(sketch.moves):
            choice = Choice(sketch)
            for at, key in enumerate(keys):
                assert choice.index is None
                assert key in choice.lit
                assert (choice.with_spot(key) == number) == (at == len(keys) - 1)
                assert choice.pick(key)
            assert choice.index == number
            assert [choice.back() for _ in keys] == [True] * len(keys)
            assert (choice.picked, choice.back()) == ((), False)


@pytest.mark.parametrize("game", TABLES)
def test_the_arrow_keys_reach_every_lit_spot(game: str) -> None:
    """From any lit spot to any other."""
    sketch = states(game)[0].sketch()
    drawn, lit = drawing(sketch, 54, 19), Choice(sketch).lit
    reached, new = set[object](), [lit[0]]
    while new:
        key = new.pop()
        reached.add(key)
        ways = [neighbour(drawn, lit, key, way) for way in ("up", "down", "left", "right")]
        new += [way for way in ways if way is not None and way not in reached]
    assert reached == set(lit)
    assert all(nearest(drawn, lit, key) == key for key in lit)


def test_a_move_may_be_the_beginning_of_another() -> None:
    """Its last spot, picked again, ends it; a spot that is not lit cannot be picked."""
    row = tuple(Spot(key=(0, col), x=col, y=0) for col in range(3))
    sketch = Sketch(spots=row, moves=(((0, 0),), ((0, 0), (0, 1))))
    choice = Choice(sketch)
    assert not choice.pick((0, 2))
    assert choice.pick((0, 0))
    assert (choice.index, choice.lit) == (None, ((0, 1), (0, 0)))
    assert choice.pick((0, 0))
    assert choice.index == 0
