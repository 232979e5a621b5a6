"""Swiss: a few rounds in which equals meet.

Before each round the entrants are ranked by points and then by seed. Two at a table: the upper half of those
with the same points meets the lower half, whoever has no partner there meets the next below. As long as all
can be paired off without that, nobody meets the same one twice, and no two meet who have both had the same
seat twice oftener than the other. More at a table: tables are filled from the top with those of the same
points, those who have met the least first. Seats go to those who have had them least. Those who do not fill
a table have a bye, worth a win in each game: the lowest of those who have had the fewest byes.

Tie-breaks: points; then direct encounter, if all that are level have met; then Buchholz; then
Sonneborn-Berger; then games won. A bye or walkover gives points, but no opponent whose points would count.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, takewhile
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta, Struct

from touchline.tournament.formats.base import MOST_SEATS, Games, Paired, Seats, Seed, seeded, within
from touchline.tournament.formats.shared.matching import NOBODY, pair_off
from touchline.tournament.formats.shared.seating import fewest, match
from touchline.tournament.formats.shared.story import Story
from touchline.tournament.standings import Standing, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from touchline.tournament.pairing import Pairing, Played

NEAR = 24
"""How far down a table of more than two looks for those who have met the least."""


class Swiss(Struct, frozen=True, kw_only=True):
    """A few rounds in which equals meet."""

    seats: Seats = 2
    rounds: Annotated[
        int, Meta(ge=0, le=1000, description="Rounds; 0 for as many as a knock-out of two would have.")
    ] = 0
    games: Games = 1
    paired: Paired = True
    seed: Seed = 0

    name: ClassVar[str] = "swiss"
    tiebreaks: ClassVar[tuple[str, ...]] = (
        "points", "direct encounter", "Buchholz", "Sonneborn-Berger", "won",
    )  # fmt: skip

    def __post_init__(self) -> None:
        within(self.seats, 2, MOST_SEATS, "seats at a table")
        within(self.rounds, 0, 1000, "rounds")
        within(self.games, 1, 1000, "games at a table")

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        return self._story(entrants, played, out).due or None

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        story = self._story(entrants, played, out)
        table = Table(entrants, story.games, story.byes, out)
        points = table.points()
        return table.ranked(
            points, table.direct(points), table.buchholz(), table.sonneborn_berger(), table.won()
        )

    def _story(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Story:
        order = seeded(entrants, self.seats, self.seed)
        story = Story(played, out, order, len(order) * self.games)
        for number in range(self.rounds or (len(order) - 1).bit_length()):
            pool = [entrant for entrant in order if entrant not in story.absent]
            if len(pool) < 2 or story.play_round(number, self._draw(number, pool, story, len(order))) is None:
                break
            story.byes.update(dict.fromkeys(story.rested(pool), self.games))
        return story

    def _draw(self, number: int, pool: Sequence[str], story: Story, field: int) -> list[Pairing]:
        points, sat = story.points(), story.sat()
        ranking = sorted(pool, key=lambda entrant: -points.get(entrant, 0.0))
        draw = _pairs if self.seats == 2 else _tables
        drawn = []
        for place, group in enumerate(draw(ranking, points, story, self.seats)):
            # Where the past leaves it open, the better seat goes up and down by turns.
            sitting = fewest(group[::-1] if place % 2 else group, sat)
            drawn += match(number, place, sitting, self.games, self.paired, field)
        return drawn


def _pairs(
    ranking: Sequence[str], points: Mapping[str, float], story: Story, seats: int
) -> list[tuple[str, ...]]:
    """All in pairs, but for one if they are odd."""
    if len(ranking) % 2 == 0:
        return _paired_off(ranking, points, _grudges(ranking, story))
    least = min(story.byes[entrant] for entrant in ranking)
    lowest = [entrant for entrant in reversed(ranking) if story.byes[entrant] == least]
    grudges = _grudges(ranking, story)
    for most in range(max(grudges.values(), default=0) + 1):
        for resting in lowest:
            playing = [entrant for entrant in ranking if entrant != resting]
            if pairs := _without_more(playing, points, grudges, most):
                return pairs
    return []


def _grudges(ranking: Sequence[str], story: Story) -> Counter[frozenset[str]]:
    """Why two should not meet: two for every time they have met, one where either seat would be unfair to one
    of them."""
    found = Counter({pair: 2 * times for pair, times in story.met().items()})
    sat = story.sat()
    for seat in (0, 1):
        spoilt = [entrant for entrant in ranking if sat[entrant, seat] - sat[entrant, 1 - seat] >= 2]
        found.update(map(frozenset, combinations(spoilt, 2)))
    return found


def _paired_off(
    ranking: Sequence[str], points: Mapping[str, float], grudges: Counter[frozenset[str]]
) -> list[tuple[str, ...]]:
    """No two meet who have more against it than must be."""
    most = 0
    while not (pairs := _without_more(ranking, points, grudges, most)):
        most += 1
    return pairs


def _without_more(
    ranking: Sequence[str], points: Mapping[str, float], grudges: Counter[frozenset[str]], most: int
) -> list[tuple[str, ...]]:
    """Pairs with no more than so much against them; none if not all can be paired off like that."""

    def against(one: int, other: int) -> int:
        return grudges[frozenset((ranking[one], ranking[other]))]

    def choose(one: int, free: Sequence[int]) -> int:
        mine = points.get(ranking[one], 0.0)
        equals = [*takewhile(lambda other: points.get(ranking[other], 0.0) == mine, free)]
        middle = (len(equals) + 1) // 2 - 1
        ways = sorted(range(len(equals)), key=lambda index: abs(index - middle))
        dearest = [*(equals[index] for index in ways), *free[len(equals) :]]
        for often in range(most + 1):
            for other in dearest:
                if against(one, other) <= often:
                    return other
        return NOBODY

    partner = pair_off(len(ranking), choose, lambda one, other: against(one, other) <= most)
    if NOBODY in partner:
        return []
    return [(ranking[one], ranking[two]) for one, two in enumerate(partner) if one < two]


def _tables(
    ranking: Sequence[str], points: Mapping[str, float], story: Story, seats: int
) -> list[tuple[str, ...]]:
    """Tables of more than two, from the top; a field that does not fill one sits at one all the same."""
    met = story.met()
    resting = len(ranking) % seats if len(ranking) > seats else 0
    lowest = ranking[::-1]
    byes = sorted(lowest, key=lambda entrant: story.byes[entrant])[:resting]
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
