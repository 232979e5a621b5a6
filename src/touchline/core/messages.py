"""What the referee and a player can say to each other: about ten words, which each dialect says its own way.

A message to a player holds a view, which is a state; how a view is written is the dialect's business.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from touchline.core.clock import Micros
from touchline.core.conduct import Offence
from touchline.core.rules import Outcome, Seat

MOST_INBOUND = 64 << 10
"""Bytes that a message from a player may have, unless its dialect needs more."""


class Begin(Struct, frozen=True, gc=False):
    """A match begins, and this is your seat."""

    seat: Seat
    names: tuple[str, ...]
    view: Any
    lot: int | None = None
    """A small number that follows from the seed: all dialects of a table draw the same colours by it."""


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
    offence: Offence = Offence.ILLEGAL


class Update(Struct, frozen=True, gc=False):
    """Something has happened: this is how things are now."""

    turn: int
    view: Any


class Onward(Struct, frozen=True, gc=False):
    """You have reached your goal, and this is where to go next; only those hear it who asked to be guided.

    The turn is not over before they have said that they are ready.
    """

    turn: int
    view: Any


class Skipped(Struct, frozen=True, gc=False):
    """Your turn was taken away for an offence, or, without one, you could not move."""

    turn: int
    reason: str
    offence: Offence | None = None


class Expelled(Struct, frozen=True, gc=False):
    """You are out. A last word."""

    reason: str
    offence: Offence | None = None
    """None: you wanted it so."""


class Over(Struct, frozen=True, gc=False):
    """The match is over. A last word."""

    view: Any
    verdict: str
    outcome: Outcome | None
    reason: str


QUESTIONS = (Begin, YourTurn, Onward)
"""The messages that a player must answer."""
ToPlayer: TypeAlias = Begin | YourTurn | Accepted | Rejected | Update | Onward | Skipped | Expelled | Over


class Ready(Struct, frozen=True, gc=False, tag="ready"):
    """I have taken my seat, or heard where to go next."""

    updates: bool = False
    """Whether I want to be told what happens, and not only when it is my turn."""
    guided: bool = False
    """Whether I want to be told where to go next when I have reached a goal, and will answer."""


class Act(Struct, frozen=True, gc=False, tag="act"):
    """I move. The number of the turn it answers, where the dialect has one, makes stale answers harmless."""

    move: Any
    turn: int | None = None
    counted_from: int | UnsetType = UNSET
    """What rows and columns are counted from where the player comes from, if that is not 0."""


class Garbled(Struct, frozen=True, gc=False, tag="garbled"):
    """Something that could not be read."""

    why: str
    turn: int | None = None
    """The turn it meant to answer, if so much could be read."""
    owed: bool = False
    """Whether the player owed an answer to something, though perhaps not a move: so it is not out of turn."""


class Resign(Struct, frozen=True, gc=False, tag="resign"):
    """I give up."""

    why: str = "resigned"


class Resigned(Exception):
    """Raised by a player in this process that gives up."""


FromPlayer: TypeAlias = Ready | Act | Garbled | Resign
