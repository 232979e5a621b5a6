"""Round robin: all meet all.

Two at a table: by the circle method, everybody once with everybody. More at a table: every group there is, if
they are few; else a cyclic design, in which every two meet equally often or nearly so. Everybody sits in each
seat equally often, or once off; when `games` is neither 1 nor a multiple of the seats, twice at most.

Tie-breaks: points; then direct encounter; then Sonneborn-Berger; then games won.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta, Struct

from touchline.tournament.formats.base import MOST_SEATS, Games, Paired, Seats, Seed, seeded, within
from touchline.tournament.formats.shared.designs import everybody, in_rounds
from touchline.tournament.formats.shared.seating import match
from touchline.tournament.formats.shared.story import Story
from touchline.tournament.standings import Standing, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.tournament.pairing import Pairing, Played


class RoundRobin(Struct, frozen=True, kw_only=True):
    """All meet all."""

    seats: Seats = 2
    rounds: Annotated[int, Meta(ge=1, le=1000, description="How many times it goes round.")] = 1
    games: Games = 1
    paired: Paired = True
    seed: Seed = 0

    name: ClassVar[str] = "round_robin"
    tiebreaks: ClassVar[tuple[str, ...]] = ("points", "direct encounter", "Sonneborn-Berger", "won")

    def __post_init__(self) -> None:
        within(self.seats, 2, MOST_SEATS, "seats at a table")
        within(self.rounds, 1, 1000, "times it goes round")
        within(self.games, 1, 1000, "games at a table")

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        return self._story(entrants, played, out).due or None

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        table = Table(entrants, self._story(entrants, played, out).games, {}, out)
        points = table.points()
        return table.ranked(points, table.direct(points), table.sonneborn_berger(), table.won())

    def _story(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Story:
        order = seeded(entrants, self.seats, self.seed)
        story = Story(played, out, order, len(order) * self.games)
        rounds = in_rounds(everybody(len(order), self.seats, self.rounds))
        for number, groups in enumerate(rounds):
            for place, group in enumerate(groups):
                sitting = [order[member] for member in group]
                story.play(match(number, place, sitting, self.games, self.paired, len(order)))
        return story
