"""What the native dialect says and hears: one JSON object a frame, no secrets, and never an exception."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.tables import TABLES
from touchline.core import messages
from touchline.core.messages import Act, Garbled, Ready
from touchline.core.rules import IllegalMove
from touchline.dialects.native import PROTOCOL, Native, Said
from touchline.games.labyrinth import Labyrinth, LabyrinthState

if TYPE_CHECKING:
    from touchline.core.messages import FromPlayer
    from touchline.core.rules import Game, State

NAMES = ("a", "b", "c")


def heard_by(dialect: Native, frame: bytes) -> FromPlayer:
    """The one thing that a frame says."""
    (said,) = dialect.hear(frame).said
    return said


def begun(name: str, seed: int = 1) -> tuple[Game, State]:
    game, seats = TABLES[name]
    return game, game.start(seats, Random(seed))


def all_messages(view: State) -> dict[str, messages.ToPlayer]:
    """Every word the referee knows, by the tag it must have on the wire."""
    return {
        "begin": messages.Begin(0, NAMES, view),
        "your_turn": messages.YourTurn(3, view, 1_500_000),
        "accepted": messages.Accepted(3),
        "rejected": messages.Rejected(3, "no"),
        "update": messages.Update(4, view),
        "skipped": messages.Skipped(4, "no move is possible"),
        "expelled": messages.Expelled("late"),
        "over": messages.Over(view, "void", None, "why"),
    }


def said(game: Game, message: messages.ToPlayer) -> dict[str, Any]:
    (frame,) = Native(game).say(message).frames
    assert b"\n" not in frame
    decoded = json.loads(frame)
    assert isinstance(decoded, dict)
    return decoded


def test_there_is_a_word_for_every_message() -> None:
    """The table of these tests misses none of the messages, nor any word of the dialect."""
    _, state = begun("hexapawn")
    table = all_messages(state.view(0))
    assert {type(message) for message in table.values()} == set(get_args(messages.ToPlayer)) - {
        messages.Onward
    }
    assert {word.__struct_config__.tag for word in get_args(Said)} == {*table, "welcome"}


def test_where_to_go_next_is_in_the_position() -> None:
    """Nothing is said of it, and nobody has to answer."""
    rules, state = begun("labyrinth")
    assert Native(rules).say(messages.Onward(3, state.view(0))) == ((), [Ready()])


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("tag", all_messages(begun("hexapawn")[1]))
def test_a_message_is_one_object_with_its_tag(game: str, tag: str) -> None:
    """Every message is said in one frame, which holds one object that says which it is."""
    rules, state = begun(game)
    frame = said(rules, all_messages(state.view(0))[tag])
    assert frame["type"] == tag
    assert msgspec.convert(frame, Said)


@pytest.mark.parametrize("game", TABLES)
def test_the_words_hold_what_was_meant(game: str) -> None:
    """Numbers, reasons and positions arrive as they were."""
    rules, state = begun(game)
    view = state.view(0)
    table = {tag: said(rules, message) for tag, message in all_messages(view).items()}
    position = json.loads(msgspec.json.encode(view.position()))
    begin = table["begin"]
    assert (begin["protocol"], begin["game"], begin["seat"]) == (PROTOCOL, game, 0)
    assert begin["names"] == list(NAMES)
    assert begin["options"] == json.loads(msgspec.json.encode(rules))
    assert table["your_turn"]["milliseconds"] == 1500
    assert (table["your_turn"]["turn"], table["update"]["turn"], table["accepted"]["turn"]) == (3, 4, 3)
    for tag in ("begin", "your_turn", "update", "over"):
        assert table[tag]["position"] == position
    assert (table["rejected"]["reason"], table["expelled"]["reason"]) == ("no", "late")
    assert (table["over"]["verdict"], table["over"]["outcome"], table["over"]["reason"]) == (
        "void", None, "why",
    )  # fmt: skip


def test_as_long_as_you_like_is_null() -> None:
    """A turn without a clock says so."""
    rules, state = begun("hexapawn")
    assert said(rules, messages.YourTurn(0, state, None))["milliseconds"] is None


@pytest.mark.parametrize("allowance", [0, 1, 999, 1000, 1999])
def test_a_player_is_never_promised_more_time_than_it_has(allowance: int) -> None:
    """Milliseconds are rounded down."""
    rules, state = begun("hexapawn")
    told = said(rules, messages.YourTurn(0, state, allowance))["milliseconds"]
    assert told * 1000 <= allowance < (told + 1) * 1000


@pytest.mark.parametrize("game", TABLES)
def test_a_position_on_the_wire_can_be_played_from(game: str) -> None:
    """A player that restores what it is shown knows the same moves."""
    rules, state = begun(game)
    frame = said(rules, messages.YourTurn(0, state.view(0), None))
    again = rules.restore(msgspec.convert(frame["position"], rules.Position))
    assert again.legal_moves() == state.view(0).legal_moves()


@pytest.mark.parametrize("text", ['quote " and \\', "line\nend", "ü\u2028\u202e", "\x1b[2J", "\x00"])
def test_any_reason_is_one_frame(text: str) -> None:
    """Whatever a reason or a name holds, it cannot end the line it stands on."""
    rules, state = begun("hexapawn")
    assert said(rules, messages.Rejected(0, text))["reason"] == text
    assert said(rules, messages.Expelled(text))["reason"] == text
    assert said(rules, messages.Begin(0, (text,), state))["names"] == [text]


# -- secrets --------------------------------------------------------------------------------------


def swapped(state: LabyrinthState, seat: int) -> LabyrinthState:
    """The same state with what every other seat is after changed, and with other goals to come."""
    cells = sorted(cell for cell in state.maze.grid.cells if cell[0] % 2 and cell[1] % 2)
    seekers = tuple(
        seeker
        if other == seat
        else msgspec.structs.replace(
            seeker,
            goal=cells[(cells.index(seeker.goal) + 1) % len(cells)] if seeker.goal in cells else cells[0],
            found=(seeker.found or 0) + 1,
            homeward=not seeker.homeward,
        )
        for other, seeker in enumerate(state.seekers)
    )
    pool = None if state.pool is None else (*reversed(state.pool), cells[0])
    return msgspec.structs.replace(state, seekers=seekers, pool=pool)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seat", range(3))
def test_nobody_is_told_what_others_are_after(seat: int, seed: int) -> None:
    """Every frame to a seat is the same whatever the others' hidden goals are, all through a match."""
    game, rng = Labyrinth(rows=5, cols=7, goals=3), Random(seed)
    dialect, state = Native(game), game.start(3, rng)
    for _ in range(12):
        other = swapped(state, seat)
        assert other.position() != state.position(), "something was swapped"
        for tag, message in all_messages(state.view(seat)).items():
            assert dialect.say(message) == dialect.say(all_messages(other.view(seat))[tag])
        state = state.play(rng.choice(state.legal_moves()[:-1]))
        if state.to_move is None:
            break


