"""The rules of Fish on bitboards: boards of at most 64 tiles, a set of tiles in one 64-bit word.

The constants of a game are an array, the floe, made by `floe_of`. The state is a word of free tiles, a word
of penguins per seat, and a few counts. A move is `origin * 64 + target`; a placement has its tile as both.

Tiles are valued in units: 64 per fish, and under the commercial rules 1 more per tile, so that more tiles
break a tie in fish. There a seat that cannot move takes its penguins and their tiles off the board. That
leaves holes where penguins stood in the way, so nothing changes for the other seats; the tiles under its
penguins count in the end.

This file has the rules and random playouts. The alpha-beta search is in `fish_search.py`, the Monte Carlo
tree search in `fish_tree.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.bots.kernels import ALL, I64, U64, compiled, count, highest, lowest, table

if TYPE_CHECKING:
    from collections.abc import Sequence


TILES = 64
MOST_COLS = 31
"""A step of two rows is a shift by two rows of bits, which must be less than 64."""
UNIT = 64
"""The value of one fish."""

# The floe: for each tile six rays, first the three towards higher numbers, then its neighbours and its units;
# after all tiles the constants of the board.
STRIDE = 8
NEIGHBOURS, UNITS = 6, 7
ONES, TWOS, FOURS = 512, 513, 514
"""Bit planes of the numbers of fish: the tiles with a one, a two, a four in the binary number."""
OPEN = 515
"""The tiles on which a penguin may be placed."""
ODD, EVEN = 516, 517
"""The tiles of odd rows except the last of each, and of even rows except the first of each."""
COLS, PER_TILE, STANDING, QUOTA, FLOE = 518, 519, 520, 521, 522

# The state: offsets in its words and in its counts.
FREE, PENGUINS, SEED, WORDS = 0, 1, 5, 6
TURN, LEFT, ALIVE, PRESENT, SEATS, COUNTS = 4, 5, 6, 7, 8, 9
"""After the units of four seats: the seat to move, the penguins still to be placed, the seats that may still
move, the seats that were not removed, and the number of seats."""


def floe_of(
    rays: Sequence[Sequence[Sequence[int]]], fish: Sequence[int], cols: int, quota: int, *, commercial: bool
) -> Any:
    """Return the floe of a board from each tile's six rays (lists of tiles, nearest first) and its fish."""
    numbers = [0] * FLOE
    for tile, ways in enumerate(rays):
        words = [sum(1 << target for target in way) for way in ways]
        higher = [word for way, word in zip(ways, words, strict=True) if way and way[0] > tile]
        lower = [word for way, word in zip(ways, words, strict=True) if way and way[0] < tile]
        at = tile * STRIDE
        numbers[at : at + len(higher)] = higher
        numbers[at + 3 : at + 3 + len(lower)] = lower
        numbers[at + NEIGHBOURS] = sum(1 << way[0] for way in ways if way)
        numbers[at + UNITS] = fish[tile] and UNIT * fish[tile] + commercial
    for plane, digit in ((ONES, 1), (TWOS, 2), (FOURS, 4)):
        numbers[plane] = sum(1 << tile for tile, some in enumerate(fish) if some & digit)
    numbers[OPEN] = sum(1 << tile for tile, some in enumerate(fish) if some == 1 or not commercial)
    for tile in range(len(fish)):
        row, col = divmod(tile, cols)
        numbers[ODD] |= (row % 2 == 1 and col < cols - 1) << tile
        numbers[EVEN] |= (row % 2 == 0 and col > 0) << tile
    numbers[COLS], numbers[PER_TILE] = cols, int(commercial)
    numbers[STANDING], numbers[QUOTA] = int(commercial), quota
    return table(numbers, "uint64")


@compiled("uint64(int64, uint64, uint64[::1])")
def slides(tile: Any, free: Any, floe: Any) -> Any:
    """Return the tiles to which a penguin can slide: on each ray those before the first that is not free."""
    at = tile * STRIDE
    taken = free ^ ALL
    found = U64(0)
    for way in range(3):
        ray = floe[at + way]
        stop = ray & taken
        found |= ray & (stop ^ (stop - U64(1)))
        ray = floe[at + 3 + way]
        stop = ray & taken
        found |= ray & (U64(ALL) << U64(highest(stop | U64(1))))
    return found & free


