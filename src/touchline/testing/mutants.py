"""A seeded, endless stream of mutated frames, for fuzzing any dialect.

Valid frames are taken from matches. A mutant is a valid frame with one to three mutations of bits, bytes,
numbers, types, texts, brackets or sizes. Laws of this file: the same seed gives the same mutants; no mutant
exceeds the size limit of an inbound frame, but it may reach it.
"""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from touchline.bots.random import Random as RandomBot
from touchline.core import registry
from touchline.core.messages import MOST_INBOUND
from touchline.drivers.match import agreed
from touchline.testing.in_memory_match import Dialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from touchline.core.rules import Game

Mutation: TypeAlias = "Callable[[bytes, Random], bytes]"


# -- valid frames ---------------------------------------------------------------------------------


class Spoken(NamedTuple):
    """The distinct frames of a match, in the order of their first occurrence."""

    sign_ups: tuple[bytes, ...]
    answers: tuple[bytes, ...]
    """Frames of the players."""
    calls: tuple[bytes, ...]
    """Frames of the referee."""


NAMES = ("anna", "bert", "carla", "dora")
TURNS = 200
"""Turn cap of a match: every kind of frame has occurred by then."""


def spoken(dialect: str, game: Game, seats: int, seed: int) -> Spoken:
    """Play a match of bots in a dialect, and return its frames."""
    kind, names = registry.dialect(dialect), NAMES[:seats]
    faces = [kind.face(RandomBot(Random(seed + seat)), rng=Random(seed)) for seat in range(seats)]
    dialects = [kind(game) for _ in names]
    answers: list[bytes] = []
    calls: list[bytes] = []

    def answer(seat: int, frame: bytes) -> list[bytes]:
        replies: list[bytes] = faces[seat].hear(frame)
        calls.append(frame)
        answers.extend(replies)
        return replies

    for frame in kind(game).propose().frames:
        answer(0, frame)
    Dialogue(agreed(game, names, seed, turn_cap=TURNS), dialects, answer).run()
    sign_ups = [frame for face, name in zip(faces, names, strict=True) for frame in face.sign_up(name)]
    return Spoken(*(tuple(dict.fromkeys(frames)) for frames in (sign_ups, answers, calls)))


# -- mutations ------------------------------------------------------------------------------------

