"""Knock-out: the losers of a match are eliminated.

The tables of each round are drawn by seed, so that the best meet last; the best `through` of each table
advance. With two at a table this is the usual bracket. Where the numbers do not fit, some tables of the first
round are smaller, those of the top seeds first; an entrant at a table of no more than would advance has a
bye. A match is due as soon as all its entrants are known; it does not wait for the rest of the round.

Entrants that are tied for the last place to advance replay among themselves, one game at a time, with other
seats and on other boards; if they are still tied after `replays` games, the higher seed advances. A void game
decides nothing.

Tie-breaks: the round that was reached; then the place at the last table. So with two at a table all who lost
in the same round share a rank.

Bounds: the numbers of an entrant's positions on two boards differ by at most one, and one more for each
replay; if tables of several sizes play several games, by one more. With two at a table and an even number
of `games` seats are equal but for replays. Otherwise the results say who meets: two winners who had the
same seat cannot both have the other one, so an entrant may be off by one game for each round and replay.
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
from touchline.tournament.pairing import Pairing
from touchline.tournament.standings import ScoreTable, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from touchline.tournament.pairing import Played


class Knockout(ScheduledFormat, frozen=True, kw_only=True):
    """The losers of a match are eliminated."""

    seats: Seats = 2
    through: Annotated[int, Meta(ge=1, description="How many of a table advance; divides the seats.")] = 1
    games: Games = 1
    replays: Annotated[
        int, Meta(ge=0, le=100, description="Games between tied entrants before the seed decides.")
    ] = 2
    paired: Paired = True
    seed: Seed = 0

    name: ClassVar[str] = "knockout"
    tiebreaks: ClassVar[tuple[str, ...]] = ("round reached", "place at the table")

    def __post_init__(self) -> None:
        check_range(self.seats, 2, MOST_SEATS, "seats at a table")
        check_range(self.games, 1, 1000, "games at a table")
        check_range(self.replays, 0, 100, "replays")
        check_range(self.through, 1, self.seats - 1, "how many of a table advance")
        if self.seats % self.through:
            raise ValueError(f"{self.through} of {self.seats} advance: the first must divide the second")

    def table_sizes(self, entrants: int) -> set[int]:
        return {len(table) for table in self.first_tables(entrants) if len(table) > self.through}

    def first_tables(self, entrants: int) -> list[list[int]]:
        """Return the seeds at each table of the first round."""
        tables = 1
        while tables * self.seats < entrants:
            tables *= self.seats // self.through
        rows = -(-entrants // tables)
        return [[at for at in _snake(table, tables, rows) if at < entrants] for table in range(tables)]

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        return self._bracket(entrants, played, out).schedule

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        bracket = self._bracket(entrants, played, out)
        table = ScoreTable(entrants, bracket.schedule.games, {}, out)
        return table.ranked(bracket.reached, bracket.place)

    def _bracket(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> _Bracket:
        order = seeded(entrants, self.seats, self.seed)
        tables = len(order) * (self.games + self.replays)
        bracket = _Bracket(self, order, Schedule(played, out, order, tables=tables, boards=self.boards))
        bracket.play()
        return bracket


class _Bracket:
    """The tables of all rounds, as far as the results determine them."""

    def __init__(self, rules: Knockout, order: Sequence[str], schedule: Schedule) -> None:
        self._rules, self._order, self.schedule = rules, order, schedule
        self._seed = {entrant: index for index, entrant in enumerate(order)}
        self.reached = dict.fromkeys(order, 0.0)
        self.place = dict.fromkeys(order, 0.0)
        """Minus the place at the table in the round that was reached; 0 while it is undecided."""

    def play(self) -> None:
        ways = self._rules.seats // self._rules.through
        first = self._rules.first_tables(len(self._order))
        groups: list[list[str] | None] = [[self._order[at] for at in table] for table in first]
        tables = len(groups)
        for number in range(len(self._order)):
            on = [self._match(number, place, group, tables) for place, group in enumerate(groups)]
            if tables == 1:
                return
            tables //= ways
            groups = [_gathered(on[at] for at in _snake(table, tables, ways)) for table in range(tables)]

    def _match(self, number: int, place: int, group: list[str] | None, tables: int) -> list[str] | None:
        """Return those who advance from a table, the best first; None while that is undecided."""
        if group is None:
            return None
        first = place * (self._rules.games + self._rules.replays)
        sat = self.schedule.result(number, first)
        if sat is not None and not {*sat.pairing.entrants} <= {*group}:
            # A result was changed after this match was drawn: the played games stay.
            group = sorted(sat.pairing.entrants, key=self._seed.__getitem__)
        for entrant in group:
            self.reached[entrant] = float(number)
        cut = self._rules.through if tables > 1 else 1
        if len(group) <= cut:
            return group
        rules = self._rules
        games = match(
            number, place, fewest(group, self.schedule.seat_excess(), rules.games),
            games=rules.games, paired=rules.paired, places=len(self._order), spare=rules.replays,
        )  # fmt: skip
        turn = number * (-(-rules.games // rules.seats) if rules.paired else rules.games)
        played = self.schedule.play(games, turn)
        if played is None:
            return None
        marks: dict[str, tuple[float, ...]] = {entrant: (_sum(entrant, played),) for entrant in group}
        if not self._replayed(marks, cut, games[-1]):
            return None
        ranking = sorted(group, key=lambda entrant: marks[entrant], reverse=True)
        for entrant in group:
            self.place[entrant] = -1.0 - sum(marks[other] > marks[entrant] for other in group)
        return ranking[:cut]

    def _replayed(self, marks: dict[str, tuple[float, ...]], cut: int, last: Pairing) -> bool:
        """Break a tie for the last place to advance; return False while a replay is due."""
        for replay in range(self._rules.replays + 1):
            ranking = sorted(marks, key=lambda entrant: marks[entrant], reverse=True)
            line = marks[ranking[cut - 1]]
            level = [entrant for entrant in marks if marks[entrant] == line]
            if line != marks[ranking[cut]]:
                return True
            if replay == self._rules.replays:
                above = sum(mark > line for mark in marks.values())
                level.sort(key=self._seed.__getitem__)
                for index, entrant in enumerate(level):
                    marks[entrant] = (*line, float(index < cut - above))
                return True
            turn = (replay + 1) % len(level)
            game = Pairing(
                round=last.round,
                table=last.table + replay + 1,
                entrants=fewest([*level[turn:], *level[:turn]], self.schedule.seat_excess()),
                board=last.board + replay + 1,
            )
            played = self.schedule.play([game], replay + 1)
            if played is None:
                return False
            for entrant in marks:
                marks[entrant] = (*marks[entrant], _sum(entrant, played) if entrant in level else 0.0)
        return True


def _sum(entrant: str, played: Iterable[Played]) -> float:
    """Return the points of one entrant in some games."""
    mine = (
        share
        for game in played
        for name, share in zip(game.pairing.entrants, shares(game), strict=True)
        if name == entrant
    )
    return round(fsum(mine), 9)


def _snake(table: int, tables: int, rows: int) -> list[int]:
    """Return the seeds at a table when they are dealt out in a snake: forth, then back.

    >>> [_snake(table, 3, 2) for table in range(3)]
    [[0, 5], [1, 4], [2, 3]]
    """
    return [row * tables + (tables - 1 - table if row % 2 else table) for row in range(rows)]


def _gathered(parts: Iterable[list[str] | None]) -> list[str] | None:
    """Return all who advance from some tables; None while one of them is undecided."""
    together: list[str] = []
    for part in parts:
        if part is None:
            return None
        together += part
    return together
