"""Reviews by somebody who sees everything: of a solved game exactly, of the others by their laws."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from recorded import BLUNDER, SMALL, replay
from touchline.bots import make
from touchline.bots.base import HouseBot, Thought
from touchline.bots.labyrinth.all_seeing import LATER, Runner, race
from touchline.bots.shared import factory
from touchline.bots.shared.evaluation import worth
from touchline.core.events import Moved
from touchline.core.messages import Resigned
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn, HexapawnState
from touchline.games.labyrinth import Labyrinth, LabyrinthState
from touchline.records.review import MOST_WORST, Review, Reviewer
from touchline.web.reviews import MOST_TURNS, look_around

if TYPE_CHECKING:
    from touchline.core.rules import Game, State
    from touchline.records.replay import Replay

GAMES: list[tuple[Game, int]] = [
    (Hexapawn(rows=4, cols=3), 2),
    (Fish(rows=4, cols=4), 2),
    (Fish(rows=4, cols=4), 3),
    (Labyrinth(rows=5, cols=5), 2),
]
MOST_MOVES = 30
"""Random moves of a match, after which somebody resigns: of Labyrinth they would go on for long."""


def judge_of(game: Game) -> HouseBot:
    """Return the house player that reviews matches of a game, as the page makes it."""
    name = factory.strongest(game.name)
    return make(name, game.name, "analysis", factory.kind(name).judging)


def random_match(game: Game, seats: int, seed: int) -> Replay:
    """Return a match of random moves."""
    rng, made = Random(seed), iter(range(MOST_MOVES))

    def any_move(view: State) -> Any:
        if next(made, None) is None:
            raise Resigned("enough")
        return rng.choice(view.legal_moves())

    return replay(game, seats, [any_move] * 2000, seed)


def reviewer_of(match: Replay, judge: HouseBot | None = None) -> Reviewer:
    """Return a reviewer that has looked at every turn."""
    reviewer = Reviewer(match, judge or judge_of(match.game))
    for number in range(len(reviewer.turns)):
        reviewer.look(number)
    return reviewer


def review_of(match: Replay, judge: HouseBot | None = None) -> Review:
    return reviewer_of(match, judge).review()


@cache
def wins(state: HexapawnState) -> bool:
    """Return whether the seat to move wins with perfect play: everything is looked at."""
    return any(not is_lost(state, move) for move in state.legal_moves())


def is_lost(state: HexapawnState, move: Any) -> bool:
    """Return whether a move loses against perfect play."""
    after = state.play(move)
    outcome = after.outcome()
    return wins(after) if outcome is None else outcome.winners != (state.to_move,)


# -- a solved game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_the_worst_moves_lose_a_won_game(seed: int) -> None:
    """Of Hexapawn, the worst moves are those that lose a won game, and the better one would have kept it."""
    reviewer = reviewer_of(random_match(Hexapawn(rows=4, cols=4), 2, seed))
    blunders = {
        turn.n: turn
        for turn in reviewer.turns
        if isinstance(turn.before, HexapawnState) and wins(turn.before) and is_lost(turn.before, turn.move)
    }
    found = reviewer.review().worst
    for seat in (0, 1):
        own = [n for n, turn in blunders.items() if turn.event.seat == seat]
        assert [move.n for move in found if move.seat == seat] == own[:MOST_WORST]
    for move in found:
        state = blunders[move.n].before
        assert isinstance(state, HexapawnState)
        assert move.loss == 1.0
        better = state.legal_moves()[state.sketch().moves.index(move.keys)]
        assert not is_lost(state, better)
        assert state.narrate(better)[1] == move.better


def test_the_values_of_a_solved_game() -> None:
    """One for the seat that wins with perfect play, whoever is to move; the last value is the result."""
    reviewer = reviewer_of(random_match(Hexapawn(rows=4, cols=3), 2, 5))
    found = reviewer.review()
    for turn, value in zip(reviewer.turns, found.values, strict=False):
        assert isinstance(turn.before, HexapawnState)
        winner = turn.before.to_move if wins(turn.before) else 1 - (turn.before.to_move or 0)
        assert value.values == ((1.0, 0.0) if winner == 0 else (0.0, 1.0))
    assert len(found.values) == len(reviewer.turns) + 1
    assert found.values[-1].values in ((1.0, 0.0), (0.0, 1.0))


def test_the_decisive_moment_of_a_blunder() -> None:
    """Seat 1 had won before it began, and gave it away with its first move."""
    found = review_of(replay(SMALL, 2, BLUNDER))
    assert [(move.seat, move.turn, move.played, move.better) for move in found.worst] == [
        (1, 1, "stepped to (1, 1)", "take on (1, 0) from (2, 1)")
    ]
    assert found.decisive is not None
    assert (found.decisive.turn, found.decisive.seat) == (1, 1)
    assert found.decisive.text == "player 1 stepped to (1, 1). From then on player 0 was ahead."


def test_who_resigns_in_a_won_position_decided_it() -> None:
    """The moment is the resignation, not a move."""
    found = review_of(replay(SMALL, 2, [*BLUNDER[:2], Resigned("enough")]))
    assert found.worst[0].turn == 1
    assert found.decisive is not None
    assert (found.decisive.seat, found.decisive.text) == (0, "player 0 resigned.")


# -- laws of every game -------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_values_are_shares_of_one(game: Game, seats: int) -> None:
    """In every position the seats share exactly one win."""
    for value in review_of(random_match(game, seats, 3)).values:
        assert len(value.values) == seats
        assert sum(value.values) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in value.values)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_equal_positions_have_equal_values(game: Game, seats: int) -> None:
    """Whoever asks, and whatever was asked before: the positions are judged backwards, by another judge."""
    turns = reviewer_of(random_match(game, seats, 4)).turns[-24:]
    one, other = judge_of(game), judge_of(game)
    forwards = [one.judge(turn.before).values for turn in turns]
    backwards = [other.judge(turn.before).values for turn in reversed(turns)]
    assert forwards == [pytest.approx(values) for values in reversed(backwards)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_at_most_three_worst_moves_of_each_seat(game: Game, seats: int) -> None:
    """They are the seat's own, the worst first, each with a legal move that was better, in words."""
    match = random_match(game, seats, 6)
    reviewer = reviewer_of(match)
    moves = {turn.n: turn for turn in reviewer.turns}
    for seat in range(seats):
        own = [move for move in reviewer.review().worst if move.seat == seat]
        assert len(own) <= MOST_WORST
        assert [move.loss for move in own] == sorted((move.loss for move in own), reverse=True)
        for move in own:
            turn = moves[move.n]
            assert isinstance(match.events[move.n], Moved)
            assert (turn.event.seat, turn.event.turn) == (seat, move.turn)
            assert move.keys in turn.before.sketch().moves
            assert move.text.lower() == move.played.lower() != move.better
            assert "seat" not in move.text + move.better


