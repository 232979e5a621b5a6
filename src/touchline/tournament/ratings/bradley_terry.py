"""Elo ratings by the Bradley-Terry model: maximum-likelihood strengths with error bars.

The probability that one beats another is 1 / (1 + 10 ** ((other - one) / 400)); a tie is half a win and half
a loss. As a prior, every entrant has also tied `prior` games with an imaginary player of average strength: so
an entrant that won or lost all its games has a finite rating, and groups that never met can be compared. With
many games the prior does not matter.

Law of this file: ratings do not depend on the order of the games. They are computed at once from exact sums
of all results, and their mean is 1500. Error bars are those of the distance from that mean. They come from
the games that are evidence, each distinct game once (`distinct.py`, `posterior.py`), and hold the rating.
They need not be symmetric: after few games, the truth is probably nearer to the mean than the rating.
"""

from __future__ import annotations

from math import exp, fsum, log
from typing import TYPE_CHECKING

from touchline.tournament.pairing import grouped
from touchline.tournament.ratings.base import SURE, Rating
from touchline.tournament.ratings.conjugate_gradients import conjugate_gradients
from touchline.tournament.ratings.evidence import DuelSums
from touchline.tournament.ratings.posterior import ELO, estimates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.pairing import Played

MEAN = 1500.0
SCALE = ELO
PRIOR = 1.0
STEPS = 200
"""The most Newton steps; a handful is usual."""
CLOSE = 1e-10
"""The step at which Newton's method has converged."""

Row = list[tuple[int, float, float]]
"""For one entrant: (opponent, weighted games, weighted score) for each opponent."""


def bradley_terry(
    played: Iterable[Played],
    entrants: Sequence[str] = (),
    prior: float = PRIOR,
    evidence: Iterable[Played] | None = None,
    *,
    bars: bool = True,
) -> list[Rating]:
    """Return the ratings of all who played, and of the entrants who did not, the best first.

    `evidence` are the games that error bars are computed from, each distinct game once; None for all games.
    Without `bars`, which take most of the time, `low` and `high` are the rating itself.
    """
    games = [*played]
    sums = RatingSums(entrants, prior)
    for game, times in grouped(games):
        sums.add(game, times)
    for game, times in grouped(games if evidence is None else evidence):
        sums.add_evidence(game, times)
    return sums.ratings(bars=bars)


class RatingSums:
    """The sums that ratings and their error bars are computed from."""

    def __init__(self, entrants: Sequence[str] = (), prior: float = PRIOR) -> None:
        if prior <= 0:
            raise ValueError("the prior must be above 0, or an entrant that won all its games has no rating")
        self._entrants, self._prior = entrants, prior
        self._all, self._evidence = DuelSums(), DuelSums()

    def add(self, game: Played, times: int = 1) -> None:
        """Add a game, or `times` equal ones, if it counts."""
        self._all.add(game, times)

    def add_evidence(self, game: Played, times: int = 1) -> None:
        """Add a distinct game, or `times` that ended alike, to what the error bars are computed from."""
        self._evidence.add(game, times)

    def ratings(self, *, bars: bool = True) -> list[Rating]:
        """Return the ratings, the best first; without `bars`, `low` and `high` are the rating itself."""
        names = sorted({*self._entrants, *self._all.games})
        if not names:
            return []
        strengths = _most_likely(self._all.rows(names), self._prior)
        middle = fsum(strengths) / len(strengths)
        values = [MEAN + SCALE * (strength - middle) for strength in strengths]
        reach = self._bars(names, strengths) if bars else [(value, value) for value in values]
        found = [
            Rating(
                name, round(value, 6), round(min(low, value), 6), round(max(high, value), 6),
                self._all.games[name],
            )
            for name, value, (low, high) in zip(names, values, reach, strict=True)
        ]  # fmt: skip
        return sorted(found, key=lambda rating: (-rating.value, rating.entrant))

    def _bars(self, names: Sequence[str], strengths: Sequence[float]) -> list[tuple[float, float]]:
        """Return the 95 % interval of each entrant."""
        evidence = self._evidence.evidence(names, dict(zip(names, strengths, strict=True)))
        found = []
        for mean, deviation in estimates(evidence):
            value, reach = MEAN + SCALE * mean, SCALE * SURE * deviation
            found.append((value - reach, value + reach))
        return found


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
    """Solve information * x = slope."""
    diagonal, rest = _information(rows, strengths, prior)

    def image_of(way: Sequence[float]) -> list[float]:
        return [
            own * part - fsum(weight * way[other] for other, weight in row)
            for own, part, row in zip(diagonal, way, rest, strict=True)
        ]

    return conjugate_gradients(image_of, diagonal, slope)
