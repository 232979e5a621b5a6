"""What a referee takes and what it returns: happenings, and effects."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from touchline.core.clock import Micros
from touchline.core.conduct import Offence
from touchline.core.events import Event
from touchline.core.messages import FromPlayer, ToPlayer
from touchline.core.rules import Seat


class Tell(Struct, frozen=True, gc=False):
    """Send a message to a seat."""

    seat: Seat
    message: ToPlayer


class Dismiss(Struct, frozen=True, gc=False):
    """Release a seat that was sent its last word."""

    seat: Seat


class Note(Struct, frozen=True, gc=False):
    """Publish an event to the record and the observers."""

    event: Event


Effect: TypeAlias = Tell | Dismiss | Note


class Heard(Struct, frozen=True, gc=False):
    """A message from a seat: `took` µs of thinking since it was last asked, and `wire` µs of transmission."""

    seat: Seat
    said: FromPlayer
    took: Micros = 0
    wire: Micros = 0
    raw: tuple[str, ...] | UnsetType = UNSET
    """The message as it came; unset if the player is not outside."""
    cpu: Micros | UnsetType = UNSET
    """The processor time since it was last asked; unset if the player is no program of ours."""
    fuel: int | UnsetType = UNSET
    """The fuel that the seat has used since its last message; unset if it is not counted."""
    unasked: bool = False
    """Whether it was sent before the question that stands."""


class Lapsed(Struct, frozen=True, gc=False):
    """The deadline of a seat that was asked has passed, or its player was stopped: it ran out of fuel.

    It is starved if only the machine was busy.
    """

    seat: Seat
    starved: bool = False
    cpu: Micros | UnsetType = UNSET
    fuel: int | UnsetType = UNSET
    """The fuel that it has used since its last message, if it was stopped."""
    why: str = ""
    """The limit, and how far the player had come; empty if the driver does not say."""


class Failed(Struct, frozen=True, gc=False):
    """A seat's player is gone, floods, does not read, or was refused."""

    seat: Seat
    offence: Offence
    why: str


class TookBack(Struct, frozen=True, gc=False):
    """A seat takes one of its turns back, by agreement: the turn `to`, and all turns after it.

    It is ignored unless the terms of the match allow it, and it is a turn of this seat that still counts.
    """

    seat: Seat
    to: int


class Broken(Struct, frozen=True, gc=False):
    """A failure on our side: the match is void."""

    why: str


class Restarted(Struct, frozen=True, gc=False):
    """The referee was restarted and has replayed its record."""


Happening: TypeAlias = Heard | Lapsed | Failed | TookBack | Broken | Restarted
