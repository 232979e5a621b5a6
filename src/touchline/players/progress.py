"""How far a program has come with the question that it was asked, as seen from outside."""

from __future__ import annotations

from typing import NamedTuple


class Progress(NamedTuple):
    """How far a program has come with the question that it was asked."""

    unread: int
    """Bytes that it was sent and has not read."""
    unfinished: bytes = b""
    """What it has written of a line that it has not ended."""
    computes: bool = False
    """Whether it was using a processor when it was looked at, or had to wait for one."""
    expected: str = ""
    """What its dialect expects, in words."""
