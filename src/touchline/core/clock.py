"""Time controls as immutable values.

Law of this file: nothing here reads a clock; elapsed times are arguments. All times are whole microseconds,
so that a decision can be reproduced exactly from a record.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from touchline.core.fuel import Fuel

Micros: TypeAlias = int


def micros(seconds: float) -> Micros:
    """Convert seconds to microseconds.

    >>> micros(0.05)
    50000
    """
    return round(seconds * 1_000_000)


HOLDING_BACK = 0.5
"""The share of the goodbye limit in which last messages wait for open answers; the rest is to send them."""
LINGER: Micros = micros(1)
"""The longest time, 1 s, for which a dialect that `lingers` refuses requests of an expelled player."""


class Clock(Struct, frozen=True, gc=False):
    """The time budget of a seat: a time per move, then a bank, to which every move adds the increment.

    >>> clock = Clock(per_move=micros(1), bank=micros(5), increment=micros(2))
    >>> clock.spend(micros(3)).bank
    5000000
    >>> clock.budget
    6000000
    """

    per_move: Micros | None = micros(10)
    """None means no limit."""
    bank: Micros = 0
    increment: Micros = 0

    def __post_init__(self) -> None:
        if min(self.per_move or 0, self.bank, self.increment) < 0:
            raise ValueError("per_move, bank and increment of a clock must not be negative")

    @property
    def budget(self) -> Micros | None:
        """The longest time that the next move may take; None means no limit."""
        return None if self.per_move is None else self.per_move + self.bank

    def late(self, took: Micros) -> bool:
        """Return whether a move that took this long is late; a move at exactly the limit is in time."""
        return self.per_move is not None and took > self.per_move + self.bank

    def spend(self, took: Micros) -> Clock:
        """Return the clock after a move that took this long."""
        if self.per_move is None or (took <= self.per_move and not self.increment):
            return self
        over = max(0, took - self.per_move)
        return replace(self, bank=max(0, self.bank - over) + self.increment)


class Limits(Struct, frozen=True, kw_only=True):
    """The time limits of a match; None means no limit.

    >>> Limits(clock=Clock(per_move=micros(2))).clock.budget
    2000000
    """

    launch: Micros | None = micros(10)
    """From the connection of a player until it has introduced itself."""
    set_up: Micros | None = micros(10)
    """Until a seat is ready, has proposed, or has confirmed its next goal; includes a program's start."""
    goodbye: Micros | None = micros(1)
    """From the last message to a player until it has left; then it is disconnected."""
    clock: Clock = Clock()
    """The clock for the moves; each seat has its own."""
    fuel: Fuel | UnsetType = UNSET
    """The fuel for a move, of a seat whose fuel is counted (`players/wasm.py`); unset means no limit."""
    untimed: tuple[int, ...] | UnsetType = UNSET
    """The seats without a time limit: one in a debugger, for example. Unset means none."""

    def clock_of(self, seat: int) -> Clock:
        """Return the clock for the moves of a seat.

        >>> Limits(untimed=(1,)).clock_of(0).budget, Limits(untimed=(1,)).clock_of(1).budget
        (10000000, None)
        """
        return self.clock if self._timed(seat) else replace(self.clock, per_move=None)

    def set_up_of(self, seat: int) -> Micros | None:
        """Return the time until a seat must be ready; None means no limit."""
        return self.set_up if self._timed(seat) else None

    def _timed(self, seat: int) -> bool:
        return self.untimed is UNSET or seat not in self.untimed


UNTIMED = Limits(launch=None, set_up=None, goodbye=micros(1), clock=Clock(per_move=None))
"""Limits for debugging: no seat is ever late. The goodbye stays at 1 s, so that a match can end."""
