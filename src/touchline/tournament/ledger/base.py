"""What a ledger holds, what it can be asked, and what can go wrong with it.

Law of this folder: a scheduled game has exactly one result, whatever dies. A worker claims a game before it
plays it, and each claim of a game has a higher fence than the one before; a result is taken only from the
claim that still holds, and comes with its record in one transaction, or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, get_args

from msgspec import Struct

from touchline.core.errors import BadInput, TouchlineError
from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType
    from typing import Self

Verdict = Literal["finished", "forfeited", "void"]
VERDICTS: tuple[str, ...] = get_args(Verdict)


class Unavailable(TouchlineError):
    """The disk is full, the database locked, the connection lost.

    Nothing was half done, and the ledger can be used on: it connects again by itself. What was asked for may
    be asked for again, even if it is unknown whether it had been done.
    """


class Conflict(TouchlineError):
    """The ledger says otherwise: it is another cup's, the game is another one, or is not finished."""


class Unreadable(BadInput):
    """This is no ledger, a damaged one, or one of a newer version."""


class Claim(Struct, frozen=True):
    """The right to play a game until the lease is over, and beyond as long as nobody else claims it."""

    pairing: Pairing
    fence: int
    """Grows with every claim of this game."""

    @property
    def id(self) -> str:
        return self.pairing.id


class Done(Struct, frozen=True, kw_only=True):
    """A game that was played on a claim."""

    played: Played
    fence: int
    """That of the claim."""
    result: bytes
    """An `events.Result` as JSON."""
    record: bytes
    """Lines of JSON."""
    digest: str
    """Of what does not change when the same game is played again: the moves, not the times."""
    worker: str
    seconds: float
    """How long it took."""
    oversubscribed: bool = False
    """Whether more players than processors were thinking at once."""

    @property
    def id(self) -> str:
        return self.played.pairing.id


class Finished(Struct, frozen=True, kw_only=True):
    """A game with a result. The record is asked for by itself."""

    played: Played
    """As it was played, also if it has been declared void since."""
    result: bytes
    digest: str
    worker: str
    seconds: float
    oversubscribed: bool
    at: float
    """When it was entered."""
    voided: str | None
    """Why the organiser declared it void; None if it stands."""

    @property
    def id(self) -> str:
        return self.played.pairing.id


class Counts(Struct, frozen=True, kw_only=True):
    """How far the cup is. A game is due, claimed or done."""

    due: int
    claimed: int
    done: int
    voided: int
    """Of those done, how many the organiser declared void."""
    verdicts: dict[str, int]
    """Of those done that stand, how many ended how."""


class Act(Struct, frozen=True):
    """A line of the organiser's log."""

    at: float
    act: str
    about: str
    """An entrant or a game, or nothing."""
    why: str


class Ledger(Protocol):
    """The ledger of one cup. Use it from one thread, and open it anew in each process.

    Times are seconds since 1970 and come from whoever asks. If the clocks of two machines disagree, a lease
    is over too early and a game is played twice; it still has one result.

    Each method may raise `Unavailable`, and has then done nothing, or, if the connection was lost at the very
    end, everything; it does no harm to ask again.
    """

    def create(self, spec: bytes) -> None:
        """Say whose ledger this is, once. The same again changes nothing; another is a `Conflict`."""

    def spec(self) -> bytes | None:
        """Whose ledger this is; None for a new one."""

    def schedule(self, games: Sequence[Pairing]) -> int:
        """Enter games that are to be played; how many of them are new.

        A game of the same id between others, or on another board, is a `Conflict`; then none is entered.
        """

    def take_over(self) -> None:
        """Be the only one who runs this cup, until closed or dead: whoever held claims has lost them.

        A `Conflict` if another process runs it.
        """

    def claim(self, worker: str, most: int, lease: float, now: float) -> list[Claim]:
        """Take unfinished games that nobody holds, or no longer, in the order of round, table and attempt.

        There are none while the cup is paused.
        """

    def renew(self, claims: Sequence[Claim], lease: float, now: float) -> list[str]:
        """Hold them for longer; the ids of those that still are ours."""

    def finish(self, done: Sequence[Done], now: float) -> list[str]:
        """Enter results with their records, all in one transaction; the ids of those that count.

        Not taken is what was not scheduled, has been claimed by another or taken over since, or is finished.
        If that other result is a different one, the log says so. What had been entered by the same claim
        counts as taken: it is asked for again when a connection was lost.
        """

    def results(self) -> Iterator[Finished]:
        """The finished games, void ones too, in the order of round, table and attempt.

        They are read a page at a time: what is finished meanwhile may be among them or not.
        """

    def record(self, game: str) -> bytes:
        """The record of a finished game, as it was given."""

    def unfinished(self) -> Iterator[Pairing]:
        """The games that have no result yet, in the same order."""

    def counts(self, now: float) -> Counts:
        """How far the cup is."""

    def void(self, game: str, why: str, now: float) -> bool:
        """Declare a finished game void, and log it; False if it had been before. Its record is kept."""

    def note(self, act: str, about: str, why: str, now: float) -> None:
        """Log what the organiser does. After "pause" nothing can be claimed until "go on"."""

    def log(self) -> list[Act]:
        """All that was noted, in order."""

    def paused(self) -> str | None:
        """Why the cup is paused; None if it is not."""

    def digest(self) -> str:
        """One value for the cup's spec and all results: see `store/digest.py`."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
