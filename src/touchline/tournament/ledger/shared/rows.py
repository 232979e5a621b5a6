"""Convert values to rows of the ledger's tables, and back.

Law of this file: what a database returns is validated like any other input, and is `Unreadable` if it is not
what was stored. Every row is checked against its checksum whenever it is read. The checksum covers all
columns but those of the lease (`fence`, `until`, and `worker` until the game is finished). It finds damage,
not forgery: whoever can write to the ledger can compute it.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core.errors import BadInput
from touchline.core.events import Result
from touchline.tournament.ledger.base import Finished, LogEntry, Unreadable
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

GAME = (
    'id, round, "table", attempt, entrants, board, verdict, played, result, digest, worker, seconds, '
    "oversubscribed, at, voided, record_hash, checksum"
)
"""The columns of a game that count, in the order of `GameRow`."""
UNCHECKED = "unchecked"
"""Stands for the checksums and hashes that a ledger of schema version 1 does not have."""
DAMAGED = "the ledger is damaged: restore it from a copy"


class GameRow(NamedTuple):
    """A row of games, without its lease. The result's columns are None until the game is finished."""

    id: str
    round: int
    table: int
    attempt: int
    entrants: str
    board: int
    verdict: str | None = None
    played: str | None = None
    result: str | None = None
    digest: str | None = None
    worker: str | None = None
    seconds: float | None = None
    oversubscribed: bool | None = None
    at: float | None = None
    voided: str | None = None
    record_hash: str | None = None
    checksum: str = ""

    def covered(self) -> bytes:
        """Return everything that counts, as one line."""
        scheduled = self[:6]
        if self.verdict is None:
            return _encode(scheduled)
        seconds, over, at = float(self.seconds or 0), bool(self.oversubscribed), float(self.at or 0)
        return _encode(
            (*scheduled, *self[6:11], seconds, over, at, self.voided, self.record_hash)
        )  # fmt: skip

    def sealed(self) -> GameRow:
        """Return the row with its checksum."""
        return self._replace(checksum=checksum(self.covered()))


def checksum(covered: bytes) -> str:
    """Return 64 bits of a hash: enough to find damage."""
    return hashlib.sha256(covered).hexdigest()[:16]


def game_row(values: Sequence[Any]) -> GameRow:
    """Return a row as it was read. `Unreadable` if it does not match its checksum."""
    return _checked(values)[0]


def game_line(values: Sequence[Any]) -> bytes:
    """Return everything that counts of a row, as one line. `Unreadable` as above."""
    row, line = _checked(values)
    return row.covered() if line is None else line


def _checked(values: Sequence[Any]) -> tuple[GameRow, bytes | None]:
    row, line = GameRow(*values), None
    try:
        line = row.covered()
        found = checksum(line)
    except (TypeError, ValueError, UnicodeError):  # a value of another type
        found = None
    if row.checksum not in (found, UNCHECKED):
        raise Unreadable(f"the game {row.id} does not match its checksum; {DAMAGED}")
    return row, line


def of_spec(spec: bytes) -> tuple[bytes, str]:
    return spec, checksum(spec)


def spec(row: Sequence[Any]) -> bytes:
    stored, found = row
    try:
        packed = bytes(stored)
    except TypeError:
        packed = b""
    if found not in (checksum(packed), UNCHECKED):
        raise Unreadable(f"the cup's spec does not match its checksum; {DAMAGED}")
    return packed


def of_entry(noted: LogEntry) -> tuple[Any, ...]:
    stored = LogEntry(float(noted.at), plain(noted.act), plain(noted.about), plain(noted.why))
    return stored.at, stored.act, stored.about, stored.why, checksum(covered_entry(stored))


def log_entry(row: Sequence[Any]) -> LogEntry:
    *noted, found = row
    try:
        entry = LogEntry(float(noted[0]), *noted[1:])
        if found not in (checksum(covered_entry(entry)), UNCHECKED):
            raise ValueError("its checksum does not match")
        if not all(isinstance(text, str) for text in noted[1:]):
            raise TypeError("not a text")
        return entry
    except (TypeError, ValueError) as error:
        raise Unreadable(f"an entry of the log is damaged: {error}; {DAMAGED}") from None