@compiled("uint64(uint64, uint64[::1])")
def around(tiles: Any, floe: Any) -> Any:
    """Return the neighbours of some tiles; some bits are off the board, so mask with the free tiles."""
    cols = floe[COLS]
    wide = tiles | (tiles & floe[ODD]) << U64(1) | (tiles & floe[EVEN]) >> U64(1)
    return (wide >> cols | wide << cols | tiles >> (cols + cols) | tiles << (cols + cols)) & ALL


@compiled("uint64(uint64, uint64, uint64[::1])")
def reach(tiles: Any, free: Any, floe: Any) -> Any:
    """Return the free tiles that can be reached from these in any number of moves."""
    found = around(tiles, floe) & free
    fresh = found
    while fresh != U64(0):
        fresh = around(fresh, floe) & free & (found ^ ALL)
        found |= fresh
    return found


@compiled("int64(uint64, uint64[::1])")
def units(tiles: Any, floe: Any) -> Any:
    """Return the value of some tiles."""
    fish = count(tiles & floe[ONES]) + 2 * count(tiles & floe[TWOS]) + 4 * count(tiles & floe[FOURS])
    return UNIT * fish + I64(floe[PER_TILE]) * count(tiles)


@compiled("uint64(uint64)")
def drawn(seed: Any) -> Any:
    """Return the next state of the random number generator (xorshift)."""
    seed ^= seed >> U64(12)
    seed ^= (seed << U64(25)) & ALL
    return seed ^ (seed >> U64(27))


@compiled("int64(uint64, int64)")
def below(seed: Any, most: Any) -> Any:
    """Return a number from 0 to `most` - 1, made from a state of the generator."""
    mixed = (seed * U64(0x2545F4914F6CDD1D)) & ALL
    return I64(((mixed >> U64(32)) * U64(most)) >> U64(32))


@compiled("int64(uint64, int64)")
def nth(tiles: Any, number: Any) -> Any:
    """Return the tile with this index among some tiles."""
    for _ in range(number):
        tiles &= tiles - U64(1)
    return lowest(tiles)


@compiled("void(uint64[::1], uint64[::1], int64[::1])")
def next_to_place(floe: Any, words: Any, counts: Any) -> None:
    """Pass the turn on after a placement; after the last one seat 0 is first to slide."""
    if counts[LEFT] > 0:
        for _ in range(counts[SEATS]):
            counts[TURN] = (counts[TURN] + 1) % counts[SEATS]
            mine = count(words[PENGUINS + counts[TURN]])
            if counts[PRESENT] >> counts[TURN] & 1 and mine < I64(floe[QUOTA]):
                return
        counts[LEFT] = 0
    counts[TURN] = 0


@compiled("void(uint64[::1], uint64[::1], int64[::1])")
def settle(floe: Any, words: Any, counts: Any) -> None:
    """Pass the turn to the first seat that can move; a seat that cannot is out, and without any it is over.

    A seat is out for good, under the course's rules too: a penguin that moves away leaves a hole.
    """
    seat = counts[TURN]
    while counts[ALIVE]:
        if counts[ALIVE] >> seat & 1:
            mine = words[PENGUINS + seat]
            if around(mine, floe) & words[FREE]:
                break
            counts[ALIVE] ^= 1 << seat
            if floe[STANDING]:
                counts[seat] += units(mine, floe)
        seat += 1
        if seat == counts[SEATS]:
            seat = 0
    counts[TURN] = seat


