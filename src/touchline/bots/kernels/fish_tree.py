"""Monte Carlo tree search for Fish with two to four seats, each of which plays for itself.

A node is six numbers in one array. Its children are adjacent; they are created when a node is visited for the
second time, while there is room. A new leaf is valued by the mean of a playout and of an estimate by
territories: the two err in different ways, and their mean was stronger than either.

Law of this file: square roots, but no logarithms; those differ in the last bit with and without Numba.
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
"""The first child, the number of children, the move that leads here, its visits, and two sums of values: for
the seat that made the move, and for the seat to move here."""
SHARE = 1 << 16
"""The value of a game that was won alone."""
EXPLORATION = 0.25
"""How much moves with few visits are preferred."""
FIRST_LOOK = 0.04
"""How much lower the value of an unvisited move is assumed to be than that of its parent."""
MARGIN = 8
"""One part in MARGIN of a result depends on the lead in fish."""
DECISIVE = 24 * UNIT
"""A final lead beyond this adds nothing."""
PROMISING = 20 * UNIT
"""An estimated lead beyond this adds nothing."""
MOST_MOVES = 128
MOST_CHILDREN = 512
ROOM = 3 * MOST_MOVES + MOST_CHILDREN
"""Work space of `explore`: a path, the movers on it, values, and moves."""


@compiled("int64(int64[::1], int64[::1], int64)")
def lead(finals: Any, counts: Any, seat: Any) -> Any:
    """Return a seat's lead over the best other seat that was not removed."""
    best = -DECISIVE
    for other in range(counts[SEATS]):
        if other != seat and counts[PRESENT] >> other & 1:
            best = max(best, finals[other])
    return finals[seat] - best


@compiled("void(int64[::1], int64[::1])")
def result(counts: Any, values: Any) -> None:
    """Add the value of a finished game per seat: mostly for winning, the rest for the lead."""
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
    """Return the tiles that are in more than one of four sets."""
    both = first | second
    return first & second | both & third | (both | third) & fourth


@compiled("void(uint64[::1], uint64[::1], int64[::1], int64[::1])")
def territories(floe: Any, words: Any, counts: Any, finals: Any) -> None:
    """Estimate final scores: of the tiles that a seat reaches first, step by step, it gets half."""
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
    """Value a state per seat by the territories."""
    territories(floe, words, counts, finals)
    for seat in range(counts[SEATS]):
        if counts[PRESENT] >> seat & 1:
            ahead = max(-PROMISING, min(PROMISING, lead(finals, counts, seat)))
            values[seat] = (PROMISING + ahead) * SHARE // (2 * PROMISING)


@compiled("int64(int64[::1], int64)")
def hopeful(tree: Any, node: Any) -> Any:
    """Return the child with the best upper bound: its mean, plus a bonus for few visits."""
    at = node * NODE
    first, kids = tree[at + FIRST], tree[at + KIDS]
    expected = tree[at + OWN] / tree[at + VISITS] - FIRST_LOOK * SHARE
    spread = EXPLORATION * SHARE * sqrt(tree[at + VISITS] / kids)
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
    """Create the children of a node; return the number of nodes in use."""
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
    """Run a number of iterations (select, expand, play out, back up); return the number of nodes in use.

    The last four arrays are work space: `now` and `tally` hold a state, `room` has ROOM numbers.
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
