"""Swiss system: a few rounds in which entrants with equal points meet.

Before each round the entrants are ranked by points per game and then by seed. Two at a table: the upper
half of those with the same points meets the lower half; an entrant without a partner there meets the next
below. Nobody meets the same opponent twice while a schedule without that exists (`shared/pair_draw.py`).
More at a table: some tables are smaller, so that nobody rests (`shared/table_draw.py`). Seats and boards go
to those who have had them least.

With two at a table and an odd number of entrants one rests: the lowest of those without a bye. So do those
who do not fill a table of `smallest`. A bye is worth half a point, the average of one game, and counts as
one game.

Tie-breaks: points per game, because an entrant with a bye plays fewer games; then direct encounter, if all
with equal points have met; then Buchholz and Sonneborn-Berger, from the opponents' points per game; then
games won. A bye or walkover gives points, but no opponent whose points would count.

Bounds without withdrawals, two at a table: nobody meets an opponent, or has a bye, a second time before it
has met everybody once. In an even field the numbers of an entrant's games in two seats, and on two boards,
differ by at most one. In an odd field, too, with at most half as many rounds as entrants, if a match begins
from one position; else by at most two. More at a table: boards within one if all matches have the same
number of positions, else within three; an entrant is less than two games from its share of each seat.
"""

from __future__ import annotations

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
from touchline.tournament.formats.shared.pair_draw import PairDraw
from touchline.tournament.formats.shared.schedule import BYE, Schedule
from touchline.tournament.formats.shared.seating import fewest, match
from touchline.tournament.formats.shared.table_draw import draw_tables, sizes
from touchline.tournament.standings import ScoreTable, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.tournament.pairing import Pairing, Played


class Swiss(ScheduledFormat, frozen=True, kw_only=True):
    """A few rounds in which entrants with equal points meet."""

    seats: Seats = 2
    rounds: Annotated[
        int,
        Meta(ge=0, le=1000, description="Rounds; 0 for as many as a knock-out of two would have."),
    ] = 0
    games: Games = 1
    paired: Paired = True
    smallest: Annotated[
        int, Meta(ge=2, le=MOST_SEATS, description="The smallest table; those who do not fill one rest.")
    ] = 2
    seed: Seed = 0

    name: ClassVar[str] = "swiss"

    def __post_init__(self) -> None:
        check_range(self.seats, 2, MOST_SEATS, "seats at a table")
        check_range(self.rounds, 0, 1000, "rounds")
        check_range(self.games, 1, 1000, "games at a table")
        check_range(self.smallest, 2, self.seats, "the smallest table")

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        points = "points" if self.draw == 1 else "points per game"
        return (points, "direct encounter", "Buchholz", "Sonneborn-Berger", "won")

    def table_sizes(self, entrants: int) -> set[int]:
        return {*sizes(entrants, self.seats, self.smallest)}

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        if self.draw == 1:
            # What is due of an earlier draw cannot be known: an empty list says that it is not over.
            last = {game.pairing.round for game in played} >= {self._rounds(len(entrants)) - 1}
            return None if last else []
        return self.schedule(entrants, played, out).due or None

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        schedule = self.schedule(entrants, played, out)
        worth = self.games if self.draw == 1 else BYE
        byes = {entrant: worth * times for entrant, times in schedule.byes.items()}
        table = ScoreTable(entrants, schedule.games, byes, out)
        points = table.points()
        if self.draw > 1:
            points = {
                one: round(line.points / max(1, line.games + line.walkovers + schedule.byes[one]), 9)
                for one, line in table.lines.items()
            }
        return table.ranked(
            points, table.direct(points), table.buchholz(points), table.sonneborn_berger(points), table.won()
        )

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        order = seeded(entrants, self.seats, self.seed)
        rounds = self._rounds(len(order))
        schedule = Schedule(played, out, order, tables=len(order) * self.games, boards=self.boards)
        pairs = PairDraw(rounds, odd=self.games % 2 == 1, boards=self.boards)
        for number in range(rounds):
            pool = [entrant for entrant in order if entrant not in schedule.absent]
            if len(pool) < 2:
                break
            if self.draw == 1:
                pool = [entrant for entrant in order if entrant not in schedule.gone_by(number)]
                drawn = schedule.as_played(number)
            elif self.seats > 2 and self._is_complete(number, pool, schedule):
                drawn = schedule.as_played(number)
            else:
                drawn = self._draw(number, pool, schedule, pairs, len(order))
            turn = number * self._positions()
            if not drawn or schedule.play_round(number, drawn, turn, self._ahead(number, rounds)) is None:
                break
            schedule.byes.update(schedule.rested(pool))
        return schedule

    def _rounds(self, entrants: int) -> int:
        return self.rounds or (entrants - 1).bit_length()

    def _is_complete(self, number: int, pool: Sequence[str], schedule: Schedule) -> bool:
        """Return whether a round has been played; larger tables need no plan from round to round."""
        tables = sizes(len(pool), self.seats, self.smallest)
        return schedule.is_complete(number, len(tables) * self.games, sum(tables))

    def _positions(self) -> int:
        """Return the number of positions that a match begins from."""
        return -(-self.games // self.seats) if self.paired else self.games

    def _ahead(self, number: int, rounds: int) -> list[int]:
        """Return how often each board's turn comes after this round."""
        if self.boards == 1:
            return []
        turns = range((number + 1) * self._positions(), rounds * self._positions())
        whole, rest = divmod(len(turns), self.boards)
        return [whole + ((board - turns.start) % self.boards < rest) for board in range(self.boards)]

    def _draw(
        self, number: int, pool: Sequence[str], schedule: Schedule, pairs: PairDraw, places: int
    ) -> list[Pairing]:
        """Draw a round among the entrants of `pool`."""
        points, excess = schedule.points_per_game(), schedule.seat_excess()
        ranking = sorted(pool, key=lambda entrant: -points.get(entrant, 0.0))
        groups: list[tuple[str, ...]]
        if self.seats == 2:
            ahead = self._ahead(number, self._rounds(places)) if self._positions() == 1 else []
            groups = [*pairs.draw(number, ranking, points, schedule, ahead)]
        else:
            tables = sizes(len(pool), self.seats, self.smallest)
            groups = draw_tables(ranking, points, schedule, tables, self.games)
        drawn = []
        for place, group in enumerate(groups):
            sitting = fewest(group, excess, self.games)
            drawn += match(number, place, sitting, games=self.games, paired=self.paired, places=places)
        return drawn
