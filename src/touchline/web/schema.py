"""The words of the page's API: every body, and every line of a stream, as a type.

Law of this file: nothing goes over the page's wires that is not one of these; the OpenAPI document is made
from them, so it cannot say anything else.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from touchline.core.sketch import Key, Spot

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Millis: TypeAlias = int
Source: TypeAlias = Literal["table", "dropped", "folder", "cup"]
Options: TypeAlias = dict[Annotated[str, Meta(max_length=40)], Any]
"""What is in it is checked by the game or the player it is for."""


class Told(Struct, frozen=True, rename={"code": "error"}):
    """What went wrong, as a word for programs and a sentence for people."""

    code: str
    message: str


# -- what there is ----------------------------------------------------------------------------------


class Choice(Struct, frozen=True, kw_only=True):
    """An option of a game."""

    name: str
    about: str
    kind: Literal["integer", "boolean", "choice", "text", "json"]
    default: Any = None
    least: int | None = None
    most: int | None = None
    choices: tuple[Any, ...] | None = None


class Offer(Struct, frozen=True):
    """A house player that may be chosen."""

    player: str
    options: dict[str, Any]
    label: str
    about: str


class GameOffer(Struct, frozen=True, kw_only=True):
    """A game that can be played here, and who of the house plays it, the weakest first."""

    name: str
    about: str
    least: int
    most: int
    hidden: bool
    options: tuple[Choice, ...]
    house: tuple[Offer, ...]


class ConductOffer(Struct, frozen=True):
    """What offences cost, in words."""

    name: str
    about: tuple[str, ...]


class Games(Struct, frozen=True):
    games: tuple[GameOffer, ...]
    conducts: tuple[ConductOffer, ...]


class Status(Struct, frozen=True, kw_only=True):
    """How busy the page is."""

    open: int
    running: int
    finished: int
    watching: int
    encoded: int
    """Lines that were put into words for watchers since the start; who is watched by nobody adds none."""
    dropped: int
    """Readers that did not keep up."""


# -- tables -----------------------------------------------------------------------------------------


class ClockTerms(Struct, frozen=True):
    """Seconds for a move, in the bank, and added to it by a move."""

    seconds: Annotated[float, Meta(gt=0, le=86_400)] = 60.0
    bank: Annotated[float, Meta(ge=0, le=86_400)] = 0.0
    increment: Annotated[float, Meta(ge=0, le=86_400)] = 0.0


class Me(Struct, frozen=True, tag_field="kind", tag="me", forbid_unknown_fields=True):
    """A seat for whoever makes the table."""

    name: Name


class OpenSeat(Struct, frozen=True, tag_field="kind", tag="open", forbid_unknown_fields=True):
    """A seat for whoever comes first."""


class House(Struct, frozen=True, tag_field="kind", tag="house", forbid_unknown_fields=True):
    """A seat for a house player."""

    player: Annotated[str, Meta(min_length=1, max_length=40)]
    options: Options = {}


class RemoteSeat(Struct, frozen=True, tag_field="kind", tag="remote", forbid_unknown_fields=True):
    """A seat for a program that connects by itself."""


WantedSeat: TypeAlias = Me | OpenSeat | House | RemoteSeat


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be made."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]
    seats: Annotated[tuple[WantedSeat, ...], Meta(min_length=1, max_length=16)]
    options: Options = {}
    conduct: Annotated[str, Meta(max_length=40)] | None = None
    """By its name; without one, by the rule for all tables: `course`, for everybody here speaks native."""
    clock: ClockTerms | None = ClockTerms()
    pace: Annotated[float, Meta(ge=0, le=10)] = 0.5


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody wants an open seat."""

    name: Name
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None


class SeatInfo(Struct, frozen=True):
    """A seat of a table, for all to see."""

    seat: int
    kind: Literal["me", "open", "house", "remote"]
    name: str | None
    taken: bool


