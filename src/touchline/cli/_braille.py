"""Line charts in a terminal, drawn with braille characters of two by four dots."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot in a braille character, by row and column."""


def curve(values: Sequence[float], top: float, wide: int, high: int) -> list[str]:
    """Draw values between 0 and `top`, one for each column of dots, as `high` lines of `wide` characters.

    >>> curve([0, 1, 2, 3], 3, 2, 1)
    ['⡠⠊']
    """
    cells = [[0] * wide for _ in range(high)]
    before: int | None = None
    for column, value in enumerate(values[: 2 * wide]):
        dot = round(value / (top or 1) * (4 * high - 1))
        for height in range(dot if before is None else min(before + 1, dot), dot + 1):
            row = 4 * high - 1 - height
            cells[row // 4][column // 2] |= DOTS[row % 4][column % 2]
        before = dot
    return ["".join(chr(0x2800 + cell) for cell in row) for row in cells]
