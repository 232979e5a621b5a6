"""The records that the page keeps: of finished tables, and of files that were dropped and proved themselves.

Laws of this file: a record is called by a hash of its bytes, and that of a cup's game by its place in the
ledger (cups.py); so many are kept, and no more bytes than that, and the oldest go first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.errors import BadInput
from touchline.core.events import Begun, Ended, encode
from touchline.web import schema
from touchline.web.sentences import Teller, told_result
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
) -> schema.Record:
    """A record in a few words. BadInput if the match did not end."""
    begun, ended = events[0], events[-1]
    if not isinstance(begun, Begun) or not isinstance(ended, Ended):
        raise BadInput("the match did not end", "the record")
    teller = Teller(begun.names, begun.limits)
    told = (teller.tell(n, event) for n, event in enumerate(events))
    faults = (
        schema.FaultSeen(line.n, line.turn, line.seat, line.text)
        for line in told
        if line.fault and line.seat is not None
    )
    return schema.Record(
        id=record_id(data), game=begun.game, options=begun.options, names=begun.names, made=made,
        source=source, table=table, result=told_result(ended.result, begun.names),
        turns=ended.result.turns, events=len(events), bytes=len(data), faults=tuple(faults),
    )  # fmt: skip


class Shelf:
    """Records by their ids, the oldest first."""

    def __init__(self, most: int = MOST_RECORDS, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._kept: dict[str, tuple[schema.Record, bytes]] = {}
        self._bytes = 0
        self.analyses: dict[str, schema.AnalysisSeen] = {}

    def keep_table(self, events: Sequence[Event], made: int, table: str) -> schema.Record:
        """The record of a match that was played here."""
        data = b"".join(encode(event) + b"\n" for event in events)
        record = described(events, data, made, "table", table)
        self.keep(record, data)
        return record

    def keep(self, record: schema.Record, data: bytes) -> schema.Record:
        """The one that is kept: if it was there before, as it was."""
        if record.id in self._kept:
            return self._kept[record.id][0]
        self._kept[record.id] = (record, data)
        self._bytes += len(data)
        while len(self._kept) > self._most or (self._bytes > self._most_bytes and len(self._kept) > 1):
            oldest = next(iter(self._kept))
            self._bytes -= len(self._kept.pop(oldest)[1])
            self.analyses.pop(oldest, None)
        return record

    def find(self, id: str) -> tuple[schema.Record, bytes] | None:
        return self._kept.get(id)

    def keep_analysis(self, id: str, found: schema.AnalysisSeen) -> None:
        """For as long as the record itself is kept."""
        if id in self._kept:
            self.analyses[id] = found

    def listed(self, game: str | None = None) -> tuple[schema.Record, ...]:
        """The newest first."""
        records = [record for record, _ in reversed(self._kept.values()) if game in (None, record.game)]
        return tuple(sorted(records, key=lambda record: record.made or 0, reverse=True))
