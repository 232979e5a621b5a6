"""The events of a match: a record consists of them, and observers receive them.

Law of this file: an event caused by input holds all of that input, so that the referee can be replayed from
its own record: what was understood, and in `raw` what was received. Times are whole microseconds.

A field that came with format 2 is unset by default, and then it is not written. So the events of a record of
format 1 are encoded to the same bytes as before.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from touchline.core.clock import Limits, Micros
from touchline.core.conduct import Conduct, Offence, Sanction
from touchline.core.fuel import Fuel
from touchline.core.messages import FromPlayer
from touchline.core.rules import Outcome, Seat
from touchline.core.text import Name, Raw, Text

FORMAT = 3
"""The version of the record format that is written.

Format 2 has more fields than format 1. Format 3 has the same lines as format 2, but a game may draw its first
state in another way (`rules.RevisedStart`): the seed in a record gives the state that it gave then.
"""
FORMATS = (1, 2, 3)
"""The versions that are read."""


class Fault(Struct, frozen=True):
    """An offence of a player: seat, turn, kind, reason and sanction.

    >>> import touchline
    >>> class Lost:
    ...     def choose(self, view, turn):
    ...         return "where am I?"
    >>> match = touchline.play("hexapawn", ["random", Lost], seed=1)
    >>> match.faults[0].offence.value, match.faults[0].sanction.value
    ('malformed', 'expel')
    >>> match.faults[0].reason
    'choose() returned a str, not a move; return one of view.legal_moves()'
    """

    seat: Seat
    turn: int
    offence: Offence
    reason: Text
    sanction: Sanction


class Result(Struct, frozen=True, kw_only=True):
    """The result of a match. A seat that lost was not expelled, and a void match is no player's fault.

    >>> import touchline
    >>> result = touchline.play("hexapawn", ["random", "random"], seed=1).result
    >>> result.verdict, result.outcome.winners, result.faults
    ('finished', (0,), ())
    """

    verdict: Literal["finished", "forfeited", "void"]
    outcome: Outcome | None
    """None for a void match."""
    reason: Text
    turns: int
    expelled: tuple[Seat, ...] = ()
    resigned: tuple[Seat, ...] = ()
    faults: tuple[Fault, ...] = ()


class Refused(Struct, frozen=True):
    """A seat whose player failed before the match began."""

    seat: Seat
    offence: Offence
    why: Text


class Module(Struct, frozen=True):
    """A WebAssembly module that plays, and what runs it: together they determine moves and fuel."""

    sha256: Name
    runtime: Name


class Begun(Struct, frozen=True, kw_only=True, tag="begun"):
    """The first line of a record: the terms of the match, and a commitment to the secret seed."""

    format: int = FORMAT
    game: str
    options: dict[str, Any]
    names: tuple[Name, ...]
    conduct: Conduct
    limits: Limits
    turn_cap: int
    talks: tuple[Seat, ...]
    """The seats of players outside the referee's process."""
    dialects: tuple[Name | None, ...] | UnsetType = UNSET
    """The dialect of each seat; None for a player that needs none. Since format 2."""
    modules: tuple[Module | None, ...] | UnsetType = UNSET
    """The WebAssembly module of each seat, None for another player; unset if there is no module."""
    isolation: str | tuple[Name | None, ...]
    """The tier of isolation of each seat; None for a player that is no program of ours. A text is older."""
    ponders: bool | UnsetType = UNSET
    """False if programs were frozen in the turns of others."""
    commitment: str
    """The hash of nonce and seed; the event `ended` reveals both."""
    seed_given: bool | UnsetType = UNSET
    """Whether somebody chose the seed, and so knew it beforehand; else it was drawn. Since format 2."""
    proposals: tuple[Any, ...] = ()
    """The proposals of the seats before the start, in the game's JSON form."""
    refused: tuple[Refused, ...] = ()
    opening: tuple[Any, ...] | UnsetType = UNSET
    """The moves that were made for the seats before the match began; unset if there were none."""
    takeback: bool | UnsetType = UNSET
    """True if turns can be taken back; else unset."""
    position: Any
    """The first position, after the opening, as a spectator sees it."""


