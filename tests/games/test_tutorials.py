"""Tutorials teach what the rules say: the moves that go on are the ones that a step asks for."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from readmes import install_nim
from touchline import games
from touchline.core import registry
from touchline.core.errors import BadInput
from touchline.draw.tutorial import TutorialStep, tutorial
from touchline.games.fish import Fish, FishState
from touchline.games.hexapawn import Hexapawn, HexapawnState
from touchline.games.labyrinth import Labyrinth, LabyrinthState

if TYPE_CHECKING:
    from touchline.core.rules import Game, State

OURS: list[type[Game]] = [Fish, Hexapawn, Labyrinth]
MOST_TITLE, MOST_TEXT, MOST_ANSWER = 30, 220, 100
"""Characters that a learner reads at once."""


def step_of(game: type[Game], title: str) -> TutorialStep:
    return next(step for step in tutorial(game) if step.title == title)


def after(step: TutorialStep) -> list[State]:
    """Return the states after the wanted moves."""
    moves = step.state.legal_moves()
    return [step.state.play(moves[number]) for number in step.wanted]


@cache
def wins(state: HexapawnState) -> bool:
    """Return whether the seat to move wins with perfect play: everything is looked at."""
    return any(is_won(state, state.play(move)) for move in state.legal_moves())


def is_won(before: HexapawnState, state: HexapawnState) -> bool:
    outcome = state.outcome()
    return not wins(state) if outcome is None else outcome.winners == (before.to_move,)


@cache
def margin(state: FishState) -> int:
    """Return by how many fish seat 0 is ahead at the end, if both play perfectly."""
    if state.to_move is None:
        return state.scores[0] - state.scores[1]
    ends = [margin(state.play(move)) for move in state.legal_moves()]
    return max(ends) if state.to_move == 0 else min(ends)


@pytest.mark.parametrize("game", OURS)
def test_five_short_steps(game: type[Game]) -> None:
    """A tutorial has five steps, for the first seat, that are read quickly; some move goes on in each."""
    steps = tutorial(game)
    assert len(steps) == 5
    for step in steps:
        assert step.seat == step.state.to_move == 0
        assert step.wanted
        assert (len(step.title) <= MOST_TITLE, len(step.text) <= MOST_TEXT) == (True, True), step.title
        assert max(len(step.right), len(step.wrong)) <= MOST_ANSWER, step.title


@pytest.mark.parametrize("game", OURS)
def test_only_the_first_step_may_accept_anything(game: type[Game]) -> None:
    """From the second step on there is something to get wrong."""
    for step in tutorial(game)[1:]:
        assert len(step.wanted) < len(step.state.legal_moves()), step.title


@pytest.mark.parametrize("game", OURS)
def test_the_last_step_wins(game: type[Game]) -> None:
    """The learner wins in the end, with every wanted move, and with no other in Hexapawn and Fish."""
    step = tutorial(game)[-1]
    won = [number for number, move in enumerate(step.state.legal_moves()) if _wins(step.state, move)]
    assert set(step.wanted) <= set(won)
    if game is not Labyrinth:
        assert tuple(won) == step.wanted


def _wins(state: State, move: object) -> bool:
    played = state.play(move)
    if isinstance(state, HexapawnState) and isinstance(played, HexapawnState):
        return is_won(state, played)
    if isinstance(played, FishState):
        return margin(played) > 0
    outcome = played.outcome()
    return outcome is not None and outcome.winners == (0,)


def test_what_the_steps_of_hexapawn_say() -> None:
    """The pawn is taken, Blue is blocked, the pawn is through: each by the wanted moves and by no other."""
    take, block, through = (step_of(Hexapawn, title) for title in ("Take", "Block", "Get through"))
    for state in after(take):
        assert isinstance(state, HexapawnState)
        assert state.pawns1.bit_count() == 2
    for step, reason in ((block, "opponent cannot move"), (through, "reached the far row")):
        ends = [step.state.play(move).outcome() for move in step.state.legal_moves()]
        assert tuple(number for number, end in enumerate(ends) if end is not None) == step.wanted
        assert {end.reason for end in ends if end is not None} == {reason}


def test_what_the_steps_of_fish_say() -> None:
    """The best tile, five fish eaten, the one free way, and White cut off for good."""
    place, eat, jump = (
        step_of(Fish, title) for title in ("Put a penguin on the ice", "Eat", "You cannot jump")
    )
    assert isinstance(place.state, FishState)
    (move,) = [place.state.legal_moves()[number] for number in place.wanted]
    assert place.state.narrate(move)[0] == "put a penguin on (2, 1)"
    assert max(place.state.fish) == place.state.fish[2 * 3 + 1] == 5
    for state in after(eat):
        assert isinstance(state, FishState)
        assert state.scores == (5, 0)
    assert len(jump.wanted) == 1
    (cut,) = after(step_of(Fish, "Cut off and win"))
    assert cut.passed_over == (1,)


def test_what_the_steps_of_labyrinth_say() -> None:
    """The figure rides along, the treasure is found, and who comes home has won."""
    ride = step_of(Labyrinth, "Push a row")
    assert isinstance(ride.state, LabyrinthState)
    cell = ride.state.avatars[0]
    assert cell is not None
    assert cell // 5 == 4
    for state in after(step_of(Labyrinth, "Find your treasure")):
        assert isinstance(state, LabyrinthState)
        assert (state.seekers[0].found, state.seekers[0].homeward) == (1, True)
    assert {state.outcome() is not None for state in after(step_of(Labyrinth, "Go home"))} == {True}


def test_a_learner_sees_only_its_own_goal() -> None:
    """The drawings of Labyrinth's tutorial are the learner's view."""
    for step in tutorial(Labyrinth):
        marks = [mark.seat for spot in step.sketch.spots for mark in spot.marks if mark.glyph == "*"]
        assert marks == [0]


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_nim(monkeypatch, tmp_path).with_suffix(".toml")


def test_a_third_partys_game_brings_a_tutorial(nim: Path) -> None:
    """The example of the games' README is read and tried."""
    readme = Path(games.__path__[0], "README.md").read_text()
    (example,) = re.findall(r'```toml\n(title = "Nim"\n.*?)```', readme, re.DOTALL)
    nim.write_text(example)
    steps = tutorial(registry.find("games", "nim"))
    assert [(step.title, len(step.wanted)) for step in steps] == [
        ("Take stones", 1),
        ("Take the last one", 1),
    ]
    assert steps[1].after(steps[1].wanted[0]).spots


def test_a_game_without_a_file_has_no_tutorial(nim: Path) -> None:
    assert tutorial(registry.find("games", "nim")) == ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("wanted = [{ heap = 9 }]", 'step 1: no legal move has {"heap":9}'),
        ("moves = [{ heap = 0, count = 9 }]", "step 1: take at least one stone"),
        ("options = { heaps = 3 }", "step 1: Expected `array`, got `int`"),
        ("options = { heaps = [1] }\nmoves = [{ heap = 0, count = 1 }]", "the game is over before the step"),
        ("colour = 1", "unknown field `colour`"),
    ],
)
def test_a_step_that_the_rules_deny_is_refused(nim: Path, wrong: str, said: str) -> None:
    """The error names the file, the step and what is wrong with it."""
    nim.write_text(f'[[tutorial]]\ntitle = "a"\ntext = "b"\nright = "c"\n{wrong}\n')
    with pytest.raises(BadInput, match=re.escape(said)):
        tutorial(registry.find("games", "nim"))