def zigzag(values: list[float]) -> float:
    """Return how far values go up and down again, or down and up: 0 if they only rise or only fall."""
    steps = [after - before for before, after in pairwise(values)]
    return sum(min(abs(one), abs(other)) for one, other in pairwise(steps) if one * other < 0)


@pytest.mark.parametrize("game", [Fish(), Labyrinth(goals=4)])
def test_values_do_not_swing_with_the_turn(game: Game) -> None:
    """No saw-tooth: the values go up and down less than half as much as those of the seats to move do."""
    alike = own = 0.0
    for seed in range(3):
        reviewer, thinker = Reviewer(played(game, seed), judge_of(game)), judge_of(game)
        states = [turn.before for turn in reviewer.turns]
        alike += zigzag([reviewer.judged(state).values[0] for state in states])
        own += zigzag([thinker.think(state.view(state.to_move)).values[0] for state in states])
    assert alike < own / 2


def played(game: Game, seed: int) -> Replay:
    """Return a match of house players that know what they do."""
    bot = make({"fish": "shark:nodes=3000", "labyrinth": "euclid"}[game.name], game, seed)
    made = iter(range(MOST_MOVES))

    def choice(view: State) -> Any:
        if next(made, None) is None:
            raise Resigned("enough")
        return bot.choose(view)

    return replay(game, 2, [choice] * 2000, seed)


