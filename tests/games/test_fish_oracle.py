"""Fish against its obvious second implementation."""

from __future__ import annotations

from random import Random
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from obvious.fish import ObviousFish
from obvious.laws import assert_judges, assert_lawful
from touchline.games.fish import Fish, FishState

Rows = tuple[tuple[int, ...], ...]
Rules = Literal["course", "commercial"]

SEEDS = st.integers(0, 2**32)


def random_board(rng: Random, rules: Rules, seats: int) -> Rows:
    """A board, perhaps with rows of different lengths, that has room for everybody's penguins."""
    most = rng.choice([1, 3, 5])
    holes = rng.choice([0, 0.1, 0.3])
    needed = seats * (6 - seats)
    while True:
        rows, cols = rng.randint(1, 8), rng.randint(1, 5)
        ragged = rng.random() < 0.2
        board = tuple(
            tuple(
                0 if rng.random() < holes else rng.randint(1, most)
                for _ in range(rng.randint(1, cols) if ragged else cols)
            )
            for _ in range(rows)
        )
        fish = [fish for row in board for fish in row]
        room = fish.count(1) if rules == "commercial" else len(fish) - fish.count(0)
        if room >= needed:
            return board


def assert_agree(state: FishState, model: ObviousFish) -> None:
    assert state.to_move == model.to_move
    assert state.passed_over == model.passed_over
    assert state.position() == model.position()
    assert set(state.legal_moves()) == model.legal_moves()
    outcome = state.outcome()
    assert (outcome is not None) == model.over
    if outcome is not None:
        assert outcome.winners == model.winners
        assert outcome.scores == model.scores
        assert outcome.ranks == model.ranks
        assert outcome.reason == model.reason


def one_event(state: FishState, model: ObviousFish, rng: Random, removals: float, skips: float) -> FishState:
    """A move, or now and then the removal of a seat or a skipped turn, for both."""
    chance = rng.random()
    if chance < removals:
        seat = rng.choice(sorted(model.penguins))
        model.remove(seat)
        return state.without(seat)
    if chance < removals + skips:
        model.skip()
        return state.skip()
    move = rng.choice(state.legal_moves())
    model.play(move)
    return state.play(move)


def play_out(rng: Random, rules: Rules) -> None:
    """A random game from start to end and beyond, both implementations side by side."""
    seats = rng.randint(2, 4)
    game = Fish(rules=rules, board=random_board(rng, rules, seats))
    state = game.start(seats, rng)
    model = ObviousFish(state.position(), rules == "commercial")
    removals, skips = rng.choice([(0, 0), (0.03, 0), (0.1, 0), (0, 0.1), (0.05, 0.05)])
    while True:
        assert_agree(state, model)
        assert_lawful(game, state, seats, rng)
        if state.to_move is None:
            break
        before = state.position()
        after = one_event(state, model, rng, removals, skips)
        assert state.position() == before
        state = after
    for seat in sorted(model.penguins, key=lambda _: rng.random()):
        state = state.without(seat)
        model.remove(seat)
        assert_agree(state, model)
        assert_lawful(game, state, seats, rng)


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_random_play_agrees_at_every_step(seed: int) -> None:
    """Random games by the course's rules, with removals and skips, agree with the obvious rules."""
    play_out(Random(seed), "course")


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_random_commercial_play_agrees_at_every_step(seed: int) -> None:
    """Random games by the published rules, with removals and skips, agree with the obvious rules."""
    play_out(Random(seed), "commercial")


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_check_agrees_with_the_list_of_moves(seed: int) -> None:
    """Of all moves there are on a board, check() accepts just those that are listed as legal."""
    rng = Random(seed)
    rules: Rules = rng.choice(["course", "commercial"])
    game = Fish(rules=rules, board=random_board(rng, rules, 2))
    everything = game.all_moves()
    assert len(set(everything)) == len(everything)
    state = game.start(2, rng)
    while state.to_move is not None:
        assert_judges(state, everything)
        assert set(state.legal_moves()) <= set(everything)
        state = state.play(rng.choice(state.legal_moves()))
    assert_judges(state, everything)
