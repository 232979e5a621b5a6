"""Players that know nothing but the rules: greedy, minimax and mcts, at every game and number of seats."""

from __future__ import annotations

import gc
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from touchline.bots.greedy import Greedy
from touchline.bots.mcts import Mcts
from touchline.bots.minimax import Minimax
from touchline.bots.random import Random as RandomBot
from touchline.bots.shared.evaluation import worth
from touchline.bots.shared.time_budget import undisturbed
from touchline.core import registry
from touchline.drivers.match import agreed, play_now
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth, LabyrinthState, Seeker

if TYPE_CHECKING:
    from touchline.core.rules import Game, State
    from touchline.drivers.match import Bot

SMALL: dict[str, dict[str, Any]] = {
    "hexapawn": {"rows": 4, "cols": 3},
    "fish": {"rows": 4, "cols": 4},
    "labyrinth": {"rows": 5, "cols": 5},
}


def bots(seed: int) -> list[Bot]:
    return [Greedy(Random(seed)), Minimax(depth=1), Mcts(Random(seed), playouts=8)]


def after(game: Game, seats: int, moves: int, rng: Random) -> State:
    state = game.start(seats, rng)
    for _ in range(moves):
        if state.to_move is None:
            break
        state = state.play(rng.choice(state.legal_moves()))
    return state


@pytest.mark.parametrize("name", SMALL)
def test_every_choice_is_legal_at_every_number_of_seats(name: str) -> None:
    """Also from a view that hides something; and the same chance makes the same choice."""
    game, rng = registry.game(name, SMALL[name]), Random(1)
    for seats in game.seats:
        if name == "labyrinth" and seats > 4:
            continue  # this board has no more homes
        for moves in (0, 3, 9):
            state = after(game, seats, moves, rng)
            if state.to_move is None:
                continue
            view = state.view(state.to_move)
            for first, second in zip(bots(5), bots(5), strict=True):
                move = first.choose(view, 0)
                state.check(move)
                assert move == second.choose(view, 0)


@pytest.mark.parametrize("name", SMALL)
def test_whole_matches(name: str) -> None:
    """Against each other to the end, without a fault."""
    game = registry.game(name, SMALL[name])
    for seed in range(2):
        chosen: list[Bot] = [Greedy(Random(seed)), Mcts(Random(seed), playouts=4)]
        result = play_now(agreed(game, ["a", "b"], seed, turn_cap=120), chosen)
        assert result.faults == ()


@cache
def obvious(state: Any, seat: int, depth: int) -> float:
    """The same value without pruning and without remembering bounds."""
    if state.to_move is None or depth == 0:
        return worth(state, 2)[seat]
    values = [obvious(state.play(move), seat, depth - 1) for move in state.legal_moves()]
    return max(values) if state.to_move == seat else min(values)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(1, 5), moves=st.integers(0, 6))
def test_minimax_is_as_good_as_looking_at_everything(seed: int, depth: int, moves: int) -> None:
    """Its move has the value of the best one, found the slow way."""
    state: Any = after(Hexapawn(rows=4, cols=3), 2, moves, Random(seed))
    seat = state.to_move
    if seat is None:
        return
    move = Minimax(depth=depth).choose(state)
    best = max(obvious(state.play(other), seat, depth - 1) for other in state.legal_moves())
    assert obvious(state.play(move), seat, depth - 1) == best


def selfish(state: Any, depth: int) -> tuple[float, ...]:
    """What three seats get when each plays for itself, of equals the first move; without remembering."""
    if state.to_move is None or depth == 0:
        return tuple(worth(state, 3))
    values = [selfish(state.play(move), depth - 1) for move in state.legal_moves()]
    return max(values, key=lambda found: found[state.to_move])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(1, 3))
def test_maxn_is_as_good_as_looking_at_everything(seed: int, depth: int) -> None:
    """Three seats late in a game of Fish, when there are not too many moves."""
    rng = Random(seed)
    state: Any = after(registry.game("fish", {"rows": 4, "cols": 4}), 3, rng.randrange(11, 16), rng)
    if state.to_move is None:
        return
    thought = Minimax(depth=depth, others="maxn").think(state)
    assert thought.values == pytest.approx(selfish(state, depth))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("others", ["paranoid", "maxn"])
def test_what_minimax_expects_can_be_played(name: str, others: str) -> None:
    """The line is legal move by move, begins with the choice, and the values are those at its end."""
    rng = Random(8)
    game = registry.game(name, SMALL[name])
    for seats in [seats for seats in game.seats if seats < 4]:
        state = after(game, seats, 7, rng)
        if state.to_move is None:
            continue
        depth = 1 if name == "labyrinth" else 3
        bot = Minimax(depth=depth, others=others)
        thought = bot.think(state)
        assert bot.choose(state, 0) == thought.line[0]
        for move in thought.line:
            state.check(move)
            state = state.play(move)
        assert thought.values == tuple(worth(state, seats))


