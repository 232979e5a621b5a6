"""Lines and messages of the live feeds."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from touchline.core.sketch import Backdrop, Key, Spot
from touchline.web.schema.common import Millis
from touchline.web.schema.moves import MoveRequest
from touchline.web.schema.tables import Rematch, ResultSummary, TableSummary, TermsSummary


class EventSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event of a match, as a sentence and as data."""

    n: int
    kind: Literal[
        "begun", "sat_down", "moved", "faulted", "ignored", "skipped", "passed_over", "expelled", "resigned",
        "sent_on", "resumed", "taken_back", "ended",
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
    detail: str | None = None
    """The referee's reason for a fault, as the author of a program needs it."""


class ClockNow(Struct, frozen=True):
    """The time that a seat has left for this move, and in its bank."""

    left: Millis
    bank: Millis


class LastMove(Struct, frozen=True):
    """The last move, with the spots that it touched."""

    n: int
    turn: int
    seat: int
    keys: tuple[Key, ...] | None


class SeatQuestion(Struct, frozen=True):
    """The question to the seat of this watcher: whether it is to move, and its legal moves as spots."""

    asked: bool
    turn: int
    legal: tuple[tuple[Key, ...], ...]


Doing: TypeAlias = Literal[
    "arriving", "waiting", "waking", "thinking", "away", "expelled", "resigned", "done"
]


class Waking(Struct, frozen=True):
    """A house player whose turn waits until its kernels are compiled."""

    seat: int
    seconds: float
    """The expected time left; 0 if it is not known."""


class MatchNow(Struct, frozen=True, kw_only=True):
    """The current state of a match."""

    turn: int
    to_move: int | None
    thinking: tuple[int, ...]
    missing: tuple[int, ...] = ()
    """The seats that have not come back since the server was restarted; no clock runs meanwhile."""
    clocks: tuple[ClockNow | None, ...]
    scores: tuple[int, ...] | None
    doing: tuple[Doing, ...]
    last: LastMove | None
    you: SeatQuestion | None
    result: ResultSummary | None
    record: str | None
    recorded: bool | None = None
    """As in a Table."""
    waking: Waking | None = None


class TableSnapshot(Struct, frozen=True, kw_only=True, tag_field="type", tag="snapshot"):
    """The first line for a watcher: everything it needs."""

    seq: int
    at: Millis
    seat: int | None
    table: TableSummary
    terms: TermsSummary
    backdrop: Backdrop
    """What lies behind the spots and stays the same in a match."""
    spots: tuple[Spot, ...]
    notes: tuple[str, ...]
    log: tuple[EventSummary, ...]
    now: MatchNow


class TableUpdate(Struct, frozen=True, kw_only=True, tag_field="type", tag="update"):
    """The events since the last line, and the spots of the drawing that they changed."""

    seq: int
    at: Millis
    whole: bool
    spots: tuple[Spot, ...]
    notes: tuple[str, ...]
    events: tuple[EventSummary, ...]
    now: MatchNow


class TableLine(Struct, frozen=True, tag_field="type", tag="table"):
    """A table is new or has changed."""

    table: TableSummary


Emote: TypeAlias = Literal["wave", "thanks", "nice", "oops", "thinking", "hurry", "laugh", "gg"]


class SeatEmote(Struct, frozen=True):
    """An emote of a seat, now."""

    seat: int
    emote: Emote


class TakebackAsked(Struct, frozen=True):
    """A seat asks to take its last move back, so that `turn` is played again."""

    seat: int
    turn: int


class PeopleLine(Struct, frozen=True, kw_only=True, tag_field="type", tag="people"):
    """What people at a table do besides moves. It has no number; the latest one counts."""

    watching: int
    emote: SeatEmote | None = None
    """An emote of this moment; null in the next line."""
    takeback: TakebackAsked | None = None
    rematch: Rematch | None = None


class VerdictLine(Struct, frozen=True, tag_field="type", tag="heard"):
    """The referee's verdict on a move that came over this WebSocket."""

    turn: int
    verdict: Literal["accepted", "rejected", "ignored"]
    reason: str | None = None


class ErrorLine(
    Struct, frozen=True, omit_defaults=True, tag_field="type", tag="error", rename={"code": "error"}
):
    """The reason why the server closes the connection next."""

    code: str
    message: str
    record: str | None = None
    """The record of a table that is gone."""


LiveLine: TypeAlias = TableSnapshot | TableUpdate | TableLine | PeopleLine | VerdictLine | ErrorLine


class LobbySnapshot(Struct, frozen=True, tag_field="type", tag="lobby"):
    """The first line for a watcher of the lobby: every table."""

    tables: tuple[TableSummary, ...]


class TableGone(Struct, frozen=True, tag_field="type", tag="gone"):
    """A table is no longer listed."""

    id: str


LobbyLine: TypeAlias = LobbySnapshot | TableLine | TableGone


class WatchMessage(Struct, frozen=True, tag_field="type", tag="watch"):
    """The first message of a spectator."""


class SeatMessage(Struct, frozen=True, tag_field="type", tag="seat"):
    """The first message of a player: the token of its seat."""

    token: Annotated[str, Meta(max_length=64)]


class MoveMessage(
    MoveRequest, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="move"
):
    """A move, sent over a WebSocket."""


class ResignMessage(Struct, frozen=True, tag_field="type", tag="resign"):
    """Resign the seat."""


class EmoteMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="emote"):
    """Show an emote to everybody at the table."""

    emote: Emote


class TakebackMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="takeback"):
    """Ask to take the own last move back, or answer such a wish; false declines or withdraws it."""

    agree: bool


class RematchMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="rematch"):
    """Ask for a rematch, or agree to one."""

    swap: bool = False


LiveMessage: TypeAlias = (
    WatchMessage | SeatMessage | MoveMessage | ResignMessage | EmoteMessage | TakebackMessage | RematchMessage
)
