"""Seed 003, word for word."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialects.labyrinth_tables import CONNECTORS, NAMES, TO_GOAL, at, called, dialogue, seekers, small, terms
from touchline.core import messages
from touchline.core.messages import Act, Garbled, Ready
from touchline.core.rules import Outcome
from touchline.dialects import labyrinth_tasks
from touchline.dialects.labyrinth_tasks import LabyrinthByTasks, LabyrinthByTasksFace
from touchline.games.labyrinth import PASS, Labyrinth, Slide

ADA = {"name": "ada", "color": "purple", "home": [1, 1], "position": [0, 0]}
BOB = {"name": "bob", "color": "orange", "home": [1, 3], "position": [2, 3]}
CYD = {"name": "cyd", "color": "pink", "home": [2, 1], "position": [0, 3]}
IN, OUT = {"kicked": False}, {"kicked": True}
TREASURES = [[[f"a{row}", f"b{column}"] for column in range(4)] for row in range(3)]
START = {
    "board": {"connectors": [list(row) for row in CONNECTORS], "treasures": TREASURES},
    "spare": {"tilekey": "┴", "1-image": "c", "2-image": "d"},
    "players": [ADA | IN, BOB | IN, CYD | IN],
    "lastSlide": None,
    "turn": 0,
    "goal": [1, 3],
    "hasReachedGoal": False,
    "home": [1, 1],
}
PUSHED = {
    "connectors": [list("─┐└┤"), *(list(row) for row in CONNECTORS[1:])],
    "treasures": [[["a0", "b1"], ["a0", "b2"], ["a0", "b3"], ["c", "d"]], *TREASURES[1:]],
}
AFTER = {
    "board": PUSHED,
    "spare": {"tilekey": "│", "1-image": "a0", "2-image": "b0"},
    "players": [ADA | {"position": [1, 3]} | IN, BOB | IN, CYD | {"position": [0, 2]} | IN],
    "lastSlide": {"type": "SlideRowLeft", "index": 0},
    "turn": 1,
    "goal": [1, 3],
    "hasReachedGoal": True,
    "home": [1, 1],
}


def seated(seat: int) -> LabyrinthByTasks:
    reader = LabyrinthByTasks(Labyrinth())
    reader.say(messages.Begin(seat, NAMES, small().view(seat)))
    assert reader.hear(b'"void"') == ([], [Ready(updates=True)])
    return reader


def test_notify_game_state() -> None:
    """The state at the start, and after each move; a goal that was reached stays, and one goes home."""
    begun = LabyrinthByTasks(Labyrinth()).say(messages.Begin(0, NAMES, small().view(0)))
    assert called(begun) == ["NotifyGameState", [START]]
    reader = seated(0)
    assert called(reader.say(messages.Update(1, small().play(TO_GOAL).view(0)))) == [
        "NotifyGameState",
        [AFTER],
    ]
    assert reader.hear(b'"void"') == ([], ())


def test_next_goal() -> None:
    """With several goals the next one is in the state."""
    view = small([at(2, 2)]).play(TO_GOAL).view(0)
    _, (state,) = called(seated(0).say(messages.Update(1, view)))
    assert (state["goal"], state["hasReachedGoal"]) == ([2, 2], False)
    assert seated(0).say(messages.Onward(1, view)) == ((), [Ready()])


def test_kicked() -> None:
    """ "`NotifyGameState` also serves the purpose of notifying players about who got kicked out"."""
    _, (state,) = called(seated(0).say(messages.Update(1, small().without(1).view(0))))
    assert state["players"] == [ADA | IN, BOB | {"position": None} | OUT, CYD | IN]


def test_request_move() -> None:
    """A request holds nothing but the milliseconds; the most that an int holds is for ever."""
    for allowance, word in (
        (4_000_000, b"4000"),
        (1_999, b"1"),
        (None, b"2147483647"),
        (1 << 60, b"2147483647"),
    ):
        asked = seated(0).say(messages.YourTurn(0, small().view(0), allowance))
        assert asked == ([b'["RequestMove",[' + word + b"]]"], ())


@pytest.mark.parametrize(("waited", "left"), [(0, 4000), (1_500_000, 2500), (9_000_000, 0)])
def test_a_request_that_waited(waited: int, left: int) -> None:
    """It has the time that is left when it is made: the clock ran while a state was not answered."""
    reader = seated(1)
    reader.say(messages.YourTurn(0, small().without(0).view(1), 4_000_000))
    assert called(reader.hear(b'"void"', waited)) == ["RequestMove", [left]]


def test_news_before_a_request() -> None:
    """A player is not asked before it knows the state, but is not told it twice."""
    reader = seated(1)
    first = called(reader.say(messages.YourTurn(0, small().without(0).view(1), 4_000_000)))
    assert first[0] == "NotifyGameState"
    assert first[1][0]["turn"] == 1
    assert reader.hear(b'"void"') == ([b'["RequestMove",[4000]]'], ())
    reader.hear(b"{")
    again = reader.say(messages.YourTurn(0, small().without(0).view(1), 1_000_000))
    assert again.frames == [b'["RequestMove",[1000]]']


@pytest.mark.parametrize(
    ("kind", "direction"),
    [
        ("SlideRowLeft", "LEFT"),
        ("SlideRowRight", "RIGHT"),
        ("SlideColumnUp", "UP"),
        ("SlideColumnDown", "DOWN"),
    ],
)
@pytest.mark.parametrize(("clockwise", "degree"), [(0, 0), (90, 270), (180, 180), (270, 90)])
def test_moves(kind: str, direction: Any, clockwise: int, degree: Any) -> None:
    """Slides have the note's names, and the spare turns clockwise."""
    reader = seated(0)
    reader.say(messages.YourTurn(3, small().view(0), None))
    move = {"slide": {"type": kind, "index": 2}, "rotation": clockwise, "destination": [1, 70]}
    assert reader.hear(msgspec.json.encode(move)) == ([], [Act(Slide(2, direction, degree, (1, 70)), 3)])