class Result(Struct, frozen=True, kw_only=True):
    """How a match ended."""

    verdict: Literal["finished", "forfeited", "void"]
    reason: str
    winners: tuple[int, ...]
    ranks: tuple[int | None, ...]
    scores: tuple[int, ...]
    turns: int
    expelled: tuple[int, ...]
    resigned: tuple[int, ...]
    says: tuple[str, ...]


class Table(Struct, frozen=True, kw_only=True):
    """A table, for all to see."""

    id: str
    game: str
    options: dict[str, Any]
    state: Literal["open", "running", "finished"]
    seats: tuple[SeatInfo, ...]
    conduct: str
    clock: ClockTerms | None
    pace: float
    turn: int
    watching: int
    made: Millis
    began: Millis | None
    ended: Millis | None
    result: Result | None
    record: str | None


class Tables(Struct, frozen=True):
    tables: tuple[Table, ...]


class TableSeen(Struct, frozen=True):
    """A table, and which seat of it is the asker's."""

    table: Table
    seat: int | None = None


class Ticket(Struct, frozen=True):
    """What lets somebody play; nobody is told again."""

    seat: int
    kind: Literal["me", "open", "remote"]
    token: str
    join: str | None = None
    """A line for a terminal, where the seat is a program's."""


class Seated(Struct, frozen=True):
    table: Table
    seats: tuple[Ticket, ...]


# -- playing ----------------------------------------------------------------------------------------


