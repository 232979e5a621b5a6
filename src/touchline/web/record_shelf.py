"""The records that the page keeps in memory: of finished tables, and of uploaded files that were verified.

Rules of this file: the id of a record is a hash of its bytes, that of a cup's game its place in the ledger
(live/cups.py); number and total size are limited, and the oldest records are dropped first; a summary has
a limited size, whatever its record holds.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from touchline.core.errors import BadInput
from touchline.core.events import Begun, Ended, Moved, Result, encode
from touchline.records.recorder import SEALED
from touchline.records.sentences import cut, cut_names
from touchline.records.story import LastMover
from touchline.web import schema
from touchline.web.sentences import Teller, result_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Event

MOST_RECORDS = 500
MOST_BYTES = 64 << 20
"""The size limit of all records with their summaries."""
MOST_LISTED = 4 << 20
"""The size limit of all summaries, which are listed in one response."""
MOST_FAULTS = 200
"""Faults in a summary; `/positions` has all of them."""
MOST_OPTIONS = 4 << 10
"""The size limit of a game's options in a summary, as JSON."""


def described(
    events: Sequence[Event],
    data: bytes,
    made: int | None,
    source: schema.Source,
    table: str | None,
) -> schema.RecordSummary:
    """Summarise a record; options that are too large are left out. A match that did not end is void."""
    begun, last = events[0], events[-1]
    if not isinstance(begun, Begun):
        raise BadInput("a record must begin with the event `begun`", "the record")
    result = last.result if isinstance(last, Ended) else _interrupted(events)
    teller = Teller(begun.names, begun.limits)
    told = (teller.tell(n, event) for n, event in enumerate(events))
    faults = (
        schema.FaultSummary(line.n, line.turn, line.seat, cut(line.text))
        for line in told
        if line.fault and line.seat is not None
    )
    return schema.RecordSummary(
        id=record_id(data), game=cut(begun.game), names=cut_names(begun.names), made=made,
        options={} if too_many_options(begun) else begun.options,
        source=source, table=table, result=result_summary(result, begun.names, LastMover(events).seat),
        turns=result.turns, events=len(events), bytes=len(data),
        faults=tuple(islice(faults, MOST_FAULTS)),
    )  # fmt: skip


def _interrupted(events: Sequence[Event]) -> Result:
    """Return the result of a match whose record breaks off."""
    turns = 1 + max((event.turn for event in events if isinstance(event, Moved)), default=-1)
    reason = "the match was interrupted, and its record ends here"
    return Result(verdict="void", outcome=None, reason=reason, turns=turns)


def too_many_options(begun: Begun) -> bool:
    """Return whether the options of the game are too large for a summary."""
    return len(encode(begun.options)) > MOST_OPTIONS


class _Kept(NamedTuple):
    """A record with its summary, and the size of the summary as JSON."""

    record: schema.RecordSummary
    data: bytes
    listed: int


class RecordShelf:
    """A bounded store of records and their analyses, by id."""

    def __init__(
        self, most: int = MOST_RECORDS, most_bytes: int = MOST_BYTES, most_listed: int = MOST_LISTED
    ) -> None:
        self._most, self._most_bytes, self._most_listed = most, most_bytes, most_listed
        self._kept: dict[str, _Kept] = {}
        self._bytes = self._listed = 0
        self.analyses: dict[str, schema.RecordAnalysis] = {}
        self._listings: dict[str | None, bytes] = {}
        """Listings as JSON, by game, until a record comes or goes."""

    def keep_table(self, events: Sequence[Event], made: int, table: str) -> schema.RecordSummary:
        """Keep the record of a match that was played here."""
        data = b"".join(encode(event) + b"\n" for event in events)
        record = described(events, data, made, "table", table)
        self.keep(record, data)
        return record

    def keep(self, record: schema.RecordSummary, data: bytes) -> schema.RecordSummary:
        """Keep a record, and return its summary; one that is already kept stays as it is."""
        if record.id in self._kept:
            return self._kept[record.id].record
        kept = _Kept(record, data, len(msgspec.json.encode(record)))
        self._kept[record.id] = kept
        self._listings.clear()
        self._bytes += len(data) + kept.listed
        self._listed += kept.listed
        while len(self._kept) > self._most or (self._is_full() and len(self._kept) > 1):
            self._drop_oldest()
        return record

    def _is_full(self) -> bool:
        return self._bytes > self._most_bytes or self._listed > self._most_listed

    def _drop_oldest(self) -> None:
        oldest = next(iter(self._kept))
        kept = self._kept.pop(oldest)
        self._bytes -= len(kept.data) + kept.listed
        self._listed -= kept.listed
        self.analyses.pop(oldest, None)
        self._listings.clear()

    def find(self, id: str) -> tuple[schema.RecordSummary, bytes] | None:
        kept = self._kept.get(id)
        return None if kept is None else (kept.record, kept.data)

    def keep_analysis(self, id: str, found: schema.RecordAnalysis) -> None:
        """Keep an analysis as long as its record."""
        if id in self._kept:
            self.analyses[id] = found

    def listing(self, game: str | None = None) -> bytes:
        """Return the response that lists records; it can have megabytes, and is encoded once."""
        if game not in self._listings:
            encoded = msgspec.json.encode(schema.RecordList(self.listed(game)))
            if game is not None and all(kept.record.game != game for kept in self._kept.values()):
                return encoded
            self._listings[game] = encoded
        return self._listings[game]

    def listed(self, game: str | None = None) -> tuple[schema.RecordSummary, ...]:
        """The records of a game, or of all, the newest first."""
        records = [kept.record for kept in reversed(self._kept.values()) if game in (None, kept.record.game)]
        return tuple(sorted(records, key=lambda record: record.made or 0, reverse=True))


def record_id(data: bytes) -> str:
    """Return the id of a record, a hash of its bytes without the seal: a restart does not change it."""
    body, _, last = data.removesuffix(b"\n").rpartition(b"\n")
    return sha256(body + b"\n" if last.startswith(SEALED) else data).hexdigest()[:16]
