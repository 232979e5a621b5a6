"""Tablebases of small Hexapawn boards: solved step by step, cached on disk, and looked up.

Law of this file: a tablebase has every position that can come up on its board, with its exact plies to the
end. Unfinished work is cached under another name, and resuming it gives the same tablebase, byte for byte.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import Any, TypeAlias

from touchline.bots.kernels import COMPILES, U64, blank, compile_kernels, table
from touchline.bots.kernels.hexapawn import board_of
from touchline.bots.kernels.hexapawn_tablebase import (
    PACKED,
    PLIES,
    POSITIONS,
    REACHED,
    ROOM,
    SOLVED,
    STOP,
    gather,
    key,
    pour,
    solve,
)
from touchline.bots.shared import table_cache

KernelPosition: TypeAlias = tuple[int, int, int]
"""The pawns of the seat to move, the pawns of the other, and which seat it is."""

FIRST_SLOTS = 1 << 12
"""Slots of a new hash table; it grows when it is 5/8 full."""
LOOK_UP, SOLVE = (key,), (solve, pour, gather)
"""The kernels that a `Tablebase` calls, and a `Solver`."""
AT_ONCE = 100_000 if COMPILES else 500
"""Entries solved per call of `work`: some hundredths of a second, so that it can be interrupted."""


def estimated_positions(rows: int, cols: int) -> int:
    """Estimate how many positions can come up on a board, by a formula fitted to counts of many boards.

    >>> estimated_positions(5, 5), estimated_positions(6, 6)  # in truth 3210411 and 583717318
    (4084101, 594823321)
    """
    return int(max(7, 8 * rows - 19) ** cols) if rows > 2 else 2 * cols


def fits(rows: int, cols: int) -> bool:
    """Return whether the positions of a board can be packed into entries of a tablebase."""
    return cols * (rows - 1) <= PACKED


def start_position(rows: int, cols: int) -> KernelPosition:
    """Return the first position of a board."""
    row = (1 << cols) - 1
    return row, row << cols * (rows - 1), 0


def words_of(words: Any, length: int) -> array[int]:
    """Return the first words of a kernel's array."""
    if COMPILES:
        taken = array("Q")
        taken.frombytes(words[:length].tobytes())
        return taken
    return array("Q", words[:length])


def table_of(words: array[int]) -> Any:
    """Return a kernel's array with these words."""
    into = blank(len(words), "uint64")
    into[:] = words
    return into


class Tablebase:
    """The plies to the end of every position of a board: odd if the seat to move wins."""

    def __init__(self, rows: int, cols: int, facts: dict[str, int], entries: array[int]) -> None:
        compile_kernels("perfect", LOOK_UP)
        self.name = f"hexapawn-{rows}x{cols}"
        self._board, self._entries = board_of(rows, cols), entries
        self.plies, self.positions, self.micros = facts["plies"], facts["positions"], facts["micros"]

    def plies_from(self, position: KernelPosition) -> int | None:
        """Return the plies from a position in play; None if it cannot come up."""
        mine, theirs, seat = position
        low = int(key(U64(mine), U64(theirs), seat, self._board)) << PLIES
        at = bisect_left(self._entries, low)
        if at < len(self._entries) and self._entries[at] >> PLIES == low >> PLIES:
            return self._entries[at] & (1 << PLIES) - 1
        return None


def load_tablebase(rows: int, cols: int) -> Tablebase | None:
    """Load the tablebase of a board from the cache; None if it is not there."""
    found = table_cache.read(f"hexapawn-{rows}x{cols}")
    if found is None or not {"plies", "positions", "micros"} <= found.facts.keys():
        return None
    return Tablebase(rows, cols, found.facts, found.words)


class Solver:
    """A board that is being solved, step by step."""

    def __init__(self, rows: int, cols: int) -> None:
        if not fits(rows, cols):
            raise ValueError(f"{rows} x {cols} is too large to be solved completely")
        compile_kernels("perfect", SOLVE)
        self.rows, self.cols = rows, cols
        self.name = f"hexapawn-{rows}x{cols}"
        self.plies: int | None = None
        self.micros = 0
        """Microseconds of work so far, maintained by the caller."""
        self._board = board_of(rows, cols)
        self._tables = [blank(FIRST_SLOTS, "uint64"), blank(FIRST_SLOTS, "uint64")]
        self._tally = table([0] * 5)

    @property
    def positions(self) -> int:
        """The number of positions found so far, including finished ones."""
        return int(self._tally[POSITIONS])

    def resume(self) -> bool:
        """Load unfinished work from the cache. Return whether there was any."""
        found = table_cache.read(f"{self.name}-part")
        if found is None or not {"solved", "reached", "positions", "micros"} <= found.facts.keys():
            return False
        solved, reached, positions = (found.facts[fact] for fact in ("solved", "reached", "positions"))
        if solved + reached != len(found.words):
            return False
        for number, (shift, words) in enumerate(((PLIES, found.words[:solved]), (0, found.words[solved:]))):
            self._grow(number, shift, table_of(words), len(words))
        self._tally[SOLVED], self._tally[REACHED], self._tally[POSITIONS] = solved, reached, positions
        self.micros = found.facts["micros"]
        return True

    def _grow(self, number: int, shift: int, words: Any, length: int) -> None:
        slots = FIRST_SLOTS
        while slots * 5 // 8 <= length:
            slots *= 2
        self._tables[number] = blank(slots, "uint64")
        pour(words, U64(shift), self._tables[number])

    def work(self, entries: int = AT_ONCE) -> bool:
        """Solve a number of further entries. Return whether the board is solved."""
        tally, until = self._tally, int(self._tally[SOLVED]) + entries
        mine, theirs, seat = start_position(self.rows, self.cols)
        while self.plies is None:
            rooms = [len(slots) * 5 // 8 for slots in self._tables]
            tally[STOP], tally[ROOM] = min(until, rooms[0]), rooms[1]
            entries_now, reached_now = self._tables
            plies = int(solve(U64(mine), U64(theirs), seat, self._board, entries_now, reached_now, tally))
            if plies >= 0:
                self.plies = plies
            elif tally[SOLVED] >= rooms[0]:
                self._grow(0, PLIES, self._tables[0], rooms[0])
            elif tally[REACHED] >= rooms[1]:
                self._grow(1, 0, self._tables[1], rooms[1])
            else:
                return False
        return True

    def _sorted(self, number: int, length: int) -> array[int]:
        into = blank(length, "uint64")
        gather(self._tables[number], into)
        into.sort()
        return words_of(into, length)

    def keep(self) -> bool:
        """Write the tablebase, or the unfinished work, to the cache. Return whether that succeeded."""
        solved, reached = int(self._tally[SOLVED]), int(self._tally[REACHED])
        entries = self._sorted(0, solved)
        facts = {"positions": self.positions, "micros": self.micros}
        if self.plies is None:
            facts |= {"solved": solved, "reached": reached}
            return table_cache.write(f"{self.name}-part", facts, entries + self._sorted(1, reached))
        if not table_cache.write(self.name, {"plies": self.plies, **facts}, entries):
            return False
        table_cache.remove(f"{self.name}-part")
        return True

    def tablebase(self) -> Tablebase:
        """Return the tablebase of the solved board."""
        assert self.plies is not None
        facts = {"plies": self.plies, "positions": self.positions, "micros": self.micros}
        return Tablebase(self.rows, self.cols, facts, self._sorted(0, int(self._tally[SOLVED])))
