"""Line charts in SVG: learning curves, ratings over time, the value of each seat during a match.

Laws of this file: the output is deterministic, and well-formed XML for any name; it is self-contained, with
no script, font or link; it has a light and a dark colour scheme, and a text description for screen readers;
its size depends on the pixels, not on the length of a series.
"""

from __future__ import annotations

import math
import re
import unicodedata
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SMALLEST = (200, 120)
"""The least width and height in pixels; a smaller chart has no room for its labels."""
FARTHEST = 1e100
"""The largest absolute value that is drawn; larger numbers and NaN are gaps in a line."""
TOLD = 20
"""The most series, and marks of a series, in the text description."""
LETTER = 6.8
"""The approximate width of a letter in pixels, in 12px system-ui."""
DASHES = ("", "9 5", "1 5", "10 5 1 5", "16 5", "5 5 1 5 1 5")
"""Dash patterns: each of the first six lines has one of its own, so that it is known without its colour."""
SWATCH = 36
"""The length of a line in the legend, in pixels: every pattern occurs in it at least once."""

# Six colours with the largest distance that was found, for normal and for colour-blind eyes.
LIGHT = "#0510f5 #ef2b03 #069d9b #ac31ca #901f2f #36114c".split()
DARK = "#70eff9 #f45285 #f7fd51 #b688fd #d9a55d #6543fe".split()
_CANNOT_BE_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Series(Struct, frozen=True):
    """One line of a chart: its points, a confidence band and annotated marks."""

    name: str
    points: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float, float], ...] = ()
    """The confidence band: x, low, high."""
    marks: tuple[tuple[float, float, str], ...] = ()
    """Annotated dots: x, y, note."""
    colour: str = ""
    """Its own colour, such as that of a seat; empty if the chart may choose."""


class _Axis(Struct, frozen=True):
    """A linear scale from values to pixels, with ticks."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    step: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def label(self, value: float) -> str:
        if value and not 1e-6 < abs(value) < 1e9:
            return f"{value:.6g}"
        return f"{value:,.{max(0, -math.floor(math.log10(self.step) + 1e-9))}f}".replace(",", "\u00a0")


def line_chart(
    series: Sequence[Series],
    *,
    title: str,
    x_label: str,
    y_label: str,
    width: int = 720,
    height: int = 320,
    y_range: tuple[float, float] | None = None,
) -> str:
    """Return the chart as one `<svg>` element; without `y_range` the y axis fits the data.

    >>> losses = Series("HER", ((0, 0), (1, 1), (2, 1)))
    >>> line_chart([losses], title="Losses", x_label="game", y_label="lost").startswith("<svg ")
    True
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        raise ValueError(
            f"a chart is at least {SMALLEST[0]} by {SMALLEST[1]} pixels, not {width} by {height}"
        )
    if y_range is not None and not -FARTHEST <= y_range[0] < y_range[1] <= FARTHEST:
        raise ValueError(
            f"a range goes from a lower to a higher number, not from {y_range[0]} to {y_range[1]}"
        )
    legend, used = _legend(series, width, height)
    top, bottom = 36 + used, height - 44
    spots = _spots(series)
    y_axis = _axis([y for _, y in spots], bottom, top, y_range, wide=False)
    left = 34 + LETTER * max(len(y_axis.label(tick)) for tick in y_axis.ticks)
    x_axis = _axis([x for x, _ in spots], left, width - 28, None, wide=True)
    head = _fitting(title, width - 36, LETTER * 1.3)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="touchline-chart" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            f"<title>{_text(title)}</title>",
            f"<desc>{_text(_in_words(series, x_label, y_label))}</desc>",
            f"<style>{_style()}</style>",
            f'<rect class="paper" width="{width}" height="{height}" rx="6"/>',
            f'<text class="head" x="18" y="24">{_text(head)}</text>',
            *legend,
            *_axes(x_axis, y_axis, x_label, y_label),
            *_lines(series, x_axis, y_axis),
            *_marks(series, x_axis, y_axis),
            "</svg>\n",
        ]
    )


