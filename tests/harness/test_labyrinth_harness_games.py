"""xgames, xbad and xbad2 of the Labyrinth course: examples worked out by hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from harness.labyrinth_specs import SHUT_IN, ask, crosses, player, random_state, state
from obvious.seekers import TooLong, referee
from touchline.core.errors import BadInput
from touchline.coursework.harness.actors import CHEATS
from touchline.games import labyrinth

# xgames


def winners(names: str, value: dict[str, Any], strategy: str = "Riemann") -> str:
    """The winners of a game between players with one-letter names."""
    return "".join(ask("xgames", [[name, strategy] for name in names], value))


def test_xgames_first_home_wins_alone() -> None:
    """Everybody reaches the goal in the first round; in the second the first to move comes home, and wins."""
    value = crosses(5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (1, 3), (3, 1)))
    assert winners("ba", value) == "b"


def test_xgames_goal_that_is_home_does_not_win_at_once() -> None:
    """Who reaches a goal that is its home must leave and come back, and somebody else is faster."""
    value = crosses(5, player((0, 0), (1, 1), (1, 1)), player((0, 0), (3, 3), (1, 3)))
    assert winners("ab", value) == "b"


def test_xgames_starting_on_the_goal_does_not_count() -> None:
    """Who starts on its goal must leave it and come back, and somebody else is faster."""
    value = crosses(5, player((3, 3), (1, 1), (3, 3)), player((0, 0), (3, 3), (1, 3)))
    assert winners("ab", value) == "b"


def test_xgames_being_carried_to_the_goal_does_not_count() -> None:
    """A push of somebody else's that carries a player onto its goal is no visit."""
    # a pushes row 0 to the left and so carries b from (0, 1) onto its goal (0, 0). b must walk there itself:
    # RIGHT would undo a's push, so it takes LEFT again, which carries it on to (0, 4), and walks to (0, 0).
    value = crosses(5, player((4, 4), (1, 1), (3, 3)), player((0, 1), (3, 3), (0, 0)))
    assert winners("ab", value) == "a"
    assert winners("ab", value) == "".join(referee([["a", "Riemann"], ["b", "Riemann"]], value)[0])


def test_xgames_all_pass() -> None:
    """If everybody passes, those nearest to their goals win together, sorted."""
    value = state(
        SHUT_IN, "─",
        player((1, 1), (1, 1), (3, 3)), player((1, 3), (1, 3), (3, 3)), player((3, 1), (3, 1), (1, 1)),
    )  # fmt: skip
    assert winners("abc", value) == "bc"
    assert winners("acB", value) == "Bc"


def test_xgames_distances_are_euclid() -> None:
    """Two rows and two columns off is nearer than four columns off."""
    rows = ["───────", "─│─│─│─", "───────", "─│─│─│─", "───────", "─│─│─│─", "───────"]
    value = state(rows, "─", player((1, 1), (1, 1), (1, 5)), player((3, 3), (3, 3), (5, 5)))
    assert winners("ab", value) == "b"


def test_xgames_passing_on_the_goal_is_near() -> None:
    """Who never moves from its goal is at distance 0, though it has found nothing."""
    value = state(SHUT_IN, "─", player((1, 1), (1, 3), (1, 1)), player((1, 3), (1, 1), (1, 1)))
    assert winners("ab", value) == "a"


def test_xgames_on_the_way_home_beats_nearer_to_the_goal() -> None:
    """Who has visited its goal is ahead of all who have not, however near they are."""
    value = crosses(5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (9, 9), (9, 9)))
    assert winners("ab", value) == "a"


@pytest.mark.parametrize("seats", [1, 3])
def test_xgames_players_and_places_match(seats: int) -> None:
    """There are as many players as places."""
    value = crosses(5, player((0, 0)), player((0, 0)))
    with pytest.raises(BadInput, match=f"^PlayerSpec: {seats} players for 2 places"):
        ask("xgames", [["a", "Riemann"]] * seats, value)