def test_rotation_is_clockwise() -> None:
    """The move that leads to the goal is the one with 270 degrees, and it is legal."""
    reader = seated(0)
    reader.say(messages.YourTurn(0, small().view(0), None))
    answer = b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":270,"destination":[1,3]}'
    assert reader.hear(answer).said == [Act(TO_GOAL, 0)]
    small().check(TO_GOAL)
    reader.say(messages.YourTurn(1, small().view(0), None))
    assert reader.hear(b"null").said == [Act(PASS, 1)]


@pytest.mark.parametrize(
    "answer",
    [
        b'"void"', b"[]", b"{}", b"None", b"false", b'{"slide":null,"rotation":0,"destination":[1,3]}',
        b'{"slide":{"type":"LEFT","index":0},"rotation":0,"destination":[1,3]}',
        b'{"slide":{"type":"SlideRowLeft","index":0.0},"rotation":0,"destination":[1,3]}',
        b'{"slide":{"type":"SlideRowLeft","index":-1},"rotation":0,"destination":[1,3]}',
        b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":45,"destination":[1,3]}',
        b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":false,"destination":[1,3]}',
        b'{"slide":{"type":"SlideRowLeft","index":0},"destination":[1,3]}',
        b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":0,"destination":[1]}',
        b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":0,"destination":[1,true]}',
        b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":0,"destination":{"row#":1,"column#":3}}',
    ],
)  # fmt: skip
def test_no_moves(answer: bytes) -> None:
    """What does not have the shape of an IMove cannot be read."""
    reader = seated(0)
    reader.say(messages.YourTurn(3, small().view(0), None))
    _, (said,) = reader.hear(answer)
    assert isinstance(said, Garbled)
    assert (said.turn, said.owed) == (3, True)


