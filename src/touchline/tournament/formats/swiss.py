"""Swiss system: a few rounds in which entrants with equal points meet.

Before each round the entrants are ranked by points and then by seed. Two at a table: the upper half of those
with the same points meets the lower half; an entrant without a partner there meets the next below. If a
pairing without rematches exists, nobody meets the same opponent twice; likewise no two meet that have both
had the same seat two or more times more often than the other. More at a table: tables are filled from the top
with those of the same points, those who have met least first. Seats go to those who have had them least.
Those who do not fill a table have a bye, worth a win in each game: the lowest of those with the fewest byes.

Tie-breaks: points; then direct encounter, if all with equal points have met; then Buchholz; then
Sonneborn-Berger; then games won. A bye or walkover gives points, but no opponent whose points would count.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, takewhile
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
from touchline.tournament.formats.shared.matching import NOBODY, pair_off
from touchline.tournament.formats.shared.schedule import Schedule
from touchline.tournament.formats.shared.seating import fewest, match
from touchline.tournament.standings import ScoreTable, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from touchline.tournament.pairing import Pairing, Played

NEAR = 24
"""Candidates from which the next entrant at a table of more than two is chosen."""


class Swiss(ScheduledFormat, frozen=True, kw_only=True):
    """A few rounds in which entrants with equal points meet."""

    seats: Seats = 2
    rounds: Annotated[
        int,
        Meta(ge=0, le=1000, description="Rounds; 0 for as many as a knock-out of two would have."),
    ] = 0
    games: Games = 1
    paired: Paired = True
    seed: Seed = 0

    name: ClassVar[str] = "swiss"
    tiebreaks: ClassVar[tuple[str, ...]] = (
        "points", "direct encounter", "Buchholz", "Sonneborn-Berger", "won",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_range(self.seats, 2, MOST_SEATS, "seats at a table")
        check_range(self.rounds, 0, 1000, "rounds")
        check_range(self.games, 1, 1000, "games at a table")

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        schedule = self.schedule(entrants, played, out)
        table = ScoreTable(entrants, schedule.games, schedule.byes, out)
        points = table.points()
        return table.ranked(
            points, table.direct(points), table.buchholz(), table.sonneborn_berger(), table.won()
        )

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        order = seeded(entrants, self.seats, self.seed)
        schedule = Schedule(played, out, order, tables=len(order) * self.games)
        for number in range(self.rounds or (len(order) - 1).bit_length()):
            pool = [entrant for entrant in order if entrant not in schedule.absent]
            if (
                len(pool) < 2
                or schedule.play_round(number, self._draw(number, pool, schedule, len(order))) is None
            ):
                break
            schedule.byes.update(dict.fromkeys(schedule.rested(pool), self.games))
        return schedule

    def _draw(self, number: int, pool: Sequence[str], schedule: Schedule, places: int) -> list[Pairing]:
        """Draw a round among the entrants of `pool`."""
        points, sat = schedule.points(), schedule.sat()
        ranking = sorted(pool, key=lambda entrant: -points.get(entrant, 0.0))
        draw = _pairs if self.seats == 2 else _tables
        drawn = []
        for place, group in enumerate(draw(ranking, points, schedule, self.seats)):
            # Where the past leaves it open, the first seat alternates between the higher and the lower.
            sitting = fewest(group[::-1] if place % 2 else group, sat)
            drawn += match(number, place, sitting, games=self.games, paired=self.paired, places=places)
        return drawn


def _pairs(
    ranking: Sequence[str], points: Mapping[str, float], schedule: Schedule, seats: int
) -> list[tuple[str, ...]]:
    """Pair all entrants, except one with a bye if their number is odd."""
    if len(ranking) % 2 == 0:
        return _paired_off(ranking, points, _penalties(ranking, schedule))
    least = min(schedule.byes[entrant] for entrant in ranking)
    lowest = [entrant for entrant in reversed(ranking) if schedule.byes[entrant] == least]
    penalties = _penalties(ranking, schedule)
    for most in range(max(penalties.values(), default=0) + 1):
        for resting in lowest:
            playing = [entrant for entrant in ranking if entrant != resting]
            if pairs := _within_penalty(playing, points, penalties, most):
                return pairs
    return []


def _penalties(ranking: Sequence[str], schedule: Schedule) -> Counter[frozenset[str]]:
    """Return the penalty of each pair: 2 for each game they have played, 1 if both need the same seat."""
    found = Counter({pair: 2 * times for pair, times in schedule.met().items()})
    sat = schedule.sat()
    for seat in (0, 1):
        unbalanced = [entrant for entrant in ranking if sat[entrant, seat] - sat[entrant, 1 - seat] >= 2]
        found.update(map(frozenset, combinations(unbalanced, 2)))
    return found


def _paired_off(
    ranking: Sequence[str], points: Mapping[str, float], penalties: Counter[frozenset[str]]
) -> list[tuple[str, ...]]:
    """Pair all entrants with the smallest possible maximum penalty."""
    most = 0
    while not (pairs := _within_penalty(ranking, points, penalties, most)):
        most += 1
    return pairs


def _within_penalty(
    ranking: Sequence[str], points: Mapping[str, float], penalties: Counter[frozenset[str]], most: int
) -> list[tuple[str, ...]]:
    """Pair all entrants with penalties of at most `most`; return an empty list if that is impossible."""

    def against(one: int, other: int) -> int:
        return penalties[frozenset((ranking[one], ranking[other]))]

    def choose(one: int, free: Sequence[int]) -> int:
        mine = points.get(ranking[one], 0.0)
        equals = [*takewhile(lambda other: points.get(ranking[other], 0.0) == mine, free)]
        middle = (len(equals) + 1) // 2 - 1
        ways = sorted(range(len(equals)), key=lambda index: abs(index - middle))
        preferred = [*(equals[index] for index in ways), *free[len(equals) :]]
        for often in range(most + 1):
            for other in preferred:
                if against(one, other) <= often:
                    return other
        return NOBODY

    partner = pair_off(len(ranking), choose, lambda one, other: against(one, other) <= most)
    if NOBODY in partner:
        return []
    return [(ranking[one], ranking[two]) for one, two in enumerate(partner) if one < two]


def _tables(
    ranking: Sequence[str], points: Mapping[str, float], schedule: Schedule, seats: int
) -> list[tuple[str, ...]]:
    """Fill tables of more than two from the top; a field smaller than a table is one table."""
    met = schedule.met()
    resting = len(ranking) % seats if len(ranking) > seats else 0
    lowest = ranking[::-1]
    byes = sorted(lowest, key=lambda entrant: schedule.byes[entrant])[:resting]
    left = [entrant for entrant in ranking if entrant not in byes]
    tables = []
    while left:
        table = [left.pop(0)]
        while left and len(table) < seats:
            nearest = min(
                range(min(len(left), NEAR)),
                key=lambda index: (
                    -points.get(left[index], 0.0),
                    sum(met[frozenset((left[index], other))] for other in table),
                    index,
                ),
            )
            table.append(left.pop(nearest))
        tables.append(tuple(table))
    return tables
