"""Misbehaviour in time: silence, slowness, trickles, and floods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.testing.hostile.player import plainly, playing
from touchline.testing.hostile.words import BLANKS
from touchline.testing.scripts import LONG, Sleep, Write

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.testing.hostile.player import Moment, Script
    from touchline.testing.hostile.words import Act
    from touchline.testing.scripts import Action

CHUNK = 65_536
CHUNKS = 20
"""Of 64 KiB: more than the longest frame of any transport, 1 MiB."""
MANY = 6_000
"""Frames: more than may come at once."""
MUCH_LATER = 6
"""Time limits after which a late answer comes: our own delay, which is not charged, must not excuse it."""
PIECES = 3


def silent(moment: Moment) -> Script:
    """Do nothing."""
    yield Sleep(LONG)


def answers_late(moment: Moment) -> Script:
    """Answer after the deadline, and play on honestly."""
    yield Sleep(moment.limit * MUCH_LATER)
    yield Write(moment.answer)
    yield from playing(moment.player, plainly)


def answers_in_time(moment: Moment) -> Script:
    """Use up most of the time for one answer, and play on honestly."""
    yield Sleep(moment.in_time)
    yield Write(moment.answer)
    yield from playing(moment.player, plainly)


def stops_in_the_middle(moment: Moment) -> Script:
    """Send half an answer and stop."""
    yield Write(moment.answer[: len(moment.answer) // 2])
    yield Sleep(LONG)


def slow_loris(moment: Moment) -> Script:
    """Send an answer byte by byte, each in time, the whole too late, and play on honestly."""
    for byte in b" " * (2 * MUCH_LATER) + moment.answer:  # an answer may have two bytes only
        yield Write(bytes([byte]))
        yield Sleep(moment.limit / 2)
    yield from playing(moment.player, plainly)


def keeps_alive(moment: Moment) -> Script:
    """Send a blank now and then instead of an answer."""
    for _ in range(40):
        yield Write(b" ")
        yield Sleep(moment.limit / 4)
    yield Sleep(LONG)


def stops_reading(moment: Moment) -> Script:
    """Answer, and never read again."""
    yield Write(moment.answer)
    yield Sleep(LONG)


def _sending(send: str) -> Act:
    ways = {"bytes": _bytewise, "padded": _padded, "pieces": _in_pieces}

    def act(moment: Moment) -> Script:
        yield from ways[send](moment.answer)
        yield from playing(moment.player, ways[send])

    return act


def _bytewise(answer: bytes) -> Iterable[Action]:
    for byte in answer:
        yield Write(bytes([byte]))
        yield Sleep(0.0001)


def _padded(answer: bytes) -> Iterable[Action]:
    yield Write(b"".join(BLANKS + line for line in answer.splitlines(keepends=True)))


def _in_pieces(answer: bytes) -> Iterable[Action]:
    size = len(answer) // PIECES + 1
    for at in range(0, len(answer), size):
        yield Write(answer[at : at + size])
        yield Sleep(0.001)


trickles = _sending("bytes")
pads = _sending("padded")
sends_pieces = _sending("pieces")


# -- floods ---------------------------------------------------------------------------------------


def floods_answers(moment: Moment) -> Script:
    """Send thousands of answers at once."""
    yield Write(moment.answer + (moment.player.again(moment.answer) or b'"more"\n') * 2048)
    yield Sleep(LONG)


def floods(words: bytes) -> Act:
    """Return the behaviour that sends these words thousands of times at once."""

    def act(moment: Moment) -> Script:
        yield Write(words * MANY)
        yield Sleep(LONG)

    return act


def never_ends(begin: bytes, more: bytes) -> Act:
    """Return the behaviour that begins a frame and sends more and more of it."""

    def act(moment: Moment) -> Script:
        yield Write(begin)
        for _ in range(CHUNKS):
            yield Write(more * (CHUNK // len(more)))
        yield Sleep(LONG)

    return act


def one_giant(moment: Moment) -> Script:
    """Send one complete frame of more than a mebibyte."""
    yield Write(b'"' + b"x" * (CHUNK * CHUNKS) + b'"\n')
    yield Sleep(LONG)