DIGITS = (19, 20, 308, 309, 400, 4299, 4300, 4301, 4302, 60_000)
NUMBERS = (
    b"0", b"1", b"-1", b"~1", b"-0", b"~0", b"00", b"01", b"+1", b"1.0", b"1.5", b"0.0", b"-0.0", b"1e0",
    b"1E2", b"1e999", b"-1e999", b"1e-999", b"1e308", b"1.", b".5", b"0x10", b"1_000", b"7", b"255", b"256",
    b"65536", b"2147483647", b"2147483648", b"-2147483649", b"4294967296", b"9007199254740992",
    b"9007199254740993", b"~9007199254740993", b"9223372036854775807", b"9223372036854775808",
    b"-9223372036854775809", b"18446744073709551615", b"18446744073709551616", b"NaN", b"nan", b"Infinity",
    b"-Infinity", b"1e", b"--1", b"\xd9\xa3", b"\xef\xbc\x91",
)  # fmt: skip
OTHERS = (
    b"true", b"false", b"null", b"unit", b"nil", b"_", b"X", b"", b'""', b"''", b'"1"', b"'1'", b'"0"', b"1",
    b"1.0", b"[]", b"{}", b"[[]]", b"[0,0]", b"[0]", b"{\"x\":0}", b'"void"', b'"null"', b'"true"',
    b"f(1 2)", b"f()", b"()", b"[1,]", b"{,}", b'{"a"}', b"'p1'", b"undefined", b"None",
    b'"DeadlineExceeded"', b'{"type":"kick"}',
)  # fmt: skip
TEXTS = (
    b"\xff", b"\xfe\xff", b"\xc0\x80", b"\xc3", b"\xc3\x28", b"\xed\xa0\x80", b"\xed\xb0\x80",
    b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xe2\x80\xae",
    b"\xf0\x9f\x90\xa7", b"\x00", b"\x01", b"\x07", b"\x0b", b"\x1b[2J", b"\x7f", b"\x85", b"\xc2\x85",
    b"\n", b"\r", b"\r\n", b"\t", rb"\ud800", rb"\udc00", rb"\ud800\ud800", rb"\ud83d\udc27",
    rb"\ud83d\u0041", rb"\u0000", rb"\u001b", rb"\uZZZZ", rb"\u12", rb"\u", rb"\x41", rb"\xg1", rb"\x4",
    rb"\101", rb"\400", rb"\777", rb"\8", rb"\0", rb"\a", rb"\&", rb"\`", rb"\'", rb"\"", b"\\\\", b"\\",
    b'"', b"'", b"//", b"/*", b"%", b"#",
)  # fmt: skip
DEPTHS = (31, 32, 33, 34, 100, 500, 990, 1000, 1024, 5000, 10_000, 100_000)
AROUND = (
    (b"[", b"]"), (b"[1,", b"]"), (b'{"a":', b"}"), (b'{"move":', b"}"), (b"f(", b")"), (b"f(a:", b")"),
    (b"move(", b")"),
)  # fmt: skip
WIDTHS = (2, 3, 17, 255, 256, 257, 1000, 4096, 20_000, 66_000)
REPEATED = (
    b"0,", b"[],", b"{},", b'"",', b"null,", b"1 ", b"a ", b"f(1) ", b"a:1 ", b"'' ", b"[", b"]", b"(", b")",
    b"{", b'"', b"'", b" ", b"\t", b"\\", b"\\\\", b"\\n", b"\\x41", b"\\u0041", b"\\ud800", b"9", b"~",
    b"-", b"a", b"\x00", b"\xff", b"\xc3\xa9", b"\xf0\x9f\x90\xa7", b'"a":1,', b"[0,0],", b'"\\n",',
)  # fmt: skip
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-7")
MARKS = b"0129-~\"'[](){},: \n\r\t\\eE.+_\x00\x7f\x80\xff\xc3\xedaAtfn"
_token = re.compile(rb'"(?:[^"\\]|\\.)*+"|\'(?:[^\'\\]|\\.)*+\'|[~-]?\d[\d.eE+-]*|\w+')
_key = re.compile(rb'"(?:[^"\\]|\\.)*+":|\w+:')
WINDOW = 2048
"""Bytes at the start of a long frame that are searched for tokens."""
MOST_TOKENS = 400


@lru_cache(maxsize=2048)
def _spans(frame: bytes) -> list[tuple[int, int]]:
    """Return the spans of the numbers, strings and words."""
    return [match.span() for match in _token.finditer(frame, 0, WINDOW)]


def _put(frame: bytes, rng: Random, instead: bytes) -> bytes:
    """Replace a random number, string or word with `instead`."""
    spans = _spans(frame)
    start, end = rng.choice(spans) if spans else (0, len(frame))
    return frame[:start] + instead + frame[end:]


def _place(frame: bytes, rng: Random) -> int:
    return int(rng.random() * (len(frame) + 1))


def flipped(frame: bytes, rng: Random) -> bytes:
    """Flip one to four bits."""
    data = bytearray(frame or b" ")
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data[int(rng.random() * len(data))] ^= 1 << int(rng.random() * 8)
    return bytes(data)


def inserted(frame: bytes, rng: Random) -> bytes:
    """Insert bytes."""
    at = _place(frame, rng)
    new = bytes(rng.choices(MARKS, k=rng.choice((1, 1, 2, 5)))) if rng.random() < 0.7 else rng.randbytes(3)
    return frame[:at] + new + frame[at:]


def deleted(frame: bytes, rng: Random) -> bytes:
    """Delete bytes."""
    at = _place(frame, rng)
    return frame[:at] + frame[at + rng.choice((1, 1, 2, 3, 8)) :]


