"""Elo ratings by the Bradley-Terry model: maximum-likelihood strengths with error bars.

The probability that one beats another is 1 / (1 + 10 ** ((other - one) / 400)); a tie is half a win and half
a loss. As a prior, every entrant has also tied `prior` games with an imaginary player of average strength: so
an entrant that won or lost all its games has a finite rating, and groups that never met can be compared. With
many games the prior does not matter.

Law of this file: ratings do not depend on the order of the games. They are computed at once from exact sums
of all results, and their mean is 1500. Error bars are those of the distance from that mean, from the inverse
of the Fisher information. With more than `WHOLE` entrants that takes too long; then the others' strengths are
taken as known, which makes the bars a little too short.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import exp, fsum, log, sqrt
from operator import mul
from typing import TYPE_CHECKING

from touchline.tournament.pairing import grouped
from touchline.tournament.ratings.base import SURE, Rating, duels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.pairing import Played

MEAN = 1500.0
SCALE = 400 / log(10)
"""Elo points for one natural unit of strength."""
PRIOR = 1.0
WHOLE = 150
"""The most entrants for which the whole Fisher information is inverted."""
STEPS = 200
"""The most Newton steps; a handful is usual."""
CLOSE = 1e-10
"""The step at which Newton's method has converged."""

Row = list[tuple[int, float, float]]
"""For one entrant: (opponent, weighted games, weighted score) for each opponent."""


def bradley_terry(
    played: Iterable[Played], entrants: Sequence[str] = (), prior: float = PRIOR
) -> list[Rating]:
    """Return the ratings of all who played, and of the entrants who did not, the best first."""
    sums = RatingSums(entrants, prior)
    for game, times in grouped(played):
        sums.add(game, times)
    return sums.ratings()


class RatingSums:
    """The sums that ratings are computed from: integers, so the order of the games does not matter."""

    def __init__(self, entrants: Sequence[str] = (), prior: float = PRIOR) -> None:
        if prior <= 0:
            raise ValueError("the prior must be above 0, or an entrant that won all its games has no rating")
        self._prior = prior
        self._games: Counter[str] = Counter(dict.fromkeys(entrants, 0))
        self._met: Counter[tuple[str, str, int]] = Counter()
        """(one, other, seats of the table) -> games."""
        self._half_points: Counter[tuple[str, str, int]] = Counter()
        """(one, other, seats of the table) -> twice the score of one."""

    def add(self, game: Played, times: int = 1) -> None:
        """Add a game, or `times` equal ones, if it counts."""
        if game.verdict == "void" or len(game.ranks) < 2:
            return
        for entrant in game.pairing.entrants:
            self._games[entrant] += times
        seats = len(game.ranks)
        for one, other, score, _ in duels([game]):
            self._met[one, other, seats] += times
            self._met[other, one, seats] += times
            self._half_points[one, other, seats] += times * round(2 * score)
            self._half_points[other, one, seats] += times * round(2 - 2 * score)

    def ratings(self) -> list[Rating]:
        """Return the ratings, the best first."""
        names = sorted(self._games)
        if not names:
            return []
        rows, prior = self._rows(names), self._prior
        strengths = _most_likely(rows, prior)
        middle = fsum(strengths) / len(strengths)
        errors = _errors(rows, strengths, prior)
        found = []
        for name, strength, error in zip(names, strengths, errors, strict=True):
            value, reach = MEAN + SCALE * (strength - middle), SCALE * SURE * error
            low, high = round(value - reach, 6), round(value + reach, 6)
            found.append(Rating(name, round(value, 6), low, high, self._games[name]))
        return sorted(found, key=lambda rating: (-rating.value, rating.entrant))

    def _rows(self, names: Sequence[str]) -> list[Row]:
        number = {name: index for index, name in enumerate(names)}
        parts: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        for one, other, seats in sorted(self._met):
            weight, key = 2 / seats, (one, other, seats)
            parts[one, other].append((weight * self._met[key], weight * self._half_points[key] / 2))
        rows: list[Row] = [[] for _ in names]
        for (one, other), found in parts.items():
            often, score = (fsum(column) for column in zip(*found, strict=True))
            rows[number[one]].append((number[other], often, score))
        return rows


def expected(one: float, other: float) -> float:
    """Return the expected score of a rating against another.

    >>> round(expected(1700, 1500), 3)
    0.76
    """
    return _sigmoid((one - other) / SCALE)


def _sigmoid(strength: float) -> float:
    if strength < 0:
        return 1 - _sigmoid(-strength)
    return 1 / (1 + exp(-strength))


