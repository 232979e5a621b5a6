"""The messages between the referee and a player; each dialect encodes them in its own way.

A docstring here is worded as its sender would say it. A message to a player holds a view, which is a state;
the dialect decides how to encode it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from touchline.core.clock import Micros
from touchline.core.conduct import Offence
from touchline.core.rules import Outcome, Seat
from touchline.core.text import Text

MOST_INBOUND = 64 << 10
"""The longest message from a player, 64 KiB, which bounds the memory per seat; a dialect may allow more."""


class Begin(Struct, frozen=True, gc=False):
    """A match begins, and this is your seat."""

    seat: Seat
    names: tuple[str, ...]
    view: Any
    lot: int | None = None
    """A small number derived from the seed, by which all dialects of a table choose the same colours."""


class YourTurn(Struct, frozen=True, gc=False):
    """It is your turn to move. After a rejection this is sent again, with the same turn number."""

    turn: int
    view: Any
    allowance: Micros | None
    """The time you have left for this turn; None means no limit."""


class Accepted(Struct, frozen=True, gc=False):
    """Your move was made."""

    turn: int


class Rejected(Struct, frozen=True, gc=False):
    """Your message was refused, and the state of the game has not changed."""

    turn: int
    reason: str
    offence: Offence = Offence.ILLEGAL


class Update(Struct, frozen=True, gc=False):
    """The state of the game has changed; this is your new view."""

    turn: int
    view: Any


class Onward(Struct, frozen=True, gc=False):
    """You have reached your goal, and the view shows the next one. Only sent to seats that want to be guided.

    The turn is over when the seat has answered `Ready`.
    """

    turn: int
    view: Any


class Skipped(Struct, frozen=True, gc=False):
    """Your turn was taken away for an offence; without an offence, you could not move."""

    turn: int
    reason: str
    offence: Offence | None = None


class Expelled(Struct, frozen=True, gc=False):
    """You have been removed from the match. This is the last message."""

    reason: str
    offence: Offence | None = None
    """None: you resigned."""


class Over(Struct, frozen=True, gc=False):
    """The match is over. This is the last message."""

    view: Any
    verdict: str
    outcome: Outcome | None
    reason: str


QUESTIONS = (Begin, YourTurn, Onward)
"""The messages that a player must answer."""
ToPlayer: TypeAlias = Begin | YourTurn | Accepted | Rejected | Update | Onward | Skipped | Expelled | Over


class Ready(Struct, frozen=True, gc=False, tag="ready"):
    """I have taken my seat, or I know my next goal."""

    updates: bool = False
    """Whether I want updates between my turns."""
    guided: bool = False
    """Whether I want an `Onward` when I have reached a goal, and will answer it."""


class Act(Struct, frozen=True, gc=False, tag="act"):
    """I make this move. The turn number, in dialects that have one, identifies stale answers."""

    move: Any
    turn: int | None = None
    counted_from: int | UnsetType = UNSET
    """The number of the player's first row and first column, if that is not 0."""


class Garbled(Struct, frozen=True, gc=False, tag="garbled"):
    """A message that could not be decoded."""

    why: Text
    turn: int | None = None
    """The turn it answers, if that much could be decoded."""
    owed: bool = False
    """Whether the player owed an answer, not necessarily a move; then the message is not out of turn."""


class Resign(Struct, frozen=True, gc=False, tag="resign"):
    """I resign."""

    why: Text = "resigned"


class Resigned(Exception):
    """Raised by an in-process player to resign."""


FromPlayer: TypeAlias = Ready | Act | Garbled | Resign
