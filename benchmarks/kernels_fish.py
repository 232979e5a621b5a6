"""The kernels of Fish beside the rules in Python, and beside the same algorithms in C on the same trees."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from measure import Claim

from touchline.bots.fish.bitboard import FishBitboard, room_for_state
from touchline.bots.kernels import blank
from touchline.bots.kernels import fish as rules
from touchline.bots.kernels import fish_search as search
from touchline.bots.kernels import fish_search_state as layout
from touchline.games.fish import Fish

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.games.fish import FishState

GAMES = 2000
"""Playouts in one go."""
BOARDS = {"5x5": (Fish(rows=5, cols=5), 7), "8x8": (Fish(rows=8, cols=8), 5)}
"""How deep to look on each, with all penguins placed."""


def in_c() -> ctypes.CDLL:
    """The rules and the search in C, compiled now, for this very machine as Numba does."""
    source = Path(__file__).with_name("c") / "fish.c"
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "fish.so"
        subprocess.run(
            ["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source],
            check=True,
        )
        loaded = ctypes.CDLL(str(library))
    loaded.playouts.restype = ctypes.c_int64
    word, number = ctypes.c_uint64, ctypes.c_int64
    loaded.playouts.argtypes = [ctypes.c_void_p] * 3 + [number]
    loaded.look_ahead.restype = None
    loaded.look_ahead.argtypes = [ctypes.c_void_p, word, word, word, *[number] * 3, word, ctypes.c_void_p]
    return loaded


def at(row: Any) -> int:
    """Where a row of numbers is in memory."""
    where: int = row.ctypes.data
    return where


def by_the_rules(game: Fish) -> Callable[[], int]:
    """Playouts in Python: ask for the legal moves, draw one, play it, until the game is over."""
    rng = Random(1)
    start, draw = game.start(2, rng), rng.random

    def play() -> int:
        state = start
        while state.to_move is not None:
            moves = state.legal_moves()
            state = state.play(moves[int(draw() * len(moves))])
        return 1

    return play


def compiled(game: Fish) -> Callable[[], int]:
    """The same playouts in the kernel."""
    bitboard = FishBitboard(game.start(2, Random(1)))
    words, counts = bitboard.rows(1)
    (now, tally), targets, trace = room_for_state(), blank(64, "uint64"), blank(128)

    def play() -> int:
        rules.playouts(bitboard.floe, words, counts, now, tally, targets, trace, GAMES)
        return GAMES

    return play


def compiled_by_cc(game: Fish, library: ctypes.CDLL) -> Callable[[], int]:
    """The same playouts in C."""
    bitboard = FishBitboard(game.start(2, Random(1)))
    words, counts = bitboard.rows(1)

    def play() -> int:
        library.playouts(at(bitboard.floe), at(words), at(counts), GAMES)
        return GAMES

    return play


def placed(game: Fish, seed: int) -> FishState:
    """A state in which all penguins stand, somewhere."""
    rng = Random(seed)
    state = game.start(2, rng)
    while state.placing:
        state = state.play(rng.choice(state.legal_moves()))
    return state


class Tree:
    """Searches of one game after the other, by the kernel or in C; they have to be the same."""

    def __init__(self, game: Fish, depth: int) -> None:
        self._bitboards = [FishBitboard(placed(game, seed)) for seed in range(8)]
        self._depth = depth
        self._words, self._book = layout.search_state()

    def by_the_kernel(self, number: int) -> tuple[int, int, int]:
        """The value, the move and the nodes."""
        bitboard, words, book = self._bitboards[number % len(self._bitboards)], self._words, self._book
        book[layout.SALT], book[layout.NODES] = number * 2 + 1 << 32, 0
        book[layout.HISTORY : layout.BOOK] = 0
        for depth in range(1, self._depth + 1):
            search.begin(words, book, bitboard.free, bitboard.penguins[0], bitboard.penguins[1], 0, 0, depth)
            assert search.search(bitboard.floe, words, book, 1 << 40)
        return int(book[layout.VALUE]), int(book[layout.FRAMES + layout.CHOSEN]), int(book[layout.NODES])

    def in_c(self, library: ctypes.CDLL, number: int) -> tuple[int, int, int]:
        """The same in C."""
        bitboard, told = self._bitboards[number % len(self._bitboards)], (ctypes.c_int64 * 3)()
        salt = number * 2 + 1 << 32
        library.look_ahead(
            at(bitboard.floe),
            bitboard.free,
            bitboard.penguins[0],
            bitboard.penguins[1],
            0,
            0,
            self._depth,
            salt,
            told,
        )
        return told[0], told[1], told[2]


def contenders() -> dict[str, Callable[[], int]]:
    library = in_c()
    found: dict[str, Callable[[], int]] = {}
    for board, (game, depth) in BOARDS.items():
        assert_same_playouts(game, library)
        tree = Tree(game, depth)
        for number in range(16):
            ours, theirs = tree.by_the_kernel(number), tree.in_c(library, number)
            assert ours == theirs, f"{board}, search {number}: {ours} by the kernel, {theirs} in C"
        found[f"fish {board}, playouts by the rules"] = by_the_rules(game)
        found[f"fish {board}, playouts by the kernel"] = compiled(game)
        found[f"fish {board}, playouts in C"] = compiled_by_cc(game, library)
        found[f"fish {board}, nodes by the kernel"] = in_turn(tree.by_the_kernel)
        found[f"fish {board}, nodes in C"] = in_turn(partial(tree.in_c, library))
    return found


def in_turn(look: Callable[[int], tuple[int, int, int]]) -> Callable[[], int]:
    """One search after the other, from a number that none had before."""
    numbers = iter(range(100, 1 << 30))
    return lambda: look(next(numbers))[2]


def assert_same_playouts(game: Fish, library: ctypes.CDLL) -> None:
    """As many moves, and the generator of random numbers ends in the same state."""
    bitboard = FishBitboard(game.start(2, Random(1)))
    (words, counts), (others, _) = bitboard.rows(5), bitboard.rows(5)
    (now, tally), targets, trace = room_for_state(), blank(64, "uint64"), blank(128)
    ours = rules.playouts(bitboard.floe, words, counts, now, tally, targets, trace, GAMES)
    theirs = library.playouts(at(bitboard.floe), at(others), at(counts), GAMES)
    assert (ours, words[rules.SEED]) == (theirs, others[rules.SEED])


CLAIMS = [
    claim
    for board in BOARDS
    for claim in (
        Claim(
            f"fish {board}: playouts by the kernel : by the rules",
            f"fish {board}, playouts by the kernel",
            f"fish {board}, playouts by the rules",
            40,
        ),
        Claim(
            f"fish {board}: playouts by the kernel : in C",
            f"fish {board}, playouts by the kernel",
            f"fish {board}, playouts in C",
            0.8,
        ),
        Claim(
            f"fish {board}: nodes by the kernel : in C, the same trees",
            f"fish {board}, nodes by the kernel",
            f"fish {board}, nodes in C",
            0.6,
        ),
    )
]
