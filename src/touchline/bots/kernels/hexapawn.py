"""Hexapawn on bitboards of up to 64 squares: moves, playouts, alpha-beta search and proof-number search.

A position is `mine, theirs, seat`: the pawns of the seat to move, those of the other, and which seat it is,
with squares numbered as in the rules. A position and its mirror image share one entry of every table. There
are no draws, and the seat that moved last has won, so the plies to the end are the whole result: with an odd
number the seat to move wins, with an even one it loses, and 0 is a seat that cannot move.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import ALL, I64, U64, compiled, count, lowest, table

MOST_SQUARES = 64
COLS, SIZE, BOARD, NOT_FIRST, NOT_LAST, FAR, SWAPS, PAIRS = 0, 1, 2, 3, 4, 5, 7, 8
"""Indices in the array that describes a board; `FAR` and the next are the far rows of the seats."""
WORD = U64(ALL)


def board_of(rows: int, cols: int) -> Any:
    """Return the constants of a board: its masks, and the columns that a mirror swaps."""
    if not (rows >= 2 and cols >= 1 and rows * cols <= MOST_SQUARES):
        raise ValueError(f"a board has at most {MOST_SQUARES} squares here, not {rows} x {cols}")
    squares, row = (1 << rows * cols) - 1, (1 << cols) - 1
    column = sum(1 << square for square in range(0, rows * cols, cols))
    words = [cols, cols * (rows - 1), squares, squares ^ column, squares ^ column << cols - 1]
    words += [row << cols * (rows - 1), row, cols // 2]
    for left in range(cols // 2):
        words += [column << left, cols - 1 - 2 * left]
    return table(words, "uint64")


@compiled("uint64(uint64, uint64, int64, int64, uint64[::1])")
def targets(mine: int, theirs: int, seat: int, side: int, board: Any) -> Any:
    """Return all targets of the seat's moves: `side` 0 is straight, 1 diagonally west, 2 diagonally east."""
    cols = board[COLS]
    if side == 0:
        free = board[BOARD] ^ (mine | theirs)
        return ((mine << cols) & WORD if seat == 0 else mine >> cols) & free
    if side == 1:
        pawns = mine & board[NOT_FIRST]
        return (pawns << (cols - U64(1)) if seat == 0 else pawns >> (cols + U64(1))) & theirs
    pawns = mine & board[NOT_LAST]
    return ((pawns << (cols + U64(1))) & WORD if seat == 0 else pawns >> (cols - U64(1))) & theirs


