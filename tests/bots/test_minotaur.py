"""Minotaur: legal everywhere, blind to what is hidden, the same each time, and hard to beat."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from touchline.bots import minotaur
from touchline.bots.base import Thinker
from touchline.bots.euclid import Euclid
from touchline.bots.labyrinth.opponent_model import OpponentModel, Quest, in_turn
from touchline.bots.labyrinth.replies import STAY
from touchline.bots.labyrinth.turn_search import TurnSearch
from touchline.bots.minotaur import Minotaur
from touchline.drivers.match import agreed, play_now
from touchline.games.boards.maze import CONNECTORS, maze_of
from touchline.games.labyrinth import Labyrinth, LabyrinthState, Pass, Seeker, Slide, Tile

CROSSES = ["┼┼┼┼┼"] * 5
BARS = ["│││││"] * 5


def after(game: Labyrinth, seats: int, moves: int, rng: Random) -> LabyrinthState:
    """A state in play after some random moves."""
    state = game.start(seats, rng)
    for _ in range(moves):
        then = state.play(rng.choice(state.legal_moves()))
        if then.to_move is None:
            break
        state = then
    return state


def any_board(rng: Random, rows: int, cols: int, seats: int) -> LabyrinthState:
    """Any tiles, with everybody and everything anywhere: odd places for goals and homes too."""
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    letters = ["".join(rng.choices(list(CONNECTORS), k=cols)) for _ in range(rows)]
    maze = maze_of(letters, [[("a", "b")] * cols] * rows, Tile(rng.choice(list(CONNECTORS)), ("a", "c")))
    number = rng.randrange(1, 4)
    due = tuple(range(rng.randrange(seats), seats))
    return LabyrinthState(
        maze=maze,
        avatars=tuple(rng.randrange(rows * cols) for _ in range(seats)),
        seekers=tuple(
            Seeker(rng.choice(cells), rng.choice(cells), rng.randrange(2), rng.random() < 0.3)
            for _ in range(seats)
        ),
        pool=(),
        last=rng.choice([None, *maze.grid.tracks]),
        round=number,
        due=due,
        moved=frozenset(seat for seat in range(due[0]) if rng.random() < 0.7),
    )


def duel(letters: list[str], at: tuple[int, int], me: Seeker, **other: Any) -> LabyrinthState:
    """The second of two seats is to move, on a board without secrets; the first has moved in this round."""
    size = len(letters)
    state = LabyrinthState(
        maze=maze_of(letters, [[("a", "b")] * size] * size, Tile(letters[0][0], ("a", "c"))),
        avatars=(at[0], at[1]),
        seekers=(Seeker((1, 1), (3, 3)), me),
        pool=(),
        last=None,
        round=3,
        due=(1,),
        moved=frozenset({0}),
    )
    return replace(state, **other)


def search(state: LabyrinthState, quest: Quest) -> TurnSearch:
    """What the second seat would search if it knew what the first is after."""
    return TurnSearch(state.view(1), 1, {0: {quest: 1.0}})


def always(looked: int) -> bool:
    return True


@pytest.mark.parametrize("seats", range(2, 7))
def test_every_choice_is_legal(seats: int) -> None:
    """In games and on odd boards, with any number of seats, at the first look and at the last."""
    rng = Random(seats)
    states = [after(Labyrinth(), seats, moves, rng) for moves in (0, seats, 9)]
    states += [any_board(rng, rows, cols, seats) for rows, cols in ((2, 2), (2, 5), (4, 4), (3, 6), (5, 13))]
    for state in states:
        assert state.to_move is not None
        for nodes in (1, 60):
            thought = Minotaur(nodes=nodes).think(state.view(state.to_move))
            state.check(thought.line[0])
            then = state
            for move in thought.line:
                then.check(move)
                then = then.play(move)
            assert len(thought.values) == seats
            assert all(0 <= value <= 1 for value in thought.values)
            assert sum(thought.values) == pytest.approx(1)


def test_alone() -> None:
    """When everybody else has been removed it ends the game, which it has won."""
    game, bot = Labyrinth(), Minotaur(nodes=50)
    state = game.start(3, Random(5)).without(1).without(2)
    for _ in range(30):
        if state.to_move is None:
            break
        state = state.play(bot.choose(state.view(0)))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (0,)


def test_a_large_board() -> None:
    """Where a word is too short the rules are asked: there too it goes where it wants to be."""
    game = Labyrinth(rows=9, cols=9)
    state = game.start(2, Random(3))
    goal = state.seekers[0].goal
    ways = [move for move in state.legal_moves() if isinstance(move, Slide) and move.to == goal]
    assert Minotaur(nodes=99).choose(state.view(0)) in ways
    result = play_now(agreed(game, ["a", "b"], 2, turn_cap=12), [Minotaur(nodes=99), Euclid()])
    assert result.faults == ()


def test_what_is_hidden_does_not_matter() -> None:
    """Not even when the state it is shown has no secrets: it looks at nothing that its view would hide."""
    rng = Random(4)
    for _ in range(6):
        state = after(Labyrinth(), 3, rng.randrange(12), rng)
        seat = state.to_move
        assert seat is not None
        seekers = tuple(
            seeker if other == seat else Seeker(seeker.home, rng.choice(state.maze.grid.fixed), 1, True)
            for other, seeker in enumerate(state.seekers)
        )
        twin = replace(state, seekers=seekers, pool=((1, 1),))
        thoughts = [Minotaur(nodes=40).think(shown) for shown in (state, twin, state.view(seat))]
        assert thoughts[0] == thoughts[1] == thoughts[2]


def test_the_same_each_time() -> None:
    """With a number of looks; and it says what it chooses."""
    rng = Random(8)
    bots = [Minotaur(nodes=80) for _ in range(3)]
    state = Labyrinth().start(2, rng)
    while state.to_move is not None and state.round < 6:
        view = state.view(state.to_move)
        if state.to_move == 0:
            first, second = (bot.choose(view) for bot in bots[:2])
            assert first == second == bots[2].think(view).line[0] == bots[2].choose(view)
            state = state.play(first)
        else:
            state = state.play(Euclid().choose(view))
    assert isinstance(bots[0], Thinker)


def test_goes_to_its_goal() -> None:
    """In the first turn of a match, where nobody threatens to come home, whenever there is a way."""
    seen = 0
    for seed in range(25):
        state = Labyrinth().start(2, Random(seed))
        goal = state.seekers[0].goal
        ways = [move for move in state.legal_moves() if isinstance(move, Slide) and move.to == goal]
        if ways:
            seen += 1
            thought = Minotaur(nodes=60).think(state.view(0))
            assert thought.line[0].to == goal
            assert thought.says.startswith("reaches its goal, then home")
    assert seen > 5


def test_comes_home() -> None:
    """When that wins; and not when somebody else is sure to have found more."""
    state = duel(CROSSES, (0, 12), Seeker((1, 3), (1, 3), 1, True))
    thought = Minotaur(nodes=50).think(state)
    assert isinstance(thought.line[0], Slide)
    assert thought.line[0].to == (1, 3)
    assert thought.says == "comes home"
    home, more = 8, search(state, Quest(18, False, 2)).best(always)
    assert search(state, Quest(18, False, 1)).best(always).to == home
    assert more.slide == STAY or more.to != home


def test_a_pass_that_ends_the_game() -> None:
    """It passes after everybody else did if it is ahead, and not if it would lose by that."""
    state = duel(CROSSES, (0, 12), Seeker((1, 3), (3, 3), 1, False), moved=frozenset())
    assert search(state, Quest(18, False, 0)).best(always).slide == STAY
    assert search(state, Quest(18, False, 2)).best(always).slide != STAY
    walled = duel(BARS, (0, 6), Seeker((1, 3), (3, 3), 0, False), moved=frozenset())
    assert Minotaur(nodes=20).choose(replace(walled, last=(0, "UP"))) in walled.legal_moves()


def test_blocks_the_way_home() -> None:
    """A seat that was seen to reach its goal is kept from its home, whenever some push does that."""
    blocked = could = 0
    for seed in range(60):
        state = Labyrinth().start(2, Random(seed))
        state = state.play(Euclid().choose(state.view(0)))
        if not state.seekers[0].homeward:
            continue
        home = state.seekers[0].home

        def open_(then: LabyrinthState, home: Any = home) -> bool:
            return any(isinstance(move, Slide) and move.to == home for move in then.legal_moves())

        slides = [move for move in state.legal_moves() if isinstance(move, Slide)]
        pushes = {(move.index, move.direction, move.degree): move for move in slides}
        if not all(open_(state.play(move)) for move in pushes.values()):
            could += 1
            blocked += not open_(state.play(Minotaur(nodes=400).choose(state.view(1))))
        if could == 6:
            break
    assert blocked == could == 6


def test_what_it_concludes() -> None:
    """A tile that could have been walked to and was not is no goal; one that was may well have been."""
    seen = 0
    for seed in range(30):
        start = Labyrinth().start(2, Random(seed))
        state = start.play(Euclid().choose(start.view(0)))
        belief = OpponentModel().see(state.view(1), 1)[0]
        assert sum(belief.values()) == pytest.approx(1)
        ways = {move.to for move in start.legal_moves() if isinstance(move, Slide)}
        grid, home = state.maze.grid, state.seekers[0].home
        for quest, chance in belief.items():
            cell = grid.cells[quest.goal]
            if not quest.homeward and cell in ways:
                assert chance < 0.02
        if state.seekers[0].homeward:
            seen += 1
            assert max(belief, key=lambda quest: belief[quest]) == Quest(home[0] * 7 + home[1], True, 1)
    assert seen > 3


def test_a_new_match_is_a_new_match() -> None:
    """What was concluded in one match says nothing in the next."""
    bot, game = Minotaur(nodes=40), Labyrinth()
    play_now(agreed(game, ["a", "b"], 3), [bot, Euclid()])
    state = game.start(2, Random(9))
    assert bot.think(state.view(0)) == Minotaur(nodes=40).think(state.view(0))


def test_turn_order() -> None:
    state = Labyrinth().start(4, Random(1)).without(2)
    assert in_turn(state, 1) == [3, 0]


def test_keeps_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on a little with every look at it: it stops before the time is up."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.0005
        return now

    monkeypatch.setattr(minotaur, "perf_counter", clock)
    state = Labyrinth().start(2, Random(7))
    for seconds in (0.001, 0.02, 0.1):
        now = 0.0
        state.check(Minotaur(seconds=seconds).choose(state.view(0)))
        assert now < 0.8 * seconds + 0.005, "it asks the clock a few times more, and that is all"
    now = 0.0
    Minotaur(seconds=100).choose(state.view(0))
    assert now < 2, "it stops when there is nothing more to look at"


PLAIN = """
import sys
sys.modules["numba"] = None
from random import Random
from touchline.bots.kernels import COMPILES
from touchline.bots.minotaur import Minotaur
from touchline.games.labyrinth import Labyrinth
assert not COMPILES
for seed in range(4):
    state = Labyrinth(rows=5, cols=5).start(2 + seed % 2, Random(seed))
    print(Minotaur(nodes=12).think(state.view(0)))
