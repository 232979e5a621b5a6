"""What a step needs for its points, and how many points a result is worth.

Law of this file: it is pure. The same measures give the same points, and every lost point has a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

MEASURES = {
    "wins": "games won",
    "score": "opponents beaten, a tie being half",
    "clean": "games without a fault",
    "passed": "checks passed",
}
"""What can be measured, and what it is the share of. All are shares from 0 to 1."""
OF_GAMES = ("wins", "score", "clean")
OF_CHECKS = ("passed",)
CLOSE = 1e-9
"""Two shares that differ by less are the same: 0.6 is reached by 6 of 10."""


class Standard(Struct, frozen=True, kw_only=True):
    """The points of a step. Either `needs` or `scale` is there."""

    points: float
    needs: dict[str, float] = {}
    """The least share of each measure for full points."""
    partial: bool = False
    """Whether a result below `needs` earns points in proportion."""
    scale: tuple[tuple[float, float], ...] = ()
    """Rows of a share and the points from that share on, both rising."""
    measure: str = ""
    """The measure that the scale is about."""


class Scored(NamedTuple):
    """The points of a result."""

    points: float
    met: bool
    """Whether the standard was met: all needs, or at least the first row of the scale."""
    why: str
    """Why points were lost; empty if none were."""


def scored(standard: Standard, measures: Mapping[str, float]) -> Scored:
    """Return the points that these measures are worth.

    >>> scored(Standard(points=20, needs={"wins": 0.6}), {"wins": 0.5})
    Scored(points=0.0, met=False, why='Games won: 50 %, and 60 % are needed for the points.')
    >>> scored(Standard(points=20, needs={"wins": 0.6}, partial=True), {"wins": 0.3}).points
    10.0
    >>> scored(Standard(points=10, scale=((0.3, 5), (0.6, 10)), measure="wins"), {"wins": 0.5}).points
    5.0
    """
    return _by_scale(standard, measures) if standard.scale else _by_needs(standard, measures)


def _by_needs(standard: Standard, measures: Mapping[str, float]) -> Scored:
    short = {name: need for name, need in standard.needs.items() if measures[name] < need - CLOSE}
    if not short:
        return Scored(standard.points, True, "")
    why = "; ".join(
        f"{MEASURES[name]}: {percent(measures[name])}, and {percent(need)} are needed"
        for name, need in short.items()
    )
    if not standard.partial:
        return Scored(0.0, False, _sentence(f"{why} for the points"))
    share = min(measures[name] / need for name, need in short.items())
    return Scored(round(standard.points * share, 2), False, _sentence(f"{why} for all points"))


def _by_scale(standard: Standard, measures: Mapping[str, float]) -> Scored:
    reached, points = measures[standard.measure], 0.0
    for share, worth in standard.scale:
        if reached < share - CLOSE:
            why = (
                f"{MEASURES[standard.measure]}: {percent(reached)}, and {percent(share)} are needed for "
                f"{number(worth)} points"
            )
            return Scored(points, share != standard.scale[0][0], _sentence(why))
        points = float(worth)
    return Scored(points, True, "")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def percent(share: float) -> str:
    """Return a share for people to read.

    >>> percent(0.5), percent(2 / 3)
    ('50 %', '66.7 %')
    """
    return f"{round(100 * share, 1):g} %"


def number(value: float) -> str:
    """Return points for people to read.

    >>> number(12.0), number(12.5)
    ('12', '12.5')
    """
    return f"{round(value, 2):g}"
