"""The colours of the seats of a game, from its sheet: the only place where they are written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.draw.sheet import sheet_of

if TYPE_CHECKING:
    from touchline.draw.sheet import Sheet

SEATS = 6
"""How many seats have a colour of their own; a seventh has that of the first."""


class SeatColour(NamedTuple):
    """The colour of a seat, of its outline, and of what is written on it."""

    fill: str
    line: str
    on: str


def seat_colours(owner: type) -> tuple[SeatColour, ...]:
    """Return the colours of a game's seats in order, from the sheet beside the module of a game or a state.

    >>> from touchline.games.fish import Fish
    >>> seat_colours(Fish)[1].fill
    '#F3F4F2'
    """
    return colours_of(sheet_of(owner))


def colours_of(sheet: Sheet) -> tuple[SeatColour, ...]:
    """Return the colours of the seats in a sheet."""
    cascade = sheet.cascade(dark=False)
    worn = [cascade.within((*sheet.root, f"seat{seat}")) for seat in range(SEATS)]
    return tuple(SeatColour(one["--seat"], one["--seat-line"], one["--on-seat"]) for one in worn)


def luminance(colour: str) -> float:
    """Return how bright a colour is, from 0 to 1, as WCAG defines it.

    >>> luminance("#000000"), round(luminance("#FFFFFF"), 3)
    (0.0, 1.0)
    """
    parts = [part / 255 for part in rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21.

    >>> round(contrast("#000000", "#FFFFFF"))
    21
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of a colour in hexadecimal digits.

    >>> rgb("#fff"), rgb("#102030")
    ((255, 255, 255), (16, 32, 48))
    """
    digits = colour.lstrip("#")
    digits = digits if len(digits) >= 6 else "".join(2 * char for char in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def lightened(colour: str, paper: str, least: float = 4.5) -> str:
    """Return a colour mixed with white until it can be read on dark paper.

    >>> lightened("#1F4FA8", "#15191E") != "#1F4FA8"
    True
    """
    for share in range(0, 100, 4):
        mixed = "#" + "".join(f"{round(part + (255 - part) * share / 100):02X}" for part in rgb(colour))
        if contrast(mixed, paper) >= least:
            return mixed
    return "#FFFFFF"
