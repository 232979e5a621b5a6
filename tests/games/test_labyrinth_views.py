"""Views of Labyrinth: what a seat and a spectator see."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from msgspec.structs import replace

from games.labyrinth_boards import SEEDS, fixed_tiles, go, random_start, three
from touchline.games.labyrinth import Pass, SeekerPosition


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
