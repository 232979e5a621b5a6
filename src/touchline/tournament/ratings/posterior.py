"""Error bars of ratings: where the true strengths are, given the games that count as evidence.

The strengths of a field are taken as drawn from a normal distribution, whose spread is unknown and is
estimated along with them. That matters in a Swiss system: who wins by luck meets others who won by luck, so
the results say little about how far the field is spread, and bars that ignore this are far too short.

For each of a few spreads, the posterior distribution of the strengths is approximated by a normal one
(variational Gaussian approximation); the spreads are then weighted by how well they explain the results.
Above `EXACT` entrants, the variances are estimated from random vectors with the posterior's precision; all
but the uncertainty that comes from the opponents is computed, not sampled (Rao-Blackwell). Where most have
met, that uncertainty is the field's, and nothing is sampled.

Law of this file: the same evidence gives the same bars. The random vectors have a fixed seed.
"""

from __future__ import annotations

from math import exp, fsum, log, pi, sqrt
from operator import mul
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from touchline.tournament.ratings.conjugate_gradients import conjugate_gradients

if TYPE_CHECKING:
    from collections.abc import Sequence

ELO = 400 / log(10)
"""Elo points for one natural unit of strength."""
SPREADS = tuple(elo / ELO for elo in (40, 75, 140, 260, 490, 920))
"""The spreads of a field that are considered: standard deviations of the strengths."""
USUAL, UNUSUAL = 200 / ELO, 0.6
"""What is known of a field's spread before the games: its median, and the standard deviation of its log."""
EXACT = 40
"""The most entrants for which the precision is inverted."""
DENSE = 1 / 3
"""The share of all pairs from which on a field is taken as one in which all have met."""
VECTORS = 16
BETWEEN = 8
"""Spreads that are interpolated between two neighbours of `SPREADS`."""
NARROW = 1.01
"""How much too small the expected squares of the normal approximation are, measured in simulated cups: there,
the derivative of the log-evidence must be 0 on average at the true spread. Without it, the spread that is
estimated from a large Swiss system would be too small."""
TOO_SURE = 1.015
"""How much too small the standard deviations of the normal approximation are, measured in the same cups."""
NEWTON_STEPS = 12
CLOSE = 0.02
"""The last step of Newton's method: what is left is of the order of its square, far less than a bar."""
LARGE = 500
"""The number of entrants above which means and variances, which depend on each other, are computed once for
each spread, not twice: the second time changes them by a percent."""


class Duels(NamedTuple):
    """The evidence of one entrant: its opponents, how much each duel weighs, and its weighted score."""

    others: tuple[int, ...]
    weights: tuple[float, ...]
    score: float


class Estimate(NamedTuple):
    """The posterior mean of a strength, measured from the mean of the field, and its standard deviation."""

    mean: float
    deviation: float


class _Posterior(NamedTuple):
    """The posterior distribution for one spread."""

    spread: float
    means: list[float]
    variances: list[float]

    def square(self) -> float:
        """Return the expected sum of the squares of all strengths."""
        return fsum(mean * mean for mean in self.means) + fsum(self.variances)

    def centred(self) -> _Posterior:
        """Return the distribution of the distances from the mean of the field."""
        count = len(self.means)
        middle = fsum(self.means) / count
        # The precision's rows add up to that of the prior, so the field's mean has the prior's variance.
        less = self.spread**2 / count
        return _Posterior(
            self.spread,
            [mean - middle for mean in self.means],
            [max(0.0, variance - less) for variance in self.variances],
        )


def estimates(duels: Sequence[Duels]) -> list[Estimate]:
    """Return the posterior mean and standard deviation of every strength."""
    found, fit = list[_Posterior](), _Fit(duels)
    for spread in SPREADS:
        found.append(fit.posterior(spread))
    return _mixed(found, len(duels))


def _mixed(found: Sequence[_Posterior], count: int) -> list[Estimate]:
    """Average the posteriors over the spreads, each weighted by its evidence."""
    points = _interpolated(found, count)
    most = max(evidence for _, _, evidence in points)
    weights = [exp(evidence - most) for _, _, evidence in points]
    total = fsum(weights)
    first, cross, second = [0.0] * len(found), [0.0] * len(found), [0.0] * len(found)
    for (at, share, _), weight in zip(points, weights, strict=True):
        here, part = weight / total, share
        first[at] += here * (1 - part)
        second[at] += here * (1 - part) ** 2
        if part:
            first[at + 1] += here * part
            second[at + 1] += here * part**2
            cross[at] += 2 * here * part * (1 - part)
    centred = [one.centred() for one in found]
    return [_moments(centred, index, first, second, cross) for index in range(count)]


