"""The sequential probability ratio test, on games or on pairs of games: is the new version better?

It compares two hypotheses: that the new version is `elo0` better (H0), or `elo1` (H1). After each game the
likelihood ratio may be looked at, and the test stops as soon as it is beyond a bound; H1 is accepted wrongly
with a probability of `alpha`, H0 with `beta`. This is the generalised test: a hypothesis fixes only the mean
score, and the probabilities of the outcomes are the maximum-likelihood ones with that mean.

Law of this file: the two games of a pair share a board and are one observation with five outcomes. Without
pairs a game is one observation with three. Never mix them.
"""

from __future__ import annotations

from collections import defaultdict
from math import fsum, log, log10, sqrt
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from touchline.tournament.pairing import duel_score
from touchline.tournament.ratings.base import SURE
from touchline.tournament.ratings.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.pairing import Played

RARE = 1e-3
"""The count of an outcome that was never seen, so that no likelihood is 0."""
FAR = 2000.0
"""The largest estimate, in Elo points."""


class Judgement(Struct, frozen=True):
    """The state of the test after some observations."""

    verdict: Literal["H0", "H1", "continue"]
    """H1: at least `elo1` better. H0: no more than `elo0`."""
    llr: float
    """The log-likelihood ratio."""
    lower: float
    upper: float
    count: int
    """Games, or pairs of games."""
    elo: Interval
    """The estimated gain. Early stopping biases it a little away from 0."""


class Sprt(Struct, frozen=True):
    """A test, fixed before the first game."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -FAR < self.elo0 < self.elo1 < FAR:
            raise ValueError(f"elo0 must be less than elo1, and both within ±{FAR:.0f}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta are error probabilities: between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """
        >>> Sprt(0, 5).bounds
        (-2.9444389791664403, 2.9444389791664403)
        """
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def judge(self, counts: Sequence[int]) -> Judgement:
        """Judge the counts of outcomes: (lost, tied, won), or for pairs the five from 0 to 2 points.

        >>> judgement = Sprt(0, 5).judge((1100, 5000, 1200))
        >>> judgement.verdict, round(judgement.llr, 4)
        ('continue', 2.1691)
        """
        if len(counts) not in (3, 5) or min(counts) < 0:
            raise ValueError("give three counts (lost, tied, won), or five for pairs of games")
        lower, upper = self.bounds
        llr = ratio(counts, score(self.elo0), score(self.elo1))
        verdict: Literal["H0", "H1", "continue"] = "continue"
        if llr >= upper:
            verdict = "H1"
        elif llr <= lower:
            verdict = "H0"
        return Judgement(verdict, llr, lower, upper, sum(counts), elo(counts))


def score(elo: float) -> float:
    """Return the mean score of a player that is `elo` points better.

    >>> score(0), round(score(200), 3)
    (0.5, 0.76)
    """
    return float(1 / (1 + 10 ** (-elo / 400)))


def ratio(counts: Sequence[int], first: float, second: float) -> float:
    """Return the log-likelihood ratio of the counts: mean score `second` against `first`."""
    if not sum(counts):
        return 0.0
    seen = [count or RARE for count in counts]
    before, after = _tilted(seen, first), _tilted(seen, second)
    return fsum(count * log(then / now) for count, now, then in zip(seen, before, after, strict=True))


def _tilted(seen: Sequence[float], mean: float) -> list[float]:
    """Return the maximum-likelihood probabilities of the outcomes, given their mean.

    By Lagrange's method they are the observed shares, each divided by 1 + tilt * (outcome - mean), with the
    one tilt that gives this mean. The mean falls as the tilt grows, so it is found by bisection.
    """
    total, last = fsum(seen), len(seen) - 1
    gaps = [index / last - mean for index in range(last + 1)]
    low, high = -1 / gaps[-1], -1 / gaps[0]
    for _ in range(200):
        tilt = (low + high) / 2
        if not low < tilt < high:
            break
        if fsum(count * gap / (1 + tilt * gap) for count, gap in zip(seen, gaps, strict=True)) > 0:
            low = tilt
        else:
            high = tilt
    return [count / total / (1 + tilt * gap) for count, gap in zip(seen, gaps, strict=True)]


def elo(counts: Sequence[int]) -> Interval:
    """Return the estimated gain in Elo, with its 95 % confidence interval."""
    total, last = sum(counts), len(counts) - 1
    if not total:
        return Interval(0.0, -FAR, FAR)
    seen = [count or RARE for count in counts]
    whole = fsum(seen)
    mean = fsum(count * index / last for index, count in enumerate(seen)) / whole
    spread = fsum(count * (index / last - mean) ** 2 for index, count in enumerate(seen)) / whole
    reach = SURE * sqrt(spread / whole)
    return Interval(*(round(_better(share), 6) for share in (mean, mean - reach, mean + reach)))


def _better(share: float) -> float:
    """Return the difference in Elo that gives this mean score.

    >>> round(_better(score(35)), 6), _better(1.0)
    (35.0, 2000.0)
    """
    if share <= 0 or share >= 1:
        return FAR if share >= 1 else -FAR
    return max(-FAR, min(FAR, -400 * log10(1 / share - 1)))


def three(played: Iterable[Played], new: str) -> tuple[int, int, int]:
    """Count the games of two that the new version lost, tied and won."""
    counts = [0, 0, 0]
    for game in played:
        if game.verdict != "void" and new in game.pairing.entrants:
            counts[round(2 * duel_score(game, new))] += 1
    return counts[0], counts[1], counts[2]


def five(played: Iterable[Played], new: str) -> tuple[int, int, int, int, int]:
    """Count the pairs by the score of the new version: 0, ½, 1, 1½, 2.

    A pair is two games on one board with seats swapped; if one of them is void or missing, it does not count.
    """
    boards: dict[tuple[int, int], dict[tuple[str, ...], float]] = defaultdict(dict)
    for game in played:
        if game.verdict != "void" and new in game.pairing.entrants:
            boards[game.pairing.round, game.pairing.board][game.pairing.entrants] = duel_score(game, new)
    counts = [0] * 5
    for games in boards.values():
        if len(games) == 2:
            counts[round(2 * sum(games.values()))] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]
