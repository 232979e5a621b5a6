"""The Labyrinth course's harnesses: examples worked out by hand, and games against the obvious referee."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from obvious.seekers import OPEN, TooLong, lines, referee, server
from touchline.core.errors import BadInput
from touchline.coursework.harness.actors import CHEATS
from touchline.coursework.harness.labyrinth import HARNESSES
from touchline.games import labyrinth
from touchline.games.boards.maze import GEMS

if TYPE_CHECKING:
    from touchline.core.rules import Cell


def ask(harness: str, *values: Any) -> Any:
    """The harness's answer to some values, as the JSON it would print."""
    data = "\n".join(json.dumps(value) for value in values).encode()
    return json.loads(json.dumps(HARNESSES[harness](data)))


def at(row: int, col: int) -> dict[str, int]:
    return {"row#": row, "column#": col}


def board(*rows: str) -> dict[str, Any]:
    """A Board from strings of connectors, every tile with a treasure of its own."""
    pairs = (list(pair) for pair in combinations_with_replacement(GEMS, 2))
    return {
        "connectors": [list(row) for row in rows],
        "treasures": [[next(pairs) for _ in row] for row in rows],
    }


def tile(connector: str) -> dict[str, str]:
    return {"tilekey": connector, "1-image": "zoisite", "2-image": "zoisite"}


def player(current: Cell, home: Cell = (1, 1), goal: Cell = (1, 1)) -> dict[str, Any]:
    return {"current": at(*current), "home": at(*home), "goto": at(*goal), "color": "red"}


def state(
    rows: list[str],
    spare: str,
    *players: dict[str, Any],
    last: tuple[int, str] | None = None,
    goals: list[Cell] | None = None,
) -> dict[str, Any]:
    """A State or RefereeState; further goals only if there are any to speak of."""
    colours = ["purple", "orange", "pink", "red", "blue", "green", "yellow", "white"]
    plmt = [{**one, "color": colour} for one, colour in zip(players, colours, strict=False)]
    value = {"board": board(*rows), "spare": tile(spare), "plmt": plmt, "last": last}
    return value if goals is None else {**value, "goals": [at(*goal) for goal in goals]}


def crosses(size: int, *players: dict[str, Any], goals: list[Cell] | None = None) -> dict[str, Any]:
    """A board on which every walk is possible: each turn a player reaches its goal, unless it is on it."""
    return state(["┼" * size] * size, "┼", *players, goals=goals)


SHUT_IN = ["─────", "─│─│─", "─────", "─│─│─", "─────"]
"""With a straight spare nobody on a fixed tile of this board can ever walk anywhere, after one push."""


# xboard

WINDING = board("┌─┐", "│┘│", "└┴┘")


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        # the ring; (2, 1) is open upwards, but (1, 1) is open up and left only
        ((0, 0), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]),
        ((1, 1), [(1, 1)]),
        ((2, 2), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]),
    ],
)
def test_xboard(start: Cell, expected: list[Cell]) -> None:
    """Tiles are connected if both are open to each other; they come in row-column order, itself included."""
    assert ask("xboard", WINDING, at(*start)) == [at(*cell) for cell in expected]


def test_xboard_has_no_way_round_the_edge() -> None:
    """A way that leaves the board does not come back on the other side."""
    assert ask("xboard", board("──│", "│┼─"), at(0, 0)) == [at(0, 0), at(0, 1)]
    assert ask("xboard", board("─│─", "│──"), at(0, 2)) == [at(0, 2)]


def test_xboard_spells_as_it_was_asked() -> None:
    """A coordinate with `col#` is answered with `col#`."""
    asked = {"row#": 0, "col#": 1}
    assert ask("xboard", board("──│"), asked) == [{"row#": 0, "col#": 0}, {"row#": 0, "col#": 1}]
    assert ask("xboard", board("──│"), at(0, 1)) == [at(0, 0), at(0, 1)]


def test_xboard_needs_no_treasures() -> None:
    """The treasures of a board do not matter here, and may be missing."""
    assert ask("xboard", {"connectors": [["─", "─"]], "treasures": []}, at(0, 0)) == [at(0, 0), at(0, 1)]


def test_xboard_off_the_board() -> None:
    """A coordinate off the board is refused."""
    for row, col in ((3, 0), (0, 3), (9, 9)):
        with pytest.raises(BadInput, match=f"^Coordinate: row {row}, column {col} is off the board"):
            ask("xboard", WINDING, at(row, col))


# xstate

TURNING = ["───", "│││", "───"]


@pytest.mark.parametrize(
    ("degree", "expected"),
    [
        (0, [(0, 2), (1, 2)]),
        (90, [(1, 2)]),
        (180, [(1, 2)]),
        (270, [(0, 0), (0, 1), (0, 2), (1, 2)]),
    ],
)
def test_xstate_turns_counter_clockwise(degree: int, expected: list[Cell]) -> None:
    """┌ pushed in above the player is ┌, └, ┘, ┐ as it is turned counter-clockwise by 0, 90, 180, 270."""
    answer = ask("xstate", state(TURNING, "┌", player((1, 2))), 0, "LEFT", degree)
    assert answer == [at(*cell) for cell in expected]