def test_minimax_plays_a_small_game_perfectly() -> None:
    """Looking to the end, the second seat wins every game of 3 x 3, as everybody knows."""
    game = Hexapawn(rows=3, cols=3)
    for seed in range(20):
        result = play_now(agreed(game, ["a", "b"], seed), [RandomBot(Random(seed)), Minimax(depth=9)])
        assert result.outcome is not None
        assert result.outcome.winners == (1,)


def test_a_move_that_wins_is_seen() -> None:
    """By all of them, in every position one move before the end."""
    rng, seen = Random(3), 0
    for _ in range(200):
        state = after(Hexapawn(rows=4, cols=4), 2, rng.randrange(4, 14), rng)
        seat = state.to_move
        wins = [move for move in state.legal_moves() if state.play(move).to_move is None]
        if seat is None or not wins:
            continue
        seen += 1
        for bot in (Greedy(rng), Minimax(depth=3), Mcts(rng, playouts=60)):
            assert bot.choose(state, 0) in wins
    assert seen > 20


def test_what_is_hidden_does_not_matter() -> None:
    """Swap the others' goals: nobody chooses anything else."""
    game, rng = Labyrinth(rows=5, cols=5), Random(4)
    for _ in range(6):
        state: Any = after(game, 3, rng.randrange(0, 12), rng)
        seat = state.to_move
        if seat is None:
            continue
        others = [other for other in range(3) if other != seat]
        goals = [state.seekers[other].goal for other in others]
        swapped = list(state.seekers)
        for other, goal in zip(others, reversed(goals), strict=True):
            old = state.seekers[other]
            swapped[other] = Seeker(old.home, goal, old.found, old.homeward)
        twin = replace(state, seekers=tuple(swapped))
        assert twin != state or goals[0] == goals[1]
        for first, second in zip(bots(7), bots(7), strict=True):
            assert first.choose(state.view(seat), 0) == second.choose(twin.view(seat), 0)


def test_what_is_hidden_is_imagined_for_every_playout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time anew, and nothing is ever played with what nobody knows."""
    imagined = list[LabyrinthState]()
    imagine = LabyrinthState.imagine

    def see(state: LabyrinthState, rng: Any) -> LabyrinthState:
        imagined.append(imagine(state, rng))
        return imagined[-1]

    monkeypatch.setattr(LabyrinthState, "imagine", see)
    state = Labyrinth(rows=5, cols=5).start(3, Random(4))
    Mcts(Random(0), playouts=20).choose(state.view(0), 0)
    assert len(imagined) >= 20
    assert len({tuple(seeker.goal for seeker in one.seekers) for one in imagined}) > 1


def test_strength_is_in_the_right_order() -> None:
    """On small boards, with seats swapped: mcts beats greedy, and greedy beats chance."""
    game = registry.game("fish", {"rows": 5, "cols": 5})

    def beats(better: Any, worse: Any, games: int) -> float:
        won = 0.0
        for seed in range(games):
            pair = [better(seed), worse(seed + 1000)]
            result = play_now(agreed(game, ["a", "b"], seed // 2), pair if seed % 2 else pair[::-1])
            assert result.outcome is not None
            seat = 0 if seed % 2 else 1
            won += (seat in result.outcome.winners) / len(result.outcome.winners)
        return won / games

    assert beats(lambda seed: Mcts(Random(seed), playouts=40), lambda seed: Greedy(Random(seed)), 20) > 0.7
    assert beats(lambda seed: Greedy(Random(seed)), lambda seed: RandomBot(Random(seed)), 40) > 0.55


@pytest.mark.parametrize("options", [{"playouts": 0}, {"seconds": 0}, {"seconds": 4000}, {"playouts": 1.5}])
def test_options_of_mcts_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"playouts|seconds"):
        Mcts(Random(0), **options)


def test_others_are_paranoid_or_selfish() -> None:
    with pytest.raises(ValueError, match="paranoid or maxn"):
        Minimax(others="kind")


@pytest.mark.parametrize("depth", [0, -1, 65, 1.5])
def test_depths_that_are_refused(depth: Any) -> None:
    with pytest.raises(ValueError, match="depth"):
        Minimax(depth=depth)


@pytest.mark.parametrize("before", [True, False])
def test_garbage_waits_while_somebody_thinks(before: bool) -> None:
    """And then it is as it was, whatever happens meanwhile."""

    @undisturbed()
    def think() -> None:
        assert not gc.isenabled()
        raise ZeroDivisionError

    (gc.enable if before else gc.disable)()
    try:
        with pytest.raises(ZeroDivisionError):
            think()
        assert gc.isenabled() == before
    finally:
        gc.enable()
