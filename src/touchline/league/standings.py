"""The public view of a league: its table, its recent games, and the faults of each version.

Law of this file: the view holds nothing that only an entrant or the organiser may know: no token, no digest
of a bundle, no stderr, no reason of a rejection.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.tournament.ratings.base import SURE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.league.roster import Roster, Status, Version
    from touchline.league.skills import Skills
    from touchline.tournament.ledger.base import Finished

MOST_RECENT = 30
MOST_FAULTS = 20
"""Faults of a version that are shown to its entrant, the latest ones."""
MOST_ROWS, MOST_OLDER = 1000, 500
"""Versions in the view: active ones and house players, and older ones."""


class TableRow(Struct, frozen=True, kw_only=True):
    """A version in the table."""

    place: int
    """From 1; 0 for a version that is not ranked."""
    version: str
    entrant: str
    status: str
    rating: float
    low: float
    """The 95 % interval of the rating."""
    high: float
    games: int
    won: int
    tied: int
    lost: int
    faults: int


class RecentGame(Struct, frozen=True, kw_only=True):
    """A finished game."""

    game: str
    versions: tuple[str, ...]
    verdict: str
    winners: tuple[int, ...]
    reason: str
    at: float
    has_record: bool


class OwnFault(Struct, frozen=True):
    """A fault of a version in a game, for its entrant."""

    game: str
    turn: int
    offence: str
    reason: str


class LeagueView(Struct, frozen=True, kw_only=True):
    """What everybody may see of a league."""

    name: str
    game: str
    table: tuple[TableRow, ...] = ()
    """The newest version of each entrant, and the house players, the best first."""
    older: tuple[TableRow, ...] = ()
    """Earlier versions, the best first."""
    recent: tuple[RecentGame, ...] = ()
    """The latest games, the latest first."""
    games: int = 0
    running: int = 0
    checking: int = 0
    paused: str | None = None
    trouble: str | None = None
    """Why the ledger is unavailable; null while it works."""


RANKED: tuple[Status, ...] = ("active", "house")
UNRANKED: tuple[Status, ...] = ("older", "retired", "ejected")


def table(roster: Roster, skills: Skills, shown: Iterable[Status]) -> tuple[TableRow, ...]:
    """Return the versions with these statuses, the best first."""
    wanted = {*shown}
    known = [one for one in roster.versions.values() if one.status in wanted]
    known.sort(key=lambda one: (-skills.of(one.name).mu, one.name))
    return tuple(_row(one, skills, place) for place, one in enumerate(known, 1))


def _row(one: Version, skills: Skills, place: int) -> TableRow:
    skill = skills.of(one.name)
    reach = SURE * skill.sigma
    return TableRow(
        place=place if one.status in RANKED else 0, version=one.name, entrant=one.entrant, status=one.status,
        rating=round(skill.mu, 2), low=round(skill.mu - reach, 2), high=round(skill.mu + reach, 2),
        games=skill.games, won=skill.won, tied=skill.tied, lost=skill.lost, faults=skill.faults,
    )  # fmt: skip


class Gallery:
    """The recent games, and the latest faults of each version."""

    def __init__(self) -> None:
        self.recent: deque[RecentGame] = deque(maxlen=MOST_RECENT)
        self._faults: dict[str, deque[OwnFault]] = {}
        self.games = 0

    def faults_of(self, name: str) -> list[OwnFault]:
        """Return the latest faults of a version, the latest last; any thread may ask."""
        return [*self._faults.get(name, ())]

    def add(self, game: Finished) -> RecentGame:
        """Note a finished game; games come in the order in which they were committed."""
        played = game.played
        self.games += 1
        for fault in game.faults():
            name = played.pairing.entrants[fault.seat]
            own = self._faults.setdefault(name, deque(maxlen=MOST_FAULTS))
            own.append(OwnFault(game.id, fault.turn, fault.offence.value, fault.reason))
        seen = RecentGame(
            game=game.id, versions=played.pairing.entrants, verdict=played.verdict, winners=played.winners,
            reason=played.reason, at=game.at, has_record=bool(game.digest),
        )  # fmt: skip
        self.recent.append(seen)
        return seen
