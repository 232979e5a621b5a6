"""The Fish course's protocol: each call as it is on the wire, the actions of the others, and tournaments."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

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
from touchline.bots.fish_course import FishCourse as HouseBot
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import messages
from touchline.core.conduct import Offence, ladder
from touchline.core.errors import BadInput
from touchline.core.happenings import Failed
from touchline.core.messages import Act, Garbled, Ready
from touchline.dialects import fish_course
from touchline.dialects.base import SILENCE, Dialect, Refusal
from touchline.dialects.fish_course import DIALECT
from touchline.dialects.notation.fish import write_action
from touchline.drivers.match import play_now
from touchline.games.fish import Fish, Place, Slide

if TYPE_CHECKING:
    from touchline.core.rules import Seat

ONES = [[1, 1, 1]] * 3
RED, WHITE = FULL[::2], FULL[1::2]
FLOE = Fish(rows=4, cols=5, holes=2)
SPEAKS: type[Dialect] = DIALECT


def test_about() -> None:
    """Its name, its conduct, and how long a move may take."""
    assert (DIALECT.name, DIALECT.games, DIALECT.conduct) == ("fish-course", ("fish",), "course")
    assert (DIALECT.framing, DIALECT.per_move, DIALECT.lingers) == ("values", 10_000_000, False)


def test_a_whole_match_word_by_word() -> None:
    """Every call of a small match, as red and as white hear it."""
    table = Table(spec_of(NINE, 2), fish_course.DIALECT, [First(), First()])
    states = [
        [
            {"players": [player("red", *RED[:n]), player("white", *WHITE[:n])], "board": ONES},
            {"players": [player("white", *WHITE[:n]), player("red", *RED[: n + 1])], "board": ONES},
        ]
        for n in range(5)
    ]
    assert table.sent[0] == [
        ["start", [True]],
        ["playing-as", ["red"]],
        ["playing-with", [["white"]]],
        *(["setup", [states[n][0]]] for n in range(4)),
        ["take-turn", [states[4][0], []]],
        ["end", [True]],
    ]
    assert table.sent[1] == [
        ["start", [True]],
        ["playing-as", ["white"]],
        ["playing-with", [["red"]]],
        *(["setup", [states[n][1]]] for n in range(4)),
        ["end", [False]],
    ]
    assert table.result.verdict == "finished"
    assert [face.over for face in table.faces] == [True, True]
    assert table.moves[-1].move == Slide((0, 2), (2, 2))


def test_the_bytes() -> None:
    """Compact JSON, one value a frame; mind the double array."""
    dialect = DIALECT(NINE)
    begin = messages.Begin(0, ("a", "b", "c"), NINE.start(3, Random(1)))
    assert dialect.say(begin).frames == [b'["start",[true]]']
    assert dialect.hear(b'"void"') == ([b'["playing-as",["red"]]'], ())
    assert dialect.hear(b'"void"') == ([b'["playing-with",[["white","brown"]]]'], ())
    assert dialect.hear(b'"void"') == ([], [Ready(updates=True)])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_random_games_are_what_the_rules_say(seats: int, seed: int) -> None:
    """Bots behind the dialect play the very match that they play without it."""
    spec = spec_of(FLOE, seats, seed=seed)
    table = Table(spec, fish_course.DIALECT, random_bots(seats, seed))
    assert table.result == play_now(spec, random_bots(seats, seed))
    assert table.result.outcome is not None
    for seat in range(seats):
        words = table.words(seat)
        assert words[:3] == ["start", "playing-as", "playing-with"]
        assert words.count("setup") == 6 - seats
        assert table.sent[seat][-1] == ["end", [seat in table.result.outcome.winners]]


def test_house_players() -> None:
    """The course's house player makes the same moves behind the dialect, though it looks ahead."""
    spec = spec_of(FLOE, 3, seed=3)
    table = Table(spec, fish_course.DIALECT, [HouseBot(2)] * 3)
    assert table.result == play_now(spec, [HouseBot(2)] * 3)


def actions_heard(table: Table, seat: Seat) -> list[Any]:
    return [said[1][1] for said in table.sent[seat] if said[0] == "take-turn"]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_actions_of_the_others(seats: int, seed: int) -> None:
    """Since the player's last turn, oldest first, and none the first time."""
    table = Table(spec_of(FLOE, seats, seed=seed), fish_course.DIALECT, random_bots(seats, seed))
    slides = [(moved.seat, moved.move) for moved in table.moves if isinstance(moved.move, Slide)]
    for seat in range(seats):
        expected: list[Any] = []
        others: list[Any] | None = None
        for mover, slide in slides:
            if mover == seat:
                expected.append(others or [])
                others = []
            elif others is not None:
                others.append(write_action(slide))
        assert actions_heard(table, seat) == expected
    if seats > 2:
        assert any(len(actions) > 1 for seat in range(seats) for actions in actions_heard(table, seat))


