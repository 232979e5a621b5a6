"""Read what players send that break the letter of a course's protocol, in ways that many programs do.

    Alice            a name without quotes; it ends with a newline, or when nothing follows it
    void             an answer without quotes, and so is PASS
    \\0\\0\\0\\7"Alice"   a length before each message: 2, 4 or 8 bytes, or digits and a colon

Laws of this file: what a strict reader understands is understood in the same way; each message comes out as
the strict protocol has it; the frames do not depend on how the bytes are cut, except for a name that only
silence ends. `CourseConnection` does the I/O.

The other side of it are servers: they write colours with a capital letter, and the colours of `playing-with`
as its arguments instead of in an array. `mended_call` corrects their calls.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.dialects.base import UNREADABLE
from touchline.transports.shared.framing import MOST_FRAME, Overflow, Values

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

BARE_NAME = "its name has no quotes"
BARE_WORD = "its answers have no quotes"
CAPITALS = "its colours have capital letters"
FLAT = "the colours of playing-with are not in an array"

_BLANKS = b" \t\r\n"
_name = re.compile(rb"[A-Za-z0-9]{1,20}").fullmatch
_MOST_NAME = 64
"""Bytes of a first line without an end, after which it is no name."""
_WORDS = (b"void", b"PASS")
_digits = re.compile(rb"(\d{1,6})(:?)").match


class Prefix(NamedTuple):
    """How the length of a message is written in front of it."""

    size: int
    """The size in bytes; 0 for digits and a colon."""
    order: str = "big"

    def read(self, data: bytes | bytearray) -> tuple[int, int] | None:
        """Return the size of the prefix and the length of the message; None if more bytes are needed."""
        if self.size:
            if len(data) < self.size:
                return None
            return self.size, int.from_bytes(data[: self.size], self._byteorder)
        found = _digits(data)
        if found is None or (not found[2] and len(data) > found.end()):
            raise Overflow("a message without its length, after messages that had one")
        return (found.end(), int(found[1])) if found[2] else None

    def write(self, frame: bytes) -> bytes:
        """Return a message with its length in front.

        >>> Prefix(4).write(b'"void"'), Prefix(0).write(b'"void"')
        (b'\\x00\\x00\\x00\\x06"void"', b'6:"void"')
        """
        if not self.size:
            return b"%d:%b" % (len(frame), frame)
        return len(frame).to_bytes(self.size, self._byteorder) + frame

    @property
    def _byteorder(self) -> Any:
        return self.order

    def __str__(self) -> str:
        how = f"{self.size} bytes, {self.order}-endian" if self.size else "digits and a colon"
        return f"each of its messages begins with its length ({how})"


_AFTER_ZEROS = {1: Prefix(2), 3: Prefix(4), 7: Prefix(8)}
"""By the number of zero bytes at the beginning of a message that is shorter than 256 bytes."""


class _Prefixed:
    """Split a byte stream into messages with their lengths in front."""

    def __init__(self, prefix: Prefix, most: int) -> None:
        self._prefix, self._most, self._held = prefix, most, bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages that these bytes complete, without blanks around them."""
        self._held += data
        frames: list[bytes] = []
        while self._held and (head := self._prefix.read(self._held)) is not None:
            size, length = head
            if length > self._most:
                raise Overflow(f"a message is longer than {self._most} bytes")
            if len(self._held) < size + length:
                break
            if frame := bytes(self._held[size : size + length]).strip(_BLANKS):
                frames.append(frame)
            del self._held[: size + length]
        return frames


