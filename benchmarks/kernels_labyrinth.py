"""How fast Labyrinth is looked through by the compiled kernels, beside the pure rules."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING

from measure import Claim, interleaved, report

from touchline.bots.kernels import labyrinth as kernels
from touchline.bots.labyrinth.boards import TrackNumbers
from touchline.games.labyrinth import Labyrinth, LabyrinthState

if TYPE_CHECKING:
    from collections.abc import Callable

POSITIONS = 20


def positions() -> list[LabyrinthState]:
    """Positions of random games on the board of the course."""
    rng, found = Random(1), list[LabyrinthState]()
    while len(found) < POSITIONS:
        state = Labyrinth().start(4, rng)
        for _ in range(rng.randrange(20)):
            if state.to_move is not None:
                state = state.play(rng.choice(state.legal_moves()))
        if state.to_move is not None:
            found.append(state)
    return found


def walked_by_the_rules() -> Callable[[], int]:
    """All slides and turns of the spare with the tiles that the seat to move can reach; positions."""
    states = positions()

    def walk() -> int:
        for state in states:
            for _ in state.walks():
                pass
        return POSITIONS

    return walk


def walked_by_kernels() -> Callable[[], int]:
    """The same into a table."""
    states = positions()
    grid = states[0].maze.grid
    lines, numbers = kernels.lines_of(grid), TrackNumbers(grid)
    asked = [(kernels.board_of(s.maze), numbers.last(s.last), s.avatars[s.due[0]] or 0) for s in states]
    out = kernels.words(4 * len(grid.tracks))

    def walk() -> int:
        for board, last, cell in asked:
            kernels.walks(board, last, cell, lines, out)
        return POSITIONS

    return walk


def away_by_kernels() -> Callable[[], int]:
    """The tiles from which the middle of the board is three turns away at most; positions."""
    states = positions()
    grid = states[0].maze.grid
    lines, numbers, room = kernels.lines_of(grid), TrackNumbers(grid), kernels.words(10)
    asked = [(kernels.board_of(s.maze), numbers.last(s.last)) for s in states]
    place = 0

    def look() -> int:
        nonlocal place
        place = (place + 1) % POSITIONS
        board, last = asked[place]
        kernels.sources(board, last, 1 << 24, lines, room, 3)
        return 1

    return look


def contenders() -> dict[str, Callable[[], int]]:
    return {
        "labyrinth 7x7, all slides and walks, rules": walked_by_the_rules(),
        "labyrinth 7x7, all slides and walks, kernels": walked_by_kernels(),
        "labyrinth 7x7, three turns away, kernels": away_by_kernels(),
    }


CLAIMS = [
    Claim(
        "labyrinth, all slides x rotations x reachable tiles of one seat : pure Python",
        "labyrinth 7x7, all slides and walks, kernels",
        "labyrinth 7x7, all slides and walks, rules",
        50,
    ),
]

if __name__ == "__main__":
    sys.exit(report(interleaved(contenders()), CLAIMS))