def test_thousand_rounds() -> None:
    """A game without end is over after 1000 rounds: 999 or 1001 would have given other winners."""
    spec: list[list[Any]] = [["a", "Euclid"], ["b", "Riemann"]]
    rng = Random(2)
    for _ in range(4000):
        value = random_state(rng, 2, rng.choice([(2, 2), (2, 3)]))
        if "goals" in value:
            continue
        results = [endless(spec, value, rounds) for rounds in (39, 40, 41, 42)]
        # a cycle of two rounds, so far, in which the winners alternate
        if results[0] == results[2] != results[1] == results[3]:
            expected = [referee(spec, value, rounds, 2000)[0] for rounds in (999, 1000, 1001)]
            if expected[0] != expected[1] != expected[2]:
                assert ask("xgames", spec, value) == expected[1]
                return
    pytest.fail("no such game was found")


def endless(spec: list[list[Any]], value: dict[str, Any], rounds: int) -> Any:
    """The winners after so many rounds, None if the game ends by itself before 38 rounds are over."""
    try:
        referee(spec, value, patience=38)
    except TooLong:
        return referee(spec, value, rounds)[0]
    return None


# xbad and xbad2


def bad_game(harness: str, spec: list[list[Any]], value: dict[str, Any]) -> tuple[str, str]:
    """Winners and misbehaving, as strings of one-letter names."""
    winning, misbehaving = ask(harness, spec, value)
    return "".join(winning), "".join(misbehaving)


TWO_ROUNDS = crosses(
    5, player((0, 0), (1, 1), (3, 3)), player((0, 0), (1, 3), (3, 1)), player((0, 0), (3, 1), (1, 3))
)
"""All reach their goals in round 1; in round 2 the first one that is left comes home."""


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        (("", "", ""), ("a", "")),
        (("setUp", "", ""), ("b", "a")),
        (("takeTurn", "", ""), ("b", "a")),
        (("", "setUp", ""), ("a", "b")),
        (("", "takeTurn", ""), ("a", "b")),
        (("setUp", "takeTurn", ""), ("c", "ab")),
        (("setUp", "setUp", "takeTurn"), ("", "abc")),
        # a winner that fails in win is dropped and nobody takes its place
        (("win", "", ""), ("", "a")),
        # losers are told, and may fail too
        (("", "win", ""), ("a", "b")),
        (("win", "win", "win"), ("", "abc")),
        # with the first one kicked the second wins, and fails at that
        (("takeTurn", "win", ""), ("", "ab")),
    ],
)
def test_xbad(faults: tuple[str, ...], expected: tuple[str, str]) -> None:
    """A method that raises at its first call costs the player its seat, or its win."""
    spec = [
        [name, "Riemann", fault] if fault else [name, "Riemann"]
        for name, fault in zip("abc", faults, strict=True)
    ]
    assert bad_game("xbad", spec, TWO_ROUNDS) == expected


@pytest.mark.parametrize(
    ("fault", "k", "expected"),
    [
        ("setUp", 1, ("b", "a")),
        # the second call is the one that sends it home, after its first move
        ("setUp", 2, ("b", "a")),
        ("setUp", 3, ("a", "")),
        ("takeTurn", 1, ("b", "a")),
        ("takeTurn", 2, ("b", "a")),
        ("takeTurn", 3, ("a", "")),
        ("win", 1, ("", "a")),
        ("win", 2, ("a", "")),
        ("win", 1000, ("a", "")),
    ],
)
def test_xbad2_counts_from_one(fault: str, k: int, expected: tuple[str, str]) -> None:
    """The k-th call of the method fails, counted from 1 over all its calls."""
    spec: list[list[Any]] = [["a", "Riemann", fault, k], ["b", "Riemann"], ["c", "Riemann"]]
    assert bad_game("xbad2", spec, TWO_ROUNDS) == expected


def test_xbad2_first_and_second_setup_differ() -> None:
    """Who fails when it is sent home has made its move, and the others play on the board it left."""
    # A cross is pushed in by a. If a fails at once nobody can ever move: nobody is nearer, b and c are level.
    spec: list[list[Any]] = [["b", "Euclid"], ["c", "Euclid"], ["a", "Riemann", "setUp", 1]]
    assert bad_game("xbad2", spec, OPENED) == ("bc", "a")
    assert referee(spec, OPENED) == [["b", "c"], ["a"]]


OPENED = state(
    ["─────", "││─│─", "─────", "─│─│─", "─────"], "─",
    player((1, 1), (1, 1), (1, 3)), player((3, 1), (3, 1), (3, 3)), player((0, 4), (1, 1), (1, 0)),
)  # fmt: skip
"""The first two are shut in. The third pushes row 0 to the right, the spare upright, and drops to its goal at
(1, 0); in the round after it the first could push once more, and get out upwards."""