@compiled("uint64(uint64, int64, int64, uint64[::1])")
def origin(bit: int, seat: int, side: int, board: Any) -> Any:
    """Return the square from which a pawn came to this one."""
    cols = board[COLS]
    if side == 1:
        return bit >> (cols - U64(1)) if seat == 0 else bit << (cols + U64(1))
    if side == 2:
        return bit >> (cols + U64(1)) if seat == 0 else bit << (cols - U64(1))
    return bit >> cols if seat == 0 else bit << cols


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def anywhere(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """Return the targets of all moves of the seat."""
    straight = targets(mine, theirs, seat, 0, board)
    return straight | targets(mine, theirs, seat, 1, board) | targets(mine, theirs, seat, 2, board)


@compiled("uint64(uint64, uint64[::1])")
def mirror(pawns: int, board: Any) -> Any:
    """Return the pawns with left and right swapped."""
    for pair in range(I64(board[SWAPS])):
        column, apart = board[PAIRS + 2 * pair], board[PAIRS + 1 + 2 * pair]
        differ = ((pawns >> apart) ^ pawns) & column
        pawns ^= differ | (differ << apart)
    return pawns


@compiled("int64(uint64, uint64, int64, uint64[::1], int64[::1])")
def moves(mine: int, theirs: int, seat: int, board: Any, into: Any) -> Any:
    """Write every legal move as 64 * origin + target, in the order of the rules; return their number."""
    found = 0
    for side in range(3):
        left = targets(mine, theirs, seat, side, board)
        while left:
            bit = left & (U64(0) - left)
            left ^= bit
            into[found] = 64 * lowest(origin(bit, seat, side, board)) + lowest(bit)
            found += 1
    return found


# Playouts.


@compiled("uint64(uint64)")
def scrambled(word: int) -> Any:
    """Return a hash of a word, for random numbers and for slots of a table."""
    word = ((word ^ (word >> U64(30))) * U64(0xBF58476D1CE4E5B9)) & WORD
    word = ((word ^ (word >> U64(27))) * U64(0x94D049BB133111EB)) & WORD
    return word ^ (word >> U64(31))


@compiled("int64(uint64, uint64, int64, uint64, uint64[::1], int64[::1])")
def playout(mine: int, theirs: int, seat: int, seed: int, board: Any, into: Any) -> Any:
    """Play random moves to the end and write them; return their number."""
    plies = 0
    while True:
        straight = targets(mine, theirs, seat, 0, board)
        west = targets(mine, theirs, seat, 1, board)
        east = targets(mine, theirs, seat, 2, board)
        steps, wests = count(straight), count(west)
        choices = steps + wests + count(east)
        if choices == 0:
            return plies
        seed = (seed + U64(0x9E3779B97F4A7C15)) & WORD
        drawn = I64(((scrambled(seed) >> U64(32)) * U64(choices)) >> U64(32))
        side, left = 0, straight
        if drawn >= steps + wests:
            side, left, drawn = 2, east, drawn - steps - wests
        elif drawn >= steps:
            side, left, drawn = 1, west, drawn - steps
        for _ in range(drawn):
            left &= left - U64(1)
        bit = left & (U64(0) - left)
        start = origin(bit, seat, side, board)
        into[plies] = 64 * lowest(start) + lowest(bit)
        plies += 1
        if bit & board[FAR + seat]:
            return plies
        mine, theirs = theirs & (bit ^ WORD), mine ^ (bit | start)
        seat = 1 - seat


@compiled("int64(uint64, uint64, int64, int64, uint64, uint64[::1], int64[::1])")
def playouts(mine: int, theirs: int, seat: int, times: int, seed: int, board: Any, into: Any) -> Any:
    """Return how many of a number of random games the seat to move wins."""
    won = 0
    for number in range(times):
        won += playout(mine, theirs, seat, scrambled((seed + U64(number)) & WORD), board, into) & 1
    return won


# The transposition table of the searches, four words per entry: mine, theirs, the bounds, and their cost.

_WAYS = 4


@compiled("int64(uint64, uint64, int64, uint64[::1])")
def known(mine: int, theirs: int, seat: int, memory: Any) -> Any:
    """Return the offset of a position's entry, or -1."""
    last = U64(len(memory) // 4 - 1)
    home = scrambled(mine ^ scrambled(theirs)) ^ U64(seat)
    for way in range(_WAYS):
        at = I64((home ^ U64(way)) & last) * 4
        if memory[at] == mine and memory[at + 1] == theirs and memory[at + 2] >> U64(62) == U64(2 + seat):
            return at
    return -1


@compiled("void(uint64, uint64, int64, uint64, uint64, uint64[::1])")
def remember(mine: int, theirs: int, seat: int, what: int, cost: int, memory: Any) -> None:
    """Store what is known of a position, replacing the cheapest entry of its bucket."""
    last = U64(len(memory) // 4 - 1)
    home = scrambled(mine ^ scrambled(theirs)) ^ U64(seat)
    tag, into, cheapest = U64(2 + seat), -1, WORD
    for way in range(_WAYS):
        at = I64((home ^ U64(way)) & last) * 4
        same = memory[at] == mine and memory[at + 1] == theirs and memory[at + 2] >> U64(62) == tag
        if same or memory[at + 2] == U64(0):
            into = at
            break
        if into < 0 or memory[at + 3] < cheapest:
            into, cheapest = at, memory[at + 3]
    memory[into], memory[into + 1] = mine, theirs
    memory[into + 2], memory[into + 3] = (tag << U64(62)) | what, cost


@compiled("void(uint64[::1], int64[::1])")
def costs(memory: Any, into: Any) -> None:
    """Count the entries by cost; the last count includes all higher costs."""
    for at in range(0, len(memory), 4):
        if memory[at + 2] != U64(0):
            into[min(I64(memory[at + 3]), len(into) - 1)] += 1


@compiled("int64(uint64[::1], uint64, uint64[::1])")
def costly(memory: Any, cost: int, into: Any) -> Any:
    """Write the entries that cost at least this much, without gaps; return the number of words."""
    found = 0
    for at in range(0, len(memory), 4):
        if memory[at + 2] != U64(0) and memory[at + 3] >= cost:
            for word in range(4):
                into[found + word] = memory[at + word]
            found += 4
    return found


@compiled("void(uint64[::1], uint64[::1])")
def recall(words: Any, memory: Any) -> None:
    """Store entries that `costly` wrote before."""
    for at in range(0, len(words), 4):
        seat = I64(words[at + 2] >> U64(62)) - 2
        what = words[at + 2] & U64((1 << 62) - 1)
        remember(words[at], words[at + 1], seat, what, words[at + 3], memory)


# Races: positions whose winner is clear without a search.


@compiled("int64(uint64, int64, uint64[::1])")
def distance(pawns: int, seat: int, board: Any) -> Any:
    """Return the steps that the foremost of these pawns has to go; there is at least one pawn."""
    cols, row, steps = board[COLS], board[FAR + seat], 0
    while pawns & row == U64(0):
        row = row >> cols if seat == 0 else row << cols
        steps += 1
    return steps


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def unstoppable(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """Return the passed pawns: no enemy pawn is ahead in the same column or an adjacent one."""
    cols = board[COLS]
    beside = ((theirs & board[NOT_FIRST]) >> U64(1)) | (((theirs & board[NOT_LAST]) << U64(1)) & WORD)
    held, ahead = U64(0), theirs | beside
    while ahead:
        ahead = ahead >> cols if seat == 0 else (ahead << cols) & board[BOARD]
        held |= ahead
    return mine & (held ^ WORD)


@compiled("int64(uint64, uint64, int64, uint64[::1])")
def race(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """Return the plies within which the seat to move clearly wins, negative if it clearly loses, else 0.

    It is clear if a seat has a passed pawn that arrives before any pawn of the other could: such a pawn can
    always move, so the game can only end sooner. Both seats have pawns.
    """
    runners = unstoppable(mine, theirs, seat, board)
    if runners:
        steps = distance(runners, seat, board)
        if steps <= distance(theirs, 1 - seat, board):
            return 2 * steps - 1
    runners = unstoppable(theirs, mine, 1 - seat, board)
    if runners:
        steps = distance(runners, 1 - seat, board)
        if steps < distance(mine, seat, board):
            return -2 * steps
    return 0


# Null-window search: one yes-or-no question about the distance to the end.

NODES, LIMIT = 0, 1
"""Indices in the tally of a search: the nodes searched, and their limit."""
_WINS, _NO_WIN, _LOSES, _NO_LOSS = U64(24), U64(16), U64(8), U64(0)
"""Shifts in an entry: the fewest plies known to be enough, and the most known to be too few."""
_SHALLOW = 2
"""Up to this many plies a search is faster than a table lookup."""


@compiled("boolean(uint64, uint64, int64, boolean, int64, uint64[::1], uint64[::1], int64[::1])")
def within(
    mine: int, theirs: int, seat: int, winning: bool, plies: int, board: Any, memory: Any, tally: Any
) -> Any:
    """Return whether the seat to move can win within these plies or, if not `winning`, must lose within them.

    The result is void once the tally reaches its limit; a later call finds in the table what was solved.
    """
    tally[NODES] += 1
    goals = anywhere(mine, theirs, seat, board)
    if goals == U64(0):
        return not winning
    if goals & board[FAR + seat]:
        return winning
    if plies < (1 if winning else 2) or tally[NODES] >= tally[LIMIT]:
        return False
    if plies > _SHALLOW:
        clear = race(mine, theirs, seat, board) if theirs else 1
        if clear != 0 and winning != (clear > 0):
            return False
        if clear != 0 and abs(clear) <= plies:
            return True
        other, others = mirror(mine, board), mirror(theirs, board)
        if other < mine or (other == mine and others < theirs):
            mine, theirs = other, others
        at = known(mine, theirs, seat, memory)
        if at >= 0:
            wins, no_win = I64(memory[at + 2] >> _WINS) & 255, I64(memory[at + 2] >> _NO_WIN) & 255
            loses, no_loss = I64(memory[at + 2] >> _LOSES) & 255, I64(memory[at + 2] >> _NO_LOSS) & 255
            enough, opposite, too_few = (wins, loses, no_win) if winning else (loses, wins, no_loss)
            if opposite or plies <= too_few:
                return False
            if enough and enough <= plies:
                return True
    # To win, one move must lose for the other; to lose, every move must win for the other.
    found = False
    for turn in range(3):
        side = (turn + 1) % 3  # captures first
        left = targets(mine, theirs, seat, side, board)
        while left and not found:
            bit = left & (U64(0) - left)
            left ^= bit
            stay, gone = mine ^ origin(bit, seat, side, board), theirs & (bit ^ WORD)
            answer = within(gone, stay | bit, 1 - seat, not winning, plies - 1, board, memory, tally)
            found = answer == winning
    answer = found == winning
    if plies > _SHALLOW and tally[NODES] < tally[LIMIT]:
        shift = (_WINS if answer else _NO_WIN) if winning else (_LOSES if answer else _NO_LOSS)
        at = known(mine, theirs, seat, memory)
        rest = memory[at + 2] & U64(0xFFFFFFFF) & ((U64(255) << shift) ^ WORD) if at >= 0 else U64(0)
        remember(mine, theirs, seat, rest | (U64(plies) << shift), U64(plies), memory)
    return answer


# Proof-number search, depth first.

NEVER = 1 << 30
"""The proof number of what is impossible: infinity."""


@compiled("uint64(uint64, uint64, int64, uint64[::1], uint64[::1])")
def numbers(mine: int, theirs: int, seat: int, board: Any, memory: Any) -> Any:
    """Return the proof number of a position times 2 ** 31, plus its disproof number.

    The first estimates the work left to prove that the seat to move wins, the second that it loses. A new
    position has as disproof number its number of moves.
    """
    at = known(mine, theirs, seat, memory)
    if at >= 0:
        return memory[at + 2] & U64((1 << 62) - 1)
    goals = anywhere(mine, theirs, seat, board)
    clear = -1 if goals == U64(0) else 1
    if goals != U64(0) and theirs != U64(0) and goals & board[FAR + seat] == U64(0):
        clear = race(mine, theirs, seat, board)
    if clear != 0:
        return U64(NEVER) if clear > 0 else U64(NEVER << 31)
    captures = count(targets(mine, theirs, seat, 1, board)) + count(targets(mine, theirs, seat, 2, board))
    return U64(1 << 31) | U64(captures + count(targets(mine, theirs, seat, 0, board)))


@compiled("void(uint64, uint64, int64, int64, int64, uint64[::1], uint64[::1], int64[::1])")
def prove(
    mine: int, theirs: int, seat: int, hard: int, harder: int, board: Any, memory: Any, tally: Any
) -> None:
    """Search a position, given as the smaller mirror image, until its numbers reach these thresholds.

    It also stops when the tally reaches its limit; results are in the table, and a later call continues.
    """
    before = tally[NODES]
    tally[NODES] += 1
    while True:
        # To win, one move must lose for the other; to lose, every move must win for the other.
        proof, second, disproof, theirs_too = NEVER, NEVER, 0, 0
        next_mine, next_theirs = mine, theirs
        for side in range(3):
            left = targets(mine, theirs, seat, side, board)
            while left:
                bit = left & (U64(0) - left)
                left ^= bit
                here = theirs & (bit ^ WORD)
                there = mine ^ (bit | origin(bit, seat, side, board))
                other, others = mirror(here, board), mirror(there, board)
                if other < here or (other == here and others < there):
                    here, there = other, others
                both = numbers(here, there, 1 - seat, board, memory)
                wins, loses = I64(both >> U64(31)), I64(both & U64(0x7FFFFFFF))
                disproof += wins
                if loses < proof:
                    second, proof, theirs_too = proof, loses, wins
                    next_mine, next_theirs = here, there
                elif loses < second:
                    second = loses
        disproof = NEVER if proof == 0 else min(disproof, NEVER)
        if proof >= hard or disproof >= harder or tally[NODES] >= tally[LIMIT]:
            cost = tally[NODES] - before
            remember(mine, theirs, seat, U64(proof << 31 | disproof), U64(cost), memory)
            return
        # Stay with the easiest move until it is clearly harder than the second, to avoid thrashing.
        limit, more = min(hard, second + 1 + second // 4), min(NEVER, harder - disproof + theirs_too)
        prove(next_mine, next_theirs, 1 - seat, more, limit, board, memory, tally)