class LenientReader:
    """A framing (`transports.shared.framing`) that also reads the deviations above."""

    def __init__(self, most: int = MOST_FRAME, note: Callable[[str], None] = lambda kind: None) -> None:
        """`note` is called with each kind of deviation, once."""
        self._most, self._note = most, note
        self._first = b""
        """What came before it was clear how messages are separated."""
        self._split: Values | _Prefixed | None = None
        self._named = False
        self._kinds: set[str] = set()
        self.prefix: Prefix | None = None
        """How the lengths of messages are written, if they are."""

    @property
    def awaits_silence(self) -> bool:
        """Whether a name may be complete that only silence can end."""
        return self._split is None and self._first.strip(_BLANKS)[:1].isalnum()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that these bytes complete, as the strict protocol has them.

        >>> reader = LenientReader()
        >>> reader.feed(b"Ali"), reader.feed(b"ce\\n"), reader.feed(b"vo"), reader.feed(b"id[1,2]")
        ([], [b'"Alice"'], [], [b'"void"', b'[1,2]'])
        """
        if self._split is None:
            self._first += data
            return self._begun(silent=False)
        return [*map(self._mended, self._whole(self._split, data))]

    def silence(self) -> list[bytes]:
        """Return the name that ends because nothing follows it.

        >>> reader = LenientReader()
        >>> reader.feed(b"Alice"), reader.silence()
        ([], [b'"Alice"'])
        """
        return self._begun(silent=True) if self.awaits_silence else []

    def _begun(self, *, silent: bool) -> list[bytes]:
        """Look at the first bytes, and choose how to go on."""
        prefix = _prefix_of(self._first)
        if prefix is _UNDECIDED and not silent:
            return self._not_yet()
        if isinstance(prefix, Prefix):
            self.prefix = prefix
            self._noted(str(prefix))
            return self._go_on(_Prefixed(prefix, self._most), self._first)
        start = self._first.lstrip(_BLANKS)
        if not start[:1].isalnum():
            return self._go_on(Values(self._most), start) if start else self._not_yet()
        line, newline, rest = start.partition(b"\n")
        if not (newline or silent or len(start) > _MOST_NAME):
            return self._not_yet()
        if not _name(name := line.strip(_BLANKS)):
            self._named = True  # no name: perhaps a request of HTTP
            return self._go_on(Values(self._most), start)
        return [self._mended(name), *self._go_on(Values(self._most), rest)]

    def _not_yet(self) -> list[bytes]:
        if len(self._first) > self._most:
            raise Overflow(f"a message is longer than {self._most} bytes")
        return []

    def _go_on(self, split: Values | _Prefixed, data: bytes) -> list[bytes]:
        self._split, self._first = split, b""
        return self.feed(data)

    def _whole(self, split: Values | _Prefixed, data: bytes) -> list[bytes]:
        frames = split.feed(data)
        if isinstance(split, Values) and (word := split.cut(_WORDS)) is not None:
            frames.append(word)
        return frames

    def _mended(self, frame: bytes) -> bytes:
        first, self._named = not self._named, True
        if first and _name(frame):
            self._noted(BARE_NAME)
            return b'"%b"' % frame
        if frame in _WORDS:
            self._noted(BARE_WORD)
            return b'"%b"' % frame
        return frame

    def _noted(self, kind: str) -> None:
        if kind not in self._kinds:
            self._kinds.add(kind)
            self._note(kind)


_UNDECIDED = object()


def _prefix_of(data: bytes) -> Prefix | object | None:
    """Return the prefix with which the first message begins, _UNDECIDED, or None if it has none."""
    zeros = len(data) - len(data.lstrip(b"\0"))
    if zeros:
        return _UNDECIDED if zeros == len(data) < 8 else _AFTER_ZEROS.get(zeros)
    if data and data[0] < 0x20:  # a length of a name, or a blank
        if data[1:4] == b"\0\0\0":
            return Prefix(4, "little")
        return _UNDECIDED if not data[1:4].strip(b"\0") and len(data) < 4 else None
    found = _digits(data)
    if found is None:
        return None
    if found[2]:
        return Prefix(0)
    return _UNDECIDED if found.end() == len(data) else None


# -- the calls of servers ---------------------------------------------------------------------------


def mended_call(frame: bytes, colours: Collection[str], note: Callable[[str], None]) -> bytes:
    """Return a server's call as the strict protocol has it; `colours` are those of the game.

    >>> mended_call(b'["playing-with",["Red","white"]]', {"red", "white"}, lambda kind: None)
    b'["playing-with",[["red","white"]]]'
    """
    try:
        called = msgspec.json.decode(frame)
    except UNREADABLE:
        return frame
    match called:
        case ["playing-with", [*told]] if told and all(isinstance(colour, str) for colour in told):
            note(FLAT)
            called = ["playing-with", [told]]
        case [str(), list()]:
            pass
        case _:
            return frame
    mended = _lowered(called, colours)
    if mended != called:
        note(CAPITALS)
    return frame if mended == msgspec.json.decode(frame) else msgspec.json.encode(mended)


def _lowered(value: Any, colours: Collection[str]) -> Any:
    """Return a value whose colours are in lower case; the nesting of JSON that was decoded is bounded."""
    if isinstance(value, str):
        return value.lower() if value.lower() in colours else value
    if isinstance(value, list):
        return [_lowered(item, colours) for item in value]
    if isinstance(value, dict):
        return {key: _lowered(item, colours) for key, item in value.items()}
    return value