# -- Labyrinth ----------------------------------------------------------------------------------------


def test_a_turn_that_goes_as_expected_changes_nothing() -> None:
    """In the race, a seat that reaches its target at its usual pace gains and loses nothing, on average."""
    first, second = Runner(0, 0, 2, LATER, 0), Runner(1, 1, 2, LATER, 0)
    reached = race([Runner(0, 1, 1, LATER, 1), Runner(1, 0, 2, LATER, 0)], 2)[0]
    missed = race([Runner(0, 1, 2, LATER, 0), Runner(1, 0, 2, LATER, 0)], 2)[0]
    assert LATER * reached + (1 - LATER) * missed == pytest.approx(race([first, second], 2)[0], abs=1e-6)


def test_more_treasures_win_against_who_comes_home() -> None:
    """Who comes home first with fewer treasures has lost."""
    assert race([Runner(0, 0, 1, 1.0, 1), Runner(1, 1, 3, LATER, 2)], 2) == (0.0, 1.0)


def test_the_judge_of_labyrinth_sees_all_goals() -> None:
    """Its values change with a goal that the seat to move cannot see."""
    judge, state = judge_of(Labyrinth()), Labyrinth().start(2, Random(1))
    others = {judge.judge(_with_goal(state, cell)).values for cell in state.maze.grid.fixed}
    assert len(others) > 1


def _with_goal(state: LabyrinthState, goal: tuple[int, int]) -> LabyrinthState:
    from msgspec.structs import replace

    return replace(state, seekers=(state.seekers[0], replace(state.seekers[1], goal=goal)))


def test_who_can_come_home_now_has_won() -> None:
    """The best move is found, and is worth the whole game."""
    won = 0
    for seed in range(3):
        reviewer = reviewer_of(played(Labyrinth(), seed))
        last = reviewer.turns[-1]
        if worth(last.after, 2)[last.event.seat] == 1.0:
            won += 1
            assert reviewer.judged(last.before).values[last.event.seat] == pytest.approx(1.0)
            assert reviewer.loss(len(reviewer.turns) - 1) == 0
    assert won


# -- bounds -------------------------------------------------------------------------------------------


class Counted(HouseBot):
    """Counts what it judges."""

    def __init__(self) -> None:
        self.judged = 0

    def choose(self, view: Any, turn: int = 0) -> Any:
        return view.legal_moves()[0]

    def judge(self, state: Any) -> Thought:
        self.judged += 1
        return Thought((0.5, 0.5), (self.choose(state),), "even")


def test_a_long_match_is_looked_at_in_part() -> None:
    """Of more than 200 turns every second, third, ... is; each takes at most three judgements."""
    judge = Counted()
    reviewer = Reviewer(random_match(Fish(), 2, 8), judge)
    many = reviewer.turns * (1 + 500 // len(reviewer.turns))
    reviewer.turns[:] = many
    look_around(reviewer)
    assert MOST_TURNS // 2 < len(reviewer.review().values) <= MOST_TURNS + 1
    assert judge.judged <= 3 * MOST_TURNS


def test_equal_positions_are_judged_once() -> None:
    """A position is judged once, also where it is the end of one turn and the beginning of the next."""
    judge = Counted()
    match = random_match(Fish(), 2, 9)
    reviewer = reviewer_of(match, judge)
    assert judge.judged <= 2 * len(reviewer.turns)
