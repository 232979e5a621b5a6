"""Hexapawn for machines: a board of up to 64 squares is two words, and a search is a function of words.

Law of this file: a position is `mine, theirs, seat`, the pawns of the seat to move, those of the other, and
which of the two it is, with squares numbered as in the rules. A position and its mirror image are one entry
of every table. Nothing draws in this game and whoever moved last has won, so the plies to the end say it all:
with an odd number the seat to move wins, with an even one it loses, and 0 is a seat that cannot move.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import ALL, I64, U64, compiled, count, lowest, table

MOST_SQUARES = 64
COLS, SIZE, BOARD, NOT_FIRST, NOT_LAST, FAR, SWAPS, PAIRS = 0, 1, 2, 3, 4, 5, 7, 8
"""Places in the table that describes a board; `FAR` and the next are the far rows of the seats."""
WORD = U64(ALL)


def board_of(rows: int, cols: int) -> Any:
    """What the kernels know of a board: its masks, and which columns a mirror swaps."""
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
    """Where the seat can go, all at once: `side` 0 is straight on, 1 diagonally west, 2 diagonally east."""
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
    """Where the pawn came from that went to this square."""
    cols = board[COLS]
    if side == 1:
        return bit >> (cols - U64(1)) if seat == 0 else bit << (cols + U64(1))
    if side == 2:
        return bit >> (cols + U64(1)) if seat == 0 else bit << (cols - U64(1))
    return bit >> cols if seat == 0 else bit << cols


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def anywhere(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """All squares that the seat can go to."""
    straight = targets(mine, theirs, seat, 0, board)
    return straight | targets(mine, theirs, seat, 1, board) | targets(mine, theirs, seat, 2, board)


@compiled("uint64(uint64, uint64[::1])")
def mirror(pawns: int, board: Any) -> Any:
    """The same pawns with left and right swapped."""
    for pair in range(I64(board[SWAPS])):
        column, apart = board[PAIRS + 2 * pair], board[PAIRS + 1 + 2 * pair]
        differ = ((pawns >> apart) ^ pawns) & column
        pawns ^= differ | (differ << apart)
    return pawns


@compiled("int64(uint64, uint64, int64, uint64[::1], int64[::1])")
def moves(mine: int, theirs: int, seat: int, board: Any, into: Any) -> Any:
    """Write every legal move, in the order of the rules, as 64 times its origin plus its target; how many."""
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
    """A word that looks nothing like this one: for chance, and for places in a table."""
    word = ((word ^ (word >> U64(30))) * U64(0xBF58476D1CE4E5B9)) & WORD
    word = ((word ^ (word >> U64(27))) * U64(0x94D049BB133111EB)) & WORD
    return word ^ (word >> U64(31))


@compiled("int64(uint64, uint64, int64, uint64, uint64[::1], int64[::1])")
def playout(mine: int, theirs: int, seat: int, seed: int, board: Any, into: Any) -> Any:
    """Play at random to the end and write the moves; how many there were."""
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
    """How many of so many random games the seat to move wins."""
    won = 0
    for number in range(times):
        won += playout(mine, theirs, seat, scrambled((seed + U64(number)) & WORD), board, into) & 1
    return won


# A table of four words an entry for the searches: mine, theirs, what is known, and what it cost to know.

_WAYS = 4


@compiled("int64(uint64, uint64, int64, uint64[::1])")
def known(mine: int, theirs: int, seat: int, memory: Any) -> Any:
    """Where the entry of a position begins, or -1."""
    last = U64(len(memory) // 4 - 1)
    home = scrambled(mine ^ scrambled(theirs)) ^ U64(seat)
    for way in range(_WAYS):
        at = I64((home ^ U64(way)) & last) * 4
        if memory[at] == mine and memory[at + 1] == theirs and memory[at + 2] >> U64(62) == U64(2 + seat):
            return at
    return -1


@compiled("void(uint64, uint64, int64, uint64, uint64, uint64[::1])")
def remember(mine: int, theirs: int, seat: int, what: int, cost: int, memory: Any) -> None:
    """Keep what is known of a position, in the place of whatever was cheapest."""
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
    """Count the entries of each cost; the last count is of all that cost more."""
    for at in range(0, len(memory), 4):
        if memory[at + 2] != U64(0):
            into[min(I64(memory[at + 3]), len(into) - 1)] += 1


@compiled("int64(uint64[::1], uint64, uint64[::1])")
def costly(memory: Any, cost: int, into: Any) -> Any:
    """Write the entries that cost at least so much, and no gaps; how many words."""
    found = 0
    for at in range(0, len(memory), 4):
        if memory[at + 2] != U64(0) and memory[at + 3] >= cost:
            for word in range(4):
                into[found + word] = memory[at + word]
            found += 4
    return found


@compiled("void(uint64[::1], uint64[::1])")
def recall(words: Any, memory: Any) -> None:
    """Remember entries that were written before."""
    for at in range(0, len(words), 4):
        seat = I64(words[at + 2] >> U64(62)) - 2
        what = words[at + 2] & U64((1 << 62) - 1)
        remember(words[at], words[at + 1], seat, what, words[at + 3], memory)


# Races: who clearly wins, without looking.


@compiled("int64(uint64, int64, uint64[::1])")
def distance(pawns: int, seat: int, board: Any) -> Any:
    """The steps that the foremost of these pawns has to go; there is one."""
    cols, row, steps = board[COLS], board[FAR + seat], 0
    while pawns & row == U64(0):
        row = row >> cols if seat == 0 else row << cols
        steps += 1
    return steps


@compiled("uint64(uint64, uint64, int64, uint64[::1])")
def unstoppable(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """The pawns that nobody can ever block or capture: no enemy is ahead, in its column or beside it."""
    cols = board[COLS]
    beside = ((theirs & board[NOT_FIRST]) >> U64(1)) | (((theirs & board[NOT_LAST]) << U64(1)) & WORD)
    held, ahead = U64(0), theirs | beside
    while ahead:
        ahead = ahead >> cols if seat == 0 else (ahead << cols) & board[BOARD]
        held |= ahead
    return mine & (held ^ WORD)


@compiled("int64(uint64, uint64, int64, uint64[::1])")
def race(mine: int, theirs: int, seat: int, board: Any) -> Any:
    """The plies within which the seat to move clearly wins; less than 0 if it loses within so many; else 0.

    It is clear if somebody has a pawn that nobody can stop and that arrives before any pawn of the other
    could: such a pawn can always move, so there is no other end but a sooner one. Both seats have pawns.
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


