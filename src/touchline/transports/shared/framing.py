"""Split a byte stream into frames, by lines or by JSON values.

Laws of this file: the frames do not depend on how the bytes are cut; a frame has a maximum length; every byte
is scanned once. Bytes that cannot be a frame come out as one that no dialect can read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

MOST_FRAME = 1 << 20
"""The longest frame in bytes, unless a framing is made with another limit."""
MOST_AT_ONCE = 1024
"""JSON values in one read. Finding their ends costs us more than sending them costs the other side."""


class Overflow(Exception):
    """A frame is longer than allowed, or there are too many at once."""


class Framing(Protocol):
    """How frames follow each other in a byte stream."""

    def __init__(self, most: int = MOST_FRAME) -> None: ...

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that these bytes complete. Overflow as soon as a frame is too long."""


class Lines:
    """A frame is a line. Blank lines are skipped, and a carriage return at the end is dropped."""

    def __init__(self, most: int = MOST_FRAME) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self.held = 0

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line that has not ended yet."""
        return b"".join(self._parts)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that these bytes complete. Overflow as soon as a frame is too long.

        >>> lines = Lines()
        >>> lines.feed(b"a"), lines.feed(b"b\\r\\nc\\n\\nd")
        ([], [b'ab', b'c'])
        """
        if not self._parts and data.find(b"\n") == len(data) - 1 <= self._most:  # one whole line, as usual
            return [line] if (line := data[:-1].rstrip(b"\r")) else []
        *done, rest = data.split(b"\n")
        if done and self._parts:
            done[0] = b"".join((*self._parts, done[0]))
            self._parts, self.held = [], 0
        if rest:
            self._parts.append(rest)
            self.held += len(rest)
        if self.held > self._most or (done and max(map(len, done)) > self._most):
            raise Overflow(f"sent a line longer than {self._most} bytes")
        return [line for frame in done if (line := frame.rstrip(b"\r"))]


_BLANKS = b" \t\r\n"
_FIRST = re.compile(rb"[^ \t\r\n]")
_NESTING = re.compile(rb'"|[\[{]+|[\]}]{1,4}')
"""Brackets are counted in runs; any closing one may end the value, so runs of those are short."""
_TEXT = re.compile(rb'["\\]')
_PLAIN = re.compile(rb'[ \t\r\n"\[\]{}]')
"""Ends a number or a word."""
_WORDS = (b"true", b"false", b"null")
_PIECE = 4096
"""Bytes that are scanned between two checks of the limits."""
_LONGEST_WORD = 6
"""Bytes of an unfinished word that are kept: longer ones are none of `_WORDS`."""


class Values:
    """A frame is a JSON value; values follow each other with or without blanks between them.

    A number is complete when something follows it, everything else with its last byte. Bytes that cannot be a
    value are cut off where the next value may begin.
    """

    def __init__(self, most: int = MOST_FRAME) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._held = 0
        self._depth = 0
        self._in_text = False
        self._escaped = False
        self._word = b""  # the beginning of a number or a word; its bytes are in the parts as well

    def feed(self, data: bytes) -> list[bytes]:
        """Return the frames that these bytes complete. Overflow as soon as a frame is too long.

        >>> values = Values()
        >>> values.feed(b'  ["a]'), values.feed(b'"]"void" fal'), values.feed(b"se{} 7 ")
        ([], [b'["a]"]', b'"void"'], [b'false', b'{}', b'7'])
        """
        if len(data) <= _PIECE:
            return self._fed(data)
        frames: list[bytes] = []
        for at in range(0, len(data), _PIECE):
            frames += self._fed(data[at : at + _PIECE])
            if len(frames) > MOST_AT_ONCE:
                raise Overflow(f"sent more than {MOST_AT_ONCE} values at once")
        return frames

    def cut(self, words: Collection[bytes]) -> bytes | None:
        """Return the word that is not finished yet, and forget it, if it is one of these; else None.

        >>> values = Values()
        >>> values.feed(b"void"), values.cut([b"void"]), values.cut([b"void"])
        ([], b'void', None)
        """
        if not self._word or self._held > max(map(len, words)):
            return None
        if (word := b"".join(self._parts)) not in words:
            return None
        self._parts, self._held, self._word = [], 0, b""
        return word

    def _fed(self, data: bytes) -> list[bytes]:
        frames: list[bytes] = []
        start = at = 0
        while at < len(data):
            if not self._held and start == at:  # between values
                first = _FIRST.search(data, at)
                if first is None:
                    return frames
                start = at = first.start()
            at, complete = self._scan(data, at, begins=not self._held and start == at)
            if complete:
                frames.append(self._frame(data[start:at]))
                start = at
        if start < at:
            self._parts.append(data[start:at])
            self._held += at - start
            self._check(self._held)
        return frames

    def _frame(self, last: bytes) -> bytes:
        frame = b"".join((*self._parts, last)) if self._parts else last
        self._parts, self._held, self._word = [], 0, b""
        self._check(len(frame))
        return frame

    def _check(self, length: int) -> None:
        if length > self._most:
            raise Overflow(f"sent a value longer than {self._most} bytes")

    def _scan(self, data: bytes, at: int, *, begins: bool) -> tuple[int, bool]:
        """Scan on: return where the value ends in these bytes, and whether it is complete."""
        if self._in_text:
            return self._scan_text(data, at)
        if self._depth == 0 and (self._word or (begins and data[at] not in b'"[]{}')):
            return self._scan_word(data, at)
        while found := _NESTING.search(data, at):
            start, at = found.span()
            if data[start] == 0x22:  # "
                self._in_text = True
                at, complete = self._scan_text(data, at)
                if complete or self._in_text:
                    return at, complete
            elif data[start] in b"[{":
                self._depth += at - start
            elif self._depth > at - start:
                self._depth -= at - start
            else:  # the value ends here; a bracket that closes nothing is a frame of its own
                at, self._depth = start + max(1, self._depth), 0
                return at, True
        return len(data), False

    def _scan_text(self, data: bytes, at: int) -> tuple[int, bool]:
        if self._escaped:
            self._escaped = False
            at += 1
        while at < len(data):
            found = _TEXT.search(data, at)
            if found is None:
                return len(data), False
            at = found.end()
            if data[found.start()] == 0x22:
                self._in_text = False
                return at, self._depth == 0
            if at == len(data):
                self._escaped = True
                return at, False
            at += 1
        return at, False

    def _scan_word(self, data: bytes, at: int) -> tuple[int, bool]:
        for word in _WORDS:
            more = word[len(self._word) :]
            if word.startswith(self._word) and data.startswith(more, at):
                return at + len(more), True
        end = _PLAIN.search(data, at)
        stop = len(data) if end is None else end.start()
        self._word += data[at : min(stop, at + _LONGEST_WORD - len(self._word))]
        return stop, end is not None


FRAMINGS: dict[str, type[Framing]] = {"lines": Lines, "values": Values}
"""By the name that a dialect gives its framing."""