def replaced(frame: bytes, rng: Random) -> bytes:
    """Replace a byte."""
    at = _place(frame, rng)
    return frame[:at] + bytes([rng.choice(MARKS)]) + frame[at + 1 :]


def doubled(frame: bytes, rng: Random) -> bytes:
    """Duplicate a part of the frame, or all of it."""
    start, end = sorted((_place(frame, rng), _place(frame, rng))) if rng.random() < 0.8 else (0, len(frame))
    return frame[:end] + frame[start:]


def cut(frame: bytes, rng: Random) -> bytes:
    """Cut off the end or the beginning."""
    at = _place(frame, rng)
    return frame[:at] if rng.random() < 0.8 else frame[at:]


def renumbered(frame: bytes, rng: Random) -> bytes:
    """Replace a token with an unusual number."""
    return _put(frame, rng, rng.choice(NUMBERS))


def stretched(frame: bytes, rng: Random) -> bytes:
    """Replace a token with a number of many digits."""
    digits = rng.choice((b"1", b"9", b"0")) * rng.choice(DIGITS)
    return _put(frame, rng, rng.choice((b"", b"", b"-", b"~", b"0.", b"1e")) + digits)


def retyped(frame: bytes, rng: Random) -> bytes:
    """Replace a token with a value of another type."""
    return _put(frame, rng, rng.choice(OTHERS))


def requoted(frame: bytes, rng: Random) -> bytes:
    """Add, remove or change the quotes of a token."""
    spans = _spans(frame)
    if not spans:
        return frame
    start, end = rng.choice(spans)
    quote = rng.choice((b'"', b'"', b"'", b"`", b""))
    return frame[:start] + quote + frame[start:end].strip(b"\"'") + quote + frame[end:]


def unreadable(frame: bytes, rng: Random) -> bytes:
    """Insert invalid UTF-8, control characters or broken escapes."""
    spans = _spans(frame)
    if not spans or rng.random() < 0.3:
        at = _place(frame, rng)
    else:
        start, end = rng.choice(spans)
        at = rng.choice((start, end - 1, end))
    return frame[:at] + rng.choice(TEXTS) + frame[at:]


def recoded(frame: bytes, rng: Random) -> bytes:
    """Encode the frame in another encoding."""
    return frame.decode(errors="replace").encode(rng.choice(ENCODINGS), errors="replace")


