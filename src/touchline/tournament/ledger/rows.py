"""Values as rows of the ledger's tables, and back.

Law of this file: what comes out of a database is checked like any other file, and `Unreadable` if it is not
what was put in.
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

    from touchline.tournament.ledger.base import Done

LEVEL = 1
"""How hard to press a record: more costs more time than it saves room."""

_encode = msgspec.json.Encoder().encode
_names = msgspec.json.Decoder(tuple[str, ...]).decode
_played = msgspec.json.Decoder(Played).decode
_result = msgspec.json.Decoder(Result).decode

PAIRING = 'round, "table", entrants, board, attempt'
FINISHED = "id, played, result, digest, worker, seconds, oversubscribed, at, voided"


class Held(NamedTuple):
    """What the ledger knows of a game: who may finish it, or what came of it."""

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
            raise TypeError("a number is none")
        return Pairing(round_, table, _names(entrants), board, attempt)
    except (msgspec.MsgspecError, TypeError) as error:
        raise Unreadable(f"the game of round {round_}, table {table} is damaged: {error}") from None


def held(row: Sequence[Any]) -> Held:
    *game, fence, digest = row
    return Held(pairing(game), fence, digest)


class Entry(NamedTuple):
    """A finished game, ready to be written. Its form has been checked, outside of any transaction."""

    done: Done
    played: str
    record: bytes

    def row(self, now: float) -> tuple[Any, ...]:
        done = self.done
        return (
            done.played.verdict, self.played, done.result.decode(), done.digest,
            plain(done.worker), done.seconds, done.oversubscribed, now, done.id,
        )  # fmt: skip


def entry(done: Done) -> Entry:
    try:
        _result(done.result)
    except msgspec.MsgspecError as error:
        raise BadInput(f"the result of {done.id} is not one: {error}") from None
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
    """Text that every database takes: what cannot be written, and NUL, becomes a question mark.

    >>> plain("a" + chr(0xD800) + chr(0))
    'a??'
    """
    return text.encode("utf-8", "replace").decode().replace("\0", "?")
