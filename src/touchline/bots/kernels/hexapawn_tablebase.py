"""Solve a small board completely: every reachable position with its plies to the end.

Law of this file: a position is solved once, after all its successors, and its entry is written when it is
final. So the table is correct at any moment, and an interrupted solver can resume.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import I64, U64, compiled, lowest
from touchline.bots.kernels.hexapawn import COLS, FAR, SIZE, WORD, mirror, origin, scrambled, targets

PLIES = 7
"""Low bits of an entry that hold the plies; the other bits hold the position."""
PACKED = 28
"""The most squares on which a seat's pawns can stand in play, so that an entry has room for the plies."""
SOLVED, REACHED, POSITIONS, STOP, ROOM = range(5)
"""Indices in the tally of a solver: entries of both tables, positions they stand for, and two limits."""


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def packed(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """Pack a position in play into one word: no pawn stands on its far row, so those bits are dropped."""
    first = mine if seat == 0 else theirs
    last = theirs if seat == 0 else mine
    return ((last >> board[COLS]) << board[SIZE]) | first


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def key(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """Return the key that a position in play shares with its mirror image only."""
    one = packed(mine, theirs, seat, board)
    two = packed(mirror(mine, board), mirror(theirs, board), seat, board)
    return ((one if one < two else two) << U64(1)) | U64(seat)


@compiled("uint64(uint64, uint64, uint64[::1])")
def place(word: int, shift: int, entries: Any) -> Any:
    """Return the slot of the entry whose bits from `shift` on are this word, or the empty slot for it."""
    last = U64(len(entries) - 1)
    at = scrambled(word) & last
    while entries[at] != U64(0) and (entries[at] >> shift) != word:
        at = (at + U64(1)) & last
    return at


@compiled("void(uint64, uint64, int64, uint64, uint64[::1], uint64[::1], int64[::1])")
def reach(mine: int, theirs: int, seat: int, bit: int, board: Any, reached: Any, tally: Any) -> None:
    """Count the finished position in which the seat, with these other pawns, has reached this square."""
    cols = board[COLS]
    col = U64(lowest(bit)) % cols
    one = (packed(mine, theirs, seat, board) << U64(5)) | col
    two = packed(mirror(mine, board), mirror(theirs, board), seat, board)
    two = (two << U64(5)) | (cols - U64(1) - col)
    word = ((one if one < two else two) << U64(2)) | (U64(seat) << U64(1)) | U64(1)
    at = place(word, U64(0), reached)
    if reached[at] == U64(0):
        reached[at] = word
        tally[REACHED] += 1
        tally[POSITIONS] += 1 if one == two else 2


@compiled("int64(uint64, uint64, int64, uint64[::1], uint64[::1], uint64[::1], int64[::1])")
def solve(mine: int, theirs: int, seat: int, board: Any, entries: Any, reached: Any, tally: Any) -> Any:
    """Return the plies to the end after solving all successors; -1 if a limit was reached before.

    The winner shortens the game, the loser prolongs it. What was solved is in the tables, so the next call
    continues from there.
    """
    word = key(mine, theirs, seat, board)
    at = place(word, U64(PLIES), entries)
    if entries[at] != U64(0):
        return I64(entries[at] & U64(127))
    shortest, longest = 127, 0
    for side in range(3):
        left = targets(mine, theirs, seat, side, board)
        while left:
            bit = left & (U64(0) - left)
            left ^= bit
            stay, gone = mine ^ origin(bit, seat, side, board), theirs & (bit ^ WORD)
            if bit & board[FAR + seat]:
                reach(stay, gone, seat, bit, board, reached, tally)
                plies = 1
            else:
                plies = 1 + solve(gone, stay | bit, 1 - seat, board, entries, reached, tally)
                if plies == 0:
                    return -1
            if plies & 1:
                shortest = min(shortest, plies)
            else:
                longest = max(longest, plies)
    if tally[SOLVED] >= tally[STOP] or tally[REACHED] >= tally[ROOM]:
        return -1
    plies = shortest if shortest < 127 else longest
    entries[place(word, U64(PLIES), entries)] = (word << U64(PLIES)) | U64(plies)
    tally[SOLVED] += 1
    tally[POSITIONS] += 1 if mirror(mine, board) == mine and mirror(theirs, board) == theirs else 2
    return plies


@compiled("void(uint64[::1], uint64, uint64[::1])")
def pour(words: Any, shift: int, into: Any) -> None:
    """Insert the entries of one table, or of a list without gaps, into another table."""
    for word in words:
        if word != U64(0):
            into[place(word >> shift, shift, into)] = word


@compiled("int64(uint64[::1], uint64[::1])")
def gather(entries: Any, into: Any) -> Any:
    """Write the entries of a table without gaps; return their number."""
    found = 0
    for word in entries:
        if word != U64(0):
            into[found] = word
            found += 1
    return found