@compiled("void(uint64[::1], uint64[::1], int64[::1], int64)")
def play(floe: Any, words: Any, counts: Any, move: Any) -> None:
    """Make a legal move and pass the turn on."""
    seat, origin, target = counts[TURN], move >> 6, move & 63
    words[FREE] ^= U64(1) << U64(target)
    if counts[LEFT] > 0:
        words[PENGUINS + seat] |= U64(1) << U64(target)
        counts[LEFT] -= 1
        next_to_place(floe, words, counts)
        if counts[LEFT] == 0:
            settle(floe, words, counts)
        return
    words[PENGUINS + seat] ^= U64(1) << U64(origin) | U64(1) << U64(target)
    counts[seat] += I64(floe[origin * STRIDE + UNITS])
    counts[TURN] = (seat + 1) % counts[SEATS]
    settle(floe, words, counts)


@compiled("int64(uint64[::1], uint64[::1], int64[::1], int64[::1])")
def moves(floe: Any, words: Any, counts: Any, found: Any) -> Any:
    """Write the legal moves into `found`; return their number."""
    number = 0
    if counts[LEFT] > 0:
        room = words[FREE] & floe[OPEN]
        while room:
            found[number] = lowest(room) * 65
            room &= room - U64(1)
            number += 1
        return number
    if counts[ALIVE] == 0:
        return 0
    mine = words[PENGUINS + counts[TURN]]
    while mine:
        tile = lowest(mine)
        mine &= mine - U64(1)
        targets = slides(tile, words[FREE], floe)
        while targets:
            found[number] = tile * 64 + lowest(targets)
            targets &= targets - U64(1)
            number += 1
    return number


@compiled("int64(uint64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1])")
def playout(floe: Any, words: Any, counts: Any, targets: Any, trace: Any) -> Any:
    """Play to the end with uniformly random moves, written into `trace`; return their number."""
    made = 0
    seed, free = words[SEED], words[FREE]
    while counts[LEFT] > 0:
        room = free & floe[OPEN]
        if room == U64(0):
            counts[LEFT] = 0
            break
        seed = drawn(seed)
        tile = nth(room, below(seed, count(room)))
        free ^= U64(1) << U64(tile)
        words[PENGUINS + counts[TURN]] |= U64(1) << U64(tile)
        trace[made] = tile * 65
        made += 1
        counts[LEFT] -= 1
        next_to_place(floe, words, counts)
    seat, seats, alive = counts[TURN], counts[SEATS], counts[ALIVE]
    while alive:
        if alive >> seat & 1:
            mine = words[PENGUINS + seat]
            rest, total, penguin = mine, 0, 0
            while rest:
                there = slides(lowest(rest), free, floe)
                targets[penguin] = there
                total += count(there)
                penguin += 1
                rest &= rest - U64(1)
            if total:
                seed = drawn(seed)
                number = below(seed, total)
                rest, penguin = mine, 0
                while number >= count(targets[penguin]):
                    number -= count(targets[penguin])
                    penguin += 1
                    rest &= rest - U64(1)
                origin, target = lowest(rest), nth(targets[penguin], number)
                free ^= U64(1) << U64(target)
                words[PENGUINS + seat] = mine ^ (U64(1) << U64(origin) | U64(1) << U64(target))
                counts[seat] += I64(floe[origin * STRIDE + UNITS])
                trace[made] = origin * 64 + target
                made += 1
            else:
                alive ^= 1 << seat
                if floe[STANDING]:
                    counts[seat] += units(mine, floe)
        seat += 1
        if seat == seats:
            seat = 0
    words[SEED], words[FREE], counts[ALIVE], counts[TURN] = seed, free, alive, seat
    return made


@compiled("void(uint64[::1], int64[::1], uint64[::1], int64[::1])")
def copy(words: Any, counts: Any, now: Any, tally: Any) -> None:
    """Copy a state."""
    for word in range(WORDS):
        now[word] = words[word]
    for number in range(COUNTS):
        tally[number] = counts[number]


@compiled(
    "int64(uint64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], uint64[::1], int64[::1], int64)"
)
def playouts(
    floe: Any, words: Any, counts: Any, now: Any, tally: Any, targets: Any, trace: Any, games: Any
) -> Any:
    """Run playouts from one state, whose seed advances; return the total number of moves."""
    made = 0
    for _ in range(games):
        copy(words, counts, now, tally)
        made += playout(floe, now, tally, targets, trace)
        words[SEED] = now[SEED]
    return made
