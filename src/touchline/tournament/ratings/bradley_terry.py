"""Elo ratings by the model of Bradley and Terry: the most likely strengths, with error bars.

The chance that one beats another is 1 / (1 + 10 ** ((other - one) / 400)); a tie is half a win and half a
loss. Everybody is also taken to have tied `prior` games with an imaginary player of average strength: so who
won or lost everything has a rating that is far out but finite, and groups that never met can be put in one
list. With many games it does not matter.

Law of this file: ratings do not depend on the order of the games. They are found all at once from the sums
of all results, added up without rounding on the way, and their mean is 1500. Error bars are those of the
distance from that mean, from the inverse of the Fisher information; in a field of more than `WHOLE`, where
that takes too long, the others' strengths are taken for known, which makes the bars a little too short.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import exp, fsum, log, sqrt
from operator import mul
from typing import TYPE_CHECKING

from touchline.tournament.pairing import alike
from touchline.tournament.ratings.base import SURE, Rating, duels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.pairing import Played

MEAN = 1500.0
SCALE = 400 / log(10)
"""Elo points for one natural unit of strength."""
PRIOR = 1.0
WHOLE = 150
STEPS = 200
CLOSE = 1e-10

Row = list[tuple[int, float, float]]
"""For one entrant: whom it met, how often, and its score against them."""


def bradley_terry(
    played: Iterable[Played], entrants: Sequence[str] = (), prior: float = PRIOR
) -> list[Rating]:
    """The ratings of all who played, and of the entrants who did not, the best first."""
    sums = Sums(entrants, prior)
    for game, times in alike(played):
        sums.add(game, times)
    return sums.ratings()


class Sums:
    """What ratings are found from: added up game by game, in whole numbers, so the order does not matter."""

    def __init__(self, entrants: Sequence[str] = (), prior: float = PRIOR) -> None:
        if prior <= 0:
            raise ValueError("the prior must be above 0, or who has won everything has no rating")
        self._prior = prior
        self._games: Counter[str] = Counter(dict.fromkeys(entrants, 0))
        self._met: Counter[tuple[str, str, int]] = Counter()
        """How often one met another at a table of so many seats,"""
        self._half_points: Counter[tuple[str, str, int]] = Counter()
        """and twice what it scored."""

    def add(self, game: Played, times: int = 1) -> None:
        """A game more, if it counts, or some that are alike."""
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
        """The ratings as they are now, the best first."""
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
    """The score that a rating expects against another.

    >>> round(expected(1700, 1500), 3)
    0.76
    """
    return _sigmoid((one - other) / SCALE)


def _sigmoid(strength: float) -> float:
    if strength < 0:
        return 1 - _sigmoid(-strength)
    return 1 / (1 + exp(-strength))


def _most_likely(rows: Sequence[Row], prior: float) -> list[float]:
    """Newton's method; the logarithm of the likelihood is concave, and a step that goes too far is halved."""
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
    """Its logarithm."""
    parts = [prior / 2 * (_log_sigmoid(mine) + _log_sigmoid(-mine)) for mine in strengths]
    for mine, row in zip(strengths, rows, strict=True):
        parts += [score * _log_sigmoid(mine - strengths[other]) for other, _, score in row]
    return fsum(parts)


def _log_sigmoid(strength: float) -> float:
    return -log(1 + exp(-strength)) if strength > -30 else strength


def _information(
    rows: Sequence[Row], strengths: Sequence[float], prior: float
) -> tuple[list[float], list[list[tuple[int, float]]]]:
    """The Fisher information: its diagonal, and minus the rest of it, row by row."""
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
    """Information times what equals the slope? By conjugate gradients, as most entrants met few others."""
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
    """The standard error of each strength, measured from the mean of all."""
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
    """Of a matrix whose diagonal outweighs the rest, so that no rows need be exchanged."""
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
