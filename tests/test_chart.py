"""Charts are well-formed whatever they are given, true to their numbers, and small."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as Xml
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.draw.chart import DARK, DASHES, LIGHT, SWATCH, Series, line_chart

SVG = "{http://www.w3.org/2000/svg}"


def chart(*series: Series, **more: Any) -> Xml.Element:
    return Xml.fromstring(line_chart(series, **{"title": "t", "x_label": "x", "y_label": "y", **more}))


def texts(svg: Xml.Element) -> list[str]:
    return [element.text or "" for element in svg.iter(f"{SVG}text")]


def drawn(svg: Xml.Element, kind: str) -> list[list[tuple[float, float]]]:
    """The points of all paths of a class within the plot, in pixels."""
    plot = svg.find(f"{SVG}svg")
    assert plot is not None
    paths = [path for path in plot.iter(f"{SVG}path") if path.get("class", "").startswith(kind)]
    return [
        [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+) ([^MLZ]+)", path.get("d", ""))]
        for path in paths
    ]


NASTY = '</text><script>alert("1")</script>&amp;&"\'\x00\x0b\ud800\ufffe]]>'


def test_nasty_names_stay_text() -> None:
    """Markup is escaped, and what XML cannot say at all is replaced."""
    series = Series(NASTY, ((0, 1), (1, 2)), marks=((0, 1, NASTY),))
    text = line_chart([series], title=NASTY, x_label=NASTY, y_label=NASTY)
    svg = Xml.fromstring(text.encode())
    assert not list(svg.iter(f"{SVG}script"))
    assert svg.findtext(f"{SVG}title") == NASTY.translate(
        {ord("\x00"): "\ufffd", ord("\x0b"): "\ufffd", 0xD800: "\ufffd", 0xFFFE: "\ufffd"}
    )


def test_it_stands_on_its_own() -> None:
    """No script, no link, no font from elsewhere; light and dark."""
    text = line_chart([Series("a", ((0, 1), (1, 2)))], title="t", x_label="x", y_label="y")
    assert not re.search(r"<script|<link|<image|@import|url\(|href|src=", text)
    assert text.count("http") == 1  # the name of the language
    assert "prefers-color-scheme:dark" in text
    assert all(colour in text for colour in (*LIGHT, *DARK))


def test_it_says_what_it_shows() -> None:
    series = Series("HER", ((0, 0), (10, 4), (20, 3)), marks=((10, 4, "a turn"),))
    svg = chart(series, title="Losses", x_label="game", y_label="lost")
    assert svg.get("role") == "img"
    assert svg.findtext(f"{SVG}title") == "Losses"
    told = svg.findtext(f"{SVG}desc") or ""
    assert "lost by game" in told
    assert "HER: 3 points, from 0 at 0 to 3 at 20, lowest 0, highest 4." in told
    assert "At 10: a turn." in told
    assert {"Losses", "HER", "game", "lost", "a turn"} <= set(texts(svg))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 11, ["0", "5", "10", "15"]),
        (0, 3, ["0", "1", "2", "3"]),
        (-0.5, 0.5, ["-0.6", "-0.4", "-0.2", "0.0", "0.2", "0.4", "0.6"]),
        (0, 0.004, ["0.000", "0.001", "0.002", "0.003", "0.004"]),
        (1400, 1720, ["1\u00a0400", "1\u00a0500", "1\u00a0600", "1\u00a0700", "1\u00a0800"]),
        (5, 5, ["4", "5", "6"]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, ticks: list[str]) -> None:
    """Whole numbers have whole ticks; the axis begins and ends with one."""
    svg = chart(Series("a", ((0, low), (1, high))))
    marks = [e.text for e in svg.iter(f"{SVG}text") if e.get("class") == "end"]
    assert marks == ticks


def test_points_are_where_they_belong() -> None:
    """The corners of the plot are the corners of the numbers, and between them it is straight."""
    (line,) = drawn(chart(Series("a", ((0, 0), (5, 5), (10, 10)))), "line")
    (left, bottom), middle, (right, top) = line
    assert left < right
    assert top < bottom
    assert middle == pytest.approx(((left + right) / 2, (top + bottom) / 2), abs=0.1)


def test_a_range_that_is_given_is_kept() -> None:
    svg = chart(Series("a", ((0, 0.2), (1, 3))), y_range=(0, 1))
    marks = [e.text for e in svg.iter(f"{SVG}text") if e.get("class") == "end"]
    assert (marks[0], marks[-1]) == ("0.0", "1.0")
    plot = svg.find(f"{SVG}svg")
    assert plot is not None
    ((_, inside), (_, above)) = drawn(svg, "line")[0]
    assert float(plot.get("y", "0")) < inside
    assert above < float(plot.get("y", "0"))  # and the inner picture cuts it off


def test_a_long_line_costs_its_pixels_and_loses_no_peak() -> None:
    points = [(float(x), math.sin(x / 50)) for x in range(100_000)]
    points[54_321] = (54_321.0, 9.0)
    text = line_chart([Series("a", tuple(points))], title="t", x_label="x", y_label="y")
    assert len(text) < 50_000
    (line,) = drawn(Xml.fromstring(text), "line")
    assert len(line) <= 4 * 720
    heights = sorted(y for _, y in line)
    assert heights[1] - heights[0] > 50  # the one that stands out is still there


def test_bands_lie_around_their_line() -> None:
    band = ((0, 1, 3), (1, 2, 4), (2, 3, 5))
    svg = chart(Series("a", ((0, 2), (1, 3), (2, 4)), band=band))
    (edge,), (line,) = drawn(svg, "band"), drawn(svg, "line")
    assert len(edge) == 6
    for (x, low), (_, y), (_, high) in zip(edge[:3], line, reversed(edge[3:]), strict=True):
        assert x >= 0
        assert high < y < low


def test_what_is_no_number_is_a_gap() -> None:
    points = ((0, 1), (1, 2), (2, math.nan), (3, 2), (4, math.inf), (5, 1))
    svg = chart(Series("a", points, marks=((math.nan, 1, "nowhere"),)))
    plot = svg.find(f"{SVG}svg")
    assert plot is not None
    (path,) = plot.iter(f"{SVG}path")
    assert path.get("d", "").count("M") == 3
    assert "nowhere" not in texts(svg)


def test_many_series_have_other_colours_or_dashes() -> None:
    svg = chart(*(Series(f"line {n}", ((0, n), (1, n))) for n in range(18)))
    plot = svg.find(f"{SVG}svg")
    assert plot is not None
    looks = {(path.get("class"), path.get("stroke-dasharray")) for path in plot.iter(f"{SVG}path")}
    assert len(looks) == 18


def test_the_legend_has_the_looks_of_its_lines() -> None:
    """Colour and dashes are those of the line; the first six differ in their dashes alone."""
    svg = chart(*(Series(f"line {n}", ((0, n), (1, n))) for n in range(6)))
    plot = svg.find(f"{SVG}svg")
    assert plot is not None
    lines = [(path.get("class"), path.get("stroke-dasharray")) for path in plot.iter(f"{SVG}path")]
    named = {}
    for group in svg.iter(f"{SVG}g"):
        path, text = group.find(f"{SVG}path"), group.findtext(f"{SVG}text")
        assert path is not None
        named[text] = (path.get("class"), path.get("stroke-dasharray"))
    assert named == {f"line {n}": look for n, look in enumerate(lines)}
    assert len({dashes for _, dashes in lines}) == 6
    longest = max(sum(map(float, dashes.split())) for dashes in DASHES if dashes)
    assert longest <= SWATCH, "the legend shows the whole pattern"


SIMULATED = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
"""How eyes see linear RGB, by Machado, Oliveira and Fernandes (2009)."""
XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8729))
"""Linear sRGB to XYZ, relative to white."""


def times(matrix: Any, vector: Any) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """A colour in CIE Lab, as some eyes see it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    clipped = [min(1.0, max(0.0, part)) for part in times(SIMULATED[eyes], linear)]
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in times(XYZ, clipped)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eyes", SIMULATED)
@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_colours_differ_for_all_eyes(colours: list[str], eyes: str) -> None:
    """Two colours of a chart are at least 20 apart in Lab, where 2 is the least that people notice."""
    pairs = combinations([seen(colour, eyes) for colour in colours], 2)
    assert min(math.dist(one, other) for one, other in pairs) > 20