def test_no_actions_after_a_removal() -> None:
    """The next time each of the others is asked it hears of none, and then of all again."""
    odd = {1: when("take-turn", b"false", count=1)}
    table = Table(spec_of(Fish(rows=5, cols=5, fish=1), 3), fish_course.DIALECT, [First()] * 3, odd)
    assert table.result.expelled == (1,)
    red, brown = actions_heard(table, 0), actions_heard(table, 2)
    # red, white, brown, red, white fails, brown, red, ...
    assert [len(actions) for actions in red[:5]] == [0, 2, 0, 1, 1]
    assert [len(actions) for actions in brown[:4]] == [0, 0, 1, 1]


def test_the_same_actions_when_asked_again() -> None:
    """At a table that forgives, the same call comes again."""
    forgiving = replace(COURSE, name="forgiving", illegal=ladder("retry", "expel", counted="turn"))
    odd = {0: when("take-turn", b"[[0,0],[0,0]]", count=1)}
    table = Table(spec_of(FLOE, 3, forgiving), fish_course.DIALECT, [First()] * 3, odd)
    asked = [said for said in table.sent[0] if said[0] == "take-turn"]
    assert asked[1] == asked[2]
    assert len(asked[1][1][1]) == 2
    assert table.result.expelled == ()


def test_a_removal_while_somebody_is_asked() -> None:
    """When it is asked again it hears no actions, as after any removal, and none the next time either."""
    dialect = seated(DIALECT(FLOE), 3)
    state = stood(FLOE, 3)
    dialect.say(messages.Update(9, state))
    dialect.say(messages.YourTurn(9, state, None))
    dialect.hear(b"[[0,0],[0,0]]")
    for turn in range(10, 13):
        state = state.play(state.legal_moves()[0])
        dialect.say(messages.Update(turn, state))
    (asked,) = frames(dialect.say(messages.YourTurn(12, state, None)))
    assert len(asked[1][1]) == 2
    dialect.hear(b"[[0,0],[0,0]]")
    state = state.without(2)
    dialect.say(messages.Update(12, state))
    (again,) = frames(dialect.say(messages.YourTurn(12, state, None)))
    assert again[1][1] == []


def test_moves_that_were_not_seen_one_by_one() -> None:
    """Which came first cannot be told, and no actions are no information."""
    dialect = seated(DIALECT(FLOE), 3)
    state = stood(FLOE, 3)
    dialect.say(messages.Update(9, state))
    dialect.say(messages.YourTurn(9, state, None))
    dialect.hear(b"[[0,0],[0,0]]")
    for _ in range(3):
        state = state.play(state.legal_moves()[0])
    (asked,) = frames(dialect.say(messages.YourTurn(12, state, None)))
    assert asked[1][1] == []


def seated(dialect: Any, seats: int, seat: Seat = 0) -> Any:
    """A player that has answered whatever it is asked at the beginning."""
    names = ("a", "b", "c", "d")[:seats]
    dialect.say(messages.Begin(seat, names, FLOE.start(seats, Random(1))))
    while dialect.owes:
        dialect.hear(b'"void"')
    return dialect


