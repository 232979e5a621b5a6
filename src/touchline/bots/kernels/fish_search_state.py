"""The layout of a Fish search in two arrays: its stacks, its transposition table and its results.

`words` holds sets of tiles and the hash tables, `book` all other numbers. The whole search is in them, so it
can be suspended at any node and resumed. A value is what the seat to move will collect from here on minus
what the other will, in units; what was collected before does not count.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import ALL, I64, U64, blank, compiled

KEPT_BITS, SEEN_BITS = 19, 12
KEPT, SEEN = 1 << KEPT_BITS, 1 << SEEN_BITS
"""Slots of the transposition table, and of the table of one endgame search."""
DEEPEST, WIDEST = 96, 384
"""The most plies of a search, and the most moves of a node."""
FAR = 1 << 19
"""A bound beyond every value."""
SOLVED = 127
"""The depth of a proven value, which relies on no estimate."""
EXACT, AT_LEAST, AT_MOST = 0, 1, 2

SPREAD = 0xD6E8FEB86659FD93
"""A multiplier that spreads a small number over 64 bits."""

# `words`: the state of each ply and of each endgame step, and the hash tables as (key, entry) pairs.
PLY_WORDS, STEP_WORDS = 4, 4
FREE, MINE, THEIRS, KEY = range(PLY_WORDS)
PENGUINS, REST, TARGETS = 1, 2, 3
STEPS = DEEPEST * PLY_WORDS
SEEN_PAIRS = STEPS + DEEPEST * STEP_WORDS
KEPT_PAIRS = SEEN_PAIRS + 2 * SEEN
WORDS = KEPT_PAIRS + 2 * KEPT

# `book`: single numbers, the line of the last endgame search, a frame for each ply and for each endgame step,
# the move list of each ply, and the history heuristic.
PLY, NODES, GUESSES, VALUE, SALT, SERIAL, COUNTED, PROVEN, MOST, AT, LINE_LENGTH = range(11)
LINE = 16
FRAME, STEP = 16, 4
LOW, HIGH, FLOOR, BEST, CHOSEN, NEXT, NUMBER, DEPTH, SIDE, LEFT, GUESSED, SCOUT, GAIN = range(13)
GAINED, CEILING, TILE, MOVE = range(STEP)
FRAMES = LINE + DEEPEST
STEP_FRAMES = FRAMES + DEEPEST * FRAME
LISTS = STEP_FRAMES + DEEPEST * STEP
HISTORY = LISTS + DEEPEST * WIDEST
BOOK = HISTORY + 2 * 4096


def search_state() -> tuple[Any, Any]:
    """Return the two arrays, empty."""
    return blank(WORDS, "uint64"), blank(BOOK)


@compiled("uint64(uint64, uint64, uint64, uint64)")
def key_of(free: Any, mine: Any, theirs: Any, salt: Any) -> Any:
    """Return the hash key of a position; the salt separates games and phases."""
    key = free * U64(0x9E3779B97F4A7C15) & ALL
    key = ((key ^ key >> U64(29)) + mine) * U64(0xBF58476D1CE4E5B9) & ALL
    key = ((key ^ key >> U64(32)) + theirs) * U64(0x94D049BB133111EB) & ALL
    return key ^ key >> U64(31) ^ salt


@compiled("void(uint64[::1], uint64, int64, int64, int64, int64)")
def keep(words: Any, key: Any, value: Any, bound: Any, depth: Any, move: Any) -> None:
    """Store a value in the transposition table, replacing the entry in its slot."""
    slot = KEPT_PAIRS + 2 * I64(key & U64(KEPT - 1))
    words[slot] = key
    words[slot + 1] = U64((value + FAR) << 24 | bound << 20 | depth << 12 | move)


@compiled("int64(uint64[::1], uint64)")
def remembered(words: Any, key: Any) -> Any:
    """Return the entry of a key in the transposition table; -1 if there is none."""
    slot = KEPT_PAIRS + 2 * I64(key & U64(KEPT - 1))
    return I64(words[slot + 1]) if words[slot] == key else -1