def _moments(
    found: Sequence[_Posterior], index: int,
    first: Sequence[float], second: Sequence[float], cross: Sequence[float],
) -> Estimate:  # fmt: skip
    """Return the mean and deviation of one entrant over all spreads, by their weights."""
    means = [one.means[index] for one in found]
    variances = [one.variances[index] for one in found]
    mean = fsum(map(mul, first, means))
    square = fsum(weight * one * one for weight, one in zip(second, means, strict=True))
    square += fsum(weight * one * other for weight, one, other in zip(cross, means, means[1:], strict=False))
    variance = fsum(map(mul, first, variances)) + square - mean * mean
    return Estimate(mean, TOO_SURE * sqrt(max(0.0, variance)))


def _interpolated(found: Sequence[_Posterior], count: int) -> list[tuple[int, float, float]]:
    """Return points between the spreads: (the one below, the way to the next, the log of the evidence).

    The derivative of the log-evidence by the log of the prior's variance is (E / variance - n) / 2, with E
    the expected sum of squares, which changes slowly.
    """
    logs = [2 * log(one.spread) for one in found]
    squares = [log(NARROW * one.square()) for one in found]
    points, evidence, before = list[tuple[int, float, float]](), 0.0, (0.0, 0.0)
    for at in range(len(found)):
        for step in range(BETWEEN if at + 1 < len(found) else 1):
            way = step / BETWEEN
            ahead = min(at + 1, len(found) - 1)
            where = logs[at] + way * (logs[ahead] - logs[at])
            square = exp(squares[at] + way * (squares[ahead] - squares[at]))
            slope = (square / exp(where) - count) / 2
            if points:
                evidence += (slope + before[1]) / 2 * (where - before[0])
            before = (where, slope)
            known = -0.5 * ((where / 2 - log(USUAL)) / UNUSUAL) ** 2
            points.append((at, way, evidence + known))
    return points


