"""The two rows of numbers on which a search in Fish writes all it does, and what it remembers.

`words` has sets of tiles and what is remembered, `book` all other numbers. So a search can be put down at any
node and taken up again. A value is what the seat to move will collect from here on less what the other will,
in units; what was collected before does not matter to it.
"""

from __future__ import annotations

from typing import Any

from touchline.bots.kernels import ALL, I64, U64, blank, compiled

KEPT_BITS, SEEN_BITS = 19, 12
KEPT, SEEN = 1 << KEPT_BITS, 1 << SEEN_BITS
"""How many positions are remembered, and how many within one count."""
DEEPEST, WIDEST = 96, 384
FAR = 1 << 19
"""More than can be won or lost."""
SOLVED = 127
"""The depth of a value in which nothing was guessed."""
EXACT, AT_LEAST, AT_MOST = 0, 1, 2

SPREAD = 0xD6E8FEB86659FD93
"""Makes a number that differs in many bits out of a small one."""

# `words`: the state of each ply, each step of a count, and what is remembered, each with its key.
PLY_WORDS, STEP_WORDS = 4, 4
FREE, MINE, THEIRS, KEY = range(PLY_WORDS)
PENGUINS, REST, TARGETS = 1, 2, 3
STEPS = DEEPEST * PLY_WORDS
SEEN_PAIRS = STEPS + DEEPEST * STEP_WORDS
KEPT_PAIRS = SEEN_PAIRS + 2 * SEEN
WORDS = KEPT_PAIRS + 2 * KEPT

# `book`: some numbers, the line of the last count, a frame for each ply and for each step of a count, the
# moves of each ply, and how often a move was the refutation.
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


def desk() -> tuple[Any, Any]:
    """The two rows, empty."""
    return blank(WORDS, "uint64"), blank(BOOK)


@compiled("uint64(uint64, uint64, uint64, uint64)")
def key_of(free: Any, mine: Any, theirs: Any, salt: Any) -> Any:
    """A number for a position that another has by a rare chance only; a salt keeps kinds of it apart."""
    key = free * U64(0x9E3779B97F4A7C15) & ALL
    key = ((key ^ key >> U64(29)) + mine) * U64(0xBF58476D1CE4E5B9) & ALL
    key = ((key ^ key >> U64(32)) + theirs) * U64(0x94D049BB133111EB) & ALL
    return key ^ key >> U64(31) ^ salt


@compiled("void(uint64[::1], uint64, int64, int64, int64, int64)")
def keep(words: Any, key: Any, value: Any, bound: Any, depth: Any, move: Any) -> None:
    """Remember a value in place of whatever had its slot."""
    slot = KEPT_PAIRS + 2 * I64(key & U64(KEPT - 1))
    words[slot] = key
    words[slot + 1] = U64((value + FAR) << 24 | bound << 20 | depth << 12 | move)


@compiled("int64(uint64[::1], uint64)")
def remembered(words: Any, key: Any) -> Any:
    """What was kept under a key; -1 if nothing was."""
    slot = KEPT_PAIRS + 2 * I64(key & U64(KEPT - 1))
    return I64(words[slot + 1]) if words[slot] == key else -1