@pytest.mark.parametrize(
    ("start", "index", "direction", "place"),
    [
        ((0, 1), 0, "LEFT", (0, 0)),
        ((0, 1), 0, "RIGHT", (0, 2)),
        ((0, 0), 0, "LEFT", (0, 2)),
        ((0, 2), 0, "RIGHT", (0, 0)),
        ((1, 2), 2, "UP", (0, 2)),
        ((1, 2), 2, "DOWN", (2, 2)),
        ((0, 2), 2, "UP", (2, 2)),
        ((2, 0), 0, "DOWN", (0, 0)),
        ((1, 1), 0, "LEFT", (1, 1)),
        ((1, 0), 0, "LEFT", (1, 0)),
    ],
)
def test_xstate_rides_along(start: Cell, index: int, direction: str, place: Cell) -> None:
    """Who stands on the line that moves rides with its tile, and comes back in on the other side."""
    # Upright tiles only, so a push of a row leaves one in a whole column; or level ones, and a whole row.
    letter = "│" if direction in ("LEFT", "RIGHT") else "─"
    answer = ask("xstate", state([letter * 3] * 3, letter, player(start)), index, direction, 0)
    row, col = place
    assert answer == [at(step, col) if letter == "│" else at(row, step) for step in range(3)]


def test_xstate_does_not_forbid_an_undo() -> None:
    """The push is legal by assumption, whatever the last one was."""
    value = state(TURNING, "┌", player((1, 2)), last=(0, "RIGHT"))
    assert ask("xstate", value, 0, "LEFT", 0) == [at(0, 2), at(1, 2)]


def test_xstate_is_about_the_first_player() -> None:
    """The tiles are those that the first player of `plmt` can reach."""
    value = state(["───", "│││", "───"], "─", player((1, 1)), player((2, 0)))
    assert ask("xstate", value, 0, "LEFT", 0) == [at(1, 1)]


@pytest.mark.parametrize(
    ("index", "direction", "degree", "where"),
    [
        (1, "LEFT", 0, "Index"), (4, "LEFT", 0, "Index"), (-2, "UP", 0, "Index"), (0.0, "UP", 0, "Index"),
        (0, "left", 0, "Direction"), (0, 3, 0, "Direction"), (0, "NORTH", 0, "Direction"),
        (0, "LEFT", 45, "Degree"), (0, "LEFT", 360, "Degree"), (0, "LEFT", -90, "Degree"),
        (0, "LEFT", "90", "Degree"), (0, "LEFT", 90.0, "Degree"), (0, "LEFT", False, "Degree"),
    ],
)  # fmt: skip
def test_xstate_refuses(index: Any, direction: Any, degree: Any, where: str) -> None:
    """A line that cannot move, a bad direction and a bad degree are refused."""
    with pytest.raises(BadInput, match=f"^{where}: "):
        ask("xstate", state(TURNING, "┌", player((1, 2))), index, direction, degree)


# xchoice


def choice(strategy: str, value: dict[str, Any], goal: Cell) -> Any:
    return ask("xchoice", strategy, value, at(*goal))


def test_xchoice_pass() -> None:
    """A player that is shut in passes."""
    shut = state(SHUT_IN, "─", player((1, 3)), player((0, 0)))
    assert choice("Riemann", shut, (0, 0)) == "PASS"
    assert choice("Euclid", shut, (3, 3)) == "PASS"


def test_xchoice_on_crosses() -> None:
    """The goal if it can be reached, else the first tile for Riemann and the nearest one for Euclid."""
    value = crosses(3, player((1, 1)))
    assert choice("Riemann", value, (2, 2)) == [0, "LEFT", 0, at(2, 2)]
    assert choice("Riemann", value, (1, 1)) == [0, "LEFT", 0, at(0, 0)]
    assert choice("Euclid", value, (1, 1)) == [0, "LEFT", 0, at(0, 1)]
    assert choice("Euclid", value, (9, 9)) == [0, "LEFT", 0, at(2, 2)]


def test_xchoice_may_not_undo_nor_stay() -> None:
    """LEFT would undo the last push, or would carry the player onto the goal without a step of its own."""
    assert choice("Riemann", {**crosses(3, player((1, 1))), "last": [0, "RIGHT"]}, (2, 2))[:2] == [0, "RIGHT"]
    assert choice("Riemann", crosses(3, player((0, 1))), (0, 0)) == [0, "RIGHT", 0, at(0, 0)]


