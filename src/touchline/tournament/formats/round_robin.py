"""Round robin: all entrants meet.

Two at a table: all pairs, by the circle method. More at a table: every group, if there are few; else a cyclic
design, in which every two meet equally often or nearly so.

Tie-breaks: points; then direct encounter; then Sonneborn-Berger; then games won.

Bounds: the numbers of an entrant's games in two seats differ by at most one; when `games` is neither a
multiple of the seats nor one more, by at most two. So do, with two at a table, its positions on two boards,
by at most one, unless all must play each board equally often and that adds up to an odd number: three
entrants on two boards. Then by two. More at a table: boards within two for three, within three for more
seats.
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
from touchline.tournament.formats.shared.designs import everybody, in_rounds
from touchline.tournament.formats.shared.schedule import Schedule
from touchline.tournament.formats.shared.seating import match
from touchline.tournament.standings import ScoreTable, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.tournament.pairing import Played


class RoundRobin(ScheduledFormat, frozen=True, kw_only=True):
    """All entrants meet."""

    seats: Seats = 2
    rounds: Annotated[int, Meta(ge=1, le=1000, description="How often the round robin is repeated.")] = 1
    games: Games = 1
    paired: Paired = True
    seed: Seed = 0

    name: ClassVar[str] = "round_robin"
    tiebreaks: ClassVar[tuple[str, ...]] = ("points", "direct encounter", "Sonneborn-Berger", "won")

    def __post_init__(self) -> None:
        check_range(self.seats, 2, MOST_SEATS, "seats at a table")
        check_range(self.rounds, 1, 1000, "rounds")
        check_range(self.games, 1, 1000, "games at a table")

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        table = ScoreTable(entrants, self.schedule(entrants, played, out).games, {}, out)
        points = table.points()
        return table.ranked(points, table.direct(points), table.sonneborn_berger(), table.won())

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        order = seeded(entrants, self.seats, self.seed)
        schedule = Schedule(played, out, order, tables=len(order) * self.games, boards=self.boards)
        rounds = in_rounds(everybody(len(order), self.seats, self.rounds))
        matches = [
            match(
                number, place, [order[member] for member in group],
                games=self.games, paired=self.paired, places=len(order),
            )
            for number, groups in enumerate(rounds)
            for place, group in enumerate(groups)
        ]  # fmt: skip
        schedule.spread_boards([game for games in matches for game in games])
        for games in matches:
            schedule.play(games)
        return schedule
