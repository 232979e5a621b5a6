"""Records: summaries, positions and analyses."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from touchline.core.sketch import Backdrop, Spot
from touchline.records.review import DecisiveMoment, PositionValue, WorstMove
from touchline.web.schema.common import Millis, Source
from touchline.web.schema.live import ClockNow, EventSummary
from touchline.web.schema.tables import ResultSummary, TermsSummary


class FaultSummary(Struct, frozen=True):
    """A player's fault in a record."""

    n: int
    turn: int
    seat: int
    text: str


class RecordSummary(Struct, frozen=True, kw_only=True):
    """The summary of a finished match that can be played back."""

    id: str
    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    made: Millis | None
    """When the record was made; null for a cup's game, whose ledger has the time of its end."""
    source: Source
    table: str | None
    result: ResultSummary
    turns: int
    events: int
    bytes: int
    faults: tuple[FaultSummary, ...]


class RecordList(Struct, frozen=True):
    """Records, the newest first."""

    records: tuple[RecordSummary, ...]


class RecordSeen(Struct, frozen=True):
    """One record."""

    record: RecordSummary


class RecordHead(Struct, frozen=True, tag_field="type", tag="record"):
    """The first line of the response of `/positions`."""

    record: RecordSummary
    terms: TermsSummary
    backdrop: Backdrop
    """What lies behind the spots and stays the same in a match."""


class RecordPosition(Struct, frozen=True, kw_only=True, tag_field="type", tag="position"):
    """An event, with the spots of the drawing that it changed."""

    n: int
    whole: bool
    spots: tuple[Spot, ...]
    notes: tuple[str, ...]
    event: EventSummary
    turn: int
    to_move: int | None
    scores: tuple[int, ...] | None
    clocks: tuple[ClockNow | None, ...]


PositionLine: TypeAlias = RecordHead | RecordPosition


class RecordAnalysis(Struct, frozen=True, kw_only=True):
    """The values of a record's positions, by a house player that sees everything."""

    player: str
    values: tuple[PositionValue, ...]
    svg: str
    worst: tuple[WorstMove, ...] = ()
    """At most three of each seat."""
    decisive: DecisiveMoment | None = None


class AnalysisProgress(Struct, frozen=True, kw_only=True):
    """How far an analysis has come; without a text, none runs."""

    looked: int = 0
    of: int = 0
    """Turns to look at; 0 before the first."""
    waking: float | None = None
    """The seconds that it probably still takes to compile the house player."""
    text: str = ""
