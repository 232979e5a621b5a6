"""What a rating is, and which results count for one.

Law of this file: a void game counts for nothing. A forfeited game counts as lost by whoever was at fault, as
in the standings.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from touchline.tournament.pairing import Played

SURE = 1.959963984540054
"""Standard errors on each side for 95 times of 100."""


class Rating(Struct, frozen=True):
    """How strong an entrant is, and where the truth lies 95 times of 100."""

    entrant: str
    value: float
    low: float
    high: float
    games: int


def rated(played: Iterable[Played]) -> list[Played]:
    """The games that count, in the order of their rounds and tables."""
    games = [game for game in played if game.verdict != "void" and len(game.ranks) > 1]
    return sorted(games, key=lambda game: (game.pairing.round, game.pairing.table, game.pairing.attempt))


def places(game: Played) -> list[int]:
    """The place of each seat; who was removed comes last."""
    return [len(game.ranks) + 1 if rank is None else rank for rank in game.ranks]


def duels(played: Iterable[Played]) -> Iterator[tuple[str, str, float, float]]:
    """Every two at a table as a game of two: one, other, one's score, and what it weighs.

    The duels of a table are not independent of each other. A table of k has k (k - 1) / 2 of them, and
    together they weigh as much as k - 1: the least number of games that could have ranked k players. Two who
    were both removed have not shown who is better.
    """
    for game in rated(played):
        weight = 2 / len(game.ranks)
        seats = zip(game.pairing.entrants, places(game), game.ranks, strict=True)
        for (one, first, rank), (other, second, rank_too) in combinations(seats, 2):
            if rank is not None or rank_too is not None:
                yield one, other, (first < second) + 0.5 * (first == second), weight
