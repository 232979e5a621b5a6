"""Ladder: entrants challenge their neighbours.

The entrants stand on a ladder, the first seed on top. In each round neighbours play: in the first, third and
so on the tables begin at the top, in the others half a table further down. The entrants of a table share out
their rungs by their points; on a tie the higher one stays above. An entrant that rests keeps its rung. A
withdrawn entrant that has missed a game goes to the bottom.

Tie-breaks: the rung, and nothing else.

Bounds: the results say who meets, so seats and boards cannot be within one. Two neighbours who both had the
first seat once more cannot both have the other one. Each match is seated, and its board chosen, for those
who are furthest from their share. With two at a table and an even number of `games`, seats are equal.
Otherwise an entrant is less than three games from its share of a seat, and its numbers of games on two
boards differ by at most four, in ten thousand simulated cups.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from touchline.tournament.formats.base import (
    MOST_SEATS,
    Games,
    Paired,
    ScheduledFormat,
    Seats,
    Seed,
    check_range,
    seeded,
)
from touchline.tournament.formats.shared.schedule import Schedule, shares
from touchline.tournament.formats.shared.seating import fewest, match
from touchline.tournament.standings import ScoreTable, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from touchline.tournament.pairing import Pairing, Played


class Ladder(ScheduledFormat, frozen=True, kw_only=True):
    """Entrants challenge their neighbours on a ladder."""

    seats: Seats = 2
    rounds: Annotated[
        int,
        Meta(ge=0, le=1000, description="Rounds; 0 for as many as entrants: enough to climb to the top."),
    ] = 0
    games: Games = 1
    paired: Paired = True
    seed: Seed = 0

    name: ClassVar[str] = "ladder"
    tiebreaks: ClassVar[tuple[str, ...]] = ("rung",)

    def __post_init__(self) -> None:
        check_range(self.seats, 2, MOST_SEATS, "seats at a table")
        check_range(self.rounds, 0, 1000, "rounds")
        check_range(self.games, 1, 1000, "games at a table")

    def table_sizes(self, entrants: int) -> set[int]:
        standing = [""] * entrants
        return {len(group) for number in (0, 1) for group in self._groups(number, standing).values()}

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        return self._climbed(entrants, played, out)[0]

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        schedule, ladder = self._climbed(entrants, played, out)
        rungs = {entrant: float(len(ladder) - index) for index, entrant in enumerate(ladder)}
        return ScoreTable(entrants, schedule.games, {}, out).ranked(rungs)

    def _climbed(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]
    ) -> tuple[Schedule, list[str]]:
        """Return the schedule, and the ladder from the top."""
        ladder = seeded(entrants, self.seats, self.seed)
        schedule = Schedule(played, out, ladder, tables=len(ladder) * self.games, boards=self.boards)
        positions = -(-self.games // self.seats) if self.paired else self.games
        for number in range(self.rounds or len(ladder)):
            standing = [entrant for entrant in ladder if entrant not in schedule.absent]
            if len(standing) < 2:
                break
            groups = self._groups(number, standing)
            games = schedule.play_again(number, groups, self.games)
            if games is None:
                drawn = self._draw(number, groups, schedule, len(ladder))
                games = schedule.play_round(number, drawn, turn=number * positions)
            if games is None:
                break
            _climb(ladder, games)
            ladder.sort(key=schedule.absent.__contains__)
        return schedule, ladder

    def _groups(self, number: int, standing: Sequence[str]) -> dict[int, Sequence[str]]:
        """Return the neighbours that meet, by the place of their table from the top."""
        # A single table is never shifted: its entrants have no other neighbours.
        shift = self.seats // 2 if number % 2 and len(standing) > self.seats else 0
        cuts = range(shift - self.seats if shift else 0, len(standing), self.seats)
        groups = {place: standing[max(0, cut) : cut + self.seats] for place, cut in enumerate(cuts)}
        return {place: group for place, group in groups.items() if len(group) >= 2}

    def _draw(
        self, number: int, groups: Mapping[int, Sequence[str]], schedule: Schedule, places: int
    ) -> list[Pairing]:
        excess, drawn = schedule.seat_excess(), []
        for place, group in groups.items():
            sitting = fewest(group, excess, self.games)
            drawn += match(number, place, sitting, games=self.games, paired=self.paired, places=places)
        return drawn


def _climb(ladder: list[str], games: Sequence[Played]) -> None:
    """Share out the rungs of each table among its entrants, by their points."""
    rung_of = {entrant: rung for rung, entrant in enumerate(ladder)}
    tables: dict[frozenset[str], list[Played]] = {}
    for game in games:
        tables.setdefault(frozenset(game.pairing.entrants), []).append(game)
    for members, played in tables.items():
        rungs = sorted(map(rung_of.__getitem__, members))
        ranking = [ladder[rung] for rung in rungs]
        ranking.sort(key=_totals(played).__getitem__, reverse=True)
        for rung, entrant in zip(rungs, ranking, strict=True):
            ladder[rung], rung_of[entrant] = entrant, rung


def _totals(played: Sequence[Played]) -> dict[str, float]:
    """Return the points of each entrant at a table."""
    if len(played) == 1:
        return dict(zip(played[0].pairing.entrants, shares(played[0]), strict=True))
    parts: dict[str, list[float]] = {entrant: [] for entrant in played[0].pairing.entrants}
    for game in played:
        for entrant, share in zip(game.pairing.entrants, shares(game), strict=True):
            parts[entrant].append(share)
    return {entrant: round(fsum(some), 9) for entrant, some in parts.items()}