def test_a_legend_that_is_too_long_says_so() -> None:
    """What it has no room for is counted, and the lines keep most of the picture."""
    svg = chart(*(Series(f"line {n}", ((0, n), (1, n))) for n in range(60)))
    (more,) = [text for text in texts(svg) if re.fullmatch(r"and \d+ more", text)]
    assert sum(text.startswith("line ") for text in texts(svg)) + int(more.split()[1]) == 60
    plot = svg.find(f"{SVG}svg")
    assert plot is not None
    assert float(plot.get("height", "0")) > 320 / 3


@pytest.mark.parametrize("series", [[], [Series("a", ())], [Series("a", ((3, 7),))]])
def test_little_or_nothing_to_draw(series: list[Series]) -> None:
    assert len(drawn(chart(*series), "line")) == (len(series[0].points) if series else 0)


@pytest.mark.parametrize(
    "options", [{"width": 100}, {"height": 10}, {"y_range": (1, 1)}, {"y_range": (0, math.nan)}]
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"a chart is at least|a range goes from"):
        chart(Series("a", ((0, 1),)), **options)


numbers = st.floats() | st.integers(-(10**6), 10**6).map(float)
lines = st.builds(
    Series,
    name=st.text(max_size=60),
    points=st.lists(st.tuples(numbers, numbers), max_size=30).map(tuple),
    band=st.lists(st.tuples(numbers, numbers, numbers), max_size=5).map(tuple),
    marks=st.lists(st.tuples(numbers, numbers, st.text(max_size=30)), max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(series=st.lists(lines, max_size=9), title=st.text(max_size=200), width=st.integers(200, 900))
def test_whatever_it_is_given_it_is_a_picture(series: list[Series], title: str, width: int) -> None:
    """Well-formed, with finite numbers only, and the same every time."""
    text = line_chart(series, title=title, x_label=title, y_label=title, width=width, height=200)
    svg = Xml.fromstring(text.encode())
    for element in svg.iter():
        for name in ("d", "x", "y", "cx", "cy", "width", "height"):
            assert not re.search("nan|inf", element.get(name, ""))
    assert text == line_chart(series, title=title, x_label=title, y_label=title, width=width, height=200)
