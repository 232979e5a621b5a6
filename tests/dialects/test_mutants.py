"""Mutants of everything that can be said: no dialect, framing, face or table is put out by any of them.

These tests hear some twenty thousand; `mutant_siege/` sends millions, also from live seats over every door.
"""

from __future__ import annotations

import logging
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from dialects import mutant_seat
from dialects.mutant_moments import (  # fmt: skip
    SETTINGS,
    Moment,
    Setting,
    Tally,
    hear,
    moments,
    sign_up,
    valid,
)
from dialects.mutant_seat import Messages, Stream
from touchline.core import registry
from touchline.core.errors import BadInput, TouchlineError
from touchline.core.messages import MOST_INBOUND
from touchline.dialects.base import UNREADABLE
from touchline.dialects.notation.oz import LONGEST_ATOM, MOST_TERMS, read
from touchline.testing.mutants import LARGE, SMALL, Mutants, pieces
from touchline.transports.shared import framing
from touchline.transports.shared.framing import FRAMINGS, MOST_AT_ONCE, MOST_FRAME, Overflow, Values
from work import allocated, at_most

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable

    from touchline.testing.scripts import ScriptedConnection

EVERYDAY = 2_000
"""Mutants for each setting: a dialect at one of its games."""

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)


# -- the mutants themselves -----------------------------------------------------------------------


@every_setting
def test_mutants_are_what_they_should_be(setting: Setting) -> None:
    """They follow from the seed, are no longer than a frame may be, and nearly all are something new."""
    frames = valid(setting).answers
    made, again = (
        [next(mutants) for _ in range(500)] for mutants in (Mutants(frames, 7), Mutants(frames, 7))
    )
    assert made == again
    assert max(map(len, made)) <= MOST_INBOUND
    assert len({*made} - {*frames}) > 400


def test_every_mutation_mutates() -> None:
    """None of them leaves every frame as it is, and none cares what it is given."""
    rng = Random(1)
    for mutation in (*SMALL, *LARGE):
        frames = [
            b'{"type":"act","turn":1,"move":{"to":[1,"a"]}}',
            b"move(f(1 2) t(2 2))",
            b"",
            b"\xff",
            b"[[",
        ]
        made = [mutation(frame, rng) for frame in frames * 10]
        assert {*made} - {*frames}, mutation


# -- decoders -------------------------------------------------------------------------------------