def test_a_seat_is_told_what_it_is_after() -> None:
    """Its own goal is there, the others' are not, and nobody sees what comes next."""
    rules, state = begun("labyrinth")
    position = said(rules, messages.YourTurn(0, state.view(0), None))["position"]
    assert position["seekers"][0]["goal"] is not None
    assert position["seekers"][1]["goal"] is None
    assert position["pool"] is None


# -- hearing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", TABLES)
def test_a_valid_act_is_a_move_of_the_game(game: str) -> None:
    """Every legal move that a player sends arrives as the game's own move."""
    rules, state = begun(game)
    for move in state.legal_moves():
        frame = msgspec.json.encode({"type": "act", "turn": 7, "move": move})
        heard = heard_by(Native(rules), frame)
        assert heard == Act(move, 7)
        assert isinstance(heard, Act)
        state.check(heard.move)


@pytest.mark.parametrize(
    ("frame", "updates"),
    [
        (b'{"type":"ready"}', False),
        (b'{"type":"ready","updates":true}', True),
        (b' { "updates" : false , "type" : "ready" , "new in version 9" : [1] } ', False),
    ],
)
def test_ready_is_heard(frame: bytes, updates: bool) -> None:
    """With updates or without, and with fields of some day to come."""
    assert heard_by(Native(TABLES["fish"][0]), frame) == Ready(updates)


