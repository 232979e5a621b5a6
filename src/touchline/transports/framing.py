"""Bytes to frames. Law of this file: however bytes are cut, frames are the same; and none is endless."""

from __future__ import annotations

MOST_FRAME = 1 << 20
"""Bytes of a frame at most."""


class Overflow(Exception):
    """A frame is longer than any frame may be."""


class Lines:
    """A frame is a line. Blank lines are none, and a carriage return before the end is not part of it."""

    def __init__(self, most: int = MOST_FRAME) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self.held = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The frames that these bytes complete. Overflow once the unfinished one is too long.

        >>> lines = Lines()
        >>> lines.feed(b"a"), lines.feed(b"b\\r\\nc\\n\\nd")
        ([], [b'ab', b'c'])
        """
        *done, rest = data.split(b"\n")
        if done and self._parts:
            done[0] = b"".join((*self._parts, done[0]))
            self._parts, self.held = [], 0
        if rest:
            self._parts.append(rest)
            self.held += len(rest)
        if self.held > self._most or (done and max(map(len, done)) > self._most):
            raise Overflow(f"a line is longer than {self._most} bytes")
        return [line for frame in done if (line := frame.rstrip(b"\r"))]
