"""What the referee and a player can say to each other: about ten words, which each dialect says its own way.

A message to a player holds a view, which is a state; how a view is written is the dialect's business.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from touchline.clock import Micros
from touchline.rules import Outcome, Seat


class Begin(Struct, frozen=True, gc=False):
    """A match begins, and this is your seat."""

    seat: Seat
    names: tuple[str, ...]
    view: Any


class YourTurn(Struct, frozen=True, gc=False):
    """Move. After a rejection it comes again, with the same number."""

    turn: int
    view: Any
    allowance: Micros | None
    """How long you have; None is as long as you like."""


class Accepted(Struct, frozen=True, gc=False):
    """Your move was made."""

    turn: int


class Rejected(Struct, frozen=True, gc=False):
    """What you sent was refused and nothing has changed."""

    turn: int
    reason: str


class Update(Struct, frozen=True, gc=False):
    """Something has happened: this is how things are now."""

    turn: int
    view: Any


class Skipped(Struct, frozen=True, gc=False):
    """Your turn was taken away, or you could not move."""

    turn: int
    reason: str


class Expelled(Struct, frozen=True, gc=False):
    """You are out. A last word."""

    reason: str


class Over(Struct, frozen=True, gc=False):
    """The match is over. A last word."""

    view: Any
    verdict: str
    outcome: Outcome | None
    reason: str


ToPlayer: TypeAlias = Begin | YourTurn | Accepted | Rejected | Update | Skipped | Expelled | Over


class Ready(Struct, frozen=True, gc=False, tag="ready"):
    """I have taken my seat."""

    updates: bool = False
    """Whether I want to be told what happens, and not only when it is my turn."""


class Act(Struct, frozen=True, gc=False, tag="act"):
    """I move. The number of the turn it answers, where the dialect has one, makes stale answers harmless."""

    move: Any
    turn: int | None = None


class Garbled(Struct, frozen=True, gc=False, tag="garbled"):
    """Something that could not be read."""

    why: str
    turn: int | None = None
    """The turn it meant to answer, if so much could be read."""


class Resigned(Exception):
    """Raised by a player in this process that gives up."""


FromPlayer: TypeAlias = Ready | Act | Garbled
