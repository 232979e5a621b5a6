"""Misbehaviour of sockets: hanging up in every way, and WebSocket frames that no library would send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.testing.hostile.player import plainly, playing
from touchline.testing.scripts import LONG, Exit, HalfClose, Raw, Reset, Sleep, Write

if TYPE_CHECKING:
    from touchline.testing.hostile.player import Moment, Script
    from touchline.testing.hostile.words import Act

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
"""WebSocket opcodes (RFC 6455)."""
PINGS = 300


def ws_frame(kind: int, payload: bytes, *, last: bool = True, masked: bool = True, bits: int = 0) -> bytes:
    """Return a WebSocket frame, masked with zeros: clients must mask, and zeros keep the payload readable.

    >>> ws_frame(TEXT, b"hi").hex(" ")
    '81 82 00 00 00 00 68 69'
    """
    length, mask = len(payload), masked << 7
    if length < 126:
        sized = bytes([mask | length])
    elif length < 1 << 16:
        sized = bytes([mask | 126]) + length.to_bytes(2)
    else:
        sized = bytes([mask | 127]) + length.to_bytes(8)
    return bytes([last << 7 | bits << 4 | kind]) + sized + (bytes(4) if masked else b"") + payload


# -- hanging up -----------------------------------------------------------------------------------


def hangs_up(moment: Moment) -> Script:
    """Close the connection instead of answering."""
    yield Exit(0)


def resets(moment: Moment) -> Script:
    """Reset the connection instead of answering."""
    yield Reset()


def closes_its_half(moment: Moment) -> Script:
    """Close the sending direction, and keep reading."""
    yield HalfClose()
    yield Sleep(LONG)


def hangs_up_in_the_middle(moment: Moment) -> Script:
    """Send half an answer and close the connection."""
    yield Write(moment.answer[: len(moment.answer) // 2])
    yield Exit(0)


def answers_and_hangs_up(moment: Moment) -> Script:
    """Answer and close the connection at once."""
    yield Write(moment.answer)
    yield Exit(0)


def answers_and_resets(moment: Moment) -> Script:
    """Answer and reset the connection at once."""
    yield Write(moment.answer)
    yield Reset()


# -- WebSocket ------------------------------------------------------------------------------------


def sends_raw(data: bytes) -> Act:
    """Return the behaviour that sends these bytes under the WebSocket's framing."""

    def act(moment: Moment) -> Script:
        yield Raw(data)
        yield Sleep(LONG)

    return act


def _frames(moment: Moment) -> list[bytes]:
    return moment.answer.splitlines() or [b'"bye"']


def answers_unmasked(moment: Moment) -> Script:
    """Send the answer without a mask, as only a server may."""
    yield Raw(b"".join(ws_frame(TEXT, frame, masked=False) for frame in _frames(moment)))
    yield Sleep(LONG)


def answers_in_binary(moment: Moment) -> Script:
    """Send the answer as a binary message, and play on honestly."""
    if moment.answer:
        yield Raw(b"".join(ws_frame(BINARY, frame) for frame in moment.answer.splitlines()))
    yield from playing(moment.player, plainly)


def pings_between_fragments(moment: Moment) -> Script:
    """Send the answer a byte a fragment, with pings between them, and play on honestly."""
    ping = ws_frame(PING, b"?")
    for frame in moment.answer.splitlines():
        yield Raw(ws_frame(TEXT, frame[:1], last=False) + ping)
        for at in range(1, len(frame)):
            yield Raw(ws_frame(CONTINUATION, frame[at : at + 1], last=at == len(frame) - 1) + ping)
    yield from playing(moment.player, plainly)


def controls_before(kind: int) -> Act:
    """Return the behaviour that sends hundreds of control frames, then its answer, and plays on honestly."""

    def act(moment: Moment) -> Script:
        yield Raw(ws_frame(kind, b"x" * 100) * PINGS)
        yield from plainly(moment.answer)
        yield from playing(moment.player, plainly)

    return act


def fragments_for_ever(moment: Moment) -> Script:
    """Send a message in fragments without end."""
    yield Raw(ws_frame(TEXT, b'"', last=False))
    for _ in range(20):
        yield Raw(ws_frame(CONTINUATION, b"x" * 1000, last=False) * 64)
    yield Sleep(LONG)