# -- axes ---------------------------------------------------------------------------------------


def _known(*numbers: float) -> bool:
    return all(abs(number) <= FARTHEST for number in numbers)  # also False for NaN


def _spots(series: Iterable[Series]) -> list[tuple[float, float]]:
    """Return all points that the axes must cover."""
    found: list[tuple[float, float]] = []
    for one in series:
        found += one.points
        found += [(x, edge) for x, *edges in one.band for edge in edges]
        found += [(x, y) for x, y, _ in one.marks]
    return [spot for spot in found if _known(*spot)]


def _axis(
    values: Sequence[float], start: float, end: float, span: tuple[float, float] | None, *, wide: bool
) -> _Axis:
    """Return an axis with ticks at round numbers; `wide` is the x axis.

    Without `span` the y axis begins and ends at a tick.
    """
    low, high = span or (min(values, default=0.0), max(values, default=1.0))
    if span is None and not wide and 0 < low < high / 2:
        low = 0.0
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        room = abs(low) / 10 or 1.0
        low, high = low - (0 if low == 0 else room), high + room
    step = _round_step((high - low) / max(3, abs(end - start) / (80 if wide else 44)))
    if step < 1 and all(float(value).is_integer() for value in values):
        step = 1.0
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    if span is None and not wide:
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        low, high = first * step, last * step
    ticks = tuple(tick * step for tick in range(first, last + 1)) or (low,)
    return _Axis(low, high, start, end, ticks, step)