def test_xchoice_on_even_boards() -> None:
    """On two rows and columns only the first of each moves."""
    # The player in the odd corner is open to the left only: the tile there must be open to the right.
    value = state(["││", "│─"], "│", player((1, 1)))
    # Column 0 UP puts the spare at (1, 0), turned by 90 degrees
    assert choice("Riemann", value, (0, 0)) == [0, "UP", 90, at(1, 0)]


def test_xchoice_takes_either_spelling() -> None:
    """The goal may be spelt with `col#`; the answer has `column#`."""
    asked = {"row#": 2, "col#": 2}
    assert ask("xchoice", "Riemann", crosses(3, player((1, 1))), asked) == [0, "LEFT", 0, at(2, 2)]


@pytest.mark.parametrize("strategy", ["riemann", "", "Random", 1, None, ["Riemann"]])
def test_xchoice_refuses_a_bad_strategy(strategy: Any) -> None:
    """There are two strategies."""
    with pytest.raises(BadInput, match=r"^Strategy: "):
        choice(strategy, crosses(3, player((1, 1))), (0, 0))


@pytest.mark.parametrize("harness", ["xstate", "xchoice"])
def test_nobody_on_the_board(harness: str) -> None:
    """Without a player there is nobody to move."""
    rest: dict[str, list[Any]] = {
        "xstate": [crosses(3), 0, "LEFT", 0],
        "xchoice": ["Riemann", crosses(3), at(0, 0)],
    }
    with pytest.raises(BadInput, match="plmt"):
        ask(harness, *rest[harness])


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


# xserver9 and xserver10


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


# Against the obvious referee

KINDS = ["".join(OPEN), "│─└┐", "┬├┼", "│─", "─────└"]


def random_state(rng: Random, seats: int, size: tuple[int, int]) -> dict[str, Any]:
    """Any tiles, homes and goals on fixed tiles or anywhere, perhaps further goals, perhaps a last push."""
    rows, cols = size
    kind = rng.choice(KINDS)
    tiles = [(row, col) for row in range(rows) for col in range(cols)]
    fixed = [(row, col) for row, col in tiles if row % 2 and col % 2]
    places = rng.choice([fixed, tiles])
    players = [player(rng.choice(tiles), rng.choice(places), rng.choice(places)) for _ in range(seats)]
    goals = [rng.choice(places) for _ in range(rng.randint(0, 3))]
    last = rng.choice([None, rng.choice(lines(rows, cols))])
    drawn = ["".join(rng.choices(kind, k=cols)) for _ in range(rows)]
    return state(drawn, rng.choice(kind), *players, last=last, goals=rng.choice([None, goals]))


def random_spec(rng: Random, seats: int) -> list[list[Any]]:
    """Players of both strategies, about half of them with a fault."""
    spec: list[list[Any]] = []
    for name in rng.sample(["a", "B", "c", "D", "e5", "6"], seats):
        entry: list[Any] = [name, rng.choice(["Riemann", "Euclid"])]
        if rng.random() < 0.6:
            entry += [rng.choice(["setUp", "takeTurn", "win"]), rng.choice([1, 1, 2, 2, 3, 5])]
        spec.append(entry)
    return spec


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("harness", ["xbad2", "xserver10"])
def test_as_the_obvious_referee(seed: int, harness: str) -> None:
    """On random boards with random faults, winners and misbehaving are those of the obvious referee."""
    rng = Random(f"{seed} {harness}")
    played = 0
    for _ in range(40):
        seats = rng.randint(2, 4)
        value = random_state(rng, seats, rng.choice([(2, 2), (3, 3), (3, 4), (2, 5), (4, 4), (5, 3)]))
        spec = random_spec(rng, seats)
        try:
            expected = (referee if harness == "xbad2" else server)(spec, value, patience=25)
        except TooLong:
            continue
        played += 1
        assert ask(harness, spec, value) == expected, (spec, value)
    assert played > 15


@pytest.mark.parametrize("seed", range(4))
def test_round_limit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of a few rounds, games that are cut off by it end as with the obvious referee."""
    rng = Random(seed)
    for _ in range(25):
        rounds = rng.randint(1, 6)
        monkeypatch.setattr(labyrinth, "ROUNDS", rounds)
        seats = rng.randint(1, 4)
        value = random_state(rng, seats, rng.choice([(3, 3), (3, 4), (4, 4), (5, 5)]))
        spec = random_spec(rng, seats)
        assert ask("xbad2", spec, value) == referee(spec, value, rounds), (spec, value, rounds)


# All of them


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize(
    "data", [b"", b"1", b"[]", b"{} {}", b"null null null null", b"{", b"\xff", b"[" * 100_000]
)
def test_refuses_what_it_is_not_made_for(harness: str, data: bytes) -> None:
    """No value, the wrong values and broken text are refused in one line."""
    with pytest.raises(BadInput) as caught:
        HARNESSES[harness](data)
    assert str(caught.value)
    assert "\n" not in str(caught.value)