def covered_entry(noted: LogEntry) -> bytes:
    """Return everything that counts of an entry of the log, as one line."""
    return _encode((noted.at, noted.act, noted.about, noted.why))


class Held(NamedTuple):
    """A scheduled game with the fencing token of its latest claim, and its digest once it is finished."""

    pairing: Pairing
    fence: int
    digest: str | None
    """None if it is not finished."""


def of_pairing(game: Pairing) -> GameRow:
    """Return the row of a game that is not finished."""
    entrants = _encode(game.entrants).decode()
    return GameRow(game.id, game.round, game.table, game.attempt, entrants, game.board)


def pairing(row: GameRow) -> Pairing:
    try:
        if not type(row.round) is type(row.table) is type(row.board) is type(row.attempt) is int:
            raise TypeError("not an integer")
        return Pairing(row.round, row.table, _names(row.entrants), row.board, row.attempt)
    except (msgspec.MsgspecError, TypeError) as error:
        raise Unreadable(f"the game {row.id} is damaged: {error}") from None


def held(values: Sequence[Any]) -> Held:
    *game, fence = values
    row = game_row(game)
    return Held(pairing(row), fence, row.digest)


class Entry(NamedTuple):
    """A submission, validated and compressed before the transaction begins."""

    done: Submission
    played: str
    record: bytes

    def row(self, now: float) -> tuple[Any, ...]:
        """Return the columns of the result, and the id."""
        done = self.done
        row = of_pairing(done.played.pairing)._replace(
            verdict=done.played.verdict, played=self.played, result=done.result.decode(), digest=done.digest,
            worker=plain(done.worker), seconds=float(done.seconds), oversubscribed=bool(done.oversubscribed),
            at=float(now), record_hash=record_hash(done.record),
        ).sealed()  # fmt: skip
        return (*row[6:14], row.record_hash, row.checksum, row.id)


def entry(done: Submission) -> Entry:
    try:
        _result(done.result)
    except msgspec.MsgspecError as error:
        raise BadInput(f"the result of {done.id} is malformed: {error}") from None
    return Entry(done, _encode(done.played).decode(), zlib.compress(done.record, LEVEL))


def finished(row: GameRow) -> Finished:
    try:
        game = Finished(
            played=_played(row.played or ""),
            result=(row.result or "").encode(),
            digest=str(row.digest),
            worker=str(row.worker),
            seconds=float(row.seconds or 0),
            oversubscribed=bool(row.oversubscribed),
            at=float(row.at or 0),
            voided=row.voided,
        )
    except (msgspec.MsgspecError, AttributeError, TypeError, ValueError) as error:
        raise Unreadable(f"the result of {row.id} is damaged: {error}") from None
    if game.id != row.id:
        raise Unreadable(f"the result of {row.id} is that of {game.id}: the ledger is damaged")
    if game.played.pairing != pairing(row):
        raise Unreadable(
            f"the result of {row.id} is of other entrants or another board: the ledger is damaged"
        )
    return game


def record_hash(record: bytes) -> str:
    return hashlib.sha256(record).hexdigest()


def record(game: str, packed: bytes, hashed: str) -> bytes:
    try:
        found = zlib.decompress(packed)
    except (zlib.error, TypeError) as error:
        raise Unreadable(f"the record of {game} is damaged: {error}; {DAMAGED}") from None
    if hashed not in (record_hash(found), UNCHECKED):
        raise Unreadable(f"the record of {game} does not match its hash; {DAMAGED}")
    return found


def plain(text: str) -> str:
    """Return text that every database can store: lone surrogates and NUL become question marks.

    >>> plain("a" + chr(0xD800) + chr(0))
    'a??'
    """
    return text.encode("utf-8", "replace").decode().replace("\0", "?")
