"""The Labyrinth course's remote protocol, word for word."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialects.labyrinth_tables import CONNECTORS, NAMES, TO_GOAL, at, called, dialogue, seekers, small, terms
from touchline.core import messages
from touchline.core.messages import Act, Garbled, Ready
from touchline.core.rules import Outcome
from touchline.dialects import labyrinth_course
from touchline.dialects.labyrinth_course import LabyrinthCourse, LabyrinthCourseFace
from touchline.dialects.notation.labyrinth import COLOURS
from touchline.games.labyrinth import PASS, Labyrinth, Slide

BOARD: dict[str, Any] = {
    "connectors": [list(row) for row in CONNECTORS],
    "treasures": [
        [["a0", "b0"], ["a0", "b1"], ["a0", "b2"], ["a0", "b3"]],
        [["a1", "b0"], ["a1", "b1"], ["a1", "b2"], ["a1", "b3"]],
        [["a2", "b0"], ["a2", "b1"], ["a2", "b2"], ["a2", "b3"]],
    ],
}
ADA = {"current": at(0, 0), "home": at(1, 1), "color": "purple"}
BOB = {"current": at(2, 3), "home": at(1, 3), "color": "orange"}
CYD = {"current": at(0, 3), "home": at(2, 1), "color": "pink"}


def seated(seat: int) -> LabyrinthCourse:
    reader = LabyrinthCourse(Labyrinth())
    reader.say(messages.Begin(seat, NAMES, small().view(seat)))
    assert reader.hear(b'"void"') == ([], [Ready(guided=True)])
    return reader


def test_setup() -> None:
    """A game begins with the public state, whoever reads it first in `plmt`, and the reader's goal."""
    spare = {"tilekey": "┴", "1-image": "c", "2-image": "d"}
    for seat, players, goal in ((0, [ADA, BOB, CYD], at(1, 3)), (1, [BOB, CYD, ADA], at(1, 1))):
        reader = LabyrinthCourse(Labyrinth())
        begun = reader.say(messages.Begin(seat, NAMES, small().view(seat)))
        state = {"board": BOARD, "spare": spare, "plmt": players, "last": None}
        assert called(begun) == ["setup", [state, goal]]


def test_take_turn() -> None:
    """The state after a push, the reader first, and without those who were kicked."""
    after = small().play(TO_GOAL).without(0)
    name, (state,) = called(seated(1).say(messages.YourTurn(4, after.view(1), 4_000_000)))
    assert name == "take-turn"
    assert state == {
        "board": {
            "connectors": [list("─┐└┤"), *(list(row) for row in CONNECTORS[1:])],
            "treasures": [[["a0", "b1"], ["a0", "b2"], ["a0", "b3"], ["c", "d"]], *BOARD["treasures"][1:]],
        },
        "spare": {"tilekey": "│", "1-image": "a0", "2-image": "b0"},
        "plmt": [BOB, CYD | {"current": at(0, 2)}],
        "last": [0, "LEFT"],
    }


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        (b'"PASS"', PASS),
        (b'[0,"LEFT",90,{"row#":1,"column#":3}]', TO_GOAL),
        (b' [ 0 , "LEFT" , 90 , { "column#" : 3 , "row#" : 1 } ] \n', TO_GOAL),
        (b'[1,"UP",270,{"row#":0,"column#":900}]', Slide(1, "UP", 270, (0, 900))),
    ],
)
def test_choices(answer: bytes, move: Any) -> None:
    """A Choice is read as a move, however bad a one; its degrees are counter-clockwise."""
    reader = seated(0)
    reader.say(messages.YourTurn(4, small().view(0), None))
    assert reader.hear(answer) == ([], [Act(move, 4)])


@pytest.mark.parametrize(
    "answer",
    [
        b'"pass"', b'"void"', b"null", b"false", b"-1", b"[]", b'[0,"LEFT",90]', b'["PASS"]',
        b'[0,"LEFT",90,[1,3]]', b'[0,"LEFT",90,{"row#":1,"col#":3}]', b'[0,"LEFT",90,{"row#":1}]',
        b'[true,"LEFT",90,{"row#":1,"column#":3}]', b'[0,"left",90,{"row#":1,"column#":3}]',
        b'[0,"LEFT",45,{"row#":1,"column#":3}]', b'[0,"LEFT",90.0,{"row#":1,"column#":3}]',
        b'[-2,"LEFT",90,{"row#":1,"column#":3}]', b'[0,"LEFT",90,{"row#":1.0,"column#":3}]',
        b'[0,"LEFT",90,{"row#":1,"column#":99999999999}]', b'[0,"LEFT",90,{"row#":NaN,"column#":3}]',
        b'[0,"LEFT",90,{"row#":1,"column#":3},0]', b'"PASS" "PASS"',
    ],
)  # fmt: skip
def test_no_choices(answer: bytes) -> None:
    """What does not have the shape of a Choice cannot be read."""
    reader = seated(0)
    reader.say(messages.YourTurn(4, small().view(0), None))
    _, (said,) = reader.hear(answer)
    assert isinstance(said, Garbled)
    assert (said.turn, said.owed) == (4, True)


