"""Labyrinth against its obvious second implementation."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hypothesis import given, settings

from games.labyrinth_boards import SEEDS, fixed_tiles, random_start
from obvious.labyrinth import ObviousLabyrinth
from obvious.laws import assert_judges, assert_lawful
from touchline.games.boards.maze import GEMS
from touchline.games.labyrinth import Labyrinth, LabyrinthPosition, LabyrinthState, Pass, Slide

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Outcome


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