def test_of_two_equal_keys_the_last_counts() -> None:
    """A message with a key twice has one reading, and it is written down here which."""
    rules, state = begun("hexapawn")
    move = msgspec.json.encode(state.legal_moves()[0])
    frame = b'{"type":"act","turn":1,"turn":2,"move":null,"move":%s}' % move
    assert heard_by(Native(rules), frame) == Act(state.legal_moves()[0], 2)


STEP = b'{"from":[0,0],"to":[1,0]}'


def act(turn: bytes = b"0", move: bytes = STEP) -> bytes:
    return b'{"type":"act","turn":' + turn + b',"move":' + move + b"}"


HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "blank": b"   ",
    "word": b"hello",
    "null": b"null",
    "number": b"1",
    "string": b'"act"',
    "array": b'["act",0]',
    "empty object": b"{}",
    "no type": b'{"turn":0,"move":null}',
    "unknown type": b'{"type":"kick"}',
    "word of the referee": b'{"type":"over","verdict":"finished"}',
    "control word": b'"DeadlineExceeded"',
    "type is a number": b'{"type":1}',
    "type is null": b'{"type":null}',
    "half": act()[:20],
    "trailing bytes": act() + b"x",
    "two messages": act() + act(),
    "no turn": b'{"type":"act","move":' + STEP + b"}",
    "no move": b'{"type":"act","turn":0}',
    "turn null": act(b"null"),
    "turn negative": act(b"-1"),
    "turn float": act(b"1.5"),
    "turn true": act(b"true"),
    "turn text": act(b'"0"'),
    "turn beyond 2^53": act(b"9007199254740993"),
    "turn beyond 2^64": act(b"18446744073709551616"),
    "turn of 4300 digits": act(b"9" * 4300),
    "turn of 5000 digits": act(b"9" * 5000),
    "turn of 100000 digits": act(b"9" * 100_000),
    "turn 1e999": act(b"1e999"),
    "turn NaN": act(b"NaN"),
    "turn Infinity": act(b"Infinity"),
    "turn -Infinity": act(b"-Infinity"),
    "move null": act(move=b"null"),
    "move number": act(move=b"3"),
    "move array": act(move=b"[0,0]"),
    "move string": act(move=b'"a1-a2"'),
    "move empty": act(move=b"{}"),
    "cell of one": act(move=b'{"from":[0],"to":[1,0]}'),
    "cell of three": act(move=b'{"from":[0,0,0],"to":[1,0]}'),
    "cell of text": act(move=b'{"from":["0","0"],"to":[1,0]}'),
    "cell of bools": act(move=b'{"from":[false,false],"to":[true,false]}'),
    "cell of fractions": act(move=b'{"from":[0.5,0],"to":[1,0]}'),
    "cell of NaN": act(move=b'{"from":[NaN,0],"to":[1,0]}'),
    "cell of 1e999": act(move=b'{"from":[1e999,0],"to":[1,0]}'),
    "cell of 5000 digits": act(move=b'{"from":[' + b"1" * 5000 + b',0],"to":[1,0]}'),
    "invalid UTF-8 in the type": b'{"type":"\xff\xfe"}',
    "invalid UTF-8 in a move": act(move=b'{"from":"\xff","to":[1,0]}'),
    "only invalid UTF-8": b"\xff\xfe\xfd",
    "byte order mark": b"\xef\xbb\xbf" + act(),
    "UTF-16": act().decode().encode("utf-16"),
    "UTF-32": act().decode().encode("utf-32"),
    "NUL": b"\x00",
    "NUL after it": act() + b"\x00",
    "lone surrogate type": b'{"type":"\\ud800"}',
    "100000 open brackets": b"[" * 100_000,
    "100000 nested arrays": b"[" * 100_000 + b"]" * 100_000,
    "a move nested 100000 deep": act(move=b"[" * 100_000 + b"]" * 100_000),
    "an unknown field nested deep": b'{"type":"ready","x":' + b'{"x":' * 100_000 + b"1" + b"}" * 100_001,
    "open objects": b'{"a":' * 100_000,
    "wide": b"[" + b"[]," * 100_000 + b"[]]",
    "open string": b'{"type":"' + b"a" * 500_000,
    "spaces": b" " * 500_000,
    "escape cut": b'{"type":"ready\\',
    "unicode escape cut": b'{"type":"\\u00',
    "single quotes": b"{'type':'ready'}",
    "comment": b'{"type":"ready"} // yes',
    "ready with odd updates": b'{"type":"ready","updates":"yes"}',
    "ready with number": b'{"type":"ready","updates":1}',
    "ready with null": b'{"type":"ready","updates":null}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_frame_is_garbled(name: str) -> None:
    """It is refused in words that fit on a line, and nothing is raised."""
    heard = heard_by(Native(TABLES["hexapawn"][0]), HOSTILE[name])
    assert isinstance(heard, Garbled), heard
    assert heard.why
    assert len(heard.why) <= 200
    assert heard.why.isprintable()


