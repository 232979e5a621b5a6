"""A board of Hexapawn that is too large for a book: look ahead, remember, and say only what is certain.

Law of this file: an answer is exact, or there is none. All that was found out is remembered for the next
question, and what was hard to find out can be kept on disk.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from touchline.bots.hexapawn.book import started, table_of, words_of
from touchline.bots.kernels import COMPILES, U64, blank, table
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

    from touchline.bots.hexapawn.book import Position

SLOTS = 1 << (22 if COMPILES else 15)
KEPT = 500_000
"""Entries that are kept on disk at most, those that were hardest to find out."""
AT_ONCE = 100_000 if COMPILES else 4000
"""Positions that are looked at before the clock is, at most: some hundredths of a second."""
AT_LEAST = 500 if COMPILES else 50
"""And at least, also when there is no time: enough to find what is remembered."""


class Pace:
    """How fast a kernel looks at positions, by what it did last: it is given as many as there is time for."""

    def __init__(self, tally: Any, most: int, speed: float) -> None:
        """So many at once at most; a guess will do for the speed, until it is known."""
        self._tally, self._most, self._speed = tally, most, speed if COMPILES else speed / 40

    @contextmanager
    def until(self, end: float) -> Iterator[None]:
        """Set the limit of what is done inside, so that it is over by then."""
        begun, before = perf_counter(), int(self._tally[NODES])
        self._tally[LIMIT] = before + max(AT_LEAST, int(min(self._most, self._speed * (end - begun) / 2)))
        yield
        looked_at = int(self._tally[NODES]) - before
        if looked_at >= AT_LEAST:
            self._speed = looked_at / max(perf_counter() - begun, 1e-6)


class Lookahead:
    """What is known about the positions of one board. One question at a time: others wait."""

    def __init__(self, rows: int, cols: int) -> None:
        self.name = f"hexapawn-{rows}x{cols}-search"
        self.start = started(rows, cols)
        self.positions = None
        """Nobody counts them."""
        self.plies: int | None = None
        """From the first position, if known."""
        self.micros = 0
        """How long it took to find that out, as whoever asked says."""
        self.deep = 0
        """Within so many plies the last position that was asked about does not end, or ends exactly then."""
        self._board = board_of(rows, cols)
        self._memory, self._proofs = blank(4 * SLOTS, "uint64"), blank(2 * SLOTS, "uint64")
        self._way = blank(256)
        self._tally = table([0, 0])
        self._searching = Pace(self._tally, AT_ONCE, 2e6)
        self._proving = Pace(self._tally, AT_ONCE // 4, 1e5)
        self._lock = Lock()

    @property
    def looked_at(self) -> int:
        """How many positions were looked at so far."""
        return int(self._tally[NODES])

    def ends_within(self, position: Position, plies: int, until: float) -> bool | None:
        """Whether somebody can force the end within so many plies; None if it is not known in time.

        Whoever makes the last of an odd number of plies is the seat to move; of an even number, the other.
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

    def plies_from(self, position: Position, until: float) -> int | None:
        """The plies to the end when both play their best; None if it is not known in time."""
        for plies in count():
            answer = self.ends_within(position, plies, until)
            if answer is None:
                return None
            self.deep = plies
            if answer:
                return plies
        raise AssertionError("every game ends")

    def wins(self, position: Position, until: float) -> bool | None:
        """Whether the seat to move wins, by whatever number of plies; None if it is not proven in time."""
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

    def share(self, position: Position, games: int) -> float:
        """The share of so many random games that the seat to move wins."""
        mine, theirs, seat = position
        with self._lock:
            won = playouts(U64(mine), U64(theirs), seat, games, U64(1), self._board, self._way)
        return int(won) / games

    def work(self, seconds: float = 0.1) -> bool:
        """Think for a while about how the first position ends; whether that is known."""
        self.plies = self.plies_from(self.start, perf_counter() + seconds)
        return self.plies is not None

    def resume(self) -> bool:
        """Remember what was kept, if anything was."""
        found = table_cache.read(self.name)
        if found is None or not {"plies", "micros"} <= found.facts.keys() or len(found.words) % 4:
            return False
        recall(table_of(found.words), self._memory)
        self.plies = None if found.facts["plies"] < 0 else found.facts["plies"]
        self.micros = found.facts["micros"]
        return True

    def keep(self) -> bool:
        """Keep on disk what was hardest to find out; whether that could be done."""
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
