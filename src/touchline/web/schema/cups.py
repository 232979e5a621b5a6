"""Tournaments. The report is the same as that of the command line."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from touchline.tournament.ledger.base import Counts, Verdict
from touchline.tournament.report.data import Report
from touchline.tournament.standings import Standing
from touchline.web.schema.common import Millis

CupState: TypeAlias = Literal["running", "waiting", "paused", "stopped", "over", "unavailable"]


class CupSummary(Struct, frozen=True, kw_only=True):
    """The summary of a tournament."""

    id: str
    name: str
    game: str
    format: str
    entrants: int
    state: CupState
    """`waiting`: games are due, but none is being played; `unavailable`: the ledger cannot be read now."""
    over: bool
    paused: str | None
    """The organiser's reason for a pause or a stop; null if there is none."""
    counts: Counts | None
    """The numbers of games that are due, claimed and done; null until the ledger was read."""


class CupList(Struct, frozen=True):
    """The tournaments of this page."""

    cups: tuple[CupSummary, ...]


class CupPairing(Struct, frozen=True, kw_only=True):
    """A game that a worker has claimed and is playing."""

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
    """The seats that were expelled."""
    voided: str | None
    """The organiser's reason for voiding the game; null if it counts."""
    seconds: float
    at: Millis
    record: str | None
    """The id of its record at `/api/records`; null if it could not be played."""


class CupGames(Struct, frozen=True, kw_only=True):
    """A page of finished games, ordered by round, table and attempt."""

    first: int
    """The index of the first game of this page, from 0."""
    total: int
    games: tuple[CupGame, ...]


class CupSeen(Struct, frozen=True, kw_only=True):
    """A tournament with its report."""

    cup: CupSummary
    running: tuple[CupPairing, ...]
    last: tuple[CupGame, ...]
    """The games that ended last, the latest first."""
    at: Millis
    """When the report was made."""
    current: bool
    """Whether the report covers the whole ledger; if not, a newer one will be ready soon."""
    report: Report


class CupLine(Struct, frozen=True, kw_only=True, tag_field="type", tag="cup"):
    """A line of the live feed: the current state of a tournament."""

    cup: CupSummary
    standings: tuple[Standing, ...]
    running: tuple[CupPairing, ...]
    last: tuple[CupGame, ...]
