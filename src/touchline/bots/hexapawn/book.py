"""The whole of a small Hexapawn board: solved bit by bit, kept on disk, and looked up.

Law of this file: a book has every position that can come up on its board, with its exact plies to the end.
What is unfinished is kept apart from books, and whoever goes on from it arrives at the same book, byte for
byte.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import Any, TypeAlias

from touchline.bots.kernels import COMPILES, U64, blank, table
from touchline.bots.kernels.hexapawn import board_of
from touchline.bots.kernels.hexapawn_table import (
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

Position: TypeAlias = tuple[int, int, int]
"""The pawns of the seat to move, the pawns of the other, and which seat it is."""

FIRST_SLOTS = 1 << 12
AT_ONCE = 100_000 if COMPILES else 500
"""Entries that are solved before somebody is asked again whether to go on: some hundredths of a second."""


def about(rows: int, cols: int) -> int:
    """About how many positions can come up on a board: what was counted on many, with a formula laid through.

    >>> about(5, 5), about(6, 6)  # in truth 3210411 and 583717318
    (4084101, 594823321)
    """
    return int(max(7, 8 * rows - 19) ** cols) if rows > 2 else 2 * cols


def fits(rows: int, cols: int) -> bool:
    """Whether the positions of a board can be written as entries of a book at all."""
    return cols * (rows - 1) <= PACKED


def started(rows: int, cols: int) -> Position:
    """The first position."""
    row = (1 << cols) - 1
    return row, row << cols * (rows - 1), 0


def words_of(words: Any, length: int) -> array[int]:
    """The first words of a table of the engine."""
    if COMPILES:
        taken = array("Q")
        taken.frombytes(words[:length].tobytes())
        return taken
    return array("Q", words[:length])


def table_of(words: array[int]) -> Any:
    """The same the other way."""
    into = blank(len(words), "uint64")
    into[:] = words
    return into


class Book:
    """The plies to the end of every position of a board: odd if the seat to move wins."""

    def __init__(self, rows: int, cols: int, facts: dict[str, int], entries: array[int]) -> None:
        self.name = f"hexapawn-{rows}x{cols}"
        self._board, self._entries = board_of(rows, cols), entries
        self.plies, self.positions, self.micros = facts["plies"], facts["positions"], facts["micros"]

    def plies_from(self, position: Position) -> int | None:
        """The plies from a position in play; None if it cannot come up."""
        mine, theirs, seat = position
        low = int(key(U64(mine), U64(theirs), seat, self._board)) << PLIES
        at = bisect_left(self._entries, low)
        if at < len(self._entries) and self._entries[at] >> PLIES == low >> PLIES:
            return self._entries[at] & (1 << PLIES) - 1
        return None


def kept_book(rows: int, cols: int) -> Book | None:
    """The book of a board that was solved before."""
    found = table_cache.read(f"hexapawn-{rows}x{cols}")
    if found is None or not {"plies", "positions", "micros"} <= found.facts.keys():
        return None
    return Book(rows, cols, found.facts, found.words)


class Solver:
    """A board that is being solved."""

    def __init__(self, rows: int, cols: int) -> None:
        if not fits(rows, cols):
            raise ValueError(f"{rows} x {cols} is too large to be solved whole")
        self.rows, self.cols = rows, cols
        self.name = f"hexapawn-{rows}x{cols}"
        self.plies: int | None = None
        self.micros = 0
        """How long it has taken so far, as whoever lets it work says."""
        self._board = board_of(rows, cols)
        self._tables = [blank(FIRST_SLOTS, "uint64"), blank(FIRST_SLOTS, "uint64")]
        self._tally = table([0] * 5)

    @property
    def positions(self) -> int:
        """How many positions were found so far, finished ones with them."""
        return int(self._tally[POSITIONS])

    def resume(self) -> bool:
        """Go on from what was kept, if anything was."""
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
        """Solve so many entries more; whether all is solved."""
        tally, until = self._tally, int(self._tally[SOLVED]) + entries
        mine, theirs, seat = started(self.rows, self.cols)
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
        """Keep the book on disk, or the part of it to go on from; whether that could be done."""
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

    def book(self) -> Book:
        """The book of the board, which is solved."""
        assert self.plies is not None
        facts = {"plies": self.plies, "positions": self.positions, "micros": self.micros}
        return Book(self.rows, self.cols, facts, self._sorted(0, int(self._tally[SOLVED])))
