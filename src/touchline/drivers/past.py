"""The past of a match whose referee was restarted: the happenings of its record, to be replayed.

The referee is replayed from these happenings, so it decides as before: the same state, clocks and counts. A
player that was started again is told everything that its seat was told. Its answers are awaited and dropped,
so that it has the same memory as before. A player that kept its memory, such as a person or a program at the
other end of a connection, is not told the past. No clock runs meanwhile.

Law of this file: a match that cannot be brought to its position is void. It is nobody's loss.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.happenings import Failed, Happening, Heard
from touchline.core.rules import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.clock import Micros
    from touchline.drivers.timekeeper import Arrival

SLACK: Micros = 5_000_000
"""Time beyond twice its limit, 5 s, in which a restarted player must repeat an answer."""


class Past(Struct, frozen=True):
    """The happenings of a match before its referee was restarted."""

    happenings: tuple[Happening, ...]
    kept: frozenset[Seat] = frozenset()
    """The seats of bots of this process that are not asked again: a person at the terminal."""


class CannotResume(Exception):
    """The match cannot be brought to the position of its record; `str()` says why."""


def patience(allowance: Micros | None, took: Micros) -> Micros | None:
    """Return how long to wait for an answer that once took `took` µs; None means no limit."""
    return None if allowance is None else 2 * max(allowance, took) + SLACK


class Repeated:
    """The answers that restarted players repeat, in the order of each seat."""

    def __init__(self) -> None:
        self._arrivals: defaultdict[Seat, deque[Arrival]] = defaultdict(deque)

    def add(self, arrivals: Iterable[Arrival]) -> None:
        for arrival in arrivals:
            self._arrivals[arrival.seat].append(arrival)

    def take(self, happening: Happening) -> bool:
        """Drop the answer that repeats this one; return whether it was there."""
        assert isinstance(happening, Heard)
        answers = self._arrivals[happening.seat]
        if not answers:
            return False
        what = answers[0].what
        if isinstance(what, Failed):
            raise CannotResume(f"seat {what.seat}, started again, did not repeat its answers: {what.why}")
        answers.popleft()
        return True

    def rest(self) -> list[Arrival]:
        """Return what is left in order of time: it was said after the past."""
        left = [arrival for answers in self._arrivals.values() for arrival in answers]
        return sorted(left, key=lambda arrival: arrival.at)