"""


def test_plain_python_thinks_the_same() -> None:
    """Without Numba it is slower, and that is all."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", PLAIN], capture_output=True, text=True, env=environment, check=True
    )
    here = []
    for seed in range(4):
        state = Labyrinth(rows=5, cols=5).start(2 + seed % 2, Random(seed))
        here.append(str(Minotaur(nodes=12).think(state.view(0))))
    assert run.stdout.splitlines() == here
    assert "plain Python" in run.stderr


def test_beats_euclid() -> None:
    """Twelve games on six boards, each side once in the first seat; benchmarks/strength.py plays more."""
    won = 0.0
    for seed in range(12):
        bots: list[Any] = [Minotaur(nodes=150), Euclid()]
        result = play_now(agreed(Labyrinth(), ["a", "b"], seed // 2), bots if seed % 2 else bots[::-1])
        assert result.outcome is not None
        won += ((0 if seed % 2 else 1) in result.outcome.winners) / len(result.outcome.winners)
    assert won >= 8


@pytest.mark.parametrize("options", [{"seconds": 0}, {"seconds": 4000}, {"nodes": 0}, {"nodes": 1.5}])
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"seconds|nodes"):
        Minotaur(**options)


def test_it_passes_when_there_is_no_way() -> None:
    state = duel(["─────", "─│───", "─────", "─────", "─────"], (0, 6), Seeker((1, 3), (3, 3)))
    assert Minotaur(nodes=5).choose(state) == Pass()
