"""Print what players write to stderr on ours, each line behind the name of its player."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from touchline.cli._draw import console
from touchline.core.printable import printable
from touchline.core.text import clipped
from touchline.players.output import PlayerOutput, Sink

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.core.rules import Seat
    from touchline.players.output import Written
    from touchline.players.process import Program

COLOURS = ("red", "blue", "yellow", "magenta", "green", "cyan")
"""The colours of the seats, as boards are drawn with them."""
MOST_LABEL = 30
"""Characters of a player's name in front of its lines."""


class OutputTerminal(Sink):
    """Prints lines on stderr, each behind the name of its player, in the colour of its seat."""

    def __init__(self, labels: Mapping[Seat, str]) -> None:
        super().__init__()
        screen, wide = console(stderr=True), max(map(len, labels.values()), default=0)
        self._coloured = screen.color_system is not None and not screen.no_color
        self._labels = {seat: f"{label:<{wide}} |" for seat, label in labels.items()}
        self._gone = False

    def write(self, lines: Sequence[Written]) -> None:
        if not self._gone:
            try:
                shown = [self._line(line) for line in lines if line.seat in self._labels]
                click.echo("".join(shown), nl=False, err=True, color=self._coloured)
            except (OSError, ValueError):  # nobody reads it any more
                self._gone = True

    def _line(self, line: Written) -> str:
        label = self._labels[line.seat]
        if self._coloured:
            label = click.style(label, fg=COLOURS[line.seat % len(COLOURS)], bold=True)
        return f"{label} {line.text}\n"


def shown_live(program: Program, name: str) -> PlayerOutput:
    """Print what a program writes to stderr, until the `end()` of the value that is returned."""
    output = PlayerOutput([OutputTerminal(labels_of([name]))])
    program.listener = partial(output.listen, 0)
    return output


def labels_of(names: Sequence[str], prefix: str = "") -> dict[int, str]:
    """Return what stands before the lines of each seat: its name, with the seat if two have the same name.

    >>> labels_of(["a.py", "a.py", "b.py"])
    {0: 'a.py (seat 0)', 1: 'a.py (seat 1)', 2: 'b.py'}
    """
    short = [clipped(printable(name), MOST_LABEL) for name in names]
    return {
        seat: prefix + (f"{name} (seat {seat})" if short.count(name) > 1 else name)
        for seat, name in enumerate(short)
    }
