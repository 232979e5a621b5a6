"""The contract of a ledger: what it holds, what it can be asked, and how it fails.

Law of this room: a scheduled game has exactly one result, whatever crashes. A worker claims a game before it
plays it. The claim is a lease with a fencing token, which grows with every claim of that game; a result is
accepted only from the latest claim, and is committed together with its record in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, get_args

import msgspec
from msgspec import Struct

from touchline.core.errors import BadInput, TouchlineError
from touchline.core.events import Fault
from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

Verdict = Literal["finished", "forfeited", "void"]
VERDICTS: tuple[str, ...] = get_args(Verdict)
COMMIT, REVEAL = "commit", "reveal"
"""Acts of the log: the commitment to the cup's secret salt, and the salt with the seal of the ledger."""
NO_FAULTS = b'"faults":[]'
"""Part of a result without faults, as it is encoded; within a text the quotes would be escaped."""
PAUSE, STOP, GO_ON = "pause", "stop", "go on"
"""Acts of the log: no game is begun any more, and the run waits or ends; games are begun again."""


class Unavailable(TouchlineError):
    """The request failed for now: the disk is full, the database locked, the connection lost.

    Nothing was done by half, and the ledger reconnects by itself. A retry is always safe, also when it is
    unknown whether the request had been carried out.
    """


class Conflict(TouchlineError):
    """The request contradicts the ledger: another cup, a different game of that id, a game not finished."""


class Unreadable(BadInput):
    """Not a ledger, a damaged one, or one of a newer version."""

    exit_code = 4


class Claim(Struct, frozen=True):
    """The right to play a game until the lease ends, and after it until somebody else claims the game."""

    pairing: Pairing
    fence: int
    """The fencing token: it grows with every claim of this game."""

    @property
    def id(self) -> str:
        return self.pairing.id


class Submission(Struct, frozen=True, kw_only=True):
    """The result of a game that was played on a claim, as it is handed in."""

    played: Played
    fence: int
    """The fencing token of the claim."""
    result: bytes
    """An `events.Result` as JSON."""
    record: bytes
    """The record, as lines of JSON."""
    digest: str
    """A hash of the moves without their times: the same when the same game is played again."""
    worker: str
    seconds: float
    """How long the game took."""
    oversubscribed: bool = False
    """Whether more players than processors were thinking at the same time."""

    @property
    def id(self) -> str:
        return self.played.pairing.id


class Finished(Struct, frozen=True, kw_only=True):
    """A game with a result. Its record is read by `Ledger.record`."""

    played: Played
    """As it was played, also if the organiser has declared it void since."""
    result: bytes
    digest: str
    worker: str
    seconds: float
    oversubscribed: bool
    at: float
    """When the result was committed, in seconds since 1970."""
    voided: str | None
    """Why the organiser declared it void; None if it stands."""

    @property
    def id(self) -> str:
        return self.played.pairing.id

    def faults(self) -> tuple[Fault, ...]:
        """Return the faults in the result."""
        if NO_FAULTS in self.result:
            return ()
        try:
            return _decode_faults(self.result).faults
        except msgspec.MsgspecError as error:
            raise Unreadable(f"the result of {self.id} is damaged: {error}") from None


class _Faults(Struct):
    """The part of an `events.Result` that is decoded."""

    faults: tuple[Fault, ...] = ()


_decode_faults = msgspec.json.Decoder(_Faults).decode


class Counts(Struct, frozen=True, kw_only=True):
    """The number of games in each state. A game is due, claimed or done."""

    due: int
    claimed: int
    done: int
    voided: int
    """Of those done, the games that the organiser declared void."""
    verdicts: dict[str, int]
    """Of those done that stand, the number for each verdict."""


class LogEntry(Struct, frozen=True):
    """An entry of the organiser's log."""

    at: float
    act: str
    about: str
    """An entrant, a game, or empty."""
    why: str


def ejected(log: Iterable[LogEntry]) -> tuple[str, ...]:
    """Return the ejected entrants in the order of leaving, which decides who had a walkover."""
    return tuple(dict.fromkeys(entry.about for entry in log if entry.act == "eject"))