def over(seat: int, outcome: Outcome | None) -> Any:
    """The last call."""
    reader = seated(seat)
    reader.say(messages.Over(small().view(seat), "finished", outcome, ""))
    frame = b"null" if reader._open is None else reader._open.frame
    assert isinstance(frame, bytes)
    return msgspec.json.decode(frame)


def test_notify_game_over() -> None:
    """A winner is told about itself, the others about the first winner, and null if there is none."""
    several = Outcome((1, 2), (3, 1, 1), (0, 0, 0), "everybody passed")
    assert over(0, several) == ["NotifyGameOver", [BOB]]
    assert over(1, several) == ["NotifyGameOver", [BOB]]
    assert over(2, several) == ["NotifyGameOver", [CYD]]
    assert over(0, None) == ["NotifyGameOver", [None]]


def test_every_turn_is_told() -> None:
    """After every turn, the last one included, everybody hears of the state, and then of the end."""
    spec = terms(labyrinth_tasks.DIALECT, seed=1)
    talk, _, rogues = dialogue(labyrinth_tasks.DIALECT, spec, seekers())
    result = talk.run()
    for seat, rogue in enumerate(rogues):
        names = [name for name, _ in rogue.heard]
        assert names.count("NotifyGameState") == result.turns + 1
        assert names[-2:] == ["NotifyGameState", "NotifyGameOver"]
        states = [arguments[0] for name, arguments in rogue.heard if name == "NotifyGameState"]
        assert [state["turn"] for state in states[:-1]] == [turn % 3 for turn in range(result.turns)]
        assert states[-1]["turn"] is None
        assert states[0]["players"][seat]["home"] == states[0]["home"]
        assert result.outcome is not None
        assert rogue.heard[-1][1][0]["name"] == f"player{result.outcome.winners[0]}"


def test_kicked_before_the_first_turn() -> None:
    """Who fails at the start is shown as kicked to the next, before that one is asked."""
    spec = terms(labyrinth_tasks.DIALECT, seed=1)
    talk, _, rogues = dialogue(
        labyrinth_tasks.DIALECT, spec, seekers(), call=1, instead=lambda _s, _f: [b"null"]
    )
    assert talk.run().expelled == (0,)
    names = [name for name, _ in rogues[1].heard]
    assert names[:3] == ["NotifyGameState", "NotifyGameState", "RequestMove"]
    assert rogues[1].heard[1][1][0]["players"][0]["kicked"] is True


def test_not_void_to_news() -> None:
    """A player that answers a state wrongly is kicked, though it was not its turn."""
    spec = terms(labyrinth_tasks.DIALECT, seed=1)
    talk, _, rogues = dialogue(
        labyrinth_tasks.DIALECT, spec, seekers(), seat=2, call=2, instead=lambda _s, _f: [b"null"]
    )
    result = talk.run()
    assert [(fault.seat, fault.offence.value) for fault in result.faults] == [(2, "malformed")]
    assert len(rogues[2].heard) == 2


def test_a_players_methods() -> None:
    """A player has the note's methods, and is handed and hands back plain values."""
    calls: list[Any] = []

    class Player:
        def NotifyGameState(self, state: Any) -> None:  # noqa: N802 - the note's name
            calls.append(state)

        def RequestMove(self, timeout: Any) -> Any:  # noqa: N802
            calls.append(timeout)

        def NotifyGameOver(self, winner: Any) -> None:  # noqa: N802
            calls.append(winner)

    face = LabyrinthByTasksFace(Player())
    assert face.hear(b'["NotifyGameState",[{"board":1}]]') == [b'"void"']
    assert face.hear(b'["RequestMove",[4000]]') == [b"null"]
    assert not face.over
    assert face.hear(b'["NotifyGameOver",[{"name":"ada"}]]') == [b'"void"']
    assert face.over
    assert calls == [{"board": 1}, 4000, {"name": "ada"}]
