"""Seed 004, word for word."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from dialects.labyrinth_tables import NAMES, TO_GOAL, at, called, dialogue, seekers, small, terms
from touchline.core import messages
from touchline.core.events import Moved
from touchline.core.messages import Act, Garbled, Ready
from touchline.core.rules import Outcome
from touchline.dialects import labyrinth_remote
from touchline.dialects.base import SILENCE, Refusal
from touchline.dialects.labyrinth_remote import STATUSES, ByChoice, LabyrinthRemote, LabyrinthRemoteFace
from touchline.drivers.match import opened
from touchline.games.labyrinth import PASS, ROUNDS, BoardProposal, Labyrinth, Slide

ADA = {"avatar": [0, 0], "home": [1, 1]}
BOB = {"avatar": [2, 3], "home": [1, 3]}
CYD = {"avatar": [0, 3], "home": [2, 1]}


def tile(pathways: str, *gems: str) -> dict[str, Any]:
    return {"pathways": pathways.split(), "gems": [*gems]}


GRID = [
    [
        tile("UP DOWN", "a0", "b0"),
        tile("LEFT RIGHT", "a0", "b1"),
        tile("DOWN LEFT", "a0", "b2"),
        tile("UP RIGHT", "a0", "b3"),
    ],
    [
        tile("DOWN RIGHT", "a1", "b0"),
        tile("UP LEFT", "a1", "b1"),
        tile("DOWN LEFT RIGHT", "a1", "b2"),
        tile("UP DOWN RIGHT", "a1", "b3"),
    ],
    [
        tile("UP LEFT RIGHT", "a2", "b0"),
        tile("UP DOWN LEFT", "a2", "b1"),
        tile("UP DOWN LEFT RIGHT", "a2", "b2"),
        tile("UP DOWN", "a2", "b3"),
    ],
]


def seated(seat: int) -> LabyrinthRemote:
    reader = LabyrinthRemote(Labyrinth())
    reader.say(messages.Begin(seat, NAMES, small().view(seat)))
    assert reader.hear(b'"void"') == ([], [Ready(updates=True, guided=True)])
    return reader


def test_setup() -> None:
    """The projection as the note defines it, and the goal once more."""
    reader = LabyrinthRemote(Labyrinth())
    assert called(reader.say(messages.Begin(2, NAMES, small().view(2)))) == [
        "setup",
        [
            {
                "tileGrid": GRID,
                "spare": tile("UP LEFT RIGHT", "c", "d"),
                "self": {"avatar": [0, 3], "home": [2, 1], "goal": [1, 1], "hasReachedGoal": False},
                "players": [ADA, BOB, CYD],
                "previousSlide": None,
            },
            [1, 1],
        ],
    ]


def test_take_turn() -> None:
    """After a push: rotations are clockwise, and kicked players are left out."""
    reader = seated(2)
    after = small().play(TO_GOAL)
    assert reader.say(messages.Update(1, after.view(2))) == SILENCE
    assert reader.say(messages.Update(2, after.without(1).view(2))) == SILENCE
    name, (projection,) = called(reader.say(messages.YourTurn(2, after.without(1).view(2), None)))
    assert name == "TakeTurn"
    assert projection == {
        "tileGrid": [[*GRID[0][1:], tile("UP DOWN LEFT", "c", "d")], *GRID[1:]],
        "spare": tile("UP DOWN", "a0", "b0"),
        "self": {"avatar": [0, 2], "home": [2, 1], "goal": [1, 1], "hasReachedGoal": False},
        "players": [ADA | {"avatar": [1, 3]}, CYD | {"avatar": [0, 2]}],
        "previousSlide": {"direction": "LEFT", "index": 0, "rotations": 3},
    }


def test_previous_slide_of_a_whole_match() -> None:
    """What a projection says of the last slide turns the spare as it was turned, for all that one can see."""
    spec = terms(labyrinth_remote.DIALECT, seed=1)
    talk, _, rogues = dialogue(labyrinth_remote.DIALECT, spec, seekers())
    talk.run()
    state: Any = opened(spec)
    heard = [[args[0] for name, args in rogue.heard if name == "TakeTurn"] for rogue in rogues]
    before = None
    for event in [event for event in talk.events if isinstance(event, Moved)]:
        told = heard[event.seat].pop(0)["previousSlide"]
        if before is None:
            assert told is None
        else:
            degree: Any = (-told["rotations"] % 4) * 90
            again = before.play(Slide(told["index"], told["direction"], degree, state_to(before, state)))
            assert again.maze == state.maze
        if type(event.move) is Slide:
            before = state
        state = state.play(event.move)


def state_to(before: Any, after: Any) -> Any:
    """Where the seat that moved went."""
    return after.maze.grid.cells[after.avatars[before.to_move]]


@pytest.mark.parametrize(
    ("rotations", "degree"),
    [(0, 0), (1, 270), (2, 180), (3, 90), (4, 0), (7, 90), (10**30 + 1, 270)],
)
def test_plans(rotations: int, degree: Any) -> None:
    """Rotations are clockwise, and any natural number of them."""
    reader = seated(0)
    reader.say(messages.YourTurn(5, small().view(0), None))
    plan = b'{"slide":{"direction":"LEFT","index":0,"rotations":%d},"destination":[1,3]}' % rotations
    assert reader.hear(plan).said == [Act(Slide(0, "LEFT", degree, (1, 3)), 5)]
    reader.say(messages.YourTurn(6, small().view(0), None))
    assert reader.hear(b"null").said == [Act(PASS, 6)]


@pytest.mark.parametrize(
    "answer",
    [
        b'"void"', b'"PASS"', b"[]", b"{}", b"false",
        b'{"slide":null,"destination":[1,3]}',
        b'{"slide":{"direction":"LEFT","index":0,"rotations":-1},"destination":[1,3]}',
        b'{"slide":{"direction":"LEFT","index":0,"rotations":1.0},"destination":[1,3]}',
        b'{"slide":{"direction":"LEFT","index":0,"rotations":true},"destination":[1,3]}',
        b'{"slide":{"direction":"LEFT","index":0},"destination":[1,3]}',
        b'{"slide":{"direction":"NORTH","index":0,"rotations":1},"destination":[1,3]}',
        b'{"slide":{"direction":"LEFT","index":"0","rotations":1},"destination":[1,3]}',
        b'{"slide":{"direction":"LEFT","index":0,"rotations":1},"destination":[1,-3]}',
        b'{"slide":{"direction":"LEFT","index":0,"rotations":1},"destination":[1,3,0]}',
        b'{"slide":{"direction":"LEFT","index":0,"rotations":1}}',
    ],
)  # fmt: skip
def test_no_plans(answer: bytes) -> None:
    """What does not have the shape of a plan cannot be read."""
    reader = seated(0)
    reader.say(messages.YourTurn(3, small().view(0), None))
    _, (said,) = reader.hear(answer)
    assert isinstance(said, Garbled)
    assert (said.turn, said.owed) == (3, True)


def test_return_home() -> None:
    """Reaching the goal: `ReturnHome` once; from then on it has been reached, and stays what it was."""
    reader = seated(0)
    after = small().play(TO_GOAL)
    reader.say(messages.Update(1, after.view(0)))
    assert reader.say(messages.Onward(1, after.view(0))) == ([b'["ReturnHome",[[1,1]]]'], ())
    assert reader.hear(b'"void"') == ([], [Ready()])
    _, (projection,) = called(reader.say(messages.YourTurn(3, after.view(0), None)))
    assert projection["self"] == {
        "avatar": [1, 3], "home": [1, 1], "goal": [1, 3], "hasReachedGoal": True,
    }  # fmt: skip


def test_next_goal() -> None:
    """The note has no word for another goal: it is in the next projection."""
    reader = seated(0)
    view = small([at(2, 2)]).play(TO_GOAL).view(0)
    assert reader.say(messages.Onward(1, view)) == ((), [Ready()])
    _, (projection,) = called(reader.say(messages.YourTurn(3, view, None)))
    assert projection["self"]["goal"] == [2, 2]
    assert projection["self"]["hasReachedGoal"] is False


@pytest.mark.parametrize(
    ("ended", "status"),
    [
        ("came home", b"TREASURE_RETURNED"),
        ("everybody passed", b"ALL_SKIPPED"),
        ("1000 rounds are over", b"ROUND_LIMIT_REACHED"),
    ],
)
def test_end_of_game(ended: str, status: bytes) -> None:
    """Every end has its status, and every winner is one."""
    view = msgspec.structs.replace(small(), due=(), ended=ended)
    outcome = Outcome((0, 2), (1, 3, 1), (0, 0, 0), ended)
    for seat, result in ((0, b"WINNER"), (1, b"LOSER"), (2, b"WINNER")):
        over = seated(seat).say(messages.Over(view, "finished", outcome, ended))
        assert over == ([b'["EndOfGame",["%s","%s"]]' % (status, result)], ())


def test_ends_without_a_word() -> None:
    """A match that does not count, or was forfeited, is IN_PROGRESS for the note, and that is never sent."""
    outcome = Outcome((0,), (1, 2, 1), (0, 0, 0), "forfeits")
    assert seated(0).say(messages.Over(small().view(0), "void", None, "broken")) == SILENCE
    assert seated(0).say(messages.Over(small().view(0), "forfeited", outcome, "forfeits")) == SILENCE


def test_statuses_are_the_games() -> None:
    """The ends of a game that are given a status are those that the game knows."""
    state = small()
    for _ in range(3):
        state = state.play(PASS)
    assert STATUSES[state.ended or ""] == "ALL_SKIPPED"
    last = msgspec.structs.replace(small(), round=ROUNDS, due=(0,), moved=frozenset({1}))
    assert STATUSES[last.play(PASS).ended or ""] == "ROUND_LIMIT_REACHED"


def test_sign_up() -> None:
    """`Signup` with a name of 1 to 20 letters or digits, and nothing else."""
    (frame,) = LabyrinthRemoteFace(Random()).sign_up("Ada99")
    assert frame == b'["Signup",["Ada99"]]'
    assert LabyrinthRemote.read_sign_up(frame).name == "Ada99"
    assert LabyrinthRemote.read_sign_up(b' ["Signup", ["x"]]\n').name == "x"
    for bad in (
        b'"Ada99"', b'["Signup",[]]', b'["Signup",[""]]', b'["Signup",["a b"]]', b'["Signup",["a\\n"]]',
        b'["Signup",["a","b"]]', b'["signup",["a"]]', b'["Signup",["%s"]]' % (b"x" * 21),
        b'["TakeTurn",["a"]]',
        b'["Signup",[7]]', b'["Signup",["a"],1]', "[\"Signup\",[\"é\"]]".encode(), b"", b"{",
    ):  # fmt: skip
        with pytest.raises(Refusal):
            LabyrinthRemote.read_sign_up(bad)


def proposed(answer: bytes, game: Labyrinth | None = None) -> tuple[BoardProposal | None, Any]:
    reader = LabyrinthRemote(game or Labyrinth(rows=2, cols=2))
    assert reader.propose() == ([b'["ProposeBoard",[2,2]]'], ())
    assert reader.owes
    _, (said,) = reader.hear(answer)
    return reader.proposal, said


def test_propose_board() -> None:
    """A board is read from its tiles, whatever the order of their pathways."""
    tiles = [
        [tile("DOWN UP", "ruby", "beryl"), tile("RIGHT LEFT", "ruby", "ruby")],
        [tile("LEFT UP", "diamond", "beryl"), tile("UP UP DOWN LEFT RIGHT", "zircon", "beryl")],
    ]
    board, said = proposed(msgspec.json.encode(tiles))
    assert said == Ready()
    assert board == BoardProposal(
        ("│─", "┘┼"),
        ((("ruby", "beryl"), ("ruby", "ruby")), (("diamond", "beryl"), ("zircon", "beryl"))),
    )


@pytest.mark.parametrize(
    "tiles",
    [
        [],
        [[]],
        [[tile("UP DOWN", "ruby", "beryl")]],
        [[tile("UP DOWN", "ruby", "beryl")] * 2] * 2,
        [[tile("UP", "ruby", "beryl")] * 2] * 2,
        [[tile("", "ruby", "beryl")] * 2] * 2,
        [[tile("UP DOWN", "ruby", "no-gem"), tile("UP DOWN", "ruby", "ruby")]] * 2,
        [[tile("UP DOWN", "ruby", "beryl")] * 2, [tile("UP DOWN", "ruby", "ruby")]],
        *([[{"pathways": ["UP", "DOWN"], "gems": ["ruby"] * gems}] * 2] * 2 for gems in (0, 1, 3, 100)),
    ],
)
def test_unsuitable(tiles: Any) -> None:
    """What can be read but not be played on is not considered, and costs nothing."""
    assert proposed(msgspec.json.encode(tiles)) == (None, Ready())


@pytest.mark.parametrize(
    "answer",
    [b"null", b'"void"', b"{}", b"[[", b"[[1]]", b'[[{"pathways":["UP","NORTH"],"gems":["a","b"]}]]',
     b'[[{"pathways":["UP"],"gems":["a",1]}]]', b'[[{"pathways":"UP","gems":["a","b"]}]]'],
)  # fmt: skip
def test_no_proposal(answer: bytes) -> None:
    """What is no board at all is malformed."""
    board, said = proposed(answer)
    assert board is None
    assert isinstance(said, Garbled)
    assert said.owed


def test_bots_propose() -> None:
    """A bot that is given chance proposes a suitable board; another one proposes none."""
    drawn = LabyrinthRemoteFace(ByChoice(seekers()[0], Random(1))).hear(b'["ProposeBoard",[7,8]]')
    reader = LabyrinthRemote(Labyrinth(rows=7, cols=8))
    reader.propose()
    assert reader.hear(drawn[0]) == ([], [Ready()])
    assert reader.proposal is not None
    assert drawn == LabyrinthRemoteFace(seekers()[0], rng=Random(1)).hear(b'["ProposeBoard",[7,8]]')
    assert LabyrinthRemoteFace(seekers()[0]).hear(b'["ProposeBoard",[7,8]]') == [b"[]"]
    assert LabyrinthRemoteFace(seekers()[0], rng=Random(1)).hear(b'["ProposeBoard",[70000,8]]') == [b"[]"]


def test_proposal_then_match() -> None:
    """The dialect that asked for a board goes on to the match."""
    reader = LabyrinthRemote(Labyrinth())
    reader.propose()
    reader.hear(b"[]")
    assert called(reader.say(messages.Begin(0, NAMES, small().view(0))))[0] == "setup"


def test_order_of_calls() -> None:
    """A setup, turns, `ReturnHome` at most once and in its turn, and the end, for each."""
    spec = terms(labyrinth_remote.DIALECT, seed=1)
    talk, _, rogues = dialogue(labyrinth_remote.DIALECT, spec, seekers())
    result = talk.run()
    assert result.outcome is not None
    for seat, rogue in enumerate(rogues):
        names = [name for name, _ in rogue.heard]
        assert (names[0], names[-1]) == ("setup", "EndOfGame")
        assert names.count("ReturnHome") in ([1] if seat in result.outcome.winners else [0, 1])
        won = "WINNER" if seat in result.outcome.winners else "LOSER"
        assert rogue.heard[-1][1] == ["TREASURE_RETURNED", won]
        after = names.index("ReturnHome") if "ReturnHome" in names else len(names)
        for place, (name, arguments) in enumerate(rogue.heard):
            if name == "TakeTurn":
                assert arguments[0]["self"]["hasReachedGoal"] == (place > after)


def test_a_players_methods() -> None:
    """A player has the note's methods, and is handed and hands back plain values."""
    calls: list[Any] = []
    plan = {"slide": {"direction": "LEFT", "index": 0, "rotations": 3}, "destination": [1, 3]}

    class Player:
        def ProposeBoard(self, rows: Any, columns: Any) -> Any:  # noqa: N802 - the note's name
            calls.append((rows, columns))
            return [[tile("UP DOWN", "ruby", "beryl")]]

        def setup(self, projection: Any, goal: Any) -> None:
            calls.append((projection, goal))

        def TakeTurn(self, projection: Any) -> Any:  # noqa: N802
            calls.append(projection)
            return plan

        def ReturnHome(self, home: Any) -> None:  # noqa: N802
            calls.append(home)

        def EndOfGame(self, status: Any, result: Any) -> None:  # noqa: N802
            calls.append((status, result))

    face = LabyrinthRemoteFace(Player())
    assert face.hear(b'["ProposeBoard",[7,8]]') == [b'[[{"pathways":["UP","DOWN"],"gems":["ruby","beryl"]}]]']
    assert face.hear(b'["setup",[{"self":1},[1,3]]]') == [b'"void"']
    assert msgspec.json.decode(face.hear(b'["TakeTurn",[{"self":2}]]')[0]) == plan
    assert face.hear(b'["ReturnHome",[[1,1]]]') == [b'"void"']
    assert not face.over
    assert face.hear(b'["EndOfGame",["ALL_SKIPPED","LOSER"]]') == [b'"void"']
    assert face.over
    assert calls == [(7, 8), ({"self": 1}, [1, 3]), {"self": 2}, [1, 1], ("ALL_SKIPPED", "LOSER")]