def stopped(log: Sequence[LogEntry]) -> str | None:
    """Return why the organiser stopped the cup; None if nobody did, or if it went on since.

    >>> stop, go_on = LogEntry(0, STOP, "", "lunch"), LogEntry(1, GO_ON, "", "it is run again")
    >>> stopped([stop]), stopped([stop, go_on])
    ('lunch', None)
    """
    last = next((entry for entry in reversed(log) if entry.act in (STOP, GO_ON)), None)
    return last.why if last is not None and last.act == STOP else None


class Ledger(Protocol):
    """The ledger of one cup. Use it from one thread, and open it anew in each process.

    Times are seconds since 1970 and are given by the caller. If the clocks of two machines disagree, a lease
    may end too early and a game be played twice; it still has one result.

    Each method may raise `Unavailable`. Then it has done nothing or, if the connection was lost during the
    commit, everything; a retry does no harm.
    """

    def create(self, spec: bytes) -> None:
        """Store the cup's spec, once. The same spec again changes nothing; another one is a `Conflict`."""

    def spec(self) -> bytes | None:
        """Return the cup's spec; None for a new ledger."""

    def files(self) -> tuple[Path, ...]:
        """Return the files of the ledger on this machine, which no player may see."""

    def schedule(self, games: Sequence[Pairing]) -> int:
        """Add games to be played, and return how many of them are new.

        A game whose id is taken by a game of other entrants or on another board is a `Conflict`; then no game
        is added.
        """

    def take_over(self) -> None:
        """Become the coordinator of this cup until closed or dead, and revoke all claims.

        A `Conflict` if another process is the coordinator.
        """

    def claim(self, worker: str, most: int, lease: float, now: float) -> list[Claim]:
        """Claim up to `most` unfinished games whose lease is free or over, by round, table and attempt.

        Returns none while the cup is paused or stopped.
        """

    def renew(self, claims: Sequence[Claim], lease: float, now: float) -> list[str]:
        """Extend the leases of claims; return the ids of those that are still ours."""

    def finish(self, submissions: Sequence[Submission], now: float) -> list[str]:
        """Commit results with their records in one transaction; return the ids of those that count.

        A result is rejected if its game is not scheduled, is finished, or has been claimed or taken over
        since. If it differs from the result that stands, the log gets an entry. A result that the same claim
        has committed before counts as accepted, since a retry after a lost connection sends it again.
        """

    def results(self) -> Iterator[Finished]:
        """Iterate over the finished games, void ones too, by round, table and attempt.

        They are read page by page: a game that is finished meanwhile may be among them or not.
        """

    def record(self, game: str) -> bytes:
        """Return the record of a finished game, byte for byte as it was handed in."""

    def unfinished(self) -> Iterator[Pairing]:
        """Iterate over the games without a result, by round, table and attempt."""

    def counts(self, now: float) -> Counts:
        """Count the games in each state."""

    def void(self, game: str, why: str, now: float) -> bool:
        """Declare a finished game void, and log it; False if it was void already. Its record is kept."""

    def note(self, act: str, about: str, why: str, now: float) -> None:
        """Add to the organiser's log. After "pause" or "stop" no game can be claimed until "go on"."""

    def log(self) -> list[LogEntry]:
        """Return the organiser's log, the oldest entry first."""

    def paused(self) -> str | None:
        """Return why the cup is paused or stopped; None if it is not."""

    def digest(self) -> str:
        """Return the games digest, which is equal for two runs of the same games: see `shared/digest.py`."""

    def seal(self, *, whole: bool = False) -> str:
        """Return the seal: a hash of every stored byte that counts.

        If the last entry of the log is a `REVEAL`, it is left out, because that entry states this seal; with
        `whole` it is not.
        """

    def keep_salt(self, salt: bytes) -> None:
        """Keep the cup's secret salt, durably, where entrants that can read the ledger cannot read it.

        Call this only as the coordinator. A salt that was kept before is replaced.
        """

    def salt(self) -> bytes | None:
        """Return the secret salt that is kept; None if there is none."""

    def drop_salt(self) -> None:
        """Delete the secret salt that is kept, if there is one."""

    def close(self) -> None:
        """Release the coordinator's lock, if we hold it, and close the connection."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
