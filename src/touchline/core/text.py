"""Size limits of the texts in a record: the same when it is written and when it is read.

A name or a reason may come from a player that nobody trusts, so neither may fill a disk or a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Meta

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAME = 1_000
"""Characters in the name of a seat: the command of a program may be its name."""
MOST_TEXT = 4_000
"""Characters in a reason."""
MOST_SAID = 3_800
"""Characters of a reason that comes from outside, so that our own words around it fit into MOST_TEXT."""
MOST_RAW = 4_096
"""Bytes of a frame that are kept as they came."""
MOST_KEPT = 16
"""Frames of one message that are kept as they came."""

MORE_FRAMES = "… and more frames"
"""Stands after MOST_KEPT frames in place of all further ones."""

Name: TypeAlias = Annotated[str, Meta(max_length=MOST_NAME)]
Text: TypeAlias = Annotated[str, Meta(max_length=MOST_TEXT)]
Raw: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(max_length=MOST_RAW + 40)], ...], Meta(max_length=MOST_KEPT + 1)
]
"""The frames of one message as they came, one character (Latin-1) for each byte."""


def clipped(text: str, most: int = MOST_SAID) -> str:
    """Return the text, cut to `most` characters.

    >>> clipped("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def received(frames: Sequence[bytes]) -> tuple[str, ...]:
    """Return the frames of one message as a record keeps them.

    A frame that was cut ends in an ellipsis and its length; no byte is written as an ellipsis.

    >>> received([b'{"a":1}', bytes([255])])
    ('{"a":1}', 'ÿ')
    """
    kept = tuple(map(_kept, frames[:MOST_KEPT]))
    return kept if len(frames) <= MOST_KEPT else (*kept, MORE_FRAMES)


class PendingFrames:
    """The frames of a player since its last message: a dialect may need several for one message."""

    __slots__ = ("_frames",)

    def __init__(self) -> None:
        self._frames: list[bytes] = []

    def add(self, frame: bytes) -> None:
        """Keep a frame; beyond MOST_KEPT + 1 nothing is kept, which bounds the memory."""
        if len(self._frames) <= MOST_KEPT:
            self._frames.append(frame)

    def take(self) -> tuple[str, ...]:
        """Return the frames as a record keeps them, and forget them."""
        frames, self._frames = self._frames, []
        return received(frames)


def _kept(frame: bytes) -> str:
    if len(frame) <= MOST_RAW:
        return frame.decode("latin-1")
    return f"{frame[:MOST_RAW].decode('latin-1')}… of {len(frame)} bytes"


def frames_of(raw: Sequence[str]) -> list[bytes] | None:
    """Return the frames that `received` kept; None if any was cut, so that they cannot be read again."""
    try:
        return [frame.encode("latin-1") for frame in raw]
    except UnicodeEncodeError:  # the ellipsis is not one of the 256 characters that stand for bytes
        return None


def beginnings_of(raw: Sequence[str]) -> list[bytes] | None:
    """Return the frames that `received` kept, a cut one as far as it was kept; None if one is missing.

    >>> beginnings_of(["ab", "cd… of 5000 bytes"]), beginnings_of(["ab", MORE_FRAMES])
    ([b'ab', b'cd'], None)
    """
    if MORE_FRAMES in raw:
        return None
    return [frame.partition("…")[0].encode("latin-1") for frame in raw]
