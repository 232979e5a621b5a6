"""The digest of a cup: equal for the same games, whoever played them, when and where, and through
whatever interruptions.

It covers the spec and every result in the order of round, table and attempt: the game's id, entrants and
board, verdict, winners, ranks, scores, who was expelled, the faults (who, in which turn, what, what it cost),
the digest of the moves, and whether the organiser declared it void. Not covered is what differs from run to
run: times, workers, fences, and reasons in words, which may quote a time.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from touchline.core.events import Fault
from touchline.tournament.ledger.base import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.tournament.ledger.base import Finished

FORM = "touchline cup 1"
"""The first line of what is hashed."""


class _Faults(Struct):
    faults: tuple[Fault, ...] = ()


_faults = msgspec.json.Decoder(_Faults).decode
_encode = msgspec.json.Encoder().encode


def cup_digest(spec: bytes, results: Iterable[Finished]) -> str:
    """SHA-256 over the lines of spec and results, in hexadecimal digits. The results must be in order."""
    hashed = hashlib.sha256(_line([FORM, hashlib.sha256(spec).hexdigest()]))
    for result in results:
        hashed.update(line(result))
    return hashed.hexdigest()


def line(result: Finished) -> bytes:
    """What of a result the digest covers."""
    played = result.played
    try:
        found = _faults(result.result).faults
    except msgspec.MsgspecError as error:
        raise Unreadable(f"the result of {result.id} is damaged: {error}") from None
    faults = [(fault.seat, fault.turn, fault.offence, fault.sanction) for fault in found]
    return _line(
        [
            played.pairing.id, played.pairing.entrants, played.pairing.board,
            played.verdict, played.winners, played.ranks, played.scores, played.expelled,
            faults, result.digest, result.voided is not None,
        ]
    )  # fmt: skip


def _line(parts: list[object]) -> bytes:
    return _encode(parts) + b"\n"
