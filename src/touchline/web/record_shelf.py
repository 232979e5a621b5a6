"""The records that the page keeps in memory: of finished tables, and of uploaded files that were verified.

Rules of this file: the id of a record is a hash of its bytes, that of a cup's game its place in the ledger
(live/cups.py); number and total size are limited, and the oldest records are dropped first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.errors import BadInput
from touchline.core.events import Begun, Ended, encode
from touchline.web import schema
from touchline.web.sentences import Teller, result_summary
from touchline.web.workers.jobs import record_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Event

MOST_RECORDS = 500
MOST_BYTES = 64 << 20


def described(
    events: Sequence[Event],
    data: bytes,
    made: int | None,
    source: schema.Source,
    table: str | None,
) -> schema.RecordSummary:
    """Summarise a record. BadInput if the match did not end."""
    begun, ended = events[0], events[-1]
    if not isinstance(begun, Begun) or not isinstance(ended, Ended):
        raise BadInput("the match did not end", "the record")
    teller = Teller(begun.names, begun.limits)
    told = (teller.tell(n, event) for n, event in enumerate(events))
    faults = (
        schema.FaultSummary(line.n, line.turn, line.seat, line.text)
        for line in told
        if line.fault and line.seat is not None
    )
    return schema.RecordSummary(
        id=record_id(data), game=begun.game, options=begun.options, names=begun.names, made=made,
        source=source, table=table, result=result_summary(ended.result, begun.names),
        turns=ended.result.turns, events=len(events), bytes=len(data), faults=tuple(faults),
    )  # fmt: skip


class RecordShelf:
    """A bounded store of records and their analyses, by id."""

    def __init__(self, most: int = MOST_RECORDS, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._kept: dict[str, tuple[schema.RecordSummary, bytes]] = {}
        self._bytes = 0
        self.analyses: dict[str, schema.RecordAnalysis] = {}

    def keep_table(self, events: Sequence[Event], made: int, table: str) -> schema.RecordSummary:
        """Keep the record of a match that was played here."""
        data = b"".join(encode(event) + b"\n" for event in events)
        record = described(events, data, made, "table", table)
        self.keep(record, data)
        return record

    def keep(self, record: schema.RecordSummary, data: bytes) -> schema.RecordSummary:
        """Keep a record, and return its summary; one that is already kept stays as it is."""
        if record.id in self._kept:
            return self._kept[record.id][0]
        self._kept[record.id] = (record, data)
        self._bytes += len(data)
        while len(self._kept) > self._most or (self._bytes > self._most_bytes and len(self._kept) > 1):
            oldest = next(iter(self._kept))
            self._bytes -= len(self._kept.pop(oldest)[1])
            self.analyses.pop(oldest, None)
        return record

    def find(self, id: str) -> tuple[schema.RecordSummary, bytes] | None:
        return self._kept.get(id)

    def keep_analysis(self, id: str, found: schema.RecordAnalysis) -> None:
        """Keep an analysis as long as its record."""
        if id in self._kept:
            self.analyses[id] = found

    def listed(self, game: str | None = None) -> tuple[schema.RecordSummary, ...]:
        """The records of a game, or of all, the newest first."""
        records = [record for record, _ in reversed(self._kept.values()) if game in (None, record.game)]
        return tuple(sorted(records, key=lambda record: record.made or 0, reverse=True))
