"""Misbehaving words: frames that no dialect can read, moves that no game allows, answers nobody asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from touchline.testing.hostile.player import plainly, playing
from touchline.testing.scripts import LONG, Read, Sleep, Write

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.testing.hostile.player import Moment, Script

Act: TypeAlias = "Callable[[Moment], Script]"
"""What a player does instead of answering."""

REPEATS = 12
"""How often a player says its piece: more often than any conduct asks again."""
DEEP = 5_000
"""Nested brackets: more than a recursive decoder survives."""
WIDE = 10_000
BLANKS = b" " * 4096
_NUMBER = re.compile(rb"\d+")

HTTP = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r"
TLS = b"\x16\x03\x01\x00\xc4\x01\x00\x00\xc0\x03\x03" + bytes(range(128, 160)) + b"\x20"
PICKLE = b"\x80\x04\x95\x1c\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94."
ESCAPES = b'"\x1b]0;owned\x07\x1b[2J\x1b]52;c;b3duZWQ=\x07"'
MARKUP = b'"<img src=x onerror=alert(1)>=HYPERLINK(1)"'


def says(words: bytes | Callable[[bytes], bytes]) -> Act:
    """Return the behaviour that sends these words, or this change of its answer, whatever it is told."""

    def act(moment: Moment) -> Script:
        said = words if isinstance(words, bytes) else words(moment.answer.rstrip(b"\n"))
        for _ in range(REPEATS):
            yield Write(said + b"\n")
            yield Read()
        yield Sleep(LONG)

    return act


def same(answer: bytes) -> bytes:
    """Return the answer as it is: an illegal one if the player lies."""
    return answer


def numbers(instead: bytes) -> Callable[[bytes], bytes]:
    """Return the change that puts this in the place of every number."""
    return lambda answer: _NUMBER.sub(lambda _: instead, answer)


def quoted_numbers(answer: bytes) -> bytes:
    """Return the answer with every number as a text."""
    return _NUMBER.sub(lambda found: b'"' + found[0] + b'"', answer)


def fractions(answer: bytes) -> bytes:
    """Return the answer with a half added to every number."""
    return _NUMBER.sub(lambda found: found[0] + b".5", answer)


def cut_short(answer: bytes) -> bytes:
    """Return the first half of the answer."""
    return answer[: max(1, len(answer) // 2)]


def as_text(answer: bytes) -> bytes:
    """Return the answer inside a JSON text."""
    return b'"' + answer.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def in_list(answer: bytes) -> bytes:
    """Return the answer inside two lists."""
    return b"[[" + answer + b"]]"


def utf_16(answer: bytes) -> bytes:
    """Return the answer in UTF-16, behind a byte order mark."""
    return answer.decode().encode("utf-16")


def after_mark(answer: bytes) -> bytes:
    """Return the answer behind the byte order mark of UTF-8."""
    return b"\xef\xbb\xbf" + answer


def after_zero(answer: bytes) -> bytes:
    """Return the answer behind a zero byte."""
    return b"\x00" + answer


def with_junk(answer: bytes) -> bytes:
    """Return the answer with something behind it that cannot belong to it."""
    return answer + b"]"


# -- out of turn ----------------------------------------------------------------------------------


def answers_twice(moment: Moment) -> Script:
    """Send the answer and one more in the same bytes, and play on honestly."""
    yield Write(moment.answer + moment.player.again(moment.answer))
    yield from playing(moment.player, plainly)


def moves_ahead(moment: Moment) -> Script:
    """Keep answering after the answer."""
    yield Write(moment.answer)
    for _ in range(40):
        yield Sleep(0.001)
        yield Write(moment.player.again(moment.answer))
    yield Sleep(LONG)


def chats(moment: Moment) -> Script:
    """Send the answer, and then remarks that nobody asked for."""
    yield Write(moment.answer)
    for _ in range(40):
        yield Sleep(0.001)
        yield Write(b'"hello"\n')
    yield Sleep(LONG)


def repeats_itself(moment: Moment) -> Script:
    """Give this answer to every later question too, with its old turn number."""
    for _ in range(REPEATS):
        yield Write(moment.answer)
        asked = moment.player.questions
        while moment.player.questions == asked and not moment.player.over:
            moment.player.hear((yield Read()))
    yield Sleep(LONG)