def test_invalid_text_where_nobody_reads_it_does_no_harm() -> None:
    """What stands in a field that nobody knows is not looked at, and not kept."""
    heard = heard_by(Native(TABLES["hexapawn"][0]), b'{"type":"ready","x":"\xff"}')
    assert isinstance(heard, Garbled) or heard == Ready()


@pytest.mark.parametrize("move", [b'{"from":[-1,-1],"to":[0,0]}', b'{"from":[99,0],"to":[98,0]}',
                                  b'{"from":[9223372036854775807,0],"to":[0,0]}'])  # fmt: skip
def test_cells_off_the_board_are_never_a_legal_move(move: bytes) -> None:
    """A cell with a negative or a great number is refused by the dialect or by the rules."""
    rules, state = begun("hexapawn")
    heard = heard_by(Native(rules), act(move=move))
    if isinstance(heard, Act):
        with pytest.raises(IllegalMove):
            state.check(heard.move)


@pytest.mark.parametrize("game", TABLES)
@given(frame=st.binary(max_size=200))
def test_random_bytes_are_never_an_exception(game: str, frame: bytes) -> None:
    """Noise is garbled."""
    assert isinstance(heard_by(Native(TABLES[game][0]), frame), Garbled | Ready | Act)


def mutated(data: bytes, rng: Random) -> bytes:
    """A frame with a few bytes changed, dropped, doubled or put in."""
    frame = bytearray(data)
    tokens = [
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"-",
        b"1e999",
        b"NaN",
        b"null",
        b"true",
        b"\\ud800",
        b"\xff",
    ]
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(frame) + 1)
        match rng.randrange(4):
            case 0:
                del frame[place : place + rng.randint(1, 5)]
            case 1:
                frame[place:place] = rng.choice(tokens)
            case 2:
                frame[place : place + 1] = bytes([rng.randrange(256)])
            case _:
                frame[place:place] = frame[place : place + rng.randint(1, 9)]
    return bytes(frame)


def mutants(game: str, seeds: range) -> int:
    """Hear so many mutated frames; how many were still a move."""
    rules, state = begun(game)
    dialect, moves, taken = Native(rules), state.legal_moves(), 0
    for seed in seeds:
        rng = Random(seed)
        whole = msgspec.json.encode({"type": "act", "turn": rng.randrange(20), "move": rng.choice(moves)})
        heard = heard_by(dialect, mutated(whole, rng))
        if isinstance(heard, Act):
            taken += 1
            msgspec.json.encode(heard)
            with suppress(IllegalMove):
                state.check(heard.move)
        elif isinstance(heard, Garbled):
            assert heard.why.isprintable()
    return taken


@pytest.mark.parametrize("game", TABLES)
def test_a_mutated_frame_is_garbled_or_a_move_that_can_be_judged(game: str) -> None:
    """Whatever is still read as a move can be written down, and the rules survive it."""
    assert 0 < mutants(game, range(4000)) < 4000


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", TABLES)
def test_a_hundred_thousand_mutated_frames(game: str) -> None:
    """The same at length."""
    assert mutants(game, range(10**6, 10**6 + 100_000))


@settings(max_examples=200)
@given(data=st.data())
def test_a_frame_cut_short_is_garbled(data: st.DataObject) -> None:
    """Any proper beginning of a message is no message."""
    rules, state = begun(data.draw(st.sampled_from(sorted(TABLES))))
    move = data.draw(st.sampled_from(state.legal_moves()))
    whole = msgspec.json.encode({"type": "act", "turn": 0, "move": move})
    short = whole[: data.draw(st.integers(0, len(whole) - 1))]
    assert isinstance(heard_by(Native(rules), short), Garbled)