class MoveSaid(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move: the so-manieth of those that were said to be legal, or one in the game's own form."""

    turn: Annotated[int, Meta(ge=0, le=1 << 53)]
    choice: Annotated[int, Meta(ge=0, le=1 << 53)] | None = None
    move: msgspec.Raw | UnsetType = UNSET
    """In the game's own form."""


class Heard(Struct, frozen=True):
    """What the referee made of it."""

    turn: int
    verdict: Literal["accepted", "rejected", "ignored"]
    reason: str | None = None


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty body."""


class HintWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose advice is wanted; nobody's in particular is the strongest's."""

    player: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    options: Options = {}


class Hint(Struct, frozen=True, kw_only=True):
    """What a house player would do in this seat."""

    turn: int
    choice: int
    keys: tuple[Key, ...]
    move: Any
    player: str
    says: str
    values: tuple[float, ...]


# -- the live feed ----------------------------------------------------------------------------------


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened, in a sentence and for programs."""

    n: int
    kind: Literal[
        "begun", "sat_down", "moved", "faulted", "ignored", "skipped", "passed_over", "expelled", "resigned",
        "sent_on", "ended",
    ]  # fmt: skip
    turn: int
    seat: int | None
    text: str
    fault: bool
    move: Any = None
    keys: tuple[Key, ...] | None = None
    took: Millis | None = None
    by: Literal["seat", "referee"] | None = None
    offence: str | None = None
    sanction: str | None = None


class ClockNow(Struct, frozen=True):
    left: Millis
    bank: Millis


class LastMove(Struct, frozen=True):
    n: int
    turn: int
    seat: int
    keys: tuple[Key, ...] | None


class You(Struct, frozen=True):
    """What is asked of the seat that reads this."""

    asked: bool
    turn: int
    legal: tuple[tuple[Key, ...], ...]


Doing: TypeAlias = Literal["arriving", "waiting", "thinking", "away", "expelled", "resigned", "done"]


class Now(Struct, frozen=True, kw_only=True):
    """How things stand."""

    turn: int
    to_move: int | None
    thinking: tuple[int, ...]
    clocks: tuple[ClockNow | None, ...]
    scores: tuple[int, ...] | None
    doing: tuple[Doing, ...]
    last: LastMove | None
    you: You | None
    result: Result | None
    record: str | None


class Terms(Struct, frozen=True, kw_only=True):
    """What was agreed."""

    options: dict[str, Any]
    conduct: ConductOffer
    clock: ClockTerms | None
    turn_cap: int


class Snapshot(Struct, frozen=True, kw_only=True, tag_field="type", tag="snapshot"):
    """Everything that a newcomer needs."""

    seq: int
    at: Millis
    seat: int | None
    table: Table
    terms: Terms
    spots: tuple[Spot, ...]
    notes: tuple[str, ...]
    log: tuple[Event, ...]
    now: Now


class Update(Struct, frozen=True, kw_only=True, tag_field="type", tag="update"):
    """What has happened since the last line, and what the drawing is now where it has changed."""

    seq: int
    at: Millis
    whole: bool
    spots: tuple[Spot, ...]
    notes: tuple[str, ...]
    events: tuple[Event, ...]
    now: Now


class TableLine(Struct, frozen=True, tag_field="type", tag="table"):
    """A table is new or has changed."""

    table: Table


class HeardLine(Struct, frozen=True, tag_field="type", tag="heard"):
    """What the referee made of a move that was said over a WebSocket."""

    turn: int
    verdict: Literal["accepted", "rejected", "ignored"]
    reason: str | None = None


class ErrorLine(Struct, frozen=True, tag_field="type", tag="error", rename={"code": "error"}):
    """Why the connection is about to be closed."""

    code: str
    message: str


LiveLine: TypeAlias = Snapshot | Update | TableLine | HeardLine | ErrorLine


class LobbyTables(Struct, frozen=True, tag_field="type", tag="lobby"):
    """Every table that is listed."""

    tables: tuple[Table, ...]


class Gone(Struct, frozen=True, tag_field="type", tag="gone"):
    """A table is no longer listed."""

    id: str


LobbyLine: TypeAlias = LobbyTables | TableLine | Gone


class WatchSaid(Struct, frozen=True, tag_field="type", tag="watch"):
    """A WebSocket's first word: I only watch."""


class SeatSaid(Struct, frozen=True, tag_field="type", tag="seat"):
    """A WebSocket's first word: this seat is mine."""

    token: Annotated[str, Meta(max_length=64)]


class MoveSaidLive(
    MoveSaid, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="move"
):
    """A move, over a WebSocket."""


class ResignSaid(Struct, frozen=True, tag_field="type", tag="resign"):
    """I give up."""


LiveSaid: TypeAlias = WatchSaid | SeatSaid | MoveSaidLive | ResignSaid


# -- records ----------------------------------------------------------------------------------------


class FaultSeen(Struct, frozen=True):
    n: int
    turn: int
    seat: int
    text: str


class Record(Struct, frozen=True, kw_only=True):
    """A finished match that can be played back."""

    id: str
    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    made: Millis | None
    """Null for a cup's game: its ledger says when it ended."""
    source: Source
    table: str | None
    result: Result
    turns: int
    events: int
    bytes: int
    faults: tuple[FaultSeen, ...]


class Records(Struct, frozen=True):
    records: tuple[Record, ...]


class RecordSeen(Struct, frozen=True):
    record: Record


class RecordHead(Struct, frozen=True, tag_field="type", tag="record"):
    """The first line of `positions`."""

    record: Record
    terms: Terms


class Position(Struct, frozen=True, kw_only=True, tag_field="type", tag="position"):
    """An event with the drawing after it, where it has changed."""

    n: int
    whole: bool
    spots: tuple[Spot, ...]
    notes: tuple[str, ...]
    event: Event
    turn: int
    to_move: int | None
    scores: tuple[int, ...] | None
    clocks: tuple[ClockNow | None, ...]


PositionLine: TypeAlias = RecordHead | Position


class ValueSeen(Struct, frozen=True):
    turn: int
    values: tuple[float, ...]
    says: str


class AnalysisSeen(Struct, frozen=True, kw_only=True):
    """What a house player makes of a record, turn by turn, and a chart of it."""

    player: str
    values: tuple[ValueSeen, ...]
    svg: str