def nested(frame: bytes, rng: Random) -> bytes:
    """Insert deeply nested brackets."""
    left, right = rng.choice(AROUND)
    depth = min(rng.choice(DEPTHS), MOST_INBOUND // len(left))
    inside = rng.choice((b"", b"1", b"a"))
    deep = left * depth + inside + (right * depth if rng.random() < 0.7 else b"")
    return _put(frame, rng, deep) if rng.random() < 0.7 else deep


def widened(frame: bytes, rng: Random) -> bytes:
    """Insert a long repetition of a short text."""
    one = rng.choice(REPEATED)
    many = one * min(rng.choice(WIDTHS), MOST_INBOUND // len(one) + 1)
    left, right = rng.choice(
        ((b"", b""), (b"[", b"0]"), (b'"', b'"'), (b"'", b"'"), (b"{", b'"b":1}'), (b"f(", b")"))
    )
    if rng.random() < 0.2:
        at = _place(frame, rng)
        return frame[:at] + many + frame[at:]
    return _put(frame, rng, (left + many)[: MOST_INBOUND - 600] + right)


def repeated(frame: bytes, rng: Random) -> bytes:
    """Add a second field with the name of an existing one."""
    keys = _key.findall(frame, 0, WINDOW)
    at = max(frame.find(b"{"), frame.find(b"("), 0) + 1
    key = rng.choice(keys) if keys else rng.choice((b"1:", b'"a":', b"f:"))
    value = rng.choice(OTHERS) if rng.random() < 0.5 else rng.choice(NUMBERS)
    return frame[:at] + key + value + rng.choice((b",", b" ")) + frame[at:]


def followed(frame: bytes, rng: Random) -> bytes:
    """Put a short text before or after the frame."""
    more = rng.choice(
        (b"\n", b"\r\n", b" ", b"\x00", b"\xef\xbb\xbf", b",", b"]", b"}", b")", b"//", *OTHERS)
    )
    return frame + more if rng.random() < 0.6 else more + frame


def damaged(frame: bytes, rng: Random) -> bytes:
    """Delete, duplicate, empty or swap values of a JSON frame, which stays valid JSON."""
    try:
        value = msgspec.json.decode(frame)
    except (ValueError, RecursionError):
        return _exchanged(frame, rng)
    places = _places(value)
    if not places:
        return rng.choice(OTHERS)
    (holder, key), (other, there) = rng.choice(places), rng.choice(places)
    match rng.choice(("exchange", "exchange", "delete", "double", "empty")):
        case "delete":
            del holder[key]
        case "double" if isinstance(holder, list):
            holder.insert(key, other[there] if other is not holder else holder[key])
        case "empty":
            holder[key] = rng.choice(([], {}, None, [None], "", False))
        case _:
            holder[key], other[there] = other[there], holder[key]
    try:
        return msgspec.json.encode(value)
    except (ValueError, RecursionError):  # a swap has put a value inside itself
        return frame


def _exchanged(frame: bytes, rng: Random) -> bytes:
    """Swap two tokens."""
    spans = _spans(frame)
    if len(spans) < 2:
        return frame
    (start, end), (start_too, end_too) = sorted(rng.sample(spans, 2))
    first, second = frame[start:end], frame[start_too:end_too]
    return frame[:start] + second + frame[end:start_too] + first + frame[end_too:]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return the places in a value as (container, key), at most about MOST_TOKENS of them."""
    found: list[tuple[Any, Any]] = []
    inside = deque([value])
    while inside and len(found) < MOST_TOKENS:
        holder = inside.popleft()
        if isinstance(holder, dict | list):
            for key in holder if isinstance(holder, dict) else range(len(holder)):
                found.append((holder, key))
                inside.append(holder[key])
    return found


SMALL: tuple[Mutation, ...] = (
    flipped, inserted, deleted, replaced, doubled, cut, renumbered, retyped, requoted, unreadable, recoded,
    repeated, followed, damaged, damaged,
)  # fmt: skip
LARGE: tuple[Mutation, ...] = (stretched, nested, widened)
"""Slow to make and to read, so they are rare."""
SELDOM = 0.04
"""The probability of a large mutation; a splice has the same."""


class Mutants:
    """An endless iterator over mutants of the given frames.

    >>> a, b = Mutants([b"[1,2]"], "one"), Mutants([b"[1,2]"], "one")
    >>> [next(a) for _ in range(100)] == [next(b) for _ in range(100)]
    True
    """

    def __init__(self, frames: Sequence[bytes], seed: int | str, most: int = MOST_INBOUND) -> None:
        self._frames, self._rng, self._most = frames, Random(seed), most

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        rng = self._rng
        return self.of(rng.choice(self._frames))

    def of(self, frame: bytes) -> bytes:
        """Return a mutant of this frame."""
        rng = self._rng
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            frame = self._mutated(frame, rng)[: self._most]
        return frame

    def _mutated(self, frame: bytes, rng: Random) -> bytes:
        chance = rng.random()
        if chance < SELDOM:
            return rng.choice(LARGE)(frame, rng)
        if chance < 2 * SELDOM:
            return self._spliced(frame, rng)
        return rng.choice(SMALL)(frame, rng)

    def _spliced(self, frame: bytes, rng: Random) -> bytes:
        """Join the beginning of a frame and the end of another."""
        other = rng.choice(self._frames)
        return frame[: _place(frame, rng)] + other[_place(other, rng) :]


def pieces(data: bytes, rng: Random, most: int = 40) -> Iterable[bytes]:
    """Split the data at up to `most` random places."""
    ends = sorted(_place(data, rng) for _ in range(rng.randint(0, most)))
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]
