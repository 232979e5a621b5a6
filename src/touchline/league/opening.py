"""Open the ledger of a league: create it, or go on with it, as its only coordinator.

The ledger is that of a cup. The secret salt is drawn and committed to before anything else is in the log; it
is never revealed, because a league does not end.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput
from touchline.sandbox.tiers import WHAT, chosen
from touchline.tournament import commitment
from touchline.tournament.cup import LEAGUE, unpacked
from touchline.tournament.isolation_notes import ISOLATION, isolation_of

if TYPE_CHECKING:
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Ledger
    from touchline.tournament.seeds import CupSeeds


def begin(ledger: Ledger, cup: Cup, salt: bytes | None = None) -> CupSeeds:
    """Become the coordinator of a league, which is created if the ledger is new; return its seeds."""
    ledger.create(cup.bytes())
    ledger.take_over()
    return commitment.begin(ledger, cup, salt)


def cup_of(ledger: Ledger, where: str) -> Cup:
    """Return the cup of a league's ledger. BadInput if it holds none."""
    spec = ledger.spec()
    if spec is None:
        raise BadInput("no league has been begun in this ledger: `touchline league serve` begins one", where)
    cup = unpacked(spec)
    if cup.format != LEAGUE:
        raise BadInput(f"{cup.name} is a cup, not a league: see `touchline tournament --help`", where)
    return cup


def note_isolation(ledger: Ledger, asked: str) -> str:
    """Return the tier of isolation of programs; note it if it is another than before."""
    tier = chosen(asked)
    if isolation_of(ledger.log()) != tier:
        ledger.note(ISOLATION, tier, f"programs run with {WHAT[tier]}", time.time())
    return tier
