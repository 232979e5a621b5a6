"""The endgame of Fish: the most that a seat can collect once no other seat can reach its tiles.

That is the heaviest path over its tiles, or a set of disjoint paths, one per penguin. The search can be
suspended after a number of nodes and resumed.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import ALL, I64, U64, compiled, count, lowest
from touchline.bots.kernels.fish import (
    FOURS,
    NEIGHBOURS,
    ONES,
    STANDING,
    STRIDE,
    TWOS,
    UNIT,
    UNITS,
    around,
    reach,
    slides,
    units,
)
from touchline.bots.kernels.fish_search_state import (
    AT,
    CEILING,
    COUNTED,
    EXACT,
    FAR,
    FREE,
    GAINED,
    LINE,
    LINE_LENGTH,
    MOST,
    MOVE,
    PENGUINS,
    PROVEN,
    REST,
    SALT,
    SEEN,
    SEEN_PAIRS,
    SERIAL,
    SOLVED,
    SPREAD,
    STEP,
    STEP_FRAMES,
    STEP_WORDS,
    STEPS,
    TARGETS,
    TILE,
    keep,
    key_of,
    remembered,
)

PATIENCE = 300
"""Nodes of an endgame search within the alpha-beta search, after which its result is an estimate."""


@compiled("int64(uint64, uint64, uint64[::1])")
def lost(tiles: Any, penguins: Any, floe: Any) -> Any:
    """Return a lower bound of what is not collected: the tiles on which the penguins end."""
    fish = floe[ONES] | floe[TWOS] | floe[FOURS]
    standing = count(penguins & fish)
    cheap = count(tiles & floe[ONES] & ((floe[TWOS] | floe[FOURS]) ^ ALL))
    return UNIT * standing + UNIT * max(0, standing - cheap)


@compiled("int64(uint64, uint64, uint64[::1])")
def narrowest(targets: Any, area: Any, floe: Any) -> Any:
    """Return the target with the fewest free neighbours; dead ends come last."""
    best, chosen = 8, 0
    while targets:
        tile = lowest(targets)
        targets &= targets - U64(1)
        ways = count(floe[tile * STRIDE + NEIGHBOURS] & area)
        if ways == 0:
            ways = 7
        if ways < best:
            best, chosen = ways, tile
    return chosen


@compiled("int64(uint64[::1], uint64[::1], int64[::1], int64)")
def pursue(floe: Any, words: Any, book: Any, patience: Any) -> Any:
    """Continue an endgame search for a number of nodes; return the most that was collected.

    Branch and bound: it skips what cannot beat the best so far, and states that were seen before with at
    least as much collected. PROVEN is 0 if the nodes ran out. The best line is stored.
    """
    salt = U64(book[SERIAL]) * U64(SPREAD) & ALL
    best, depth, nodes, entering = book[MOST], book[AT], 0, True
    book[PROVEN] = 1
    while depth >= 0:
        at, step = STEPS + depth * STEP_WORDS, STEP_FRAMES + depth * STEP
        free, penguins, gained = words[at + FREE], words[at + PENGUINS], book[step + GAINED]
        if entering:
            nodes += 1
            entering = False
            area = reach(penguins, free, floe)
            if area == U64(0):
                gained += units(penguins, floe) * I64(floe[STANDING])
                if gained > best:
                    best = gained
                    book[LINE_LENGTH] = depth
                    for number in range(depth):
                        book[LINE + number] = book[STEP_FRAMES + number * STEP + MOVE]
                depth -= 1
                continue
            if nodes > patience and best >= 0:
                book[PROVEN] = 0
                break
            able = penguins & around(area, floe)
            if floe[STANDING]:
                book[step + CEILING] = gained + units(area | penguins, floe)
            else:
                book[step + CEILING] = gained + units(area | able, floe) - lost(area | able, able, floe)
            key = key_of(area, penguins, U64(0), salt)
            slot = SEEN_PAIRS + 2 * I64(key & U64(SEEN - 1))
            if words[slot] == key and I64(words[slot + 1]) >= gained:
                depth -= 1
                continue
            words[slot], words[slot + 1] = key, U64(gained)
            words[at + FREE], words[at + REST], words[at + TARGETS] = area, able, U64(0)
            free = area
        rest, targets = words[at + REST], words[at + TARGETS]
        while targets == U64(0) and rest != U64(0):
            book[step + TILE] = lowest(rest)
            targets = slides(lowest(rest), free, floe)
            rest &= rest - U64(1)
        if targets == U64(0) or book[step + CEILING] <= best:
            depth -= 1
            continue
        tile, target = book[step + TILE], narrowest(targets, free, floe)
        words[at + REST], words[at + TARGETS] = rest, targets ^ U64(1) << U64(target)
        book[step + MOVE] = tile * 64 + target
        words[at + STEP_WORDS + FREE] = free ^ U64(1) << U64(target)
        words[at + STEP_WORDS + PENGUINS] = penguins ^ (U64(1) << U64(tile) | U64(1) << U64(target))
        book[step + STEP + GAINED] = gained + I64(floe[tile * STRIDE + UNITS])
        depth += 1
        entering = True
    book[COUNTED] += nodes
    book[MOST], book[AT] = best, depth
    return best


@compiled("int64(uint64, uint64, uint64[::1], uint64[::1], int64[::1], int64)")
def gather(free: Any, penguins: Any, floe: Any, words: Any, book: Any, patience: Any) -> Any:
    """Begin an endgame search: the most that penguins can collect among tiles that nobody else reaches."""
    book[SERIAL] += 1
    words[STEPS + FREE], words[STEPS + PENGUINS] = free, penguins
    book[STEP_FRAMES + GAINED], book[MOST], book[AT] = 0, -1, 0
    return pursue(floe, words, book, patience)


@compiled("int64(uint64, uint64, uint64[::1], uint64[::1], int64[::1], int64)")
def alone(free: Any, penguins: Any, floe: Any, words: Any, book: Any, patience: Any) -> Any:
    """Return what a seat can collect that is cut off from all others, area by area."""
    total, proven = 0, 1
    rest = penguins
    while rest:
        first = rest & (U64(0) - rest)
        whole = reach(first, free | penguins, floe) | first
        group, area = whole & penguins, whole & free
        rest &= group ^ ALL
        if area == U64(0):
            total += units(group, floe) * I64(floe[STANDING])
            continue
        key = key_of(area, group, U64(ALL), U64(book[SALT]))
        kept = remembered(words, key)
        if kept >= 0:
            total += (kept >> 24) - FAR
            if kept >> 12 & 127 != SOLVED:
                proven = 0
            continue
        value = gather(area, group, floe, words, book, patience)
        keep(words, key, value, EXACT, SOLVED if book[PROVEN] else 0, 0)
        total += value
        proven &= book[PROVEN]
    book[PROVEN] = proven
    return total
