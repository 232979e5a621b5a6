"""Fish by calls: each call as it is on the wire, whole games, and what becomes of those who misbehave."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dialects.fish_table import (
    EIGHT,
    FRAMES,
    FULL,
    NINE,
    First,
    Table,
    always,
    ended,
    everything,
    frames,
    heard_all,
    player,
    random_bots,
    spec_of,
    stood,
    when,
)
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import messages
from touchline.core.conduct import Offence, ladder
from touchline.core.errors import BadInput
from touchline.core.happenings import Failed
from touchline.core.messages import Act, Garbled, Ready
from touchline.dialects import fish_calls
from touchline.dialects.base import Dialect, Refusal
from touchline.dialects.fish_calls import DIALECT
from touchline.drivers.match import play_now
from touchline.games.fish import Fish, Place, Slide

ONES = [[1, 1, 1]] * 3
SPEAKS: type[Dialect] = DIALECT


def posn(row: int, column: int) -> dict[str, int]:
    return {"x": column, "y": row}


def begun(seat: int = 0) -> Dialect:
    dialect = DIALECT(NINE)
    dialect.say(messages.Begin(seat, ("a", "b"), NINE.start(2, Random(1))))
    dialect.hear(b'"void"')
    return dialect


def test_about() -> None:
    """Its name, its conduct, and how long a move may take."""
    assert (DIALECT.name, DIALECT.games, DIALECT.conduct) == ("seed-000", ("fish",), "seed-000")
    assert (DIALECT.framing, DIALECT.per_move, DIALECT.lingers) == ("values", 30_000_000, False)


def test_a_whole_match_word_by_word() -> None:
    """Every call of a small match, as red and as white hear it."""
    table = Table(spec_of(NINE, 2, "seed-000"), fish_calls.DIALECT, [First(), First()])
    red, white = FULL[::2], FULL[1::2]
    placing = [
        [
            "get-placement",
            [{"players": [player("red", *red[:n]), player("white", *white[:n])], "board": ONES}],
        ]
        for n in range(4)
    ]
    state = {"players": [player("red", *red), player("white", *white)], "board": ONES}
    last = {
        "players": [player("red", [0, 0], [2, 2], *red[2:], score=1), player("white", *white)],
        "board": [[1, 1, 0], [1, 1, 1], [1, 1, 1]],
    }
    end_game = {"state": last, "kicked": [], "winners": ["red"]}
    assert table.sent[0] == [
        ["initialize", [ONES, 2, "red"]],
        *placing,
        ["get-movement", [{"state": state, "turn": "red", "kicked": []}]],
        ["finalize", [end_game]],
    ]
    assert table.sent[1] == [
        ["initialize", [ONES, 2, "white"]],
        *(
            [
                "get-placement",
                [{"players": [player("white", *white[:n]), player("red", *red[: n + 1])], "board": ONES}],
            ]
            for n in range(4)
        ),
        ["finalize", [end_game]],
    ]
    assert table.result.verdict == "finished"
    assert [face.over for face in table.faces] == [True, True]
    assert table.moves[1].move == Place((0, 1))
    assert table.moves[-1].move == Slide((0, 2), (2, 2))


def test_the_bytes() -> None:
    """Calls are compact JSON, one value a frame."""
    (frame,) = DIALECT(EIGHT).say(messages.Begin(1, ("a", "b"), EIGHT.start(2, Random(1)))).frames
    assert frame == b'["initialize",[[[2,2,2,2],[2,2,2,2]],2,"white"]]'
    (frame,) = DIALECT(EIGHT).say(messages.Expelled("illegal: no")).frames
    assert frame == b'["terminate",[]]'


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_random_games_are_what_the_rules_say(seats: int, seed: int) -> None:
    """Bots behind the dialect play the very match that they play without it."""
    spec = spec_of(Fish(rows=4, cols=5, holes=2), seats, "seed-000", seed)
    table = Table(spec, fish_calls.DIALECT, random_bots(seats, seed))
    assert table.result == play_now(spec, random_bots(seats, seed))
    for seat in range(seats):
        words = table.words(seat)
        assert (words[0], words[-1]) == ("initialize", "finalize")
        assert words.count("get-placement") == 6 - seats


class ByHand:
    """A player with the note's own methods; it writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def initialize(self, board: Any, players: int, color: str) -> None:
        self.told.append((board, players, color))

    def get_placement(self, state: Any) -> Any:
        taken = [place for one in state["players"] for place in one["places"]]
        return next(posn(*tile) for tile in FULL if tile not in taken)

    def get_move(self, game: Any) -> Any:
        self.told.append((game["turn"], game["kicked"]))
        return {"from": posn(0, 2), "to": posn(2, 2)}

    def finalize(self, end_game: Any) -> None:
        self.told.append(end_game["winners"])

    def terminate(self) -> None:
        self.told.append("terminated")


