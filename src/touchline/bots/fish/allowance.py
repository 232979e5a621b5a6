"""How long a player may think: so many seconds, or so many nodes, in portions; then it looks at the clock.

A kernel that runs cannot be stopped, so it is only ever asked for what takes a moment at the speed it had.
"""

from __future__ import annotations

from time import perf_counter

from touchline.bots.shared.time_budget import thinking

MOMENT = 0.0015
LARGEST = 1 << 16
FEW = 100
"""Nodes too few to tell a speed by."""
SLOW = 100_000.0
"""Nodes a second that are expected before any speed is known."""


class Allowance:
    """Nodes that may still be done; the clock starts when it is made."""

    def __init__(self, seconds: float, nodes: int | None) -> None:
        self._now = perf_counter()
        self._until = self._now + thinking(seconds)
        self._last = (self._until + self._now + seconds) / 2
        self._nodes, self._done = nodes, 0
        self._speed = SLOW

    def portion(self, least: int = 0) -> int:
        """How many nodes to do next, in about a moment; `least`, or nothing, if that was it."""
        if self._nodes is not None:
            return max(least, min(LARGEST, self._nodes - self._done))
        return max(least, int(self._speed * min(MOMENT, self._until - perf_counter())))

    def spend(self, nodes: int) -> None:
        """So many were done since the last time."""
        now = perf_counter()
        if nodes >= FEW:
            self._speed = nodes / max(now - self._now, 1e-6)
        self._done += nodes
        self._now = now

    def late(self) -> bool:
        """Whether even what remains to be done after thinking has to stop."""
        return self._nodes is None and perf_counter() > self._last
