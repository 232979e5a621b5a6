"""Convert values to rows of the ledger's tables, and back.

Law of this file: what a database returns is validated like any other input, and is `Unreadable` if it is not
what was stored.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core.errors import BadInput
from touchline.core.events import Result
from touchline.tournament.ledger.base import Finished, Unreadable
from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.ledger.base import Submission

LEVEL = 1
"""zlib's level for records: a higher one costs more time than it saves space."""

_encode = msgspec.json.Encoder().encode
_names = msgspec.json.Decoder(tuple[str, ...]).decode
_played = msgspec.json.Decoder(Played).decode
_result = msgspec.json.Decoder(Result).decode

PAIRING = 'round, "table", entrants, board, attempt'
FINISHED = "id, played, result, digest, worker, seconds, oversubscribed, at, voided"


class Held(NamedTuple):
    """A scheduled game with the fencing token of its latest claim, and its digest once it is finished."""

    pairing: Pairing
    fence: int
    digest: str | None
    """None if it is not finished."""


def of_pairing(game: Pairing) -> tuple[Any, ...]:
    return game.round, game.table, _encode(game.entrants).decode(), game.board, game.attempt


def pairing(row: Sequence[Any]) -> Pairing:
    round_, table, entrants, board, attempt = row
    try:
        if not type(round_) is type(table) is type(board) is type(attempt) is int:
            raise TypeError("not an integer")
        return Pairing(round_, table, _names(entrants), board, attempt)
    except (msgspec.MsgspecError, TypeError) as error:
        raise Unreadable(f"the game of round {round_}, table {table} is damaged: {error}") from None


def held(row: Sequence[Any]) -> Held:
    *game, fence, digest = row
    return Held(pairing(game), fence, digest)


class Entry(NamedTuple):
    """A submission, validated and compressed before the transaction begins."""

    done: Submission
    played: str
    record: bytes

    def row(self, now: float) -> tuple[Any, ...]:
        done = self.done
        return (
            done.played.verdict, self.played, done.result.decode(), done.digest,
            plain(done.worker), done.seconds, done.oversubscribed, now, done.id,
        )  # fmt: skip


def entry(done: Submission) -> Entry:
    try:
        _result(done.result)
    except msgspec.MsgspecError as error:
        raise BadInput(f"the result of {done.id} is malformed: {error}") from None
    return Entry(done, _encode(done.played).decode(), zlib.compress(done.record, LEVEL))


def finished(row: Sequence[Any]) -> Finished:
    id_, played, result, digest, worker, seconds, oversubscribed, at, voided = row
    try:
        game = Finished(
            played=_played(played),
            result=result.encode(),
            digest=digest,
            worker=worker,
            seconds=seconds,
            oversubscribed=bool(oversubscribed),
            at=at,
            voided=voided,
        )
    except (msgspec.MsgspecError, AttributeError, TypeError) as error:
        raise Unreadable(f"the result of {id_} is damaged: {error}") from None
    if game.id != id_:
        raise Unreadable(f"the result of {id_} is that of {game.id}: the ledger is damaged")
    return game


def record(game: str, packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except (zlib.error, TypeError) as error:
        raise Unreadable(f"the record of {game} is damaged: {error}") from None


def plain(text: str) -> str:
    """Return text that every database can store: lone surrogates and NUL become question marks.

    >>> plain("a" + chr(0xD800) + chr(0))
    'a??'
    """
    return text.encode("utf-8", "replace").decode().replace("\0", "?")
