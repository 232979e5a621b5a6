"""Alpha-beta search for Fish between two seats, which can be suspended at any node and resumed.

A kernel cannot read the clock, so `search` stops after a number of nodes with its whole state in the two
arrays of `fish_search_state.py`, and continues when it is called again. As soon as no tile can be reached by
both seats, each is alone and the endgame search values the rest.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import ALL, I64, U64, compiled, count, lowest
from touchline.bots.kernels.fish import (
    NEIGHBOURS,
    OPEN,
    QUOTA,
    STANDING,
    STRIDE,
    UNITS,
    around,
    reach,
    slides,
    units,
)
from touchline.bots.kernels.fish_endgame import PATIENCE, alone
from touchline.bots.kernels.fish_search_state import (
    AT_LEAST,
    AT_MOST,
    BEST,
    CHOSEN,
    COUNTED,
    DEPTH,
    EXACT,
    FAR,
    FLOOR,
    FRAME,
    FRAMES,
    FREE,
    GAIN,
    GUESSED,
    GUESSES,
    HIGH,
    HISTORY,
    KEY,
    LEFT,
    LISTS,
    LOW,
    MINE,
    NEXT,
    NODES,
    NUMBER,
    PLY,
    PLY_WORDS,
    PROVEN,
    SALT,
    SCOUT,
    SIDE,
    SOLVED,
    SPREAD,
    THEIRS,
    VALUE,
    WIDEST,
    keep,
    key_of,
    remembered,
)

OPEN_END = 1 << 30
"""Returned by `look` for a node that has to be searched."""


@compiled("int64(uint64, uint64, uint64, uint64[::1])")
def territory(free: Any, mine: Any, theirs: Any, floe: Any) -> Any:
    """Estimate a position: of the tiles that a seat reaches first, step by step, it gets half."""
    if floe[STANDING]:
        value = units(mine, floe) - units(theirs, floe)
    else:
        edge = around(free, floe)
        value = units(mine & edge, floe) - units(theirs & edge, floe)
    front, facing, rest = mine, theirs, free
    ours, others = U64(0), U64(0)
    while rest:
        front = around(front, floe) & rest
        facing = around(facing, floe) & rest
        rest &= (front | facing) ^ ALL
        if front | facing == U64(0):
            break
        ours |= front & (facing ^ ALL)
        others |= facing & (front ^ ALL)
    return value + (units(ours, floe) - units(others, floe) >> 1)


@compiled("int64(uint64[::1], uint64[::1], int64[::1], int64)")
def look(floe: Any, words: Any, book: Any, ply: Any) -> Any:
    """Return the value of a node if it is in the table, an endgame or at depth 0; else OPEN_END."""
    at, frame = ply * PLY_WORDS, FRAMES + ply * FRAME
    free, mine, theirs, key = words[at + FREE], words[at + MINE], words[at + THEIRS], words[at + KEY]
    depth = book[frame + DEPTH]
    kept = remembered(words, key)
    if kept >= 0:
        value, bound, known = (kept >> 24) - FAR, kept >> 20 & 3, kept >> 12 & 127
        if known >= depth and (
            bound == EXACT
            or (bound == AT_LEAST and value >= book[frame + HIGH])
            or (bound == AT_MOST and value <= book[frame + LOW])
        ):
            if known != SOLVED:
                book[GUESSES] += 1
            return value
    if book[frame + LEFT] > 0:
        if free & floe[OPEN] == U64(0):
            return 0
    elif around(theirs, floe) & reach(mine, free, floe) == U64(0):
        value = alone(free, mine, floe, words, book, PATIENCE)
        proven = book[PROVEN]
        value -= alone(free, theirs, floe, words, book, PATIENCE)
        proven &= book[PROVEN]
        if proven == 0:
            book[GUESSES] += 1
        keep(words, key, value, EXACT, SOLVED if proven else depth, 0)
        return value
    if depth <= 0:
        book[GUESSES] += 1
        return territory(free, mine, theirs, floe)
    return OPEN_END


@compiled("void(uint64[::1], uint64[::1], int64[::1], int64)")
def list_moves(floe: Any, words: Any, book: Any, ply: Any) -> None:
    """List the moves of a node, each with its ordering score in the high bits."""
    at, frame, number = ply * PLY_WORDS, FRAMES + ply * FRAME, LISTS + ply * WIDEST
    free, mine, key = words[at + FREE], words[at + MINE], words[at + KEY]
    past = HISTORY + book[frame + SIDE] * 4096
    kept = remembered(words, key)
    first = kept & 4095 if kept >= 0 else -1
    if book[frame + LEFT] > 0:
        room = free & floe[OPEN]
        while room:
            tile = lowest(room)
            room &= room - U64(1)
            hope = book[past + tile * 65] + units(floe[tile * STRIDE + NEIGHBOURS] & free, floe)
            if tile * 65 == first:
                hope = 1 << 40
            book[number] = hope << 12 | tile * 65
            number += 1
    else:
        while mine:
            tile = lowest(mine)
            mine &= mine - U64(1)
            targets = slides(tile, free, floe)
            gain = I64(floe[tile * STRIDE + UNITS])
            while targets:
                move = tile * 64 + lowest(targets)
                targets &= targets - U64(1)
                hope = book[past + move] + gain
                if move == first:
                    hope = 1 << 40
                book[number] = hope << 12 | move
                number += 1
    book[frame + NUMBER] = number - LISTS - ply * WIDEST
    book[frame + NEXT], book[frame + BEST], book[frame + CHOSEN] = 0, -FAR, 0
    book[frame + FLOOR], book[frame + GUESSED] = book[frame + LOW], book[GUESSES]


@compiled("void(uint64[::1], uint64[::1], int64[::1], int64, int64)")
def descend(floe: Any, words: Any, book: Any, ply: Any, scout: Any) -> None:
    """Set up the child of the next move; a scout has a null window: is the move better than the best?"""
    at, frame = ply * PLY_WORDS, FRAMES + ply * FRAME
    move = book[LISTS + ply * WIDEST + book[frame + NEXT]] & 4095
    origin, target = move >> 6, move & 63
    mine, theirs = words[at + MINE], words[at + THEIRS]
    side, left = book[frame + SIDE], book[frame + LEFT]
    low, gain = book[frame + LOW], 0
    high = low + 1 if scout else book[frame + HIGH]
    after = 1 - side
    salt = U64(book[SALT])
    if left > 0:
        mine |= U64(1) << U64(target)
        left -= 1
        if left == 0:
            after = 0
        else:
            if left <= I64(floe[QUOTA]) - count(mine):
                after = side
            salt ^= U64(after + 1) * U64(SPREAD) & ALL
    else:
        mine ^= U64(1) << U64(origin) | U64(1) << U64(target)
        gain = I64(floe[origin * STRIDE + UNITS])
    free = words[at + FREE] ^ U64(1) << U64(target)
    below, child = at + PLY_WORDS, frame + FRAME
    book[frame + SCOUT], book[frame + GAIN] = scout, gain
    book[child + DEPTH], book[child + SIDE], book[child + LEFT] = book[frame + DEPTH] - 1, after, left
    if after == side:
        book[child + LOW], book[child + HIGH] = low - gain, high - gain
    else:
        book[child + LOW], book[child + HIGH] = gain - high, gain - low
        mine, theirs = theirs, mine
    words[below + FREE], words[below + MINE], words[below + THEIRS] = free, mine, theirs
    words[below + KEY] = key_of(free, mine, theirs, salt)


@compiled("void(int64[::1], int64)")
def bring_forward(book: Any, ply: Any) -> None:
    """Swap the remaining move with the best ordering score into the next place."""
    frame, start = FRAMES + ply * FRAME, LISTS + ply * WIDEST
    first = start + book[frame + NEXT]
    best, most = first, book[first]
    for place in range(first + 1, start + book[frame + NUMBER]):
        if book[place] > most:
            best, most = place, book[place]
    book[best], book[first] = book[first], most


@compiled("void(uint64[::1], int64[::1], uint64, uint64, uint64, int64, int64, int64)")
def begin(words: Any, book: Any, free: Any, mine: Any, theirs: Any, side: Any, left: Any, depth: Any) -> None:
    """Set up the root and halve the history; the side to move is 0 for the first seat, 1 for the second."""
    salt = U64(book[SALT])
    if left > 0:
        salt ^= U64(side + 1) * U64(SPREAD) & ALL
    words[FREE], words[MINE], words[THEIRS] = free, mine, theirs
    words[KEY] = key_of(free, mine, theirs, salt)
    book[FRAMES + LOW], book[FRAMES + HIGH], book[FRAMES + BEST] = -FAR, FAR, -FAR
    book[FRAMES + SIDE], book[FRAMES + LEFT], book[FRAMES + DEPTH] = side, left, depth
    book[PLY], book[GUESSES] = 0, 0
    for place in range(HISTORY, HISTORY + 2 * 4096):
        book[place] >>= 1


@compiled("boolean(uint64[::1], uint64[::1], int64[::1], int64, int64)")
def take_in(floe: Any, words: Any, book: Any, ply: Any, value: Any) -> Any:
    """Process the value of a child. Return True if another child is set up, or the same one with the full
    window; False if the node is finished."""
    frame = FRAMES + ply * FRAME
    if book[frame + FRAME + SIDE] != book[frame + SIDE]:
        value = -value
    value += book[frame + GAIN]
    if book[frame + SCOUT] and book[frame + LOW] < value < book[frame + HIGH]:
        descend(floe, words, book, ply, 0)
        return True
    if value > book[frame + BEST]:
        move = book[LISTS + ply * WIDEST + book[frame + NEXT]] & 4095
        book[frame + BEST], book[frame + CHOSEN] = value, move
        book[frame + LOW] = max(book[frame + LOW], value)
    book[frame + NEXT] += 1
    if book[frame + LOW] >= book[frame + HIGH] or book[frame + NEXT] == book[frame + NUMBER]:
        return False
    bring_forward(book, ply)
    descend(floe, words, book, ply, 1)
    return True


@compiled("int64(uint64[::1], int64[::1], int64)")
def settle(words: Any, book: Any, ply: Any) -> Any:
    """Store the value of a finished node, and credit the move that caused a cutoff."""
    frame = FRAMES + ply * FRAME
    value, depth, bound = book[frame + BEST], book[frame + DEPTH], EXACT
    if value >= book[frame + HIGH]:
        bound = AT_LEAST
        move = book[LISTS + ply * WIDEST + book[frame + NEXT] - 1] & 4095
        book[HISTORY + book[frame + SIDE] * 4096 + move] += depth * depth
    elif value <= book[frame + FLOOR]:
        bound = AT_MOST
    if book[GUESSES] == book[frame + GUESSED]:
        depth = SOLVED
    keep(words, words[ply * PLY_WORDS + KEY], value, bound, depth, book[frame + CHOSEN])
    return value


@compiled("int64(uint64[::1], uint64[::1], int64[::1], int64)")
def search(floe: Any, words: Any, book: Any, budget: Any) -> Any:
    """Search for a number of nodes; return 1 when the root is finished, else 0.

    The root is set up in ply 0, with PLY at 0; once it is finished its frame has the best move and its value.
    """
    ply, value, nodes, entering = book[PLY], 0, 0, True
    book[COUNTED] = 0
    while ply >= 0:
        if entering:
            if nodes + book[COUNTED] >= budget:
                break
            nodes += 1
            value = look(floe, words, book, ply) if ply else OPEN_END
            entering = value == OPEN_END
            if entering:
                list_moves(floe, words, book, ply)
                bring_forward(book, ply)
                descend(floe, words, book, ply, 0)
        elif take_in(floe, words, book, ply, value):
            entering = True
        else:
            value = settle(words, book, ply)
        ply += 1 if entering else -1
    book[NODES] += nodes + book[COUNTED]
    book[PLY] = max(ply, 0)
    if ply >= 0:
        return 0
    book[VALUE] = value
    return 1