def test_kicked_with_its_new_goal_in_a_round_of_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the only one that moved fails when told its new goal, the survivors all passed: the game is over."""
    spec: list[list[Any]] = [["b", "Euclid"], ["c", "Euclid"], ["a", "Riemann", "setUp", 2]]
    assert bad_game("xbad2", spec, OPENED) == ("bc", "a")
    # Had the game gone on, b would have moved off to (0, 1), further from its goal.
    monkeypatch.setattr(labyrinth, "ROUNDS", 2)
    longer: list[list[Any]] = [["b", "Euclid"], ["c", "Euclid"], ["a", "Riemann", "takeTurn", 2]]
    assert bad_game("xbad2", longer, OPENED) == ("c", "a")


def test_move_of_one_kicked_in_setup_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move that led to the goal is not taken back when the player fails afterwards."""
    # b moves after a, whose push has opened the way up to (0, 1), further from b's goal.
    monkeypatch.setattr(labyrinth, "ROUNDS", 1)
    first = {**OPENED, "plmt": [OPENED["plmt"][2], OPENED["plmt"][0], OPENED["plmt"][1]]}
    spec: list[list[Any]] = [["a", "Riemann", "setUp", 2], ["b", "Euclid"], ["c", "Euclid"]]
    assert bad_game("xbad2", spec, first) == ("c", "a")
    spec = [["a", "Riemann", "setUp", 1], ["b", "Euclid"], ["c", "Euclid"]]
    assert bad_game("xbad2", spec, first) == ("bc", "a")


def test_two_players_may_share_a_name() -> None:
    """Names are not checked here, and both of a name are listed."""
    spec: list[list[Any]] = [["a", "Riemann", "setUp"], ["a", "Riemann", "takeTurn"], ["é ü", "Riemann"]]
    assert ask("xbad", spec, TWO_ROUNDS) == [["é ü"], ["a", "a"]]


@pytest.mark.parametrize("cheat", CHEATS)
@pytest.mark.parametrize("strategy", ["Riemann", "Euclid"])
def test_cheats_are_kicked(cheat: str, strategy: str) -> None:
    """Each of the staff's cheats costs the player its seat, and its move is not carried out."""
    spec: list[list[Any]] = [["a", strategy], ["b", strategy, cheat], ["c", strategy]]
    assert bad_game("xbad", spec, TWO_ROUNDS) == ("a", "b")


def test_cheat_that_cannot_be_done() -> None:
    """With no push to undo, a would-be cheat plays on honestly until there is one."""
    alone = crosses(5, player((0, 0), (1, 1), (3, 3)))
    assert bad_game("xbad", [["a", "Riemann", "undo"]], {**alone, "last": None}) == ("", "a")
    passing = state(SHUT_IN, "─", player((1, 1), (1, 1), (3, 3)))
    assert bad_game("xbad", [["a", "Riemann", "undo"]], passing) == ("a", "")


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        ("a", "[0]"), ([], "[0]"), (["a"], "[0]"), (["a", "Riemann", "win", 1, 1], "[0]"), ({}, "[0]"),
        ([1, "Riemann"], "[0][0]"), (["a", "riemann"], "[0][1]"), (["a", ["Euclid"]], "[0][1]"),
        (["a", "Euclid", "setup"], "[0][2]"), (["a", "Euclid", None], "[0][2]"),
        (["a", "Euclid", []], "[0][2]"),
        (["a", "Euclid", "win", 0], "[0][3]"), (["a", "Euclid", "win", -1], "[0][3]"),
        (["a", "Euclid", "win", 1.0], "[0][3]"), (["a", "Euclid", "win", True], "[0][3]"),
        (["a", "Euclid", "win", "1"], "[0][3]"),
    ],
)  # fmt: skip
def test_bad_specs_are_refused(entry: Any, where: str) -> None:
    """A player is a name, a strategy, and perhaps a fault and a count from 1."""
    with pytest.raises(BadInput) as caught:
        ask("xbad2", [entry], crosses(5, player((0, 0))))
    assert str(caught.value).startswith(f"BadPlayerSpec2{where}: ")
    with pytest.raises(BadInput, match=r"^BadPlayerSpec2: "):
        ask("xbad2", {"a": "Riemann"}, crosses(5, player((0, 0))))
