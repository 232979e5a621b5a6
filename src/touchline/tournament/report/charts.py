"""The charts of a report, as inline SVG: ratings with error bars, and ratings over the games.

Law of this file: a chart uses the colours of the page, so it follows the reader's light or dark mode, and it
has a title in words.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from touchline.draw.chart import Series, line_chart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.ratings.base import Rating
    from touchline.tournament.report.data import Report

MOST_CURVES = 6
"""The most entrants with a rating curve, the first ones of the standings: each has a colour and dashes of its
own, and more could not be told apart."""
MOST_BANDS = 4
"""The most curves whose error bands can still be told apart."""
LETTER = 9.0
"""Width of a letter in pixels, in a wide font."""
LONGEST = 24
"""The most letters of a name that are shown."""
WIDE, TALL, VALUES = 760, 26, 110
"""In pixels: the width of a chart, the height of a row, and the width of the numbers on the right."""


def rating_bars(ratings: Sequence[Rating]) -> str:
    """Draw a dot with an error bar for each entrant, the best on top."""
    if not ratings:
        return "<p>Nobody has played yet.</p>"
    low, high = min(rating.low for rating in ratings), max(rating.high for rating in ratings)
    left = 24 + round(LETTER * max(len(_short(rating.entrant)) for rating in ratings))

    def at(value: float) -> float:
        return left + (value - low) / (high - low or 1) * (WIDE - left - VALUES)

    base = TALL * len(ratings)
    parts = []
    for value in _round_numbers(low, high):
        parts.append(
            f'<line class="axis" x1="{at(value):.1f}" x2="{at(value):.1f}" y1="0" y2="{base}"/>'
            f'<text class="soft" x="{at(value):.1f}" y="{base + 16}" text-anchor="middle">{value}</text>'
        )
    for number, rating in enumerate(ratings):
        y = TALL * number + TALL / 2
        parts.append(
            f'<text x="{left - 14}" y="{y + 5:.0f}" text-anchor="end">{escape(_short(rating.entrant))}</text>'
            f'<line class="bar" x1="{at(rating.low):.1f}" x2="{at(rating.high):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{at(rating.value):.1f}" cy="{y}" r="4.5"/>'
            f'<text x="{WIDE - VALUES + 14}" y="{y + 5:.0f}">{rating.text}</text>'
        )
    return (
        f'<svg class="rated" viewBox="0 0 {WIDE} {base + 22}" role="img" width="{WIDE}">'
        "<title>Ratings with 95 % confidence intervals</title>" + "".join(parts) + "</svg>"
    )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _round_numbers(low: float, high: float) -> list[int]:
    """Return some round numbers between two, for an axis.

    >>> _round_numbers(1320, 1790)
    [1400, 1500, 1600, 1700]
    """
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if (high - low) / step <= 6), 1000)
    first = int(-(-low // step)) * step
    return [*range(first, int(high) + 1, step)]


def rating_curves(found: Report) -> str:
    """Draw the ratings of the best entrants over the games."""
    if len(found.curve) < 2:
        return ""
    names = [line.entrant for line in found.standings[:MOST_CURVES]]
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    bands: dict[str, list[tuple[float, float, float]]] = {name: [] for name in names}
    for stage in found.curve:
        for rating in stage.ratings:
            if rating.entrant in points:
                points[rating.entrant].append((float(stage.games), rating.value))
                bands[rating.entrant].append((float(stage.games), rating.low, rating.high))
    series = [
        Series(name, tuple(points[name]), tuple(bands[name]) if len(names) <= MOST_BANDS else ())
        for name in names
    ]
    return line_chart(series, title="Ratings over the games", x_label="games", y_label="rating", width=WIDE)