class SatDown(Struct, frozen=True, tag="sat_down"):
    """A seat is ready."""

    seat: Seat
    updates: bool
    took: Micros
    guided: bool = False
    raw: Raw | UnsetType = UNSET
    fuel: Fuel | UnsetType = UNSET
    """The fuel that the player used for this answer; unset if it is not counted."""


class SentOn(Struct, frozen=True, tag="sent_on"):
    """A guided seat has moved and knows where to go: if it reached its goal, it confirmed the next one.

    Which of the two it is remains secret until the end, so `took` is 0. Older records have this event only
    after a goal, with the time of the confirmation.
    """

    turn: int
    seat: Seat
    took: Micros


class Moved(Struct, frozen=True, gc=False, tag="moved"):
    """A move was made: by the seat, or by the referee in its place."""

    turn: int
    seat: Seat
    move: Any
    took: Micros = 0
    """The thinking time, which is charged to the clock."""
    wire: Micros = 0
    """The transmission time of the answer, which is not charged."""
    by: Literal["seat", "referee"] = "seat"
    raw: Raw | UnsetType = UNSET
    """The frames that the player sent, as they came; unset if it sent none, as a bot in this process."""
    cpu: Micros | UnsetType = UNSET
    """The processor time of the player's program in this turn; unset if the player is no program of ours."""
    fuel: Fuel | UnsetType = UNSET


class Faulted(Struct, frozen=True, tag="faulted"):
    """An offence, the message that was received, and the sanction."""

    turn: int
    seat: Seat
    offence: Offence
    reason: Text
    sanction: Sanction
    said: FromPlayer | None = None
    took: Micros = 0
    raw: Raw | UnsetType = UNSET
    cpu: Micros | UnsetType = UNSET
    fuel: Fuel | UnsetType = UNSET


class Ignored(Struct, frozen=True, tag="ignored"):
    """A stale answer: its question no longer stands."""

    turn: int
    seat: Seat
    said: FromPlayer
    raw: Raw | UnsetType = UNSET
    fuel: Fuel | UnsetType = UNSET


class Skipped(Struct, frozen=True, tag="skipped"):
    """A turn was taken away."""

    turn: int
    seat: Seat
    reason: Text


class PassedOver(Struct, frozen=True, tag="passed_over"):
    """Seats that were due could not move."""

    turn: int
    seats: tuple[Seat, ...]


class Expelled(Struct, frozen=True, tag="expelled"):
    """A seat was removed."""

    turn: int
    seat: Seat
    reason: Text


class Resigned(Struct, frozen=True, tag="resigned"):
    """A seat resigned and was removed."""

    turn: int
    seat: Seat
    why: Text
    raw: Raw | UnsetType = UNSET
    fuel: Fuel | UnsetType = UNSET


class TakenBack(Struct, frozen=True, tag="taken_back"):
    """A seat took a turn back, and with it all turns after it; it is asked to move again.

    Turn numbers go on: the next turn is `turn` + 1, in the state before turn `to`.
    """

    turn: int
    """The turn that was going on, and is over now."""
    seat: Seat
    to: int
    """The turn that is taken back, one of this seat."""


class Resumed(Struct, frozen=True, tag="resumed"):
    """The referee was restarted, and the match goes on from its record. No clock ran in between."""

    turn: int


class Ended(Struct, frozen=True, tag="ended"):
    """The last event: the result, and the seed and nonce of the commitment."""

    result: Result
    seed: int
    nonce: Name


Event: TypeAlias = (
    Begun
    | SatDown
    | Moved
    | SentOn
    | Faulted
    | Ignored
    | Skipped
    | PassedOver
    | Expelled
    | Resigned
    | TakenBack
    | Resumed
    | Ended
)

_encoder = msgspec.json.Encoder()
encode = _encoder.encode
"""Encode an event as one line of a record, without the newline."""
encode_lines = _encoder.encode_lines
"""Encode events as lines of a record, each with its newline."""