def test_onward() -> None:
    """Who has reached its goal is told where to go next, without a state."""
    for goals, target in (([], "1,1"), ([at(2, 2)], "2,2")):
        reader = seated(0)
        view = small(goals).play(TO_GOAL).view(0)
        row, column = target.split(",")
        frame = f'["setup",[false,{{"row#":{row},"column#":{column}}}]]'.encode()
        assert reader.say(messages.Onward(1, view)).frames == [frame]
        assert reader.hear(b'"void"') == ([], [Ready()])


def test_win() -> None:
    """Each is told whether it has won; of a match that does not count, that it has not."""
    outcome = Outcome((0, 2), (1, 3, 1), (0, 0, 0), "everybody passed")
    for seat, word in ((0, b"true"), (1, b"false"), (2, b"true")):
        reader = seated(seat)
        over = reader.say(messages.Over(small(), "finished", outcome, ""))
        assert over == ([b'["win",[' + word + b"]]"], ())
        assert reader.hear(b'"void"') == ([], ())
    assert seated(0).say(messages.Over(small(), "void", None, "")).frames == [b'["win",[false]]']


def test_a_players_methods() -> None:
    """A player has the course's methods, and is handed and hands back plain values."""
    calls: list[Any] = []

    class Player:
        def setup(self, state: Any, goal: Any) -> str:
            calls.append(("setup", state, goal))
            return "whatever"

        def take_turn(self, state: Any) -> Any:
            calls.append(("take_turn", state))
            return [0, "LEFT", 90, {"row#": 1, "column#": 3}]

        def win(self, won: Any) -> None:
            calls.append(("win", won))

    face = LabyrinthCourseFace(Player())
    assert face.hear(b'["setup",[{"board":1},{"row#":1,"column#":3}]]') == [b'"void"']
    assert face.hear(b'["take-turn",[{"board":2}]]') == [b'[0,"LEFT",90,{"row#":1,"column#":3}]']
    assert face.hear(b'["setup",[false,{"row#":1,"column#":1}]]') == [b'"void"']
    assert not face.over
    assert face.hear(b'["win",[true]]') == [b'"void"']
    assert face.over
    assert calls == [
        ("setup", {"board": 1}, at(1, 3)),
        ("take_turn", {"board": 2}),
        ("setup", False, at(1, 1)),
        ("win", True),
    ]


def test_not_void_on_the_way_home() -> None:
    """Whoever does not listen to where to go next is kicked; its move stays on the board."""
    spec = terms(labyrinth_course.DIALECT, seed=1)
    for call in range(2, 40):
        talk, _, rogues = dialogue(
            labyrinth_course.DIALECT, spec, seekers(), seat=1, call=call, instead=lambda _s, _f: [b"null"]
        )
        result = talk.run()
        if rogues[1].heard[-1][0] == "setup":
            assert result.expelled == (1,)
            assert result.faults[0].turn > 0
            assert rogues[1].heard[-1][1][0] is False
            return
    pytest.fail("seat 1 was never sent home")


def plmt_colours(rogue: Any) -> list[str]:
    """The colours of the players in the first setup."""
    return [player["color"] for player in rogue.heard[0][1][0]["plmt"]]


def test_order_of_calls() -> None:
    """A setup for each, turns, a setup without a state for who reaches its goal, and win for each."""
    spec = terms(labyrinth_course.DIALECT, seed=1)
    talk, _, rogues = dialogue(labyrinth_course.DIALECT, spec, seekers())
    result = talk.run()
    assert result.outcome is not None
    drawn = plmt_colours(rogues[0])
    assert set(drawn) <= {*COLOURS}
    for seat, rogue in enumerate(rogues):
        names = [name for name, _ in rogue.heard]
        assert (names[0], names[-1]) == ("setup", "win")
        assert set(names[1:-1]) <= {"setup", "take-turn"}
        assert plmt_colours(rogue) == [*drawn[seat:], *drawn[:seat]]
        assert rogue.heard[-1][1] == [seat in result.outcome.winners]
        assert msgspec.json.encode(rogue.heard[0]).decode() in " ".join(talk.lines)
