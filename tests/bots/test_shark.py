"""The shark: never illegal, in time, the same for the same nodes, and strong."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from touchline.bots.base import Thinker
from touchline.bots.fish import node_budget
from touchline.bots.fish.bitboard import prospects
from touchline.bots.fish.node_budget import NodeBudget
from touchline.bots.fish_course import FishCourse
from touchline.bots.greedy import Greedy
from touchline.bots.shark import Shark
from touchline.core.rules import IllegalMove
from touchline.drivers.match import agreed, play_now
from touchline.games.fish import Fish, FishState, Slide, floating

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.drivers.match import Bot

BOARDS: list[tuple[Fish, int]] = [
    (Fish(), 2),
    (Fish(rows=5, cols=5, holes=9), 2),
    (Fish(rows=8, cols=8, holes=20), 2),
    (Fish(rows=3, cols=3), 3),
    (Fish(rows=4, cols=2), 4),
    (Fish(rows=2, cols=16), 2),
    (Fish(rows=1, cols=9), 3),
    (Fish(rows=6, cols=5), 3),
    (Fish(rows=8, cols=8, fish=2), 4),
    (Fish(rules="commercial"), 2),
    (Fish(rules="commercial"), 4),
    (Fish(board=((1, 0, 5), (2, 3), (0, 1, 1, 4), (2, 2, 2), (3,))), 2),
]


def shark(seed: int = 0, nodes: int = 600) -> Shark:
    return Shark(Random(seed), nodes=nodes)


@pytest.mark.parametrize(("game", "seats"), BOARDS)
def test_every_thought_is_legal(game: Fish, seats: int) -> None:
    """From the first placement to the end: the line can be played, and the values are shares of a win."""
    state, bots = game.start(seats, Random(seats)), [shark(seat) for seat in range(seats)]
    while state.to_move is not None:
        thought = bots[state.to_move].think(state)
        then = state
        for move in thought.line:
            then.check(move)
            then = then.play(move)
        assert len(thought.values) == seats
        assert all(0 <= value <= 1 for value in thought.values)
        assert sum(thought.values) == pytest.approx(1)
        assert thought.says
        state = state.play(thought.line[0])


@pytest.mark.parametrize("rules", ["course", "commercial"])
def test_seats_that_are_removed(rules: Any) -> None:
    """While penguins are placed, and while they slide; whoever was removed expects nothing."""
    for seed in range(4):
        rng = Random(seed)
        state: FishState = Fish(rules=rules, rows=7, cols=6).start(4, rng)
        bots = [shark(seat, 200) for seat in range(4)]
        gone: list[int] = []
        while state.to_move is not None:
            if rng.random() < 0.1 and len(gone) < 3:
                gone.append(rng.choice([seat for seat in range(4) if seat not in gone]))
                state = state.without(gone[-1])
                continue
            mover = state.to_move
            assert mover is not None
            thought = bots[mover].think(state)
            assert all(thought.values[seat] == 0 for seat in gone)
            state.check(thought.line[0])
            state = state.play(thought.line[0])


def test_boards_too_large_for_the_kernels() -> None:
    """It plays on, by the rules alone."""
    for game in (Fish(rows=9, cols=9), Fish(rows=2, cols=32), Fish(rows=20, cols=20)):
        state = game.start(2, Random(1))
        for _ in range(10):
            move = shark(1, 300).choose(state)
            state.check(move)
            state = state.play(move)


def test_it_says_what_it_thinks() -> None:
    bot = shark(nodes=3000)
    assert isinstance(bot, Thinker)
    state = Fish().start(2, Random(2))
    assert "moves ahead" in bot.think(state).says
    assert bot.choose(state) in state.legal_moves()
    assert "playouts" in bot.think(Fish().start(3, Random(2))).says


def test_cut_off_it_collects_all_there_is() -> None:
    """Two floes: on its own a penguin has to go the long way round, on which there is more."""
    # column 0 of the even rows is a line of tiles, so are columns 2; a hole between them everywhere
    board = [[1, 0, 2], [0, 0, 0], [1, 0, 2], [0, 0, 0], [1, 0, 2], [0, 0, 0], [1, 0, 2]]
    state = floating(board, [[(2, 0)], [(0, 2)]], [0, 0])
    thought = shark().think(state)
    assert thought.line[0] == Slide((2, 0), (4, 0))  # not to (0, 0), which is a dead end
    assert thought.says == "cut off: 2 more fish to 6"
    assert thought.values == (0.0, 1.0)
    assert thought.line == (
        Slide((2, 0), (4, 0)), Slide((0, 2), (2, 2)), Slide((4, 0), (6, 0)),
        Slide((2, 2), (4, 2)), Slide((4, 2), (6, 2)),
    )  # fmt: skip


def test_near_the_end_it_knows() -> None:
    """What it says is what comes, when both play as it expects."""
    seen = 0
    for seed in range(6):
        rng = Random(seed)
        state = Fish(rows=5, cols=4).start(2, rng)
        while state.to_move is not None and (state.placing or state.free.bit_count() > 8):
            state = state.play(rng.choice(state.legal_moves()))
        if state.to_move is None:
            continue
        bots = [shark(seat, 50_000) for seat in range(2)]
        thought = bots[0].think(state)
        while state.to_move is not None:
            state = state.play(bots[state.to_move].choose(state))
        outcome = state.outcome()
        assert outcome is not None
        shares = tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(2))
        assert thought.values == shares
        seen += 1
    assert seen > 3


def test_the_same_nodes_make_the_same_game() -> None:
    for game, seats in ((Fish(), 2), (Fish(rows=6, cols=5), 3)):
        results = []
        for _ in range(2):
            players: list[Bot] = [shark(seat, 500) for seat in range(seats)]
            results.append(play_now(agreed(game, ["a", "b", "c"][:seats], 5), players).outcome)
        assert results[0] == results[1]


def test_one_shark_can_play_game_after_game() -> None:
    """What it remembers of one game is not taken for another, nor one seat for the other."""
    bot, fresh = shark(3, 2000), 0
    for seed in range(3):
        state = Fish(rows=4, cols=4).start(2, Random(seed))
        while state.to_move is not None:
            move = bot.choose(state)
            state.check(move)
            state = state.play(move)
            fresh += 1
    assert fresh > 30


class Clock:
    """A clock that only a kernel moves on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("speed", [3e4, 3e5, 3e6, 3e7])
