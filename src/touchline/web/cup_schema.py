"""The words of the page's API about tournaments; the report is the one that the command line makes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from touchline.tournament.ledger.base import Counts, Verdict
from touchline.tournament.report.data import Report
from touchline.tournament.standings import Standing
from touchline.web.schema import Millis

CupState: TypeAlias = Literal["running", "waiting", "paused", "over", "unavailable"]


class Cup(Struct, frozen=True, kw_only=True):
    """A tournament in a few words."""

    id: str
    name: str
    game: str
    format: str
    entrants: int
    state: CupState
    """`waiting` if games are due and nobody plays; `unavailable` if the ledger cannot be read just now."""
    over: bool
    paused: str | None
    """Why the organiser has paused it."""
    counts: Counts | None
    """How many games are due, claimed and done; null if the ledger could not be read yet."""


class Cups(Struct, frozen=True):
    cups: tuple[Cup, ...]


class CupPairing(Struct, frozen=True, kw_only=True):
    """A game that somebody has claimed in order to play it."""

    game: str
    round: int
    table: int
    attempt: int
    board: int
    entrants: tuple[str, ...]


class CupGame(CupPairing, frozen=True, kw_only=True):
    """A game with a result."""

    verdict: Verdict
    reason: str
    winners: tuple[int, ...]
    ranks: tuple[int | None, ...]
    scores: tuple[int, ...]
    at_fault: tuple[int, ...]
    """The seats that lost by their own fault."""
    voided: str | None
    """Why the organiser declared it void; null if it stands."""
    seconds: float
    at: Millis
    record: str | None
    """Its id at `/api/records`; null if it could not be played."""


class CupGames(Struct, frozen=True, kw_only=True):
    """Some of the finished games, in the order of round, table and attempt."""

    first: int
    """The number of the first, counted from 0."""
    total: int
    games: tuple[CupGame, ...]


class CupSeen(Struct, frozen=True, kw_only=True):
    """A tournament with its report."""

    cup: Cup
    running: tuple[CupPairing, ...]
    last: tuple[CupGame, ...]
    """Those that ended last, the latest first."""
    at: Millis
    """When the report was made."""
    current: bool
    """Whether the report has everything that is in the ledger; if not, a newer one can be had soon."""
    report: Report


class CupLine(Struct, frozen=True, kw_only=True, tag_field="type", tag="cup"):
    """A line of `watch`: how the tournament stands now."""

    cup: Cup
    standings: tuple[Standing, ...]
    running: tuple[CupPairing, ...]
    last: tuple[CupGame, ...]
