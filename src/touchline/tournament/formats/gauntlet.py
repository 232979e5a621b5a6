"""Gauntlet: one or some entrants run against all the others.

The first of the entrants are the challengers; the others do not meet each other but at a challenger's table.
Two at a table: each challenger meets each of the others. More: the others sit down with each challenger in
groups, in the order they are listed, one further on each time it goes round; a last group that is too small
is filled up from the first. Lots are never drawn, as the order says who the challengers are.

Tie-breaks: points per game, for challengers play more games than the others; then points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta, Struct

from touchline.core.errors import BadOptions
from touchline.tournament.formats.base import MOST_SEATS, Games, Paired, Seats, seeded, within
from touchline.tournament.formats.shared.seating import evenly, match
from touchline.tournament.formats.shared.story import Story
from touchline.tournament.standings import Standing, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.tournament.pairing import Pairing, Played


class Gauntlet(Struct, frozen=True, kw_only=True):
    """One or some against all the others."""

    seats: Seats = 2
    challengers: Annotated[int, Meta(ge=1, description="How many of the first entrants are challengers.")] = 1
    rounds: Annotated[int, Meta(ge=1, le=1000, description="How many times each meets all.")] = 1
    games: Games = 1
    paired: Paired = True

    name: ClassVar[str] = "gauntlet"
    tiebreaks: ClassVar[tuple[str, ...]] = ("points per game", "points")

    def __post_init__(self) -> None:
        within(self.seats, 2, MOST_SEATS, "seats at a table")
        within(self.rounds, 1, 1000, "times each meets all")
        within(self.games, 1, 1000, "games at a table")
        within(self.challengers, 1, 1_000_000, "challengers")

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        return self._story(entrants, played, out).due or None

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        table = Table(entrants, self._story(entrants, played, out).games, {}, out)
        share = {
            entrant: round(line.points / max(1, line.games + line.walkovers), 9)
            for entrant, line in table.lines.items()
        }
        return table.ranked(share, table.points())

    def _story(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Story:
        order = seeded(entrants, self.seats, seed=0)
        story = Story(played, out, order, len(order) ** 2 * self.games)
        groups = evenly([group for number in range(self.rounds) for group in self._groups(order, number)])
        size = len(groups) // self.rounds
        for index, group in enumerate(groups):
            number, place = divmod(index, size)
            story.play(match(number, place, group, self.games, self.paired, len(order) ** 2))
        return story

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
