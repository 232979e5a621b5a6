"""Sketches in the terminal, in colour where the terminal has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from touchline.core.sketch import ink
from touchline.draw.words import style

if TYPE_CHECKING:
    from touchline.core.sketch import Ink, Sketch


def console(*, stderr: bool = False) -> Console:
    """Return a console that obeys `--color`; rich itself obeys NO_COLOR."""
    color = click.get_current_context().find_root().obj
    forced = {"always": True, "never": False}.get(color)
    return Console(
        stderr=stderr,
        force_terminal=forced,
        no_color=color == "never" or None,
        highlight=False,
        soft_wrap=True,
    )


_PLAIN = str.maketrans(
    "·→▲▼◀▶─│┌┐└┘├┤┬┴┼…", ".>^v<>-|+++++++++."
)  # fmt: skip


def encodable(text: str, encoding: str | None) -> str:
    """Return text that a terminal of this encoding can show: drawings in ASCII where it must be.

    >>> encodable("0,1 → 1,1", "ascii"), encodable("0,1 → 1,1", "utf-8")
    ('0,1 > 1,1', '0,1 → 1,1')
    """
    known = encoding or "ascii"
    try:
        text.encode(known)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(known, "backslashreplace").decode(known)
    return text


def picture(sketch: Sketch) -> Text:
    """Return a sketch and its notes as coloured text."""
    drawn = Text()
    for line in ink(sketch):
        row = Text()
        for char in line:
            row.append(char.char, _style(sketch, char))
        row.rstrip()
        drawn.append_text(row).append("\n")
    for note in sketch.notes:
        drawn.append(f"{note}\n", "dim")
    return drawn


def _style(sketch: Sketch, char: Ink) -> str:
    own = "" if char.seat is None else style(sketch, char.seat)
    if char.marked:
        return f"{own.partition(' on ')[0]} on grey37".strip()
    if char.fill == "dark" and " on " not in own:
        return f"{own} on grey23".strip()
    return own
