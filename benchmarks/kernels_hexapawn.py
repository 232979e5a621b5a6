"""How fast Hexapawn is solved and searched by the compiled kernels, beside the same solver in C.

The C is compiled here, with `cc -O3`, into a folder that is removed again.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from measure import Claim, interleaved, report

from touchline.bots.hexapawn.lookahead import Lookahead
from touchline.bots.hexapawn.tablebase import Solver, start_position
from touchline.bots.kernels import U64, blank
from touchline.bots.kernels.hexapawn import board_of, playouts
from touchline.games.hexapawn import Hexapawn

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(__file__).parent / "c" / "hexapawn.c"
POSITIONS = 3_210_411
GAMES = 2000


def solved_in_c(rows: int, cols: int) -> Callable[[], int]:
    """Solve a board from nothing; the positions."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "hexapawn.so"
        subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", str(library), str(SOURCE)], check=True)
        solved = ctypes.CDLL(str(library)).solved
    solved.restype = ctypes.c_long

    def solve() -> int:
        positions = int(solved(rows, cols, ctypes.byref(ctypes.c_int())))
        assert positions == POSITIONS, positions
        return positions

    return solve


def solved_here(rows: int, cols: int) -> Callable[[], int]:
    """The same by the kernels."""

    def solve() -> int:
        solver = Solver(rows, cols)
        while not solver.work():
            pass
        assert solver.positions == POSITIONS, solver.positions
        return solver.positions

    return solve


def looked_ahead(rows: int, cols: int) -> Callable[[], int]:
    """Find the exact end of a board without a tablebase, from nothing; positions looked at."""

    def look() -> int:
        ahead = Lookahead(rows, cols)
        assert ahead.work(1000)
        return ahead.looked_at

    return look


def played_out(rows: int, cols: int) -> Callable[[], int]:
    """Random games by the kernel."""
    mine, theirs, seat = start_position(rows, cols)
    board, into = board_of(rows, cols), blank(256)

    def play() -> int:
        playouts(U64(mine), U64(theirs), seat, GAMES, U64(1), board, into)
        return GAMES

    return play


def played_by_the_rules(rows: int, cols: int) -> Callable[[], int]:
    """Random games by the rules in Python."""
    game, rng = Hexapawn(rows=rows, cols=cols), Random(1)

    def play() -> int:
        state = game.start(2, rng)
        while state.to_move is not None:
            moves = state.legal_moves()
            state = state.play(moves[int(rng.random() * len(moves))])
        return 1

    return play


def contenders() -> dict[str, Callable[[], int]]:
    return {
        "hexapawn 5x5 solved, positions": solved_here(5, 5),
        "the same solver in C, positions": solved_in_c(5, 5),
        "hexapawn 6x5 looked ahead, positions": looked_ahead(6, 5),
        "hexapawn 5x5, random games": played_out(5, 5),
        "hexapawn 5x5, random games by the rules": played_by_the_rules(5, 5),
    }


CLAIMS = [
    Claim(
        "time to solve hexapawn 5x5 from nothing : in C",
        "hexapawn 5x5 solved, positions",
        "the same solver in C, positions",
        10,
        cost=True,
    ),
    Claim(
        "random games/s of the kernel : of the rules",
        "hexapawn 5x5, random games",
        "hexapawn 5x5, random games by the rules",
        20,
    ),
]

if __name__ == "__main__":
    sys.exit(report(interleaved(contenders()), CLAIMS))
