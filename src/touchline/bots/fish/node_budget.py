"""The budget of a search, in seconds or in nodes, handed out in portions.

A running kernel cannot be interrupted, so each call gets only as many nodes as take a moment at its measured
speed; then the clock is read again.
"""

from __future__ import annotations

from time import perf_counter

from touchline.bots.shared.time_budget import thinking

MOMENT = 0.0015
"""Seconds that a portion should take."""
LARGEST = 1 << 16
"""Nodes of a portion, at most, where the budget is in nodes."""
FEW = 100
"""Portions with fewer nodes are not used to measure the speed."""
SLOW = 100_000.0
"""Nodes per second assumed before the speed is measured."""


class NodeBudget:
    """The nodes that may still be searched; the clock starts when the object is created."""

    def __init__(self, seconds: float, nodes: int | None) -> None:
        self._now = perf_counter()
        self._until = self._now + thinking(seconds)
        self._last = (self._until + self._now + seconds) / 2
        self._nodes, self._done = nodes, 0
        self._speed = SLOW

    def portion(self, least: int = 0) -> int:
        """Return how many nodes to search next; `least` if the budget is spent."""
        if self._nodes is not None:
            return max(least, min(LARGEST, self._nodes - self._done))
        return max(least, int(self._speed * min(MOMENT, self._until - perf_counter())))

    def spend(self, nodes: int) -> None:
        """Charge the nodes that were searched since the last call."""
        now = perf_counter()
        if nodes >= FEW:
            self._speed = nodes / max(now - self._now, 1e-6)
        self._done += nodes
        self._now = now

    def late(self) -> bool:
        """Return whether the time reserved for work after the search is used up as well."""
        return self._nodes is None and perf_counter() > self._last
