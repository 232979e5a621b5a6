"""Gauntlet: one or more challengers play against all others.

The first entrants are the challengers; the others meet each other only at a challenger's table. Two at a
table: each challenger meets each of the others. More: the others join each challenger in groups, in the order
they are listed, shifted by one in every round; a last group that is too small is filled up with the first of
them. Lots are never drawn, because the order says who the challengers are.

Tie-breaks: points per game, because challengers play more games than the others; then points.

Bounds: with two at a table the numbers of an entrant's games in two seats, and its positions on two boards,
differ by at most one. More at a table: boards within three; seats within one if `games` is a multiple of
the seats or one more, else within two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from touchline.core.errors import BadOptions
from touchline.tournament.formats.base import (
    MOST_SEATS,
    Games,
    Paired,
    ScheduledFormat,
    Seats,
    check_range,
    seeded,
)
from touchline.tournament.formats.shared.schedule import Schedule
from touchline.tournament.formats.shared.seating import match, seated
from touchline.tournament.standings import ScoreTable, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.tournament.pairing import Played


class Gauntlet(ScheduledFormat, frozen=True, kw_only=True):
    """Challengers against all others."""

    seats: Seats = 2
    challengers: Annotated[int, Meta(ge=1, description="The first entrants that are challengers.")] = 1
    rounds: Annotated[int, Meta(ge=1, le=1000, description="How often each challenger meets all others.")] = 1
    games: Games = 1
    paired: Paired = True

    name: ClassVar[str] = "gauntlet"
    tiebreaks: ClassVar[tuple[str, ...]] = ("points per game", "points")

    def __post_init__(self) -> None:
        check_range(self.seats, 2, MOST_SEATS, "seats at a table")
        check_range(self.rounds, 1, 1000, "rounds")
        check_range(self.games, 1, 1000, "games at a table")
        check_range(self.challengers, 1, 1_000_000, "challengers")

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        table = ScoreTable(entrants, self.schedule(entrants, played, out).games, {}, out)
        share = {
            entrant: round(line.points / max(1, line.games + line.walkovers), 9)
            for entrant, line in table.lines.items()
        }
        return table.ranked(share, table.points())

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        order = seeded(entrants, self.seats, seed=0)
        schedule = Schedule(played, out, order, tables=len(order) ** 2 * self.games, boards=self.boards)
        drawn = [group for number in range(self.rounds) for group in self._groups(order, number)]
        groups = seated(drawn, self.games)
        size = len(groups) // self.rounds
        matches = [
            match(
                index // size, index % size, group,
                games=self.games, paired=self.paired, places=len(order) ** 2,
            )
            for index, group in enumerate(groups)
        ]  # fmt: skip
        schedule.spread_boards([game for games in matches for game in games])
        for games in matches:
            schedule.play(games)
        return schedule

    def _groups(self, order: Sequence[str], number: int) -> list[tuple[str, ...]]:
        challengers, others = order[: self.challengers], order[self.challengers :]
        if len(others) < self.seats - 1:
            raise BadOptions(
                f"{len(challengers)} challengers leave {len(others)} others for the {self.seats - 1} seats "
                "beside a challenger: give fewer challengers or fewer seats"
            )
        return [
            (challenger, *(others[(first + step + number) % len(others)] for step in range(self.seats - 1)))
            for challenger in challengers
            for first in range(0, len(others), self.seats - 1)
        ]
