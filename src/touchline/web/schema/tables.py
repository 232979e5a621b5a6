"""Tables: making one, taking a seat, and its public description."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from touchline.web.schema.catalogue import ConductOffer, LevelName
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


class Health(Struct, frozen=True):
    """Whether the server is ready, and if not, what it waits for."""

    ready: bool
    why: str | None = None


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
    """A seat for a house player: a level of the game, or a player with its options."""

    player: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    options: Options = {}
    level: LevelName | None = None


class SeatForProgram(Struct, frozen=True, tag_field="kind", tag="remote", forbid_unknown_fields=True):
    """A seat for a program that connects to the server."""


WantedSeat: TypeAlias = SeatForMe | SeatForAnyone | SeatForHouse | SeatForProgram


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a table."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    seats: Annotated[tuple[WantedSeat, ...], Meta(min_length=1, max_length=16)]
    options: Options = {}
    conduct: Annotated[str, Meta(max_length=40)] | None = None
    """The name of a conduct. Without one: `friendly` where only people and the house play, or `standard`."""
    clock: ClockTerms | UnsetType | None = UNSET
    """Null is no limit. Without one: no limit where people play, else a minute a move."""
    pace: Annotated[float, Meta(ge=0, le=10)] | None = None
    """The least seconds of a house player's move; null is a pleasant one for whoever sits there."""
    takeback: bool = True
    """Whether moves may be taken back by agreement, where the game and the players allow it."""


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
    level: LevelName | None = None
    """The level of a house player, which then has the name of its character."""
    player: str | None = None
    """A house player with its options, in the words of the command line, for experts."""


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
    to_move: int | None = None
    """The seat to move; null before and after the match, and if nobody plays or watches here."""
    scores: tuple[int, ...] | None = None
    """The scores that spectators see, under the same conditions."""
    watching: int
    made: Millis
    began: Millis | None
    ended: Millis | None
    result: ResultSummary | None
    record: str | None
    recorded: bool | None
    """Whether the match is recorded in the folder of `--record`, so far without an error; null without it."""
    takeback: bool = False
    """Whether moves may be taken back here, if everybody agrees."""
    rematch: str | None = None
    """The id of the table of the rematch; null if there is none."""


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


class RematchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish for a rematch, with the seats as they were or swapped."""

    swap: bool = False


class Rematch(Struct, frozen=True, kw_only=True):
    """The state of a rematch: who wants it, and its table when everybody does."""

    wanted: tuple[int, ...]
    """The seats whose people want it."""
    swap: bool
    table: str | None = None
    seat: int | None = None
    """The seat at the new table of the person who is told this; null for spectators."""
    token: str | None = None
    """Its token; it is told to nobody else."""


class InvitationLink(Struct, frozen=True):
    """An address at which this page, or one of its tables, can be opened."""

    url: str
    where: Literal["this computer only", "your network"]


class Invitation(Struct, frozen=True, kw_only=True):
    """Links to pass on to a friend."""

    links: tuple[InvitationLink, ...]
    reachable: bool
    """Whether other machines can reach this server."""
    advice: str = ""
    """What to do so that they can; empty if they can."""
