"""Verdicts: whether a measured ratio keeps its bar, and whether the noise of the rounds could change that.

The measured ratio alone decides between *kept* and *missed*. *Within noise* is added when the interval of the
rounds has ratios on both sides of the bar. Nothing here takes time or reads a clock.
"""

from __future__ import annotations

from math import comb
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95
ENOUGH = 6
"""Rounds from which on their whole range is a 95 % interval: 1 - 2 / 2**6 = 0.97."""
TOO_FEW = f"fewer than {ENOUGH} rounds: the intervals cover less than {CONFIDENCE:.0%}"


class Interval(NamedTuple):
    """The ratios that the rounds leave possible."""

    low: float
    high: float


def interval(values: Sequence[float]) -> Interval:
    """Return the 95 % confidence interval of the median, from the order statistics of the rounds.

    It assumes no distribution. Fewer than nine rounds are too few to leave any out: it is their whole range.
    """
    ordered, count = sorted(values), len(values)
    cut, outside = 0, 2 / 2**count
    while (outside := outside + 2 * comb(count, cut + 1) / 2**count) <= 1 - CONFIDENCE:
        cut += 1
    return Interval(ordered[cut], ordered[count - 1 - cut])


def verdict(ratio: float, rounds: Interval, bar: float | None, *, cost: bool) -> str:
    """Return "kept" or "missed", with ", within noise" if the interval has ratios on both sides of the bar.

    A cost has to stay at or under its bar, any other ratio at or over it.
    """
    if bar is None:
        return "no bar"

    def keeps(value: float) -> bool:
        return value <= bar if cost else value >= bar

    word = "kept" if keeps(ratio) else "missed"
    return word if keeps(rounds.low) == keeps(rounds.high) else f"{word}, within noise"


class Judged(NamedTuple):
    """A row of the table: the median of the rounds' ratios, their interval, and the bar."""

    what: str
    ratio: float
    rounds: Interval
    bar: float | None
    cost: bool = False

    @property
    def verdict(self) -> str:
        return verdict(self.ratio, self.rounds, self.bar, cost=self.cost)

    @property
    def kept(self) -> bool:
        """Whether the bar is not missed. A miss within noise is a miss."""
        return not self.verdict.startswith("missed")

    def line(self) -> str:
        """Return the row as text."""
        sign = "<=" if self.cost else ">="
        bar = "" if self.bar is None else f"{sign} {self.bar:g}"
        return f"{self.what:<72} {_number(self.ratio):>9} {_range(self.rounds):<20} {bar:<11} {self.verdict}"

    def as_json(self) -> dict[str, object]:
        """Return the row as a JSON object."""
        return {
            "claim": self.what, "ratio": round(self.ratio, 4), "bar": self.bar,
            "interval": [round(end, 4) for end in self.rounds], "verdict": self.verdict, "kept": self.kept,
        }  # fmt: skip


def judge(what: str, ratios: Sequence[float], bar: float | None, *, cost: bool = False) -> Judged:
    """Judge the ratios of all rounds."""
    return Judged(what, median(ratios), interval(ratios), bar, cost)


def _number(value: float) -> str:
    return f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"


def _range(rounds: Interval) -> str:
    return f"[{_number(rounds.low)}, {_number(rounds.high)}]"