def campaign(setting: Setting, seed: str, count: int) -> Tally:
    """So many mutants, heard at every moment of a match and at its door; half of them instead of a move."""
    kind, said, tally = registry.dialect(setting.dialect), valid(setting), Tally()
    every = [moment for board in (0, 1) for moment in moments(setting, board).items()]
    asked = [moment for name, moment in every if "turn" in name]
    rest = [moment for _, moment in every]
    answers = Mutants(said.answers, f"{setting} {seed}")
    names = Mutants(said.sign_ups, f"{setting} {seed} names")
    for number in range(count):
        if number % 8 == 0:
            sign_up(kind, next(names if number % 16 else answers), tally)
        else:
            some = asked if number % 2 else rest
            hear(some[number // 2 % len(some)], next(answers), tally)
    return tally


@every_setting
def test_mutants_at_every_moment(setting: Setting) -> None:
    """Whatever is heard, whenever: no exception, few steps, and nothing that could not be used."""
    tally = campaign(setting, "everyday", EVERYDAY)
    assert sum(tally.heard.values()) >= EVERYDAY
    assert {"Act", "Garbled", "signed up", "refused"} <= {*tally.heard}


FULL = MOST_INBOUND
WORST: dict[str, list[bytes]] = {
    # Found by mutants, or when looking for their like: these took from 4 to 50 ms.
    "fields": [b"f(" + b"a " * (FULL // 2 - 2) + b")", b"f(" + b"f(1) " * (FULL // 5 - 1) + b")"],
    "features": [b"f(" + b" ".join(b"f%d:%d" % (n, n) for n in range(5000)) + b")"],
    "escapes": [b"'" + rb"\n" * (FULL // 2 - 1) + b"'", b"'" + rb"\x41" * (FULL // 4 - 1) + b"'"],
    "no such word": [b'["' + rb"\n" * (FULL // 2 - 3) + b'"]', b'{"type":"' + b"x" * (FULL - 11) + b'"}'],
    "no such direction": [b'[0,"' + rb"\n" * (FULL // 2 - 30) + b'",0,{"row#":0,"column#":0}]'],
    "rows without tiles": [b"[" + b"[]," * (FULL // 3 - 2) + b"[]]"],
    # This one was refused with a reason of thousands of digits.
    "digits of a protocol": [b'{"type":"hello","protocol":%s,"name":"ada"}' % (b"9" * 4300)],
    # And what one would think of.
    "deep": [b"[" * FULL, b'{"a":' * (FULL // 5), b'{"move":' * (FULL // 8), b"f(" * (FULL // 2)],
    "wide": [b"[" + b"0," * (FULL // 2 - 2) + b"0]", b"[" + b"[]," * (FULL // 3 - 1) + b"0]"],
    "many tiles": [b"[[" + b",".join([b'{"pathways":[],"gems":["",""]}'] * 2000) + b"]]"],
    "many fields": [b"{" + b",".join(b'"%d":0' % n for n in range(6000)) + b"}"],
    "digits": [b"9" * digits for digits in (4299, 4300, 4301, FULL)],
    "digits in a move": [b"[[%s,0],[0,0]]" % (b"9" * digits) for digits in (4299, 4300, 4301, 60_000)],
    "digits of a turn": [b'{"type":"act","turn":%s,"move":0}' % (b"9" * n) for n in (19, 4299, 4300, 4301)],
    "fractions": [b"0." + b"9" * (FULL - 2), b"1e999", b"-1e999", b"1e" + b"9" * 1000],
    "texts": [b'"\\ud800"', b'"\xed\xa0\x80"', b'"\xff"', b"\xef\xbb\xbf1", '"void"'.encode("utf-16")],
    "long texts": [b'"' + b"a" * (FULL - 2) + b'"', b'"' + rb"\u0041" * (FULL // 6 - 1) + b'"'],
    "nothing": [b"", b" ", b"\n", b"\x00", b" " * FULL],
    "constants": [b"NaN", b"[Infinity,0]", b"-Infinity"],
}


@every_setting
@pytest.mark.parametrize("kind", WORST)
def test_the_worst_is_heard_in_few_steps(setting: Setting, kind: str) -> None:
    """What was ever found to be slow or to raise is heard everywhere as anything else is."""
    dialect = registry.dialect(setting.dialect)
    for frame in WORST[kind]:
        assert len(frame) <= MOST_INBOUND
        for moment in moments(setting).values():
            hear(moment, frame, Tally())
        sign_up(dialect, frame, Tally())


@every_setting
def test_the_longest_frame_of_a_program_raises_nothing(setting: Setting) -> None:
    """A program on a pipe may send frames of a mebibyte; they may take longer."""
    for one in (b"[", b'{"a":', b"f(", b"1", b"a ", b" ", b"\xff", b"'", b"0,"):
        frame = (one * MOST_FRAME)[:MOST_FRAME]
        for moment in moments(setting).values():
            moment.again()
            moment.dialect.hear(frame)


def test_oz_terms_are_counted() -> None:
    """A text may hold so many terms and atoms of such a length, and no more."""
    read("f(" + "a " * (MOST_TERMS - 1) + ")")
    with pytest.raises(BadInput, match=f"more than {MOST_TERMS} terms"):
        read("f(" + "a " * MOST_TERMS + ")")
    read("'" + "a" * LONGEST_ATOM + "'")
    with pytest.raises(BadInput, match="an atom of more than"):
        read("'" + "a" * (LONGEST_ATOM + 1) + "'")


# -- framings -------------------------------------------------------------------------------------


def fed(cutter: framing.Framing, parts: Iterable[bytes]) -> tuple[list[bytes], bool]:
    """The frames, and whether there was too much."""
    frames: list[bytes] = []
    for part in parts:
        try:
            frames += cutter.feed(part)
        except Overflow:
            return frames, True
    return frames, False


@pytest.mark.parametrize("name", FRAMINGS)
@every_setting
def test_cuts_do_not_change_what_is_framed(setting: Setting, name: str) -> None:
    """However a stream of mutants is cut, it has the same frames and overflows, or does not, all the same."""
    rng, kind = Random(f"{setting} {name}"), FRAMINGS[name]
    mutants = Mutants(valid(setting).answers, f"{setting} {name}", 400)
    for _ in range(100):
        most = rng.choice((40, 400, MOST_FRAME))
        ends = rng.choices((b"", b" ", b"\n", b"\r\n"), k=rng.randint(1, 9))
        stream = b"".join(next(mutants) + end for end in ends)
        whole, too_much = fed(kind(most), [stream])
        for cut in (pieces(stream, rng), [stream[at : at + 1] for at in range(len(stream))]):
            frames, too_much_too = fed(kind(most), cut)
            assert too_much_too == too_much
            assert frames[: len(whole)] == whole
            assert too_much or frames == whole
            assert all(len(frame) <= most for frame in frames)


@every_setting
def test_a_long_stream_has_the_same_frames_whole_and_in_pieces(setting: Setting) -> None:
    """So many frames as may come at once come at once, or byte by byte."""
    rng, kind = Random(str(setting)), FRAMINGS[registry.dialect(setting.dialect).framing]
    said = rng.choices(valid(setting).answers, k=MOST_AT_ONCE)
    stream = b"\n".join(said) + b"\n"
    assert fed(kind(), [stream]) == (said, False)
    assert fed(kind(), pieces(stream, rng)) == (said, False)
    assert fed(kind(), (stream[at : at + 1] for at in range(len(stream)))) == (said, False)


ENDLESS = [b"[", b'{"a":', b'"' + b"a" * 50, b"1", b"x", b"[1,", rb'"\n', b"-", b"true,"]


@pytest.mark.parametrize("one", ENDLESS)
@pytest.mark.parametrize("size", [1, 7, 4096, MOST_INBOUND])
def test_a_value_without_end_overflows_at_the_cap(one: bytes, size: int) -> None:
    """It is found out as soon as it is too long, and no more of it is kept; in whatever pieces it comes."""
    stream = b"[" + one * (2 * MOST_INBOUND // len(one))
    frames, too_much = fed(
        Values(MOST_INBOUND), (stream[at : at + size] for at in range(0, len(stream), size))
    )
    assert too_much
    assert not frames
    assert not fed(Values(MOST_INBOUND), [stream[:MOST_INBOUND]])[1]
    assert fed(Values(MOST_INBOUND), [stream[: MOST_INBOUND + 1]])[1]


STREAMS = [
    b"true", b"false", b"null", b"tru", b"t", b"truefalse", b"1", b"1 ", b"[", b"]", b"[]", b"][", b"{}",
    b"}", b'"', b'""', b'"\\', b"\\", b'[""]', b" ", b"x", b"x ", b'{"a":1}', b"[[]]", b"\n", b"a\n",
    b"\r\n", b"\r", b"nul", b"[true]", b"-",
]  # fmt: skip
LONG = 32 << 10
"""Bytes of a stream."""


class Counting:
    """A pattern that counts the bytes it has gone past."""

    seen = 0

    def __init__(self, pattern: re.Pattern[bytes]) -> None:
        self._pattern = pattern

    def search(self, data: bytes, at: int) -> re.Match[bytes] | None:
        found = self._pattern.search(data, at)
        Counting.seen += (len(data) if found is None else found.end()) - at
        return found


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 100, 4096], ids="piece of {}".format)
@pytest.mark.parametrize("one", STREAMS)
def test_no_byte_is_seen_again_and_again(one: bytes, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte is gone past a few times at most.

    Found so: a row of "true" without blanks took 3 s for 64 KiB, as each looked for the end of them all.
    """
    for name in ("_FIRST", "_NESTING", "_TEXT", "_PLAIN"):
        monkeypatch.setattr(framing, name, Counting(getattr(framing, name)))
    Counting.seen, values = 0, Values()
    stream = one * (LONG // len(one))
    for at in range(0, len(stream), size):
        values.feed(stream[at : at + size])
    assert Counting.seen <= 5 * len(stream)


@pytest.mark.slow
@pytest.mark.parametrize("one", [b"1", b"t", b"[", b'"a', b" ", b"\n", b"true"])
@pytest.mark.parametrize("name", FRAMINGS)
def test_no_byte_is_copied_again_and_again(name: str, one: bytes) -> None:
    """Each byte of a stream that comes byte by byte needs a bounded amount of memory, however much is held.

    Found so: a number that came digit by digit was copied with each of them. That is 16 KiB a byte here.
    """
    stream, framing_ = one * (LONG // len(one)), FRAMINGS[name](MOST_FRAME)
    feeds: list[Callable[[], object]] = [
        partial(framing_.feed, stream[at : at + 1]) for at in range(len(stream))
    ]
    assert allocated(feeds) <= 2048 * len(stream)


def test_values_that_come_by_the_thousand_are_too_many() -> None:
    """One may send so many values at once; the rest is not even looked at."""
    assert len(Values().feed(b"1 " * MOST_AT_ONCE)) == MOST_AT_ONCE
    with at_most(100 * MOST_AT_ONCE), pytest.raises(Overflow, match="at once"):
        Values().feed(b"{}" * (1 << 20))


# -- faces ----------------------------------------------------------------------------------------


class Stuck(Exception):
    """A player cannot move, which is its own affair."""


class Willing:
    """Makes the first legal move, if there is one."""

    def choose(self, view: Any, turn: int) -> Any:
        moves = view.legal_moves()
        if not moves:
            raise Stuck
        return moves[0]


def hear_as_player(setting: Setting, seed: str, count: int) -> tuple[int, int]:
    """A player hears the beginning of a match and then mutants: how many it took, and how many it refused.

    What a face may raise is what `joining` takes for the server's fault: TouchlineError, such as BadInput,
    BadOptions and UnknownName, and the rest of UNREADABLE. Anything else would be blamed on the player.
    """
    module, calls = registry.dialect(setting.dialect), valid(setting).calls
    mutants, rng = Mutants(calls, f"{setting} {seed} face"), Random(seed)
    heard = refused = 0
    for number in range(count):
        if number % 6 == 0:
            face = module.face(Willing(), rng=Random(1))
            for frame in calls[: number % 5]:
                face.hear(frame)
        try:
            answers = face.hear(next(mutants) if rng.random() < 0.9 else rng.choice(calls))
            assert all(type(answer) is bytes for answer in answers)
            heard += 1
        except (TouchlineError, Stuck, *UNREADABLE):
            refused += 1
    return heard, refused


@every_setting
def test_mutants_of_what_a_referee_says(setting: Setting) -> None:
    """A face answers, or says that it was the referee who said something wrong."""
    heard, refused = hear_as_player(setting, "everyday", 600)
    assert min(heard, refused) > 50


WRONG_CALLS: list[tuple[str, bytes]] = [
    ("fish-course", b'["playing-with",[null]]'),
    ("fish-course", b'["playing-with",[[[null]]]]'),
    ("fish-course", b'["take-turn",[{"players":[],"board":[[1]]},[]]]'),
    ("seed-000", b'["initialize",[[[1]],[],"red"]]'),
    ("seed-000", b'["get-movement",[2]]'),
    ("seed-000", b'["get-movement",[{"turn":"white","kicked":[]}]]'),
    ("seed-001", b'["updateGameState",[null]]'),
    ("seed-001", b'["notifyTurn",[]]'),
    ("seed-002", b"request(board:board(row(p1 p1) row(p2)))"),
    ("seed-002", b"request(board:board(row(p1)))"),
    ("seed-003", b'["NotifyGameOver",[null,null]]'),
    ("seed-003", b'["RequestMove",[1]]'),
    ("seed-004", b'["TakeTurn",[]]'),
    ("seed-004", b'["ProposeBoard",["a",1]]'),
    ("labyrinth-course", b'["take-turn",[]]'),
    (
        "labyrinth-course",
        b'["take-turn",[{"board":{"connectors":%s,"treasures":%s},"spare":%s,%s}]]'
        % (
            b'[["+","-"],["-","+"]]'.replace(b"+", "┼".encode()).replace(b"-", "─".encode()),
            b'[[["a","b"],["c","d"]],[["e","f"],["g","h"]]]',
            b'{"tilekey":"%s","1-image":"i","2-image":"j"}' % "┼".encode(),
            b'"plmt":[],"last":null',
        ),
    ),
    ("native", b'{"type":"your_turn","turn":0,"milliseconds":null,"position":{}}'),
]
"""Found by mutants: these raised TypeError, KeyError, ValueError, or failed an assertion."""


@pytest.mark.parametrize(("dialect", "frame"), WRONG_CALLS)
def test_a_wrong_call_is_not_the_players_fault(dialect: str, frame: bytes) -> None:
    """It is BadInput."""
    face = registry.dialect(dialect).face(Willing(), rng=Random(1))
    with pytest.raises(BadInput):
        face.hear(frame)


def test_a_turn_of_a_game_that_is_over_or_impossible_is_not_the_players_fault() -> None:
    """The native face has a game, and its rules say that there is no such position."""
    face = registry.dialect("native").face(Willing())
    face.hear(
        b'{"type":"begin","protocol":1,"game":"hexapawn","options":{},"seat":0,"names":[],"position":0}'
    )
    for board in (b'["1"]', b'["11","22"]', b"7"):
        with pytest.raises(BadInput, match="position"):
            face.hear(
                b'{"type":"your_turn","turn":0,"milliseconds":null,"position":{"board":%s,"to_move":0}}'
                % board
            )


# -- a live seat ----------------------------------------------------------------------------------


def live(
    setting: Setting, count: int, first: int, way: type[ScriptedConnection], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing breaks; that anything had broken would be logged as an error."""
    mutant_seat.campaign(setting, count, first, way)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@every_setting
@pytest.mark.parametrize("way", [Messages, Stream])
def test_mutants_from_a_live_seat(
    setting: Setting, way: type[ScriptedConnection], caplog: pytest.LogCaptureFixture
) -> None:
    """Where one seat sends mutants, every match ends and counts, and nobody else is blamed."""
    live(setting, 60, 0, way, caplog)


def test_moments_are_what_they_say() -> None:
    """A move is owed when it is asked for, and nothing when all is answered."""
    for setting in SETTINGS:
        found = moments(setting)
        for name in ("first turn", "turn"):
            found[name].again()
            assert isinstance(found[name], Moment)
        assert not found["answered"].dialect.owes
