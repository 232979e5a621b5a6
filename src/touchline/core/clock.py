"""Time controls as values. Law of this file: nothing here reads the time, it is handed in.

All times are whole microseconds, so that what was decided can be decided again from a record.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Micros: TypeAlias = int


def micros(seconds: float) -> Micros:
    """Seconds as microseconds.

    >>> micros(0.05)
    50000
    """
    return round(seconds * 1_000_000)


HOLDING_BACK = 0.5
"""The share of the goodbye limit in which last words wait for the answers to earlier ones."""
LINGER: Micros = micros(1)
"""How long at most a dialect that has a word for it still refuses what an expelled player asks."""


class Clock(Struct, frozen=True, gc=False):
    """How long a seat may think: a time for each move, then a bank, to which every move adds.

    >>> clock = Clock(per_move=micros(1), bank=micros(5), increment=micros(2))
    >>> clock.spend(micros(3)).bank
    5000000
    >>> clock.budget
    6000000
    """

    per_move: Micros | None = micros(10)
    """None is as long as it likes."""
    bank: Micros = 0
    increment: Micros = 0

    def __post_init__(self) -> None:
        if min(self.per_move or 0, self.bank, self.increment) < 0:
            raise ValueError("time does not run backwards: a clock has no negative part")

    @property
    def budget(self) -> Micros | None:
        """How long the next move may take at most."""
        return None if self.per_move is None else self.per_move + self.bank

    def late(self, took: Micros) -> bool:
        """Whether a move that took so long is late. Just in time is in time."""
        return self.per_move is not None and took > self.per_move + self.bank

    def spend(self, took: Micros) -> Clock:
        """The clock after a move that took so long."""
        if self.per_move is None or (took <= self.per_move and not self.increment):
            return self
        over = max(0, took - self.per_move)
        return replace(self, bank=max(0, self.bank - over) + self.increment)


class Limits(Struct, frozen=True, kw_only=True):
    """The time limits of a match; None is no limit.

    >>> Limits(clock=Clock(per_move=micros(2))).clock.budget
    2000000
    """

    launch: Micros | None = micros(10)
    """Until a player that connects has said who it is."""
    set_up: Micros | None = micros(10)
    """Until a seat is ready, has made its proposal, or has heard where to go next; a program starts in it."""
    goodbye: Micros | None = micros(1)
    """Until a player has taken its leave, before it is made to."""
    clock: Clock = Clock()
    """For the moves, for each seat its own."""


UNTIMED = Limits(launch=None, set_up=None, goodbye=micros(1), clock=Clock(per_move=None))
"""For debugging: nobody is ever late."""
