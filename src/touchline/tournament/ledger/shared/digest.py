"""The two hashes of a cup: the games digest, and the seal.

The games digest is equal for the same games, whoever played them, when and where, and after any restarts. It
covers the spec and every result by round, table and attempt: the game's id, entrants and board, verdict,
winners, ranks, scores, expelled seats, faults (seat, turn, offence, sanction), the digest of the moves, and
whether the organiser declared it void. It leaves out what differs from run to run: times, workers, fencing
tokens, and reasons in words, which may quote a time.

The seal covers every stored byte that counts: the spec, every column of every game but its lease, the hash of
every record, and the log in order. It differs between two runs of the same cup. It is what an organiser
publishes or signs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.tournament.ledger.base import Finished

FORM = "touchline cup 1"
"""The first item that is hashed: it names this form of the digest."""
SEAL_FORM = b"touchline cup seal 1"


_encode = msgspec.json.Encoder().encode


def cup_digest(spec: bytes, results: Iterable[Finished]) -> str:
    """Return the games digest, as hexadecimal digits. The results must be in order."""
    digest = GamesDigest(spec)
    for result in results:
        digest.add(result)
    return digest.text()


class GamesDigest:
    """The games digest of results that are added in order."""

    def __init__(self, spec: bytes) -> None:
        self._hashed = hashlib.sha256(_line([FORM, hashlib.sha256(spec).hexdigest()]))

    def add(self, result: Finished) -> None:
        self._hashed.update(_covered(result))

    def text(self) -> str:
        """Return the digest, as hexadecimal digits."""
        return self._hashed.hexdigest()


def cup_seal(spec: bytes, games: Iterable[bytes], log: Iterable[bytes]) -> str:
    """Return the seal, as hexadecimal digits. Games and log are lines of JSON, in order."""
    hashed = hashlib.sha256(SEAL_FORM + b"\n" + hashlib.sha256(spec).hexdigest().encode() + b"\n")
    for part, lines in ((b"games", games), (b"log", log)):
        hashed.update(part + b"\n")
        for line in lines:
            hashed.update(line + b"\n")
    return hashed.hexdigest()


def _covered(result: Finished) -> bytes:
    """Return the part of a result that the digest covers."""
    played = result.played
    faults = [(fault.seat, fault.turn, fault.offence, fault.sanction) for fault in result.faults()]
    return _line(
        [
            played.pairing.id, played.pairing.entrants, played.pairing.board,
            played.verdict, played.winners, played.ranks, played.scores, played.expelled,
            faults, result.digest, result.voided is not None,
        ]
    )  # fmt: skip


def _line(parts: list[object]) -> bytes:
    return _encode(parts) + b"\n"