class Named(ByHand):
    """The same under the note's other name for it."""

    get_movement = ByHand.get_move
    get_move = None  # type: ignore[assignment]


@pytest.mark.parametrize("kind", [ByHand, Named])
def test_a_player_with_the_methods_of_the_note(kind: type[ByHand]) -> None:
    """An object with the note's functions plays; `get-movement` and `get-move` are the same function."""
    red, white = kind(), kind()
    table = Table(spec_of(NINE, 2, "seed-000"), fish_calls.DIALECT, [red, white])
    assert table.result.outcome is not None
    assert table.result.outcome.winners == (0,)
    assert red.told == [(ONES, 2, "red"), ("red", []), ["red"]]
    assert white.told == [(ONES, 2, "white"), ["red"]]


ILLEGAL = json.dumps(posn(7, 7)).encode()


@pytest.mark.parametrize(
    ("word", "reply", "offence"),
    [
        ("initialize", b'"ok"', Offence.MALFORMED),
        ("initialize", b"null", Offence.MALFORMED),
        ("get-placement", ILLEGAL, Offence.ILLEGAL),
        ("get-placement", b'{"x":-1,"y":0}', Offence.ILLEGAL),
        ("get-placement", b"[0,0]", Offence.MALFORMED),
        ("get-placement", b'{"x":1.0,"y":0}', Offence.MALFORMED),
        ("get-placement", b'{"x":true,"y":0}', Offence.MALFORMED),
        ("get-placement", b'{"x":1}', Offence.MALFORMED),
        ("get-placement", b'{"x":1,"y":0,"z":0}', Offence.MALFORMED),
        ("get-placement", b'"void"', Offence.MALFORMED),
        ("get-placement", b"{", Offence.MALFORMED),
        ("get-movement", b'{"from":{"x":0,"y":0},"to":{"x":0,"y":0}}', Offence.ILLEGAL),
        ("get-movement", b'{"from":{"x":0,"y":0}}', Offence.MALFORMED),
        ("get-movement", b"false", Offence.MALFORMED),
        ("get-movement", b'{"x":0,"y":0}', Offence.MALFORMED),
        ("get-movement", Failed(0, Offence.GONE, "hung up"), Offence.GONE),
        ("get-placement", Failed(0, Offence.GONE, "hung up"), Offence.GONE),
    ],
)
def test_misbehaviour(word: str, reply: Any, offence: Offence) -> None:
    """An invalid answer: `terminate` once, penguins removed, no call after it, and no `finalize`."""
    table = Table(
        spec_of(NINE, 2, "seed-000"), fish_calls.DIALECT, [First(), First()], {0: when(word, reply)}
    )
    assert [fault.offence for fault in table.result.faults] == [offence]
    assert table.result.expelled == (0,)
    assert table.words(0)[-2:] == [word, "terminate"]
    assert table.words(0).count("terminate") == 1
    assert table.sent[0][-1] == ["terminate", []]
    assert table.faces[0].over
    assert "finalize" not in table.words(0)
    last = table.sent[1][-1]
    assert last[0] == "finalize"
    assert (last[1][0]["kicked"], last[1][0]["winners"]) == (["red"], ["white"])
    assert [one["color"] for one in last[1][0]["state"]["players"]] == ["white"]
    assert table.words(1).count("get-placement") == 4