# Alpha-beta with the narrowest window there is: one question about the distance to the end, yes or no.

NODES, LIMIT = 0, 1
"""Places in the tally of a search: the positions it has looked at, and when to stop."""
_WINS, _NO_WIN, _LOSES, _NO_LOSS = U64(24), U64(16), U64(8), U64(0)
"""Where an entry has the fewest plies that are known to be enough, and the most known to be too few."""
_SHALLOW = 2
"""So few plies are sooner looked at than remembered."""


@compiled("boolean(uint64, uint64, int64, boolean, int64, uint64[::1], uint64[::1], int64[::1])")
def within(
    mine: int, theirs: int, seat: int, winning: bool, plies: int, board: Any, memory: Any, tally: Any
) -> Any:
    """Whether the seat to move can win within so many plies, or, if not `winning`, must lose within them.

    No answer once the tally has reached its limit; a later call finds in the memory what was answered before.
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
"""A proof number that no work can bring down to 0."""


@compiled("uint64(uint64, uint64, int64, uint64[::1], uint64[::1])")
def numbers(mine: int, theirs: int, seat: int, board: Any, memory: Any) -> Any:
    """What is known of a position: its proof number times 2 ** 31, plus its disproof number.

    The first is how much there is to prove yet for the seat to move to win, the second for it to lose. One
    that nobody has looked at is as hard to lose as it has moves.
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
    """Work on a position, of which it is the smaller mirror image, until its numbers reach these thresholds.

    Or the tally its limit; what was found is in the memory, and a later call goes on from there.
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
        # Stay with the easiest move until it is clearly harder than the second: else one would go to and fro.
        limit, more = min(hard, second + 1 + second // 4), min(NEVER, harder - disproof + theirs_too)
        prove(next_mine, next_theirs, 1 - seat, more, limit, board, memory, tally)
