"""Search on Hexapawn boards that are too large for a tablebase; it reports only what is certain.

Law of this file: an answer is exact, or there is none. Results stay in a transposition table for the next
question, and the most expensive ones can be cached on disk.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from touchline.bots.hexapawn.tablebase import start_position, table_of, words_of
from touchline.bots.kernels import COMPILES, U64, blank, compile_kernels, table
from touchline.bots.kernels.hexapawn import (
    LIMIT,
    NEVER,
    NODES,
    board_of,
    costly,
    costs,
    mirror,
    numbers,
    playouts,
    prove,
    recall,
    within,
)
from touchline.bots.shared import table_cache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.bots.hexapawn.tablebase import KernelPosition

SLOTS = 1 << (22 if COMPILES else 15)
KERNELS = (mirror, within, numbers, prove, playouts, recall, costs, costly)
"""What a `Lookahead` calls."""
KEPT = 500_000
"""Entries that are cached on disk at most, the most expensive ones."""
AT_ONCE = 100_000 if COMPILES else 4000
"""Nodes per call of a kernel, at most: some hundredths of a second until the clock is read."""
AT_LEAST = 500 if COMPILES else 50
"""Nodes per call, at least, also without time: enough to find what is in the table."""


class SearchPace:
    """The measured speed of a kernel, by which each call gets as many nodes as there is time for."""

    def __init__(self, tally: Any, most: int, speed: float) -> None:
        """Start with the most nodes per call and an assumed speed in nodes per second."""
        self._tally, self._most, self._speed = tally, most, speed if COMPILES else speed / 40

    @contextmanager
    def until(self, end: float) -> Iterator[None]:
        """Limit the nodes of the call inside so that it ends by this time, and measure its speed."""
        begun, before = perf_counter(), int(self._tally[NODES])
        self._tally[LIMIT] = before + max(AT_LEAST, int(min(self._most, self._speed * (end - begun) / 2)))
        yield
        looked_at = int(self._tally[NODES]) - before
        if looked_at >= AT_LEAST:
            self._speed = looked_at / max(perf_counter() - begun, 1e-6)


class Lookahead:
    """A search with a transposition table for one board. A lock admits one thread at a time."""

    def __init__(self, rows: int, cols: int) -> None:
        compile_kernels("perfect", KERNELS)
        self.name = f"hexapawn-{rows}x{cols}-search"
        self.start = start_position(rows, cols)
        self.positions = None
        """Positions are not counted here, other than in a `Solver`."""
        self.plies: int | None = None
        """Plies from the first position to the end, if known."""
        self.micros = 0
        """Microseconds of work on that, maintained by the caller."""
        self.deep = 0
        """The plies to which the last position was searched: it does not end sooner."""
        self._board = board_of(rows, cols)
        self._memory, self._proofs = blank(4 * SLOTS, "uint64"), blank(2 * SLOTS, "uint64")
        self._way = blank(256)
        self._tally = table([0, 0])
        self._searching = SearchPace(self._tally, AT_ONCE, 2e6)
        self._proving = SearchPace(self._tally, AT_ONCE // 4, 1e5)
        self._lock = Lock()

    @property
    def looked_at(self) -> int:
        """The number of nodes searched so far."""
        return int(self._tally[NODES])

    def ends_within(self, position: KernelPosition, plies: int, until: float) -> bool | None:
        """Return whether a seat can force the end within these plies; None if it is not known in time.

        With an odd number that is the seat to move, with an even number the other.
        """
        mine, theirs, seat = position
        with self._lock:
            while True:
                words = (U64(mine), U64(theirs), seat, plies % 2 == 1, plies)
                with self._searching.until(until):
                    answer = within(*words, self._board, self._memory, self._tally)
                if self._tally[NODES] < self._tally[LIMIT]:
                    return bool(answer)
                if perf_counter() >= until:
                    return None

    def plies_from(self, position: KernelPosition, until: float) -> int | None:
        """Return the plies to the end under perfect play; None if they are not known in time."""
        for plies in count():
            answer = self.ends_within(position, plies, until)
            if answer is None:
                return None
            self.deep = plies
            if answer:
                return plies
        raise AssertionError("every game ends")

    def wins(self, position: KernelPosition, until: float) -> bool | None:
        """Return whether the seat to move wins in any number of plies; None if it is not proven in time."""
        mine, theirs, seat = position
        words = min(
            (U64(mine), U64(theirs)), (mirror(U64(mine), self._board), mirror(U64(theirs), self._board))
        )
        with self._lock:
            while True:
                both = int(numbers(*words, seat, self._board, self._proofs))
                if 0 in (both >> 31, both & (1 << 31) - 1):
                    return both >> 31 == 0
                if perf_counter() >= until:
                    return None
                with self._proving.until(until):
                    prove(*words, seat, NEVER, NEVER, self._board, self._proofs, self._tally)

    def share(self, position: KernelPosition, games: int) -> float:
        """Return the share of random games that the seat to move wins."""
        mine, theirs, seat = position
        with self._lock:
            won = playouts(U64(mine), U64(theirs), seat, games, U64(1), self._board, self._way)
        return int(won) / games

    def work(self, seconds: float = 0.1) -> bool:
        """Search the first position for a while. Return whether its end is known."""
        self.plies = self.plies_from(self.start, perf_counter() + seconds)
        return self.plies is not None

    def resume(self) -> bool:
        """Load results from the cache. Return whether there were any."""
        found = table_cache.read(self.name)
        if found is None or not {"plies", "micros"} <= found.facts.keys() or len(found.words) % 4:
            return False
        recall(table_of(found.words), self._memory)
        self.plies = None if found.facts["plies"] < 0 else found.facts["plies"]
        self.micros = found.facts["micros"]
        return True

    def keep(self) -> bool:
        """Write the most expensive results to the cache. Return whether that succeeded."""
        counts = blank(256)
        costs(self._memory, counts)
        least, entries = 255, int(counts[255])
        while least > 0 and entries + int(counts[least - 1]) <= KEPT:
            least -= 1
            entries += int(counts[least])
        words = blank(4 * entries, "uint64")
        length = int(costly(self._memory, U64(least), words))
        facts = {"plies": -1 if self.plies is None else self.plies, "micros": self.micros}
        return table_cache.write(self.name, facts, words_of(words, length))
