"""The whole of a small board: every position that can come up, with its plies to the end.

Law of this file: positions are solved after everything that can come of them, each once, and an entry is
written when all of it is true. So a table is right at any moment, and a solver that was stopped goes on.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import I64, U64, compiled, lowest
from touchline.bots.kernels.hexapawn import COLS, FAR, SIZE, WORD, mirror, origin, scrambled, targets

PLIES = 7
"""Bits of an entry that hold the plies; the others hold the position."""
PACKED = 28
"""A seat's pawns are in play on at most so many squares if there is to be room for the plies."""
SOLVED, REACHED, POSITIONS, STOP, ROOM = range(5)
"""Places in the tally of a solver: entries of both tables, positions they stand for, and when to stop."""


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def packed(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """A position in play in one word: no pawn stands on its own far row, so those bits are not kept."""
    first = mine if seat == 0 else theirs
    last = theirs if seat == 0 else mine
    return ((last >> board[COLS]) << board[SIZE]) | first


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def key(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """The word that a position in play shares with its mirror image and with nothing else."""
    one = packed(mine, theirs, seat, board)
    two = packed(mirror(mine, board), mirror(theirs, board), seat, board)
    return ((one if one < two else two) << U64(1)) | U64(seat)


@compiled("uint64(uint64, uint64, uint64[::1])")
def place(word: int, shift: int, entries: Any) -> Any:
    """Where an entry is whose bits from `shift` on are this word, or the gap where it belongs."""
    last = U64(len(entries) - 1)
    at = scrambled(word) & last
    while entries[at] != U64(0) and (entries[at] >> shift) != word:
        at = (at + U64(1)) & last
    return at


@compiled("void(uint64, uint64, int64, uint64, uint64[::1], uint64[::1], int64[::1])")
def reach(mine: int, theirs: int, seat: int, bit: int, board: Any, reached: Any, tally: Any) -> None:
    """Note the finished position in which the seat, with these other pawns, has reached this square."""
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
    """The plies from here to the end, after solving everything that can come; -1 if it had to stop before.

    Whoever wins makes it short, whoever loses makes it long. What was solved is in the tables, so a solver
    that stopped goes on where it was when it is called again.
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
    """Put the entries of one table, or of a list without gaps, into another table."""
    for word in words:
        if word != U64(0):
            into[place(word >> shift, shift, into)] = word


@compiled("int64(uint64[::1], uint64[::1])")
def gather(entries: Any, into: Any) -> Any:
    """Write the entries of a table without its gaps; how many."""
    found = 0
    for word in entries:
        if word != U64(0):
            into[found] = word
            found += 1
    return found