@pytest.mark.parametrize("word", ["initialize", "get-placement", "get-movement"])
def test_late(word: str) -> None:
    """Who does not answer is terminated at once, though an answer is outstanding, and nothing is awaited."""
    table = Table(spec_of(NINE, 2, "seed-000"), fish_calls.DIALECT, [First(), First()], {0: always(word)})
    assert [fault.offence for fault in table.result.faults] == [Offence.LATE]
    assert table.words(0)[-2:] == [word, "terminate"]
    assert not table.dialects[0].owes
    assert table.words(1)[-1] == "finalize"


def test_kicked_players_are_named_to_those_who_move() -> None:
    """The next Game names the colour that was kicked, and its State is without it."""
    game = Fish(rows=4, cols=4, fish=1)
    odd = {1: when("get-movement", b"false")}
    table = Table(spec_of(game, 3, "seed-000"), fish_calls.DIALECT, [First()] * 3, odd)
    after = [said[1][0] for said in table.sent[2] if said[0] == "get-movement"]
    assert after[0]["kicked"] == ["white"]
    assert [one["color"] for one in after[0]["state"]["players"]] == ["brown", "red"]
    assert after[0]["turn"] == "brown"


def test_out_of_turn() -> None:
    """A value that nobody asked for is out of turn, and nothing is said about it until it is the tenth."""
    odd = {1: when("initialize", b'"void"', *[b"0"] * 9)}
    table = Table(spec_of(NINE, 2, "seed-000"), fish_calls.DIALECT, [First(), First()], odd)
    assert [fault.offence for fault in table.result.faults] == [Offence.OUT_OF_TURN] * 9
    assert table.result.expelled == ()
    odd = {1: when("initialize", b'"void"', *[b"0"] * 10)}
    table = Table(spec_of(NINE, 2, "seed-000"), fish_calls.DIALECT, [First(), First()], odd)
    assert table.result.expelled == (1,)
    assert table.words(1) == ["initialize", "terminate"]


def test_asked_again_where_the_conduct_says_so() -> None:
    """At a table that forgives, a rejection is silent, and the same call comes again."""
    forgiving = replace(COURSE, name="forgiving", illegal=ladder("retry", "expel", counted="turn"))
    table = Table(
        spec_of(NINE, 2, forgiving),
        fish_calls.DIALECT,
        [First(), First()],
        {0: when("get-placement", ILLEGAL, count=1)},
    )
    assert table.result.expelled == ()
    asked = [said for said in table.sent[0] if said[0] == "get-placement"]
    assert len(asked) == 5
    assert asked[1] == asked[2]


def test_a_game_that_is_over_when_all_stand() -> None:
    """Nobody is asked to move, and all who tie have won."""
    table = Table(spec_of(EIGHT, 2, "seed-000"), fish_calls.DIALECT, [First(), First()])
    assert "get-movement" not in table.words(0)
    assert table.sent[0][-1][1][0]["winners"] == ["red", "white"]


def test_answers() -> None:
    """Answers are read with the number of the turn they answer; column first."""
    dialect = begun()
    dialect.say(messages.YourTurn(0, NINE.start(2, Random(1)), None))
    assert dialect.owes
    assert dialect.hear(b' \n{"y": 1, "x": 2}\n').said == [Act(Place((1, 2)), 0)]
    assert not dialect.owes
    dialect.say(messages.YourTurn(8, stood(), None))
    said = dialect.hear(b'{"from":{"x":2,"y":0},"to":{"x":1,"y":9}}').said
    assert said == [Act(Slide((0, 2), (9, 1)), 8)]
    assert dialect.hear(b"1").said == [Garbled("received `1`, but nothing was asked")]


