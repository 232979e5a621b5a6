"""Games that were never played, for ledgers that do not care."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from touchline.core.conduct import Offence, Sanction
from touchline.core.events import Fault, Result, encode
from touchline.core.rules import Outcome
from touchline.tournament.ledger import Finished, Submission
from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from touchline.tournament.ledger import Claim

SPEC = b'{"name":"spring"}'
NOW = 1_800_000_000.0


def game(number: int, attempt: int = 0) -> Pairing:
    """Ten tables to a round."""
    return Pairing(number // 10, number % 10, ("ann", "böb"), number // 2, attempt)


def games(count: int) -> list[Pairing]:
    return [game(number) for number in range(count)]


def record_of(pairing: Pairing, moves: str = "moves") -> bytes:
    return f'{{"game":"{pairing.id}","moves":"{moves}"}}\n'.encode() * 30


def done(
    claim: Claim, moves: str = "moves", *, worker: str = "w", seconds: float = 0.5, fence: int | None = None
) -> Submission:
    """What came of a claim: the same every time, for the same moves."""
    pairing = claim.pairing
    first = int(hashlib.sha256(pairing.id.encode()).hexdigest(), 16) % 2
    ranks = (1, 2) if first else (2, 1)
    fault = Fault(first, 3, Offence.ILLEGAL, f"after {seconds} s", Sanction.RETRY)
    outcome = Outcome((1 - first,), ranks, (4, 2), "no move left")
    return Submission(
        played=Played(pairing, "finished", outcome.winners, ranks, outcome.scores, (), "no move left"),
        fence=claim.fence if fence is None else fence,
        result=encode(
            Result(verdict="finished", outcome=outcome, reason="no move left", turns=9, faults=(fault,))
        ),
        record=record_of(pairing, moves),
        digest=hashlib.sha256(f"{pairing.id} {moves}".encode()).hexdigest(),
        worker=worker,
        seconds=seconds,
        oversubscribed=worker != "w",
    )


def finished(claim: Claim, **changes: Any) -> Finished:
    """What a ledger says of it afterwards."""
    given = done(claim)
    return replace(
        Finished(
            played=given.played, result=given.result, digest=given.digest, worker="w",
            seconds=0.5, oversubscribed=False, at=NOW, voided=None,
        ),
        **changes,
    )  # fmt: skip
