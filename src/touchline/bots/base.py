"""What a house player thinks: how it stands for everybody, what it expects, and why, in words."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from msgspec import Struct


class Thought(Struct, frozen=True):
    """What a player makes of a state in which it is to move."""

    values: tuple[float, ...]
    """For each seat what it can expect, from 0, lost, to 1, won alone."""
    line: tuple[Any, ...]
    """The moves that the player expects, its own choice first."""
    says: str
    """How it came to that, in one short sentence: `wins in 7`, `12 moves ahead: 31 fish to 24`."""


@runtime_checkable
class Thinker(Protocol):
    """A bot that can say what it thinks. Its `choose` is the first move of the line."""

    def think(self, view: Any) -> Thought:
        """What it makes of this state, whose seat to move is its own. The state may know more than a view."""
