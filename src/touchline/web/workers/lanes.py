"""Lanes: queues of jobs that share worker processes out fairly among the addresses that ask.

Rules of this file: the address that has used the least worker time lately is served next; no address holds
all workers of a lane; a job that exceeds the quantum of its lane goes on in a
slower lane, so that quick jobs never wait for long ones. The queue of a running match's moves has no limit.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from math import exp2, log2
from typing import Literal, TypeAlias

from msgspec import Struct

LaneName: TypeAlias = Literal["moves", "long_moves", "checks", "requests", "long_requests", "analysis"]

QUANTUM = 1.0
"""Seconds after its start after which a job is no quick one; so much work is lost when it changes lanes."""
PREPARING = 3.0
"""Seconds that a worker may take to start a quick job, as it may have to load compiled kernels."""
HALF_LIFE = 60.0
"""Seconds after which half of the worker time that an address has used is forgotten."""
MOST_ADDRESSES = 10_000


class Busy(Exception):
    """No worker is free, and the queue is full."""


class LaneTerms(Struct, frozen=True, kw_only=True):
    """How one lane works."""

    workers: int
    each: int
    """Workers that one address may hold at the same time."""
    waiting: int | None = None
    """Jobs that may wait; None for no limit."""
    per_address: int | None = None
    """Jobs of one address that may wait; None for no limit. The server's own jobs have no address."""
    then: LaneName | None = None
    """The lane in which a job goes on that exceeds the quantum; None if it may take its time here."""
    background: bool = False
    """Whether its workers give way to those of other lanes."""


def terms_for(count: int) -> dict[LaneName, LaneTerms]:
    """Return the lanes of a machine with this many processors.

    There are more workers than processors: long jobs of several addresses run side by side, so that one of a
    few seconds need not wait until another one of a minute has ended.
    """
    each = max(1, count - 1)
    return {
        "moves": LaneTerms(workers=each + 1, each=each, then="long_moves"),
        "long_moves": LaneTerms(workers=each + 3, each=each, background=True),
        "checks": LaneTerms(workers=2, each=1, waiting=64, per_address=16),
        "requests": LaneTerms(workers=2, each=1, waiting=64, per_address=16, then="long_requests"),
        "long_requests": LaneTerms(workers=2, each=1, waiting=32, per_address=4, background=True),
        "analysis": LaneTerms(workers=2, each=1, waiting=16, per_address=2, background=True),
    }


class WorkerTime:
    """The worker time that each address has used lately, in seconds; it decays."""

    def __init__(self) -> None:
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def used(self, address: str) -> float:
        seconds, at = self._used.get(address, (0.0, 0.0))
        if not seconds:
            return 0.0
        return seconds * exp2((at - asyncio.get_running_loop().time()) / HALF_LIFE)

    def wait(self, address: str, most: float) -> float:
        """Return the seconds until an address has used less than `most`."""
        used = self.used(address)
        return HALF_LIFE * log2(used / most) if used > most else 0.0

    def charge(self, address: str, seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        self._used[address] = (self.used(address) + seconds, now)
        self._used.move_to_end(address)
        if len(self._used) > MOST_ADDRESSES:
            self._used.popitem(last=False)


class Lane:
    """Workers of one lane, and the jobs that wait for them, by address."""

    def __init__(self, name: LaneName, terms: LaneTerms, time: WorkerTime) -> None:
        self.name, self.terms, self._time = name, terms, time
        self.running: Counter[str] = Counter()
        """Jobs of each address that have a worker."""
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    async def acquire(self, address: str) -> None:
        """Wait for a worker. Busy if too many wait already."""
        if not self._waiting and self._may_run(address):
            self.running[address] += 1
            return
        self._check_room(address)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        self._assign()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # a worker was already assigned
                self.release(address)
            else:
                self._forget(address, turn)
            raise

    def _may_run(self, address: str) -> bool:
        return self.running.total() < self.terms.workers and self.running[address] < self.terms.each

    def _check_room(self, address: str) -> None:
        mine, terms = len(self._waiting.get(address, ())), self.terms
        if address and terms.per_address is not None and mine >= terms.per_address:
            raise Busy(f"{mine} requests of your address are waiting already; try again soon")
        if terms.waiting is not None and self.waiting >= terms.waiting:
            raise Busy("all workers are busy; try again soon")

    def _forget(self, address: str, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(address)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._waiting[address]

    def release(self, address: str) -> None:
        """Give a worker back, and assign it to the next job."""
        self.running[address] -= 1
        if self.running[address] <= 0:
            del self.running[address]
        self._assign()

    def _assign(self) -> None:
        """Give free workers to the addresses that have used the least worker time."""
        while able := [address for address in self._waiting if self._may_run(address)]:
            address = min(able, key=lambda each: (self.running[each], self._time.used(each)))
            turn = self._waiting[address][0]
            self._forget(address, turn)
            if not turn.done():
                self.running[address] += 1
                turn.set_result(None)

    def close(self) -> None:
        """Cancel the jobs that wait."""
        for queue in self._waiting.values():
            for turn in queue:
                turn.cancel()
        self._waiting.clear()
