"""What happened in a match: the record, and all that observers see.

Law of this file: an event that came from outside holds the whole of what came, so that the referee can be
fed from its own record; times are whole microseconds.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from touchline.core.clock import Limits, Micros
from touchline.core.conduct import Conduct, Offence, Sanction
from touchline.core.messages import FromPlayer
from touchline.core.rules import Outcome, Seat

FORMAT = 1
"""The version of the record's form."""


class Fault(Struct, frozen=True):
    """A player's offence: who, when, which, why, and what it cost.

    >>> import touchline
    >>> class Lost:
    ...     def choose(self, view, turn):
    ...         return "where am I?"
    >>> match = touchline.play("hexapawn", ["random", Lost], seed=1)
    >>> match.faults[0].offence.value, match.faults[0].reason, match.faults[0].sanction.value
    ('malformed', 'not a move: str', 'expel')
    """

    seat: Seat
    turn: int
    offence: Offence
    reason: str
    sanction: Sanction


class Result(Struct, frozen=True, kw_only=True):
    """How a match ended. To lose is not to be expelled, and a void match is no player's fault.

    >>> import touchline
    >>> result = touchline.play("hexapawn", ["random", "random"], seed=1).result
    >>> result.verdict, result.outcome.winners, result.faults
    ('finished', (0,), ())
    """

    verdict: Literal["finished", "forfeited", "void"]
    outcome: Outcome | None
    """None for a void match."""
    reason: str
    turns: int
    expelled: tuple[Seat, ...] = ()
    resigned: tuple[Seat, ...] = ()
    faults: tuple[Fault, ...] = ()


class Refused(Struct, frozen=True):
    """A seat whose player had failed before the match began."""

    seat: Seat
    offence: Offence
    why: str


class Begun(Struct, frozen=True, kw_only=True, tag="begun"):
    """The first line: everything that was agreed, and a promise about the seed that gives nothing away."""

    format: int = FORMAT
    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    conduct: Conduct
    limits: Limits
    turn_cap: int
    talks: tuple[Seat, ...]
    """The seats of players that are not in the referee's own process."""
    isolation: str
    commitment: str
    """The hash of nonce and seed, which come in the last line."""
    proposals: tuple[Any, ...] = ()
    """What seats proposed to begin with, in the game's written form."""
    refused: tuple[Refused, ...] = ()
    position: Any
    """What a spectator sees."""


class SatDown(Struct, frozen=True, tag="sat_down"):
    """A seat is ready."""

    seat: Seat
    updates: bool
    took: Micros
    guided: bool = False


class SentOn(Struct, frozen=True, tag="sent_on"):
    """A seat that had reached its goal has heard where to go next."""

    turn: int
    seat: Seat
    took: Micros


class Moved(Struct, frozen=True, gc=False, tag="moved"):
    """A move was made: by the seat, or by the referee in its place."""

    turn: int
    seat: Seat
    move: Any
    took: Micros = 0
    """How long the seat thought."""
    wire: Micros = 0
    """How long its answer was under way besides."""
    by: Literal["seat", "referee"] = "seat"


class Faulted(Struct, frozen=True, tag="faulted"):
    """An offence, what exactly was heard, and what it cost."""

    turn: int
    seat: Seat
    offence: Offence
    reason: str
    sanction: Sanction
    said: FromPlayer | None = None
    took: Micros = 0


class Ignored(Struct, frozen=True, tag="ignored"):
    """An answer to a question that no longer stands."""

    turn: int
    seat: Seat
    said: FromPlayer


class Skipped(Struct, frozen=True, tag="skipped"):
    """A turn was taken away."""

    turn: int
    seat: Seat
    reason: str


class PassedOver(Struct, frozen=True, tag="passed_over"):
    """Seats that were due could not move."""

    turn: int
    seats: tuple[Seat, ...]


class Expelled(Struct, frozen=True, tag="expelled"):
    """A seat was removed."""

    turn: int
    seat: Seat
    reason: str


class Resigned(Struct, frozen=True, tag="resigned"):
    """A seat gave up, and is removed."""

    turn: int
    seat: Seat
    why: str


class Ended(Struct, frozen=True, tag="ended"):
    """The last line: the result, and what was promised in the first."""

    result: Result
    seed: int
    nonce: str


Event: TypeAlias = (
    Begun | SatDown | Moved | SentOn | Faulted | Ignored | Skipped | PassedOver | Expelled | Resigned | Ended
)

encode = msgspec.json.Encoder().encode
"""An event as one line of a record, without its end."""
