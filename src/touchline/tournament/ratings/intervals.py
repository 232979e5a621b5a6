"""Confidence intervals of shares and means.

Law of this file: the fewer the observations, the wider the interval; a hundred wins out of a hundred still
leave room below 1. Every interval is two-sided: at 95 % the true value is above `low` with a probability of
97.5 %. For a one-sided bound of 95 % ask for a confidence of 0.90.
"""

from __future__ import annotations

from math import cos, fsum, pi, sin, sqrt
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95


class Interval(Struct, frozen=True):
    """An estimate with its confidence interval."""

    value: float
    low: float
    high: float


def wilson(won: float, games: int, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval of a share of wins. A tie may count as half a win: that is conservative.

    >>> wilson(8, 10)
    Interval(value=0.8, low=0.4901624715, high=0.9433178485)
    >>> wilson(0, 0)
    Interval(value=0.5, low=0.0, high=1.0)
    """
    if not 0 <= won <= games:
        raise ValueError(f"{won} wins in {games} games: give a number between 0 and the number of games")
    if games == 0:
        return Interval(0.5, 0.0, 1.0)
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    share = won / games
    centre = (share + z2 / (2 * games)) / (1 + z2 / games)
    reach = sqrt(z2 * (share * (1 - share) + z2 / (4 * games)) / games) / (1 + z2 / games)
    return _within(share, centre - reach, centre + reach)


def mean_of_pairs(scores: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the mean score of pairs of games, each between 0 and 1, with its interval by Student's t.

    The two games of a pair share a board, so they are not independent, but pairs are: a pair is one
    observation, never two. If all pairs scored the same, their variance says nothing, and Wilson's interval
    for this number of observations is used: it allows for the largest variance between 0 and 1.

    >>> mean_of_pairs([1.0, 0.5, 1.0, 0.5, 0.75])
    Interval(value=0.75, low=0.4395840004, high=1.0)
    >>> mean_of_pairs([1.0] * 100).low
    0.9630065018
    """
    if any(not 0 <= score <= 1 for score in scores):
        raise ValueError("the score of a pair is between 0 and 1: add up its two games and halve the sum")
    count = len(scores)
    if count == 0:
        return Interval(0.5, 0.0, 1.0)
    mean = fmean(scores)
    squares = fsum((score - mean) ** 2 for score in scores)
    if squares < 1e-12:
        return wilson(min(mean * count, count), count, confidence)
    reach = student((1 + confidence) / 2, count - 1) * sqrt(squares / (count - 1) / count)
    return _within(mean, mean - reach, mean + reach)


def _within(value: float, low: float, high: float) -> Interval:
    """Clip to [0, 1], and round to digits that all machines agree on."""
    return Interval(round(value, 10), round(max(low, 0.0), 10), round(min(high, 1.0), 10))


def student(share: float, freedom: int) -> float:
    """Return the quantile of Student's t distribution.

    >>> round(student(0.975, 4), 4)
    2.7764
    """
    if not (0 < share < 1 and freedom >= 1):
        raise ValueError(f"there is no quantile of Student's t for {share} and {freedom} degrees of freedom")
    if share < 0.5:
        return -student(1 - share, freedom)
    z = NormalDist().inv_cdf(share)
    if freedom > 1000:  # here the Cornish-Fisher expansion is exact to nine digits
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / freedom + second / freedom**2 + third / freedom**3
    low, high = 0.0, pi / 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, freedom) < share else (low, middle)
    return sin(low) / cos(low) * sqrt(freedom)


def _below(angle: float, freedom: int) -> float:
    """Return the distribution function at t = tan(angle) * sqrt(freedom), t >= 0: a finite sum."""
    square = cos(angle) ** 2
    term = 1.0 if freedom % 2 == 0 else cos(angle)
    terms = [term] if freedom > 1 else []
    for step in range(2 + freedom % 2, freedom - 1, 2):
        term *= square * (step - 1) / step
        terms.append(term)
    between = sin(angle) * fsum(terms)
    if freedom % 2:
        between = (angle + between) * 2 / pi
    return (1 + between) / 2
