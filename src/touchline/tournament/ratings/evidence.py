"""Sums of duels: what ratings are computed from, and how much evidence it is.

The duels of a table are not independent: who beat the strongest has probably beaten the others, too. So the
evidence of a table is less, or more, than that of as many separate games. `dispersion` says how much, by the
Plackett-Luce model, in which any two seats of a table play by the Bradley-Terry model.

Law of this file: all sums are integers, so the order of the games does not matter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, islice
from math import exp, fsum
from typing import TYPE_CHECKING

from touchline.tournament.ratings.base import duels
from touchline.tournament.ratings.posterior import Duels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.tournament.pairing import Played

MOST_TABLES = 500
"""The most different tables from which the dispersion is computed."""
LEAST = 0.1
"""The least dispersion: also if nearly all games are tied, they leave some doubt."""


class DuelSums:
    """The number of duels of every two entrants, and their scores, by the size of the table."""

    def __init__(self) -> None:
        self.games: Counter[str] = Counter()
        self._met: Counter[tuple[str, str, int]] = Counter()
        """(one, other, seats of the table) -> games."""
        self._half_points: Counter[tuple[str, str, int]] = Counter()
        """(one, other, seats of the table) -> twice the score of one."""
        self._ties: Counter[int] = Counter()
        """Seats of the table -> tied duels."""
        self._tables: Counter[tuple[str, ...]] = Counter()
        """The entrants at tables of more than two."""

    def add(self, game: Played, times: int = 1) -> None:
        """Add a game, or `times` equal ones, if it counts."""
        if game.verdict == "void" or len(game.ranks) < 2:
            return
        for entrant in game.pairing.entrants:
            self.games[entrant] += times
        seats = len(game.ranks)
        if seats > 2:
            self._tables[tuple(sorted(game.pairing.entrants))] += times
        for one, other, score, _ in duels([game]):
            self._met[one, other, seats] += times
            self._met[other, one, seats] += times
            self._half_points[one, other, seats] += times * round(2 * score)
            self._half_points[other, one, seats] += times * round(2 - 2 * score)
            self._ties[seats] += times * (score == 0.5)

    def rows(
        self, names: Sequence[str], weights: Mapping[int, float] | None = None
    ) -> list[list[tuple[int, float, float]]]:
        """Return for each entrant (opponent, weighted games, weighted score) for each opponent.

        `weights` are those of a duel by the size of the table; unless given, a table of k weighs k - 1 games.
        """
        number = {name: index for index, name in enumerate(names)}
        parts: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        for key in sorted(self._met):
            one, other, seats = key
            weight = 2 / seats if weights is None else weights[seats]
            parts[one, other].append((weight * self._met[key], weight * self._half_points[key] / 2))
        rows: list[list[tuple[int, float, float]]] = [[] for _ in names]
        for (one, other), found in parts.items():
            often, score = (fsum(column) for column in zip(*found, strict=True))
            rows[number[one]].append((number[other], often, score))
        return rows

    def evidence(self, names: Sequence[str], strengths: Mapping[str, float]) -> list[Duels]:
        """Return the duels of each entrant, weighted by what they are worth as evidence."""
        sizes = {seats for _, _, seats in self._met}
        weights = {seats: 2 / seats / self._dispersion(seats, strengths) for seats in sizes}
        return [
            Duels(
                tuple(other for other, _, _ in row), tuple(often for _, often, _ in row),
                fsum(score for _, _, score in row),
            )
            for row in self.rows(names, weights)
        ]  # fmt: skip

    def _dispersion(self, seats: int, strengths: Mapping[str, float]) -> float:
        """Return the variance of scores at tables of this size, as a share of what the weights assume."""
        assumed = fsum(
            often * _variance(strengths[one] - strengths[other])
            for (one, other, size), often in self._met.items()
            if size == seats and one < other
        )
        # The variance of a score is p (1 - p), less a quarter of the probability of a tie.
        tied = 1 - self._ties[seats] / 4 / assumed if assumed else 1.0
        tables = sorted(table for table in self._tables if len(table) == seats)
        chosen = islice(tables, 0, None, max(1, len(tables) // MOST_TABLES))
        found = [dispersion([strengths[one] for one in table]) for table in chosen]
        whole = fsum(assumed for _, assumed in found)
        return max(LEAST, tied * (fsum(variance for variance, _ in found) / whole if whole else 1.0))


def _variance(difference: float) -> float:
    """Return the variance of the score of a duel without ties."""
    chance = 1 / (1 + exp(-abs(difference)))
    return chance * (1 - chance)


def dispersion(strengths: Sequence[float]) -> tuple[float, float]:
    """Return the variance of the seats' scores at a table, summed, and what the weights of duels assume.

    For equals at a table of k, the ratio of the two is 2 (k + 1) / 3 k.

    >>> [round(variance / assumed, 3) for variance, assumed in map(dispersion, ([0, 0], [0, 0, 0], [0] * 6))]
    [1.0, 0.889, 0.778]
    """
    seats, weight = range(len(strengths)), 2 / len(strengths)
    top = max(strengths)
    power = [max(1e-12, exp(strength - top)) for strength in strengths]
    chance = [[power[one] / (power[one] + power[other]) for other in seats] for one in seats]
    single = fsum(chance[one][other] * chance[other][one] for one in seats for other in seats if one != other)
    shared = 0.0
    for one in seats:
        for other, third in combinations([seat for seat in seats if seat != one], 2):
            both = power[one] / (power[one] + power[other] + power[third])
            shared += 2 * (both - chance[one][other] * chance[one][third])
    return weight * weight * (single + shared), weight * single
