"""Export the games of a cup as CSV, for a spreadsheet.

Law of this file: names and reasons are text to a spreadsheet, never a formula.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.tournament.ledger import Finished, Ledger

HEADS = (
    "game", "round", "table", "attempt", "board", "entrants", "verdict", "winners", "ranks", "scores",
    "at_fault", "reason", "faults", "seconds", "worker", "oversubscribed", "voided", "digest",
)  # fmt: skip


def write_csv(ledger: Ledger, file: TextIO) -> None:
    """Write a row for each game; the parts of a list, such as the entrants, are separated by bars."""
    rows = csv.writer(file)
    rows.writerow(HEADS)
    for finished in ledger.results():
        rows.writerow(_row(finished))


def _row(finished: Finished) -> list[object]:
    played, pairing = finished.played, finished.played.pairing
    names = pairing.entrants
    return [
        finished.id, pairing.round, pairing.table, pairing.attempt, pairing.board,
        _joined(names), played.verdict, _joined(names[seat] for seat in played.winners),
        _joined("" if rank is None else str(rank) for rank in played.ranks),
        _joined(map(str, played.scores)), _joined(names[seat] for seat in played.expelled),
        _safe(played.reason), _faults(finished), finished.seconds, _safe(finished.worker),
        finished.oversubscribed, _safe(finished.voided or ""), finished.digest,
    ]  # fmt: skip


def _faults(finished: Finished) -> str:
    """Return who did what at which turn, for each fault."""
    names = finished.played.pairing.entrants
    return _joined(
        f"{names[fault.seat]} at turn {fault.turn}: {fault.offence.value}: {fault.reason}"
        for fault in finished.faults()
    )


def _joined(words: Iterable[str]) -> str:
    return _safe("|".join(words))


def _safe(text: str) -> str:
    """Quote a text that a spreadsheet would take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
