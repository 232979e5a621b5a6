"""The tournament manager of the Fish course: a knock-out in games of up to four.

"Rounds of knock-out: the top scorer(s) of each game go on. Before each round the pool is put back into age
order." "Stop when two rounds in a row give the same winners; or fewer than 2 players are left (they win); or
<= 4 are left: play that one final game." The entrants are listed by age, the youngest first, and sit in that
order. All entrants of a void game advance.

Tie-breaks: the round that was reached, one more for the winners; then the place in the last game.

Bounds: the numbers of an entrant's games on two boards differ by at most one. Seats follow from the ages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from touchline.tournament.formats.base import ScheduledFormat, seeded
from touchline.tournament.formats.shared.schedule import Schedule, present
from touchline.tournament.pairing import Pairing
from touchline.tournament.standings import ScoreTable, Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.tournament.pairing import Played

LARGEST = 4
"""The most players in a game."""


def allocation(players: int) -> list[int]:
    """Return the number of players in each game of a round.

    "Games of 4 in ascending age; if one player is left over, undo the last game and use games one smaller."

    >>> [allocation(players) for players in (5, 6, 7, 9, 13)]
    [[3, 2], [4, 2], [4, 3], [4, 3, 2], [4, 4, 3, 2]]
    """
    games: list[int] = []
    size, left = LARGEST, players
    while left:
        if left >= size:
            games.append(size)
            left -= size
        elif left == 1:
            left += games.pop()
            size -= 1
        else:
            games.append(left)
            left = 0
    return games


class FishManager(ScheduledFormat, frozen=True, kw_only=True):
    """The Fish course's knock-out, in games of up to four."""

    name: ClassVar[str] = "fish_manager"
    seats: ClassVar[int] = LARGEST
    tiebreaks: ClassVar[tuple[str, ...]] = ("round reached", "place at the table")

    def table_sizes(self, entrants: int) -> set[int]:
        return {*allocation(entrants)}

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        return _Pool(entrants, played, out, self.boards).schedule

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        pool = _Pool(entrants, played, out, self.boards)
        return ScoreTable(entrants, pool.schedule.games, {}, out).ranked(pool.reached, pool.place)


class _Pool:
    """The entrants that are still in, round by round."""

    def __init__(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str], boards: int
    ) -> None:
        self._ages = seeded(entrants, 2, seed=0)
        self.schedule = Schedule(played, out, entrants, tables=len(entrants), boards=boards)
        self.reached = dict.fromkeys(entrants, 0.0)
        self.place = dict.fromkeys(entrants, 0.0)
        """Minus the place in the last game."""
        self._rounds()

    def _rounds(self) -> None:
        pool, before, number = self._ages, None, 0
        while len(pool) >= 2:
            winners = self._round(number, pool)
            if winners is None:
                return
            number += 1
            for entrant in winners:
                self.reached[entrant] = float(number)
            if len(pool) <= LARGEST or winners == before:
                return
            pool = before = winners

    def _round(self, number: int, pool: list[str]) -> list[str] | None:
        """Return the winners of a round by age; None while it is being played."""
        drawn, left = [], iter(pool)
        for table, size in enumerate(allocation(len(pool))):
            group = tuple(next(left) for _ in range(size))
            drawn.append(Pairing(number, table, group, board=number * len(self._ages) + table))
        games = self.schedule.play_round(number, drawn, turn=number)
        if games is None:
            return None
        for game in games:
            if game.verdict != "void":
                for entrant, rank in zip(game.pairing.entrants, game.ranks, strict=True):
                    self.place[entrant] = -float(len(game.ranks) + 1 if rank is None else rank)
        winners = {entrant for game in games for entrant in _advancing(game)}
        return [entrant for entrant in self._ages if entrant in winners]


def _advancing(game: Played) -> tuple[str, ...]:
    """Return the entrants that advance from a game."""
    if game.verdict == "void":
        return present(game)
    return tuple(game.pairing.entrants[seat] for seat in game.winners)