def test_terminate_drops_what_waits() -> None:
    """A call that waited for an answer is not made once the player is out."""
    dialect = begun()
    dialect.say(messages.YourTurn(0, NINE.start(2, Random(1)), None))
    assert frames(dialect.say(messages.YourTurn(2, stood(), None))) == []
    assert frames(dialect.say(messages.Expelled("late"))) == [["terminate", []]]
    assert not dialect.owes
    assert not dialect.hear(b'{"x":0,"y":0}').frames


def test_finalize_is_only_called_with_an_end_game() -> None:
    """A match that broke off has no EndGame: the closed connection says it."""
    dialect = begun()
    assert dialect.say(messages.Over(stood(), "void", None, "broken")).frames == ()
    (said,) = frames(dialect.say(messages.Over(ended(), "finished", ended().outcome(), "")))
    assert said[0] == "finalize"
    assert dialect.hear(b'"void"') == ([], ())


def test_every_message_can_be_said() -> None:
    """In any order, whatever is owed."""
    view = NINE.start(2, Random(1))
    for message in everything(view):
        DIALECT(NINE).say(message)
    dialect = DIALECT(NINE)
    for message in everything(view):
        dialect.say(message)
    ready = DIALECT(NINE)
    ready.say(everything(view)[0])
    assert ready.hear(b'"void"').said == [Ready()]


@settings(deadline=None)
@given(st.lists(FRAMES, min_size=1, max_size=4))
def test_whatever_is_sent(sent: list[bytes]) -> None:
    """Nothing that a player sends raises, or takes long to read."""
    heard_all(DIALECT(NINE), NINE.start(2, Random(1)), sent)


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        (b'"x"', "x"), (b' "Ada Lovelace" \n', "Ada Lovelace"), (b'"Ada\\n"', "Ada"), (b'"\\u00e9"', "é"),
        (b'"' + b"a" * 32 + b'"', "a" * 32),
    ],
)  # fmt: skip
def test_names(frame: bytes, name: str) -> None:
    """A name is a JSON string of 1 to 32 printable characters."""
    assert DIALECT.read_sign_up(frame).name == name


@pytest.mark.parametrize(
    "frame",
    [
        b'""', b'"' + b"a" * 33 + b'"', b'"a\\u001b"', b'"a\\nb"', b"x", b"7", b'["a"]', b"", b'"\xff"',
        b'"\\ud800"',
    ],
)  # fmt: skip
def test_names_that_are_refused(frame: bytes) -> None:
    """Anything else is no name."""
    with pytest.raises(Refusal):
        DIALECT.read_sign_up(frame)


def test_the_face_alone() -> None:
    """It signs up with a name, passes over what it does not know, and ignores more than it needs."""
    face = DIALECT.face(ByHand(), rng=Random(1))
    assert face.sign_up("Ada") == [b'"Ada"']
    assert DIALECT.read_sign_up(face.sign_up("Ada")[0]).name == "Ada"
    assert face.hear(b'["tournament-started",[4]]') == []
    assert face.hear(b'["initialize",[[[1]],2,"red","more"]]') == [b'"void"']
    assert face.hear(b'["get-move",[{"turn":"red","kicked":[]}]]') == [
        b'{"from":{"x":2,"y":0},"to":{"x":2,"y":2}}'
    ]
    assert not face.over
    assert face.hear(b'["terminate",[]]') == []
    assert face.over
    with pytest.raises(BadInput):
        face.hear(b"nonsense")


def test_what_a_player_raises_is_not_hidden() -> None:
    """An exception of the player's is for whoever runs it."""

    class Broken(ByHand):
        def get_placement(self, state: Any) -> Any:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        DIALECT.face(Broken()).hear(b'["get-placement",[{}]]')
