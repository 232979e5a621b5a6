"""`Rating`, and the results that count for it.

Law of this file: a void game does not count. A forfeited game counts as lost by the entrant at fault, as in
the standings.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from touchline.tournament.pairing import Played

SURE = 1.959963984540054
"""Standard errors on each side of a 95 % confidence interval."""


class Rating(Struct, frozen=True):
    """The estimated strength of an entrant, with its 95 % confidence interval."""

    entrant: str
    value: float
    low: float
    high: float
    games: int

    @property
    def text(self) -> str:
        """The rating with its interval, if there is one.

        >>> Rating("ann", 1712.3, 1604.0, 1760.2, 20).text
        '1712 [1604, 1760]'
        """
        bars = f" [{self.low:.0f}, {self.high:.0f}]" if self.low < self.high else ""
        return f"{self.value:.0f}{bars}"


def rated(played: Iterable[Played]) -> list[Played]:
    """Return the games that count, by round, table and attempt."""
    games = [game for game in played if game.verdict != "void" and len(game.ranks) > 1]
    return sorted(games, key=lambda game: (game.pairing.round, game.pairing.table, game.pairing.attempt))


def places(game: Played) -> list[int]:
    """Return the place of each seat; a removed seat comes last."""
    return [len(game.ranks) + 1 if rank is None else rank for rank in game.ranks]


def duels(played: Iterable[Played]) -> Iterator[tuple[str, str, float, float]]:
    """Split each game into games of two: yield (one, other, score of one, weight).

    The duels of a table are not independent of each other. A table of k has k (k - 1) / 2 of them, and
    together they weigh k - 1: the least number of games that could have ranked k players. Two removed seats
    have not shown which is better, so they have no duel.
    """
    for game in rated(played):
        weight = 2 / len(game.ranks)
        seats = zip(game.pairing.entrants, places(game), game.ranks, strict=True)
        for (one, first, rank), (other, second, rank_too) in combinations(seats, 2):
            if rank is not None or rank_too is not None:
                yield one, other, (first < second) + 0.5 * (first == second), weight
