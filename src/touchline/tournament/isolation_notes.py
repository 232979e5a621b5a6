"""The isolation of a cup's programs, as its log has it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from touchline.players.by_name import is_program
from touchline.sandbox.tiers import WHAT, chosen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Ledger, LogEntry

ISOLATION = "isolation"
"""The act of the log."""


def note_isolation(ledger: Ledger, cup: Cup, asked: str) -> str:
    """Return the tier of isolation of the cup's programs; note it if it is another than before."""
    if not any(is_program(entrant.player) for entrant in cup.entrants):
        return asked
    tier = chosen(asked)
    if isolation_of(ledger.log()) != tier:
        ledger.note(ISOLATION, tier, f"programs run with {WHAT[tier]}", time.time())
    return tier


def isolation_of(log: Iterable[LogEntry]) -> str | None:
    """Return the tier of isolation that was noted last; None in a cup without programs."""
    return next((entry.about for entry in reversed([*log]) if entry.act == ISOLATION), None)
