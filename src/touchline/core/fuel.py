"""Fuel: the number of instructions that a WebAssembly module has executed, as a clock.

The same module uses the same fuel for the same messages, on every machine and however busy it is. So a limit
in fuel is the same for everybody, and a record can prove that an answer was late.
"""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

from msgspec import Meta

MOST_FUEL = 10**15
"""The largest limit: at a billion instructions a second, it lasts for twelve days."""
SET_UP_MOVES = 10
"""A player may use the fuel of this many moves before it is ready, because it may prepare tables."""

Fuel: TypeAlias = Annotated[int, Meta(ge=0)]

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_WRITTEN = re.compile(r"(\d{1,16}(?:\.\d{1,9})?)([kmg]?)", re.IGNORECASE)


def fuel_of(text: str) -> int:
    """Return the fuel that a text stands for: digits, with k, M or G for thousands, millions or billions.

    >>> fuel_of("5M"), fuel_of("250k"), fuel_of("1.5G"), fuel_of("800")
    (5000000, 250000, 1500000000, 800)
    """
    found = _WRITTEN.fullmatch(text.strip().replace("_", ""))
    if found is None:
        raise ValueError(f"{text!r} is no fuel: write a number, with k, M or G for larger ones, as in 5M")
    fuel = round(float(found[1]) * _UNITS[found[2].lower()])
    check_fuel(fuel)
    return fuel


def check_fuel(fuel: int) -> None:
    """Raise ValueError if this is no limit."""
    if not 1 <= fuel <= MOST_FUEL:
        raise ValueError(f"a limit of {fuel:,} fuel is impossible: it is 1 to {MOST_FUEL:,}")


def exceeded(limit: int) -> str:
    """Return the reason of a seat that has used more than this.

    >>> exceeded(5_000_000)
    'used more than 5,000,000 fuel'
    """
    return f"used more than {limit:,} fuel"
