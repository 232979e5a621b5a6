"""xserver9 and xserver10 of the Labyrinth course: examples worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from harness.labyrinth_specs import SHUT_IN, ask, at, crosses, player, state
from obvious.seekers import server
from touchline.core.errors import BadInput


def signed(*names: str) -> list[list[Any]]:
    """Players that behave, in order of sign-up; the fault they have never comes up."""
    return [[name, "Riemann", "win", 9] for name in names]


SIX = crosses(
    7,
    *(player((0, 0), home, goal) for home, goal in [
        ((1, 1), (5, 5)), ((1, 3), (5, 3)), ((1, 5), (5, 1)),
        ((3, 1), (3, 5)), ((3, 3), (1, 1)), ((5, 5), (3, 3)),
    ]),
)  # fmt: skip
"""The first to move comes home first, in round 2."""
NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]


@pytest.mark.parametrize("harness", ["xserver9", "xserver10"])
@pytest.mark.parametrize(("count", "winner"), [(2, "b"), (3, "c"), (6, "f"), (7, "f"), (8, "f")])
def test_xserver_last_of_the_first_six_moves_first(harness: str, count: int, winner: str) -> None:
    """The last to sign up is first in `plmt`; after six nobody is let in."""
    assert ask(harness, signed(*NAMES[:count]), SIX) == [[winner], []]


def test_xserver_places_in_reverse() -> None:
    """The first of `plmt` belongs to the last player, and so on back."""
    shut = state(
        SHUT_IN, "─",
        player((1, 1), (1, 1), (1, 1)), player((1, 3), (1, 3), (3, 3)), player((3, 1), (3, 1), (1, 3)),
    )  # fmt: skip
    assert ask("xserver10", signed("a", "b", "c"), shut) == [["c"], []]
    spec: list[list[Any]] = [["a", "Riemann", "win", 1], *signed("b"), ["c", "Riemann", "setUp", 1]]
    assert ask("xserver10", spec, shut) == [["b"], ["a", "c"]]


@pytest.mark.parametrize("spec", [[], signed("a"), signed("a", "b c", ""), signed("é")])
def test_xserver_needs_two(spec: list[list[Any]]) -> None:
    """With fewer than two good names there is no game, and nobody is to blame."""
    assert ask("xserver10", spec, SIX) == [[], []]


@pytest.mark.parametrize("bad", ["", "a b", "a-b", "a\n", "é", "x" * 21, "\u0661", "_"])
def test_xserver_drops_bad_names(bad: str) -> None:
    """A name that is not 1 to 20 letters or digits is not let in, and takes no place."""
    assert ask("xserver10", signed("a", "b", bad), SIX) == [["b"], []]
    assert ask("xserver10", signed(bad, *NAMES[:7]), SIX) == [["f"], []]
    faulty = [*signed("a", "b"), [bad, "Riemann", "setUp", 1]]
    assert ask("xserver10", faulty, SIX) == [["b"], []]


def test_xserver_takes_long_names() -> None:
    """Twenty letters and digits are a name."""
    name = "aZ09" * 5
    assert ask("xserver10", signed("a", name), SIX) == [[name], []]


def test_xserver_too_few_places() -> None:
    """More players than places is an error of whoever wrote the state."""
    with pytest.raises(BadInput, match=r"^RefereeState2\.plmt: 3 players for 2 places"):
        ask("xserver10", signed("a", "b", "c"), crosses(5, player((0, 0)), player((0, 0))))


def test_xserver10_who_ends_the_game_may_lose() -> None:
    """Coming home is no treasure: who has taken a second goal by then wins."""
    # b reaches its goal in round 1, the one further goal in round 2; a its goal in round 1, then home.
    value = crosses(5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (1, 3), (3, 1)), goals=[(3, 1)])
    assert ask("xserver10", signed("a", "b"), value) == [["b"], []]
    without = crosses(5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (1, 3), (3, 1)))
    assert ask("xserver10", signed("a", "b"), without) == [["b"], []]
    # Without further goals b, which moves first, is home first; let b start on its goal, and a is.
    slow = crosses(5, player((3, 3), (1, 1), (3, 3)), player((0, 0), (1, 3), (3, 1)))
    assert ask("xserver10", signed("a", "b"), slow) == [["a"], []]


def test_xserver10_goals_are_common() -> None:
    """Who reaches its goal first takes the first of the further goals."""
    # Round 1: b takes (3, 1), a takes (1, 3). Round 2: both find a second treasure, round 3: b is home.
    value = crosses(
        5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (3, 3), (3, 1)), goals=[(3, 1), (1, 3)]
    )  # fmt: skip
    assert ask("xserver10", signed("a", "b"), value) == [["b"], []]
    # With (3, 3) first, b would stand on its new goal and lose a round over it: a is home first.
    value = crosses(
        5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (3, 3), (3, 1)), goals=[(3, 3), (1, 3)]
    )  # fmt: skip
    assert ask("xserver10", signed("a", "b"), value) == [["a"], []]


LAST_IS_HOME = crosses(
    5, player((3, 3), (1, 1), (3, 3)), player((0, 0), (1, 3), (3, 1)), goals=[(3, 1), (1, 1)]
)
"""b starts on its goal and so reaches it in round 2; by then c has reached its own in round 1 and been
given the same again, for which it has to leave; b is given its home, which is the last goal of all."""


def test_xserver10_last_goal_that_is_home() -> None:
    """The last goal of all, if it is its taker's home, is the homecoming: no treasure, and the end."""
    assert ask("xserver10", signed("c", "b"), LAST_IS_HOME) == [["b"], []]


def test_xserver10_home_that_is_not_the_last_goal() -> None:
    """A goal on one's own home is a treasure like any other while more goals follow."""
    more = {**LAST_IS_HOME, "goals": [*LAST_IS_HOME["goals"], at(3, 3)]}
    # Round 3: b finds a second treasure at home and is sent to (3, 3); c finds its second, the last.
    # Round 4: b finds a third; c comes home with two.
    assert ask("xserver10", signed("c", "b"), more) == [["b"], []]
    assert server(signed("c", "b"), more) == [["b"], []]


@pytest.mark.parametrize(("k", "expected"), [(2, [["a"], ["b"]]), (3, [["a"], ["b"]]), (4, [["b"], []])])
def test_xserver10_setup_is_called_for_every_goal(k: int, expected: list[list[str]]) -> None:
    """Each further goal is told by a setUp, and so is the way home."""
    value = crosses(5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (1, 3), (3, 1)), goals=[(3, 1)])
    spec: list[list[Any]] = [["a", "Riemann", "win", 9], ["b", "Riemann", "setUp", k]]
    assert ask("xserver10", spec, value) == expected
