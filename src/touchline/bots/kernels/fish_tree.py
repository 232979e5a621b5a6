"""A tree of what came of playouts in Fish, for two to four seats, each of which plays for itself.

A node is six numbers of one long row. Its children lie side by side; they are made when a node is reached for
the second time, while there is room. A new leaf is worth half what a playout from it came to, and half what
it promises by whose tiles are near whose penguins: the two err in different ways, and their mean beat each.

Law of this file: roots are drawn, but no logarithms; those differ in the last bit with and without Numba.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from touchline.bots.kernels import ALL, U64, compiled
from touchline.bots.kernels.fish import (
    ALIVE,
    FREE,
    LEFT,
    PENGUINS,
    PRESENT,
    SEATS,
    SEED,
    STANDING,
    TURN,
    UNIT,
    around,
    copy,
    moves,
    play,
    playout,
    units,
)

NODE = 6
FIRST, KIDS, MOVE, VISITS, TOTAL, OWN = range(NODE)
"""Where the children begin, how many there are, the move that leads here, how often it was made, and the sums
of what came of it for the seat that made it, and for the seat that has the turn here."""
SHARE = 1 << 16
"""What a game is worth that was won alone."""
CURIOSITY = 0.25
FIRST_LOOK = 0.04
"""How much less is expected of a move that nobody has tried than of the node it starts from."""
MARGIN = 8
"""One part in so many of a result is by how many fish it was won or lost."""
DECISIVE = 24 * UNIT
"""A lead of so much at the end is as good as any."""
PROMISING = 20 * UNIT
"""And so much of a lead that is but promised."""
MOST_MOVES = 128
MOST_CHILDREN = 512
ROOM = 3 * MOST_MOVES + MOST_CHILDREN
"""Numbers that `explore` needs to work with: a path, who moved on it, what it was worth, and moves."""


@compiled("int64(int64[::1], int64[::1], int64)")
def lead(finals: Any, counts: Any, seat: Any) -> Any:
    """How far a seat is ahead of the best of the others who are still there."""
    best = -DECISIVE
    for other in range(counts[SEATS]):
        if other != seat and counts[PRESENT] >> other & 1:
            best = max(best, finals[other])
    return finals[seat] - best


@compiled("void(int64[::1], int64[::1])")
def result(counts: Any, values: Any) -> None:
    """What the end of a game is worth to each seat: to win most of it, the lead the rest; added to values."""
    for seat in range(counts[SEATS]):
        if counts[PRESENT] >> seat & 1:
            ahead = lead(counts, counts, seat)
            if ahead >= 0:
                winners = 0
                for other in range(counts[SEATS]):
                    if counts[PRESENT] >> other & 1 and counts[other] == counts[seat]:
                        winners += 1
                values[seat] += (SHARE - SHARE // MARGIN) // winners
            ahead = max(-DECISIVE, min(DECISIVE, ahead))
            values[seat] += (DECISIVE + ahead) * (SHARE // MARGIN) // (2 * DECISIVE)


@compiled("uint64(uint64, uint64, uint64, uint64)")
def several(first: Any, second: Any, third: Any, fourth: Any) -> Any:
    """The tiles that are in more than one of four sets."""
    both = first | second
    return first & second | both & third | (both | third) & fourth


@compiled("void(uint64[::1], uint64[::1], int64[::1], int64[::1])")
def territories(floe: Any, words: Any, counts: Any, finals: Any) -> None:
    """What each seat may end with: of the tiles to which it is nearer, step by step, it will get half."""
    rest = words[FREE]
    edge = around(rest, floe)
    for seat in range(4):
        mine = words[PENGUINS + seat]
        finals[seat] = counts[seat]
        if floe[STANDING] == U64(0):
            finals[seat] += units(mine & edge, floe)
        elif counts[ALIVE] >> seat & 1:
            finals[seat] += units(mine, floe)
    first, second = words[PENGUINS], words[PENGUINS + 1]
    third, fourth = words[PENGUINS + 2], words[PENGUINS + 3]
    while rest:
        first, second = around(first, floe) & rest, around(second, floe) & rest
        third, fourth = around(third, floe) & rest, around(fourth, floe) & rest
        some = first | second | third | fourth
        if some == U64(0):
            break
        rest &= some ^ ALL
        single = several(first, second, third, fourth) ^ ALL
        finals[0] += units(first & single, floe) >> 1
        finals[1] += units(second & single, floe) >> 1
        finals[2] += units(third & single, floe) >> 1
        finals[3] += units(fourth & single, floe) >> 1


@compiled("void(uint64[::1], uint64[::1], int64[::1], int64[::1], int64[::1])")
def promise(floe: Any, words: Any, counts: Any, finals: Any, values: Any) -> None:
    """What a state is worth to each seat by the territories."""
    territories(floe, words, counts, finals)
    for seat in range(counts[SEATS]):
        if counts[PRESENT] >> seat & 1:
            ahead = max(-PROMISING, min(PROMISING, lead(finals, counts, seat)))
            values[seat] = (PROMISING + ahead) * SHARE // (2 * PROMISING)


@compiled("int64(int64[::1], int64)")
def hopeful(tree: Any, node: Any) -> Any:
    """The child with the best prospects: what came of it so far, and more the less it was tried."""
    at = node * NODE
    first, kids = tree[at + FIRST], tree[at + KIDS]
    expected = tree[at + OWN] / tree[at + VISITS] - FIRST_LOOK * SHARE
    spread = CURIOSITY * SHARE * sqrt(tree[at + VISITS] / kids)
    best, chosen = -1.0e18, first
    for child in range(first, first + kids):
        visits = tree[child * NODE + VISITS]
        mean = tree[child * NODE + TOTAL] / visits if visits else expected
        bound = mean + spread / (1 + visits)
        if bound > best:
            best, chosen = bound, child
    return chosen


@compiled("int64(int64[::1], int64, int64, int64[::1], int64)")
def expand(tree: Any, used: Any, node: Any, found: Any, number: Any) -> Any:
    """Give a node its children; how many nodes are in use then."""
    tree[node * NODE + FIRST], tree[node * NODE + KIDS] = used, number
    for kid in range(number):
        at = (used + kid) * NODE
        for part in range(NODE):
            tree[at + part] = 0
        tree[at + MOVE] = found[kid]
    return used + number


@compiled(
    "int64(uint64[::1], uint64[::1], int64[::1], int64[::1], int64, int64,"
    " uint64[::1], int64[::1], uint64[::1], int64[::1])"
)
def explore(
    floe: Any, words: Any, counts: Any, tree: Any, used: Any, times: Any,
    now: Any, tally: Any, targets: Any, room: Any,
) -> Any:  # fmt: skip
    """So many times down the tree from this state, a playout, and back; how many nodes are in use then.

    The last four rows are to work with: `now` and `tally` hold a state, `room` is ROOM numbers.
    """
    most = len(tree) // NODE - MOST_CHILDREN
    path, movers = room[0:MOST_MOVES], room[MOST_MOVES : 2 * MOST_MOVES]
    values, finals = room[2 * MOST_MOVES : 2 * MOST_MOVES + 4], room[2 * MOST_MOVES + 4 : 2 * MOST_MOVES + 8]
    found = room[3 * MOST_MOVES : 3 * MOST_MOVES + MOST_CHILDREN]
    for _ in range(times):
        copy(words, counts, now, tally)
        node, depth, known = 0, 0, True
        path[0], movers[0] = 0, tally[TURN]
        while known and (tally[LEFT] > 0 or tally[ALIVE]):
            if tree[node * NODE + KIDS] == 0:
                if tree[node * NODE + VISITS] == 0 or used >= most:
                    break
                number = moves(floe, now, tally, found)
                if number == 0:
                    break
                used = expand(tree, used, node, found, number)
                known = False
            node = hopeful(tree, node)
            play(floe, now, tally, tree[node * NODE + MOVE])
            depth += 1
            path[depth], movers[depth] = node, tally[TURN]
        for seat in range(4):
            values[seat] = 0
        over = tally[LEFT] == 0 and tally[ALIVE] == 0
        if over:
            result(tally, values)
        else:
            promise(floe, now, tally, finals, values)
        playout(floe, now, tally, targets, found)
        result(tally, values)
        words[SEED] = now[SEED]
        for step in range(depth + 1):
            at = path[step] * NODE
            tree[at + VISITS] += 1
            tree[at + OWN] += values[movers[step]] >> 1
            if step:
                tree[at + TOTAL] += values[movers[step - 1]] >> 1
    return used
