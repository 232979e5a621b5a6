"""The lenient mode of the courses' servers and clients."""

from __future__ import annotations

import json
from random import Random

import pytest

from courses.strangers import DEVIATIONS, STRICT, Habits, tournament
from touchline.coursework.courses.lenient import (
    BARE_NAME,
    BARE_WORD,
    CAPITALS,
    FLAT,
    LenientReader,
    Prefix,
    mended_call,
)
from touchline.transports.shared.framing import Overflow, Values

COLOURS = ("red", "white", "brown", "black")


@pytest.mark.parametrize("habits", DEVIATIONS.values(), ids=DEVIATIONS)
def test_a_deviation_plays_to_the_end(habits: Habits) -> None:
    """One player that deviates, among four that do not: nobody fails, and it is called until `end`."""
    result, players, _ = tournament([STRICT, STRICT, habits, STRICT, STRICT], lenient=True)
    assert result == (1, 0)
    assert players[2].calls[-1][0] == "end"


@pytest.mark.parametrize("habits", DEVIATIONS.values(), ids=DEVIATIONS)
def test_the_strict_server_does_not_play_with_it(habits: Habits) -> None:
    """Strict stays the default: the same player does not get to `end`."""
    _, players, _ = tournament([STRICT] * 5 + [habits], lenient=False)
    assert not any(call[0] == "end" for call in players[5].calls)


def test_all_deviations_at_one_tournament() -> None:
    """Ten strangers of different habits: one wins, and the server names whose messages it mended, once."""
    habits = [*DEVIATIONS.values()][:10]
    result, players, news = tournament(habits, lenient=True)
    assert result == (1, 0)
    assert all(player.calls[-1][0] == "end" for player in players)
    mended = [(told.player, told.why) for told in news if told.event == "mended"]
    assert len(mended) == len(set(mended))
    assert (1, BARE_NAME) in mended
    assert (3, BARE_WORD) in mended
    assert (7, str(Prefix(4))) in mended


def test_strict_players_notice_no_difference() -> None:
    """The lenient server makes the same calls to strict players, however they read, as the strict one."""
    ways = [
        STRICT,
        Habits(lines=True),
        Habits(newline=False),
        Habits(pieces=1),
        Habits(newline=False, lines=True),
    ]
    strict, theirs, _ = tournament(ways, lenient=False)
    lenient, ours, news = tournament(ways, lenient=True)
    assert strict == lenient == (1, 0)
    assert [player.calls for player in ours] == [player.calls for player in theirs]
    assert not [told for told in news if told.event == "mended"]


def _cut(stream: bytes, rng: Random) -> list[bytes]:
    places = sorted(rng.randrange(len(stream) + 1) for _ in range(rng.randrange(6)))
    return [stream[a:b] for a, b in zip([0, *places], [*places, len(stream)], strict=True)]


def _frames(reader: LenientReader | Values, pieces: list[bytes]) -> list[bytes]:
    return [frame for piece in pieces for frame in reader.feed(piece)]


VALUES = [
    b'"void"',
    b"[1,2]",
    b"[[0,1],[2,3]]",
    b'{"a":"]"}',
    b'"\\"q\\u00e9"',
    b"true",
    b'"PASS"',
    b"[]",
    b'"x y"',
]


@pytest.mark.parametrize("seed", range(10))
def test_a_strict_stream_is_read_in_the_same_way(seed: int) -> None:
    """Any values after a quoted name, cut anywhere: the same frames as those of the strict reader."""
    for number in range(20):
        _check_strict(Random(20 * seed + number))


def _check_strict(rng: Random) -> None:
    between = [rng.choice((b"", b" ", b"\n", b" \r\n\t")) for _ in range(9)]
    stream = b'"ann"' + b"".join(rng.choice(VALUES) + blank for blank in between)
    pieces, notes = _cut(rng.choice((b"", b"\n  ")) + stream, rng), list[str]()
    assert _frames(LenientReader(note=notes.append), pieces) == _frames(Values(), pieces)
    assert notes == []


@pytest.mark.parametrize("seed", range(10))
def test_a_deviating_stream_is_read_as_the_strict_one(seed: int) -> None:
    """Bare words and lengths, cut anywhere: the frames that a strict player would have sent."""
    for number in range(20):
        _check_deviating(Random(20 * seed + number))


def _check_deviating(rng: Random) -> None:
    answers = [rng.choice((b'"void"', b"[1,2]", b"[[0,1],[2,3]]", b'"PASS"')) for _ in range(6)]
    prefix = rng.choice((None, Prefix(2), Prefix(4), Prefix(8), Prefix(4, "little"), Prefix(0)))
    bare = rng.random() < 0.7
    sent = [b"ann\n" if bare or prefix is None else b'"ann"']
    sent += [answer.strip(b'"') if bare else answer for answer in answers]
    if prefix is None:  # a bare word ends where something else begins
        sent = [message + rng.choice((b" ", b"\n")) for message in sent]
    stream = b"".join(sent if prefix is None else map(prefix.write, sent))
    assert _frames(LenientReader(), _cut(stream, rng)) == [b'"ann"', *answers]


@pytest.mark.parametrize("seed", range(10))
def test_garbage_is_bounded(seed: int) -> None:
    """Random bytes come out as frames, or as an overflow, and never as another error or a longer frame."""
    for number in range(30):
        _check_garbage(Random(30 * seed + number))


def _check_garbage(rng: Random) -> None:
    reader = LenientReader(200)
    try:
        for _ in range(40):
            alphabet = rng.choice((bytes(256), bytes(range(256)), b"0123456789:", b'ann "\n\0', b"\0\0\0\7v"))
            frames = reader.feed(bytes(rng.choices(alphabet, k=rng.randrange(1, 30))))
            assert all(len(frame) <= 200 for frame in frames)
            assert all(len(frame) <= 200 for frame in reader.silence())
    except Overflow:
        pass


def test_an_announced_length_is_limited() -> None:
    """A length over the limit is an overflow at once, before the bytes come."""
    with pytest.raises(Overflow):
        LenientReader(100).feed(b'\0\0\0\5"ann"' + b"\0\0\x0f\xff")


def test_a_request_of_http_is_passed_on() -> None:
    """Its first word is no name, and nothing is mended."""
    notes: list[str] = []
    assert LenientReader(note=notes.append).feed(b"GET / HTTP/1.1\n")[0] == b"GET"
    assert notes == []


@pytest.mark.parametrize(
    ("sent", "strict", "kinds"),
    [
        ('["playing-with",["white","brown"]]', '["playing-with",[["white","brown"]]]', [FLAT]),
        ('["playing-with",[["White"]]]', '["playing-with",[["white"]]]', [CAPITALS]),
        ('["playing-as",["Red"]]', '["playing-as",["red"]]', [CAPITALS]),
        (
            '["setup",[{"players":[{"color":"BLACK"}]}]]',
            '["setup",[{"players":[{"color":"black"}]}]]',
            [CAPITALS],
        ),
        ('["playing-with",[["white"]]]', '["playing-with",[["white"]]]', []),
        ('["start",[true]]', '["start",[true]]', []),
        ("[", "[", []),
    ],
)
def test_calls_of_servers_are_mended(sent: str, strict: str, kinds: list[str]) -> None:
    """Capital letters and flat colours become what the protocol has; everything else stays, byte for byte."""
    notes: list[str] = []
    mended = mended_call(sent.encode(), COLOURS, notes.append)
    assert notes == kinds
    assert mended == strict.encode() if not kinds else json.loads(mended) == json.loads(strict)