class _Fit:
    """Fits posteriors, each beginning from the one before."""

    def __init__(self, duels: Sequence[Duels]) -> None:
        self._duels = duels
        self._means = [0.0] * len(duels)
        self._spread = SPREADS[0]
        self._gaps = [[SPREADS[0] ** 2] * len(one.others) for one in duels]
        """The variance of the difference of the two strengths in each duel."""
        self._is_dense = sum(len(one.others) for one in duels) > DENSE * len(duels) ** 2
        sampled = len(duels) > EXACT and not self._is_dense
        rng = Random(0)
        self._noise = [
            ([rng.gauss(0, 1) for _ in duels], [[rng.gauss(0, 1) for _ in one.others] for one in duels])
            for _ in range(VECTORS if sampled else 0)
        ]

    def posterior(self, spread: float) -> _Posterior:
        """Return the posterior for this spread."""
        variances: list[float] = []
        self._widen(spread)
        for _ in range(1 if len(self._duels) > LARGE else 2):
            diagonal, weights = self._climb(spread)
            if len(self._duels) <= EXACT:
                variances = self._invert(diagonal, weights)
            elif self._is_dense:
                variances = self._approximate(diagonal, spread)
            else:
                variances = self._sample(diagonal, weights, spread)
        return _Posterior(spread, [*self._means], variances)

    def _widen(self, spread: float) -> None:
        """Predict the variances of the differences for a new spread: the precision of the prior changes."""
        change = 2 / spread**2 - 2 / self._spread**2
        least = 2 / spread**2
        self._gaps = [[4 / max(4 / gap + change, least) for gap in gaps] for gaps in self._gaps]
        self._spread = spread

    def _climb(self, spread: float) -> tuple[list[float], list[list[float]]]:
        """Move the means to where their expected slope is 0; return the precision there."""
        damping = [[_damped(gap) for gap in gaps] for gaps in self._gaps]
        for _ in range(NEWTON_STEPS):
            slope, diagonal, weights = self._slope(spread, damping)
            step = solved(diagonal, self._duels, weights, slope, 1e-4)
            far = max(map(abs, step), default=0.0)
            part = min(1.0, 2 / far) if far else 1.0
            self._means = [mean + part * own for mean, own in zip(self._means, step, strict=True)]
            if far < CLOSE:
                break
        return diagonal, weights

    def _slope(
        self, spread: float, damping: Sequence[Sequence[float]]
    ) -> tuple[list[float], list[float], list[list[float]]]:
        slope, diagonal, weights = [], [], []
        for own, one, damps in zip(self._means, self._duels, damping, strict=True):
            row, expected = [], 0.0
            for other, weight, damp in zip(one.others, one.weights, damps, strict=True):
                chance = 1 / (1 + exp(min(700.0, damp * (self._means[other] - own))))
                expected += weight * chance
                row.append(weight * damp * chance * (1 - chance))
            slope.append(one.score - expected - own / spread**2)
            diagonal.append(sum(row) + 1 / spread**2)
            weights.append(row)
        return slope, diagonal, weights

    def _invert(self, diagonal: Sequence[float], weights: Sequence[Sequence[float]]) -> list[float]:
        """Return the exact variances."""
        matrix = [[0.0] * len(diagonal) for _ in diagonal]
        for index, (own, one, row) in enumerate(zip(diagonal, self._duels, weights, strict=True)):
            matrix[index][index] = own
            for other, weight in zip(one.others, row, strict=True):
                matrix[index][other] = -weight
        found = inverse(matrix)
        variances = [row[index] for index, row in enumerate(found)]
        self._gaps = [
            [variances[index] + variances[other] - 2 * found[index][other] for other in one.others]
            for index, one in enumerate(self._duels)
        ]
        return variances

    def _approximate(self, diagonal: Sequence[float], spread: float) -> list[float]:
        """Return the variances in a field in which nearly all have met nearly equally often."""
        alone = [1 / own for own in diagonal]
        self._gaps = [
            [mine + alone[other] for other in one.others]
            for mine, one in zip(alone, self._duels, strict=True)
        ]
        return [own + spread**2 / len(diagonal) for own in alone]

    def _sample(
        self, diagonal: Sequence[float], weights: Sequence[Sequence[float]], spread: float
    ) -> list[float]:
        """Return estimated variances."""
        count = len(diagonal)
        from_others = [0.0] * count
        apart = [[0.0] * len(one.others) for one in self._duels]
        for alone, together in self._noise:
            vector = [noise / spread for noise in alone]
            for index, (one, row, noises) in enumerate(zip(self._duels, weights, together, strict=True)):
                for other, weight, noise in zip(one.others, row, noises, strict=True):
                    if other > index:
                        push = sqrt(weight) * noise
                        vector[index] += push
                        vector[other] -= push
            errors = solved(diagonal, self._duels, weights, vector, 1e-3)
            for index, (one, row) in enumerate(zip(self._duels, weights, strict=True)):
                near = [errors[other] for other in one.others]
                from_others[index] += (sum(map(mul, row, near)) / diagonal[index]) ** 2
                mine, gaps = errors[index], apart[index]
                for place, there in enumerate(near):
                    gaps[place] += (mine - there) ** 2
        self._gaps = [[gap / VECTORS for gap in gaps] for gaps in apart]
        return [1 / own + far / VECTORS for own, far in zip(diagonal, from_others, strict=True)]


def _damped(variance: float) -> float:
    """Return the factor by which an uncertain difference has a smaller effect on a probability."""
    return 1 / sqrt(1 + pi * variance / 8)


def solved(
    diagonal: Sequence[float], duels: Sequence[Duels], weights: Sequence[Sequence[float]],
    right: Sequence[float], precision: float,
) -> list[float]:  # fmt: skip
    """Solve precision matrix * x = right."""
    neighbours = [one.others for one in duels]

    def image_of(way: Sequence[float]) -> list[float]:
        at = way.__getitem__
        return [
            own * part - sum(map(mul, row, map(at, others)))
            for own, part, row, others in zip(diagonal, way, weights, neighbours, strict=True)
        ]

    return conjugate_gradients(image_of, diagonal, right, precision, sum)


def inverse(matrix: list[list[float]]) -> list[list[float]]:
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