def _most_likely(rows: Sequence[Row], prior: float) -> list[float]:
    """Maximise the likelihood by Newton's method. It is log-concave; a step that goes too far is halved."""
    strengths = [0.0] * len(rows)
    height = _likelihood(rows, strengths, prior)
    for _ in range(STEPS):
        slope = [
            prior * (0.5 - _sigmoid(mine))
            + fsum(score - often * _sigmoid(mine - strengths[other]) for other, often, score in row)
            for mine, row in zip(strengths, rows, strict=True)
        ]
        step = _solved(rows, strengths, prior, slope)
        while True:
            ahead = [mine + part for mine, part in zip(strengths, step, strict=True)]
            higher = _likelihood(rows, ahead, prior)
            if higher >= height or max(map(abs, step), default=0.0) < CLOSE:
                break
            step = [part / 2 for part in step]
        strengths, height = ahead, higher
        if max(map(abs, step), default=0.0) < CLOSE:
            break
    return strengths


def _likelihood(rows: Sequence[Row], strengths: Sequence[float], prior: float) -> float:
    """Return the log-likelihood."""
    parts = [prior / 2 * (_log_sigmoid(mine) + _log_sigmoid(-mine)) for mine in strengths]
    for mine, row in zip(strengths, rows, strict=True):
        parts += [score * _log_sigmoid(mine - strengths[other]) for other, _, score in row]
    return fsum(parts)


def _log_sigmoid(strength: float) -> float:
    return -log(1 + exp(-strength)) if strength > -30 else strength


def _information(
    rows: Sequence[Row], strengths: Sequence[float], prior: float
) -> tuple[list[float], list[list[tuple[int, float]]]]:
    """Return the Fisher information: its diagonal, and the other entries negated, row by row."""
    diagonal, rest = [], []
    for mine, row in zip(strengths, rows, strict=True):
        parts = []
        for other, often, _ in row:
            chance = _sigmoid(mine - strengths[other])
            parts.append((other, often * chance * (1 - chance)))
        alone = _sigmoid(mine)
        diagonal.append(prior * alone * (1 - alone) + fsum(part for _, part in parts))
        rest.append(parts)
    return diagonal, rest


def _solved(
    rows: Sequence[Row], strengths: Sequence[float], prior: float, slope: Sequence[float]
) -> list[float]:
    """Solve information * x = slope by conjugate gradients: the matrix is sparse, most entrants met few."""
    diagonal, rest = _information(rows, strengths, prior)
    answer = [0.0] * len(rows)
    left = [*slope]
    scaled = [part / own for part, own in zip(left, diagonal, strict=True)]
    way = [*scaled]
    product = fsum(map(mul, left, scaled))
    for _ in range(2 * len(rows) + 10):
        if product < 1e-26:
            break
        image = [
            own * part - fsum(weight * way[other] for other, weight in row)
            for own, part, row in zip(diagonal, way, rest, strict=True)
        ]
        far = product / fsum(map(mul, way, image))
        answer = [part + far * there for part, there in zip(answer, way, strict=True)]
        left = [part - far * there for part, there in zip(left, image, strict=True)]
        scaled = [part / own for part, own in zip(left, diagonal, strict=True)]
        before, product = product, fsum(map(mul, left, scaled))
        way = [part + product / before * there for part, there in zip(scaled, way, strict=True)]
    return answer


def _errors(rows: Sequence[Row], strengths: Sequence[float], prior: float) -> list[float]:
    """Return the standard error of each strength, measured from the mean of all."""
    count = len(rows)
    diagonal, rest = _information(rows, strengths, prior)
    if count > WHOLE:
        return [1 / sqrt(own) for own in diagonal]
    matrix = [[0.0] * count for _ in range(count)]
    for one, (own, row) in enumerate(zip(diagonal, rest, strict=True)):
        matrix[one][one] = own
        for other, weight in row:
            matrix[one][other] = -weight
    inverse = _inverse(matrix)
    sums = [fsum(row) for row in inverse]
    total = fsum(sums) / count**2
    return [sqrt(max(0.0, row[one] - 2 * sums[one] / count + total)) for one, row in enumerate(inverse)]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Invert a diagonally dominant matrix, for which Gauss-Jordan elimination needs no pivoting."""
    count = len(matrix)
    rows = [[*row, *(float(one == other) for other in range(count))] for one, row in enumerate(matrix)]
    for one in range(count):
        pivot = rows[one][one]
        rows[one] = own = [part / pivot for part in rows[one]]
        for other in range(count):
            factor = rows[other][one]
            if other != one and factor:
                rows[other] = [part - factor * mine for part, mine in zip(rows[other], own, strict=True)]
    return [row[count:] for row in rows]