class ByHand:
    """A player with the course's methods."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def start(self, begins: bool) -> None:
        self.told.append(begins)

    def playing_as(self, color: str) -> None:
        self.told.append(color)

    def playing_with(self, colors: list[str]) -> None:
        self.told.append(colors)

    def setup(self, state: Any) -> Any:
        taken = [place for one in state["players"] for place in one["places"]]
        return next(tile for tile in FULL if tile not in taken)

    def take_turn(self, state: Any, actions: list[Any]) -> Any:
        self.told.append(actions)
        return [[0, 2], [2, 2]]

    def end(self, won: bool) -> None:
        self.told.append(won)


def test_a_player_with_the_methods_of_the_course() -> None:
    """An object with these methods plays."""
    red, white = ByHand(), ByHand()
    table = Table(spec_of(NINE, 2), fish_course.DIALECT, [red, white])
    assert table.result.verdict == "finished"
    assert red.told == [True, "red", ["white"], [], True]
    assert white.told == [True, "white", ["red"], False]


@pytest.mark.parametrize(
    ("word", "reply", "offence"),
    [
        ("start", b'"ok"', Offence.MALFORMED),
        ("playing-as", b"null", Offence.MALFORMED),
        ("playing-with", b"[]", Offence.MALFORMED),
        ("setup", b"[7,7]", Offence.ILLEGAL),
        ("setup", b"[0,-1]", Offence.MALFORMED),  # a Position is of naturals
        ("setup", b"[0,1.0]", Offence.MALFORMED),
        ("setup", b"[false,1]", Offence.MALFORMED),
        ("setup", b"[0,1,2]", Offence.MALFORMED),
        ("setup", b"[[0,0],[1,0]]", Offence.MALFORMED),
        ("take-turn", b"[[0,2],[0,2]]", Offence.ILLEGAL),
        ("take-turn", b"[[0,1],[2,1]]", Offence.ILLEGAL),
        ("take-turn", b"false", Offence.MALFORMED),
        ("take-turn", b'"skip"', Offence.MALFORMED),
        ("take-turn", b"[2,2]", Offence.MALFORMED),
        ("take-turn", b"{", Offence.MALFORMED),
        ("setup", Failed(0, Offence.GONE, "hung up"), Offence.GONE),
    ],
)
def test_misbehaviour(word: str, reply: Any, offence: Offence) -> None:
    """Cheating or failing: out at once, and not a word about it; the others play on."""
    table = Table(spec_of(NINE, 2), fish_course.DIALECT, [First(), First()], {0: when(word, reply)})
    assert [fault.offence for fault in table.result.faults] == [offence]
    assert table.result.expelled == (0,)
    assert "end" not in table.words(0)
    assert not table.dialects[0].owes
    assert table.sent[1][-1] == ["end", [True]]
    assert table.words(1).count("setup") == 4


@pytest.mark.parametrize("word", ["start", "playing-with", "setup", "take-turn"])
def test_late(word: str) -> None:
    """Who does not answer is out."""
    table = Table(spec_of(NINE, 2), fish_course.DIALECT, [First(), First()], {0: always(word)})
    assert [fault.offence for fault in table.result.faults] == [Offence.LATE]
    assert table.words(0)[-1] == word
    assert table.sent[1][-1] == ["end", [True]]


def test_out_of_turn() -> None:
    """A value that nobody asked for is out of turn; the tenth in a turn is too many."""
    odd = {1: when("playing-with", b'"void"', *[b"[0,0]"] * 9)}
    table = Table(spec_of(NINE, 2), fish_course.DIALECT, [First(), First()], odd)
    assert [fault.offence for fault in table.result.faults] == [Offence.OUT_OF_TURN] * 9
    assert table.result.expelled == ()


def test_a_game_that_is_over_when_all_stand() -> None:
    """Nobody takes a turn, and all who tie have won."""
    table = Table(spec_of(EIGHT, 2), fish_course.DIALECT, [First(), First()])
    assert "take-turn" not in table.words(0)
    assert [sent[-1] for sent in table.sent] == [["end", [True]]] * 2


def test_a_match_that_broke_off_is_won_by_nobody() -> None:
    """It does not count."""
    dialect = seated(DIALECT(FLOE), 3)
    assert frames(dialect.say(messages.Over(stood(), "void", None, "broken"))) == [["end", [False]]]


def test_a_tournament() -> None:
    """`start` and `end` are the tournament's; several matches lie between, each at another seat."""
    dialect = DIALECT(NINE, tournament=True)
    assert frames(dialect.start(True)) == [["start", [True]]]
    assert dialect.owes
    assert dialect.hear(b'"void"').said == [Ready()]
    face = DIALECT.face(First())
    view = NINE.start(2, Random(1))
    for seat, mine, theirs in [(0, "red", "white"), (1, "white", "red")]:
        said = frames(dialect.say(messages.Begin(seat, ("a", "b"), view)))
        assert said == [["playing-as", [mine]]]
        assert frames(dialect.hear(b'"void"')) == [["playing-with", [[theirs]]]]
        assert dialect.hear(b'"void"').said == [Ready(updates=True)]
        (frame,) = dialect.say(messages.YourTurn(seat, view, None)).frames
        face.hear(json.dumps(["playing-as", [mine]]).encode())
        face.hear(json.dumps(["playing-with", [[theirs]]]).encode())
        (answer,) = face.hear(frame)
        assert dialect.hear(answer).said == [Act(Place((0, 0)), seat)]
        assert dialect.say(messages.Over(ended(), "finished", ended().outcome(), "")) == SILENCE
        assert not face.over
    assert frames(dialect.end(False)) == [["end", [False]]]
    (garbled,) = dialect.hear(b'"fine"').said
    assert isinstance(garbled, Garbled)
    assert garbled.owed