def test_it_is_in_time(speed: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the machine becomes five times as slow in the middle of it."""
    clock = Clock()
    monkeypatch.setattr(node_budget, "perf_counter", clock)
    budget = NodeBudget(0.2, None)
    portions = 0
    while (nodes := budget.portion()) > 0:
        clock.now += nodes / (speed if clock.now < 100.1 else speed / 5)
        budget.spend(nodes)
        portions += 1
    assert 0.17 < clock.now - 100 < 0.195
    assert 50 < portions < 5000


def test_so_many_nodes_and_no_more() -> None:
    budget = NodeBudget(1e-9, 100_000)
    portions = []
    while (nodes := budget.portion()) > 0:
        budget.spend(nodes)
        portions.append(nodes)
    assert sum(portions) == 100_000
    assert budget.portion(7) == 7


def test_prospects() -> None:
    """Sure ones share a win; doubtful ones expect more the more they are ahead."""
    assert prospects([64, 32, None], 0) == (1.0, 0.0, 0.0)
    better, worse = prospects([128, 64], 64)
    assert 0.5 < better < 0.8
    assert better + worse == pytest.approx(1)


def scored(game: Fish, other: Callable[[int], Bot], games: int, nodes: int) -> float:
    """What the shark wins of so many games, each board once in each seat."""
    won = 0.0
    for number in range(games):
        seat = number % 2
        players: list[Bot] = [other(number), other(number)]
        players[seat] = shark(number, nodes)
        outcome = play_now(agreed(game, ["a", "b"], number // 2), players).outcome
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
    return won / games


def test_it_beats_the_others() -> None:
    assert scored(Fish(), lambda seed: FishCourse(depth=1), 12, 3000) >= 0.85
    assert scored(Fish(rows=6, cols=6, holes=8), lambda seed: Greedy(Random(seed)), 12, 3000) >= 0.85


@pytest.mark.parametrize("options", [{"seconds": 0}, {"seconds": 4000}, {"nodes": 0}, {"nodes": 1.5}])
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"seconds|nodes"):
        Shark(Random(0), **options)


def test_errs_when_stuck_or_over() -> None:
    stuck = floating([[1], [0], [0], [1], [1]], [[(0, 0)], [(3, 0)]], [0, 0])
    with pytest.raises(IllegalMove, match="no legal move"):
        shark().choose(stuck)
    with pytest.raises(IllegalMove, match="over"):
        shark().choose(floating([[1]], [[(0, 0)]], [0]).skip())
