from collections.abc import Collection, Sequence
from typing import Annotated, ClassVar

from msgspec import Meta

from touchline.tournament.formats.base import ScheduledFormat, seeded
from touchline.tournament.formats.shared.schedule import Schedule
from touchline.tournament.formats.shared.seating import match
from touchline.tournament.pairing import Played
from touchline.tournament.standings import ScoreTable, Standing


class AllPlay(ScheduledFormat, frozen=True, kw_only=True):
    """All entrants at one table."""

    games: Annotated[int, Meta(ge=1, description="How many games.")] = 1

    name: ClassVar[str] = "all_play"
    seats: ClassVar[int] = 2
    tiebreaks: ClassVar[tuple[str, ...]] = ("points", "won")

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        order = seeded(entrants, self.seats, seed=0)
        schedule = Schedule(played, out, order, tables=self.games, boards=self.boards)
        schedule.play(match(0, 0, order, games=self.games, paired=True, places=1))
        return schedule

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        table = ScoreTable(entrants, self.schedule(entrants, played, out).games, {}, out)
        return table.ranked(table.points(), table.won())