def _round_step(least: float) -> float:
    """Return the smallest of ... 0.2, 0.5, 1, 2, 5, 10, 20, 50 ... that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * lead for lead in (1, 2, 5, 10) if power * lead >= least * (1 - 1e-9))


def _axes(x_axis: _Axis, y_axis: _Axis, x_label: str, y_label: str) -> list[str]:
    left, right, top, bottom = x_axis.start, x_axis.end, y_axis.end, y_axis.start
    drawn = []
    for tick in y_axis.ticks:
        y = y_axis.at(tick)
        drawn.append(f'<path class="grid" d="M{left:.1f} {y:.1f}H{right:.1f}"/>')
        drawn.append(f'<text class="end" x="{left - 7:.1f}" y="{y + 4:.1f}">{y_axis.label(tick)}</text>')
    for tick in x_axis.ticks:
        x = x_axis.at(tick)
        drawn.append(f'<path class="axis" d="M{x:.1f} {bottom:.1f}v5"/>')
        drawn.append(f'<text class="mid" x="{x:.1f}" y="{bottom + 18:.1f}">{x_axis.label(tick)}</text>')
    middle = (top + bottom) / 2
    across, down = _fitting(x_label, right - left), _fitting(y_label, bottom - top)
    return [
        *drawn,
        f'<path class="axis" d="M{left:.1f} {bottom:.1f}H{right:.1f}"/>',
        f'<text class="mid" x="{(left + right) / 2:.1f}" y="{bottom + 36:.1f}">{_text(across)}</text>',
        f'<text class="mid" transform="translate(18 {middle:.1f}) rotate(-90)">{_text(down)}</text>',
    ]


# -- lines --------------------------------------------------------------------------------------


def _lines(series: Sequence[Series], x_axis: _Axis, y_axis: _Axis) -> list[str]:
    """Draw the bands, then the lines, in a nested `<svg>` that clips them to the plot area."""
    x, y = x_axis.start - 2, y_axis.end - 2
    wide, high = x_axis.end - x + 2, y_axis.start - y + 2
    drawn = [
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" '
        f'viewBox="{x:.1f} {y:.1f} {wide:.1f} {high:.1f}">'
    ]
    for number, one in enumerate(series):
        if band := _band(one, x_axis, y_axis):
            drawn.append(f'<path class="band {_colour(number)}" d="{band}"/>')
    for number, one in enumerate(series):
        if line := "".join(map(_path, _thinned(one.points, x_axis, y_axis))):
            drawn.append(_drawn(one, number, line))
    return [*drawn, "</svg>"]


def _drawn(one: Series, number: int, line: str) -> str:
    """Return a line; one with a colour of its own has an outline, so that it is seen on any paper."""
    if not one.colour:
        return f'<path class="line {_colour(number)}"{_dashed(number)} d="{line}"/>'
    return (
        f'<path class="line case" d="{line}"/>'
        f'<path class="line own" color="{escape(one.colour)}"{_dashed(number)} d="{line}"/>'
    )


def _thinned(
    points: Iterable[tuple[float, float]], x_axis: _Axis, y_axis: _Axis
) -> list[list[tuple[float, float]]]:
    """Return the line in pixels, split at gaps.

    Each pixel column keeps its first, lowest, highest and last point only.
    """
    pieces = []
    for whole, piece in groupby(points, lambda point: _known(*point)):
        if not whole:
            continue
        pixels = [(x_axis.at(x), y_axis.at(y)) for x, y in piece]
        thin: list[tuple[float, float]] = []
        for _, column in groupby(pixels, lambda pixel: math.floor(pixel[0])):
            spots = list(column)
            heights = [y for _, y in spots]
            kept = {0, heights.index(min(heights)), heights.index(max(heights)), len(spots) - 1}
            thin += [spots[at] for at in sorted(kept)]
        pieces.append(thin)
    return pieces


def _path(pixels: Sequence[tuple[float, float]]) -> str:
    if len(pixels) == 1:
        pixels = [pixels[0], pixels[0]]  # with round line caps this draws a dot
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in pixels)


def _band(one: Series, x_axis: _Axis, y_axis: _Axis) -> str:
    rows = [row for row in one.band if _known(*row)]
    lows, highs = [], []
    for _, column in groupby(rows, lambda row: math.floor(x_axis.at(row[0]))):
        spots = list(column)
        lows.append((x_axis.at(spots[0][0]), y_axis.at(min(low for _, low, _ in spots))))
        highs.append((x_axis.at(spots[0][0]), y_axis.at(max(high for _, _, high in spots))))
    return _path([*lows, *reversed(highs)]) + "Z" if lows else ""


def _marks(series: Sequence[Series], x_axis: _Axis, y_axis: _Axis) -> list[str]:
    """Draw a dot for each mark, with its note as a tooltip, and as a label where there is room."""
    drawn: list[str] = []
    taken: list[tuple[float, float, float]] = []
    for number, one in enumerate(series):
        for at, value, note in one.marks:
            if not _known(at, value) or not y_axis.low <= value <= y_axis.high:
                continue
            x, y = x_axis.at(at), y_axis.at(value)
            dot = f'<circle class="mark {_colour(number)}" cx="{x:.1f}" cy="{y:.1f}" r="4">'
            drawn.append(f"{dot}<title>{_text(note)}</title></circle>")
            room, above = _wide(note), y - 10 if y - y_axis.end > 16 else y + 18
            start = min(max(x - room / 2, x_axis.start), x_axis.end - room)
            free = all(abs(above - v) > 14 or start > end or begin > start + room for begin, end, v in taken)
            if note and free and start >= x_axis.start:
                taken.append((start, start + room, above))
                drawn.append(f'<text class="note" x="{start:.1f}" y="{above:.1f}">{_text(note)}</text>')
    return drawn


# -- words --------------------------------------------------------------------------------------


def _legend(series: Sequence[Series], width: int, height: int) -> tuple[list[str], float]:
    """Return the legend and its height, which is at most a third of the chart."""
    drawn: list[str] = []
    x, y, shown = 18.0, 44.0, 0
    for number, one in enumerate(series):
        name = _fitting(one.name, 240)
        room = SWATCH + 8 + _wide(name) + 16
        if x > 18 and x + room > width - 18:
            if y + 20 > height / 3:
                break
            x, y = 18.0, y + 20
        line = _drawn(one, number, f"M{x:.1f} {y - 4:.1f}h{SWATCH}")
        drawn.append(f'<g>{line}<text x="{x + SWATCH + 6:.1f}" y="{y:.1f}">{_text(name)}</text></g>')
        x, shown = x + room, number + 1
    if shown < len(series):
        y += 20
        drawn.append(f'<text x="18" y="{y:.1f}">and {len(series) - shown} more</text>')
    return drawn, y - 24 if series else 0.0


def _in_words(series: Sequence[Series], x_label: str, y_label: str) -> str:
    """Return a text description of the chart for screen readers."""
    told = [f"A line chart of {y_label} by {x_label}."]
    for one in series[:TOLD]:
        points = [point for point in one.points if _known(*point)]
        if not points:
            told.append(f"{one.name}: no points.")
            continue
        heights = [y for _, y in points]
        (x, y), (to_x, to_y) = points[0], points[-1]
        told.append(
            f"{one.name}: {len(points)} points, from {y:.6g} at {x:.6g} to {to_y:.6g} at {to_x:.6g}, "
            f"lowest {min(heights):.6g}, highest {max(heights):.6g}."
        )
        told += [f"At {x:.6g}: {note}." for x, y, note in one.marks[:TOLD] if _known(x, y)]
    if len(series) > TOLD:
        told.append(f"And {len(series) - TOLD} more.")
    return " ".join(told)


def _text(words: str) -> str:
    """Escape text for XML; characters that XML does not allow become U+FFFD."""
    return escape(_CANNOT_BE_XML.sub("\ufffd", words))


def _wide(words: str, letter: float = LETTER) -> float:
    return sum(letter * (2 if unicodedata.east_asian_width(char) in "WF" else 1) for char in words)


def _fitting(words: str, room: float, letter: float = LETTER) -> str:
    """Return the text, cut off with an ellipsis if it is wider than `room` pixels."""
    if _wide(words, letter) <= room:
        return words
    while words and _wide(words, letter) > room - letter:
        words = words[:-1]
    return words.rstrip() + "…"


def _colour(number: int) -> str:
    return f"c{number % len(LIGHT)}"


def _dashed(number: int) -> str:
    dashes = DASHES[(number + number // len(LIGHT)) % len(DASHES)]
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def _style() -> str:
    def inks(paper: str, ink: str, faint: str, colours: Sequence[str]) -> str:
        named = "".join(f"--c{number}:{colour};" for number, colour in enumerate(colours))
        return f".touchline-chart{{--paper:{paper};--ink:{ink};--faint:{faint};{named}}}"

    light, dark = inks("#ffffff", "#24292f", "#d8dee4", LIGHT), inks("#14181d", "#d6dde4", "#343c46", DARK)
    used = "".join(f".touchline-chart .c{n}{{color:var(--c{n})}}" for n in range(len(LIGHT)))
    rules = {
        "text": "fill:var(--ink);font:12px system-ui,sans-serif",
        ".head": "font-size:15px;font-weight:600",
        ".mid": "text-anchor:middle",
        ".end": "text-anchor:end;font-variant-numeric:tabular-nums",
        ".note": "paint-order:stroke;stroke:var(--paper);stroke-width:3px",
        ".paper": "fill:var(--paper)",
        ".grid": "stroke:var(--faint)",
        ".axis": "stroke:var(--ink)",
        ".line": "fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:round",
        ".case": "stroke:var(--ink);stroke-width:5",
        ".own": "stroke-width:3",
        ".band": "fill:currentColor;opacity:.18",
        ".mark": "fill:currentColor;stroke:var(--paper);stroke-width:1.5",
    }
    worn = "".join(f".touchline-chart {who}{{{rule}}}" for who, rule in rules.items())
    return f"{light}@media(prefers-color-scheme:dark){{{dark}}}{used}{worn}"
