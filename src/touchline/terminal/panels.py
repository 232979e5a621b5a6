"""The panels beside the board: the players, the legend and the moves."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from touchline.draw.words import glyph, legend, side
from touchline.records.scores import scores_of
from touchline.terminal.palette import FAINT, seat_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Seat, State
    from touchline.core.sketch import Sketch
    from touchline.records.match_log import Entry, Table

_REVERSE = Style(reverse=True)
BEFORE = 3
"""Moves in the list before the one that is pointed out."""
MOST_ENTRIES = 500
"""Moves in the list; older ones are dropped from the screen."""


def players_text(
    table: Table, state: State, sketch: Sketch, you: Sequence[Seat], clocks: dict[Seat, str], wide: int
) -> Text:
    """Return a line for each seat: whose turn it is, the colour, the name, the score and the clock."""
    text, scores = Text(no_wrap=True, overflow="ellipsis"), scores_of(state)
    for seat, name in enumerate(table.names):
        mark = glyph(sketch, seat) or " "
        called = "you" if list(you) == [seat] else name
        facts = [str(scores[seat])] if scores is not None else []
        facts += [clocks[seat]] if seat in clocks else []
        right = "".join(f" {fact}" for fact in facts)
        room = max(4, wide - len(right) - 5)
        text.append("▶ " if state.to_move == seat else "  ")
        text.append(f" {mark} ", seat_style(seat) + _REVERSE)
        colour = f", {side(sketch, seat)}"
        label = _cut(called, room - 1 - len(colour)) + colour
        text.append(f" {label:<{room - 1}}", seat_style(seat))
        text.append(f"{right}\n")
    for note in sketch.notes:
        for line in wrap(note, wide)[:2]:
            text.append(f"{line}\n", FAINT)
    text.rstrip()
    return text


def legend_text(sketch: Sketch) -> Text:
    """Return what the marks of the drawing mean."""
    text = Text(no_wrap=True, overflow="ellipsis")
    gaps = any(spot.fill == "gap" and spot.shape != "arrow" for spot in sketch.spots)
    for mark, meaning in legend(sketch):
        if mark == "·" and not gaps:
            continue  # a free square is empty on this screen
        text.append(f"{mark:<5}", "bold").append(f"{meaning}\n", FAINT)
    text.rstrip()
    return text


def moves_text(table: Table, entries: Sequence[Entry], at: int | None = None) -> Text:
    """Return the moves, one line each, the entry number `at` pointed out."""
    text = Text()
    last = at is None or at == len(entries) - 1
    first = max(0, len(entries) - MOST_ENTRIES) if at is None or last else max(0, at - BEFORE)
    for number, entry in list(enumerate(entries))[first : first + MOST_ENTRIES]:
        style = "" if entry.seat is None else seat_style(entry.seat)
        if entry.fault:
            text.append("! ", "bold")
        text.append(entry.text + "\n", "reverse" if number == at else style)
    text.rstrip()
    return text


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(0, most - 1)] + "…"
