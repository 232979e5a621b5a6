"""The value chart of an analysed match: a line for each seat, with mistakes and incidents marked."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.draw.chart import Series
    from touchline.records.analysis import Analysis

LABELS = ("turn", "value")


def ready(svg: str | None, png: str | None) -> None:
    """Raise BadOptions before a long analysis if its chart could not be written."""
    for file in (svg, png):
        if file is not None and not Path(file).absolute().parent.is_dir():
            raise BadOptions(f"cannot draw {file}: its folder does not exist")
    if png is not None:
        try:
            import matplotlib.figure  # noqa: F401
        except ImportError:
            raise BadOptions(
                "a PNG needs matplotlib: pip install 'touchline[plots]', or draw an SVG with --svg"
            ) from None


def draw(analysis: Analysis, svg: str | None, png: str | None) -> None:
    """Write the chart to the given files."""
    from touchline.draw.chart import line_chart

    lines = list(series(analysis))
    title = f"{analysis.game}: {' - '.join(analysis.names)}, as {analysis.thinker} sees it"
    try:
        if svg is not None:
            text = line_chart(lines, title=title, x_label=LABELS[0], y_label=LABELS[1], y_range=(0, 1))
            Path(svg).write_text(text, encoding="utf-8")
        if png is not None:
            _png(lines, title, png)
    except OSError as error:
        raise BadOptions(f"cannot draw {error.filename}: {error.strerror}") from None


def series(analysis: Analysis) -> Iterator[Series]:
    """Yield a line for each seat: its expected score before each turn.

    In a game with hidden information the values depend on who looks, so a seat's line has its own turns only.
    """
    from touchline.core import registry
    from touchline.draw.chart import Series
    from touchline.draw.seat_colours import seat_colours
    from touchline.records.analysis import FAULTY

    game = registry.find("games", analysis.game)
    own, colours = game.hidden and not analysis.all_seeing, seat_colours(game)
    for seat, name in enumerate(analysis.names):
        points = [
            (float(turn.turn), turn.before.values[seat])
            for turn in analysis.turns
            if (turn.seat == seat or not own) and seat < len(turn.before.values)
        ]
        marks = [
            (float(turn.turn), turn.stood, f"{turn.played.verdict.value}: {turn.played.typed}")
            for turn in analysis.turns
            if turn.seat == seat and turn.played.verdict in FAULTY
        ]
        for each in analysis.incidents:
            if each.seat == seat and each.what != "passed over" and points:
                near = max((point for point in points if point[0] <= each.turn), default=points[0])
                marks.append((float(each.turn), near[1], each.what))
        if analysis.values is not None and analysis.complete and analysis.turns:
            points.append((float(analysis.turns[-1].turn + 1), analysis.values[seat]))
        yield Series(
            f"seat {seat} {name}", tuple(points), marks=tuple(marks), colour=colours[seat % len(colours)].fill
        )


def _png(lines: list[Series], title: str, file: str) -> None:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots()
    for one in lines:
        (drawn,) = axes.plot(*_columns(one), label=_plain(one.name))
        for number, (x, y, note) in enumerate(one.marks):
            axes.plot([x], [y], "o", color=drawn.get_color())
            aside = (0, -13 if number % 2 else 6)  # alternate, because marks may be close together
            axes.annotate(_plain(note), (x, y), textcoords="offset points", xytext=aside, fontsize=7)
    axes.set(title=_plain(title), xlabel=LABELS[0], ylabel=LABELS[1], ylim=(-0.03, 1.08))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(fontsize=8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a name may have characters that the font lacks
        figure.savefig(file, format="png", dpi=120)


def _columns(one: Series) -> tuple[list[float], list[float]]:
    return [x for x, _ in one.points], [y for _, y in one.points]


def _plain(words: str) -> str:
    """Escape dollar signs, which would start a formula in matplotlib."""
    return words.replace("$", r"\$")
