"""Tables: making one, taking a seat, and its public description."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from touchline.web.schema.catalogue import ConductOffer
from touchline.web.schema.common import Millis, Name, Options


class ServerStatus(Struct, frozen=True, kw_only=True):
    """The load of the server."""

    open: int
    running: int
    finished: int
    watching: int
    encoded: int
    """Lines encoded for watchers since the start; a table without watchers adds none."""
    dropped: int
    """Watchers that were dropped because they read too slowly."""


class ClockTerms(Struct, frozen=True):
    """A clock: seconds per move, in the time bank, and added to the bank by each move."""

    seconds: Annotated[float, Meta(gt=0, le=86_400)] = 60.0
    bank: Annotated[float, Meta(ge=0, le=86_400)] = 0.0
    increment: Annotated[float, Meta(ge=0, le=86_400)] = 0.0


class SeatForMe(Struct, frozen=True, tag_field="kind", tag="me", forbid_unknown_fields=True):
    """A seat for the maker of the table."""

    name: Name


class SeatForAnyone(Struct, frozen=True, tag_field="kind", tag="open", forbid_unknown_fields=True):
    """A seat for the first person to join."""


class SeatForHouse(Struct, frozen=True, tag_field="kind", tag="house", forbid_unknown_fields=True):
    """A seat for a house player."""

    player: Annotated[str, Meta(min_length=1, max_length=40)]
    options: Options = {}


class SeatForProgram(Struct, frozen=True, tag_field="kind", tag="remote", forbid_unknown_fields=True):
    """A seat for a program that connects to the server."""


WantedSeat: TypeAlias = SeatForMe | SeatForAnyone | SeatForHouse | SeatForProgram


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a table."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    seats: Annotated[tuple[WantedSeat, ...], Meta(min_length=1, max_length=16)]
    options: Options = {}
    conduct: Annotated[str, Meta(max_length=40)] | None = None
    """The name of a conduct; without one, the default of the players' dialects: `course`."""
    clock: ClockTerms | None = ClockTerms()
    pace: Annotated[float, Meta(ge=0, le=10)] = 0.5


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for an open seat: a certain one, or any."""

    name: Name
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None


class SeatSummary(Struct, frozen=True):
    """The public description of a seat."""

    seat: int
    kind: Literal["me", "open", "house", "remote"]
    name: str | None
    taken: bool


class ResultSummary(Struct, frozen=True, kw_only=True):
    """The result of a match."""

    verdict: Literal["finished", "forfeited", "void"]
    reason: str
    winners: tuple[int, ...]
    ranks: tuple[int | None, ...]
    scores: tuple[int, ...]
    turns: int
    expelled: tuple[int, ...]
    resigned: tuple[int, ...]
    says: tuple[str, ...]
    """The result in lines for people: the headline, how it ended, and who left before."""
    headline: str
    """Who won: `Ann won 40–26`."""
    why: str
    """How it ended: `Nobody could move any more.`"""


class TableSummary(Struct, frozen=True, kw_only=True):
    """The public description of a table."""

    id: str
    game: str
    options: dict[str, Any]
    state: Literal["open", "running", "finished"]
    seats: tuple[SeatSummary, ...]
    conduct: str
    clock: ClockTerms | None
    pace: float
    turn: int
    watching: int
    made: Millis
    began: Millis | None
    ended: Millis | None
    result: ResultSummary | None
    record: str | None
    recorded: bool | None
    """Whether the match is recorded in the folder of `--record`, so far without an error; null without it."""


class TableList(Struct, frozen=True):
    """Tables, the newest first."""

    tables: tuple[TableSummary, ...]


class TableSeen(Struct, frozen=True):
    """A table, and the seat that the client's token opens."""

    table: TableSummary
    seat: int | None = None


class Ticket(Struct, frozen=True):
    """The token of a seat. It is sent once, to the client that takes the seat."""

    seat: int
    kind: Literal["me", "open", "remote"]
    token: str
    join: str | None = None
    """The command line that starts a program for this seat."""


class Seated(Struct, frozen=True):
    """A table, and the tokens of the seats that the client now has."""

    table: TableSummary
    seats: tuple[Ticket, ...]


class TermsSummary(Struct, frozen=True, kw_only=True):
    """The terms of a match."""

    options: dict[str, Any]
    conduct: ConductOffer
    clock: ClockTerms | None
    turn_cap: int