def test_a_tournament_is_held_back_too() -> None:
    """One call at a time: `end` waits for the answer to what was asked before."""
    dialect = seated(DIALECT(FLOE, tournament=True), 3)
    dialect.say(messages.YourTurn(0, FLOE.start(3, Random(1)), None))
    assert dialect.end(True).frames == []
    assert frames(dialect.hear(b"[0,0]")) == [["end", [True]]]


def test_answers() -> None:
    """Many blanks may come before an answer, and a newline after it."""
    dialect = seated(DIALECT(FLOE), 3)
    dialect.say(messages.YourTurn(0, FLOE.start(3, Random(1)), None))
    assert dialect.hear(b" " * 2040 + b"[1, 2]\n").said == [Act(Place((1, 2)), 0)]
    dialect.say(messages.YourTurn(9, stood(FLOE, 3), None))
    assert dialect.hear(b"[[1,2],[90,0]] ").said == [Act(Slide((1, 2), (90, 0)), 9)]


def test_every_message_can_be_said() -> None:
    """In any order, whatever is owed."""
    view = NINE.start(2, Random(1))
    dialect = DIALECT(NINE)
    for message in everything(view):
        DIALECT(NINE).say(message)
        dialect.say(message)


@settings(deadline=None)
@given(st.lists(FRAMES, min_size=1, max_size=4), st.booleans())
def test_whatever_is_sent(sent: list[bytes], tournament: bool) -> None:
    """Nothing that a player sends raises, or takes long to read."""
    heard_all(DIALECT(NINE, tournament=tournament), NINE.start(2, Random(1)), sent)


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        (b'"x"', "x"), (b' "Ada" \n', "Ada"), (b'"Ada\\n"', "Ada"), (b'"Ada\\r\\n"', "Ada"),
        (b'"\\u0041da"', "Ada"),
        (b'"abcdefghijkl"', "abcdefghijkl"), (b'"abcdefghijkl\\n"', "abcdefghijkl"),
    ],
)  # fmt: skip
def test_names(frame: bytes, name: str) -> None:
    """A name is a JSON string of 1 to 12 letters; a newline may end it."""
    assert DIALECT.read_sign_up(frame).name == name


@pytest.mark.parametrize(
    "frame",
    [
        b'""', b'"\\n"', b'"abcdefghijklm"', b'"a b"', b'"a1"', b'"\\u00e9"', b'"a\\n\\n"', b'"\\na"', b"Ada",
        b"7",
        b'["a"]', b"", b'"\xff"', b"null",
    ],
)  # fmt: skip
def test_names_that_are_refused(frame: bytes) -> None:
    """Anything else is no name."""
    with pytest.raises(Refusal):
        DIALECT.read_sign_up(frame)


def test_the_face_alone() -> None:
    """It takes what servers send: "skip" among the actions, more arguments, calls of their own."""
    hand = ByHand()
    face = DIALECT.face(hand, rng=Random(1))
    assert face.sign_up("Ada") == [b'"Ada"']
    assert face.hear(b'["start",[true]]\n') == [b'"void"']
    assert face.hear(b'["take-turn",[{},[[[0,0],[2,0]],"skip"],1]]') == [b"[[0,2],[2,2]]"]
    assert hand.told[-1] == [[[0, 0], [2, 0]], "skip"]
    assert face.hear(b'["pause",[]]') == []
    assert not face.over
    assert face.hear(b'["end",[true]]') == [b'"void"']
    assert face.over
    with pytest.raises(BadInput):
        face.hear(b"nonsense")


def test_a_bot_behind_a_server_of_others() -> None:
    """Rows may be short, fields may be more, and a server may count the player among those it plays with."""
    face = DIALECT.face(First())
    face.hear(b'["playing-as",["white"]]')
    face.hear(b'["playing-with",[["white","red"]]]')
    places = {"color": "white", "score": 0, "places": [[0, 0]], "age": 3}
    state = {"players": [places, player("red", [0, 1])], "board": [[1, 1, 1], [1]], "round": 1}
    assert face.hear(json.dumps(["setup", [state]]).encode()) == [b"[0,2]"]
    assert face.hear(json.dumps(["take-turn", [state, ["skip"]]]).encode()) == [b"[[0,0],[1,0]]"]
