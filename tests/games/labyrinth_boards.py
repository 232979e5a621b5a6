"""Positions of Labyrinth, random and made by hand."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from msgspec.structs import replace

from obvious.labyrinth import OPEN_SIDES
from touchline.games.labyrinth import (
    Labyrinth,
    LabyrinthPosition,
    LabyrinthState,
    SeekerPosition,
    Slide,
    Tile,
)

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Outcome

SEEDS = st.integers(0, 2**32)
OPEN = ("┼┼┼┼",) * 4
"""A board on which one can walk anywhere."""


def fixed_tiles(rows: int, cols: int) -> list[Cell]:
    return [(row, col) for row in range(1, rows, 2) for col in range(1, cols, 2)]


def random_start(rng: Random) -> tuple[Labyrinth, LabyrinthPosition]:
    """Homes and goals on fixed tiles, avatars anywhere, and perhaps near the last of all rounds."""
    seats = rng.randint(2, 4)
    while True:
        rows, cols = rng.randint(2, 7), rng.randint(2, 7)
        fixed = fixed_tiles(rows, cols)
        if len(fixed) >= seats and rows * cols <= 36:
            break
    game = Labyrinth(rows=rows, cols=cols)
    start = game.start(seats, rng).position()
    connectors = rng.choice([list(OPEN_SIDES), ["│", "─", "└", "┐"], ["┬", "┴", "┼"]])
    anywhere = [(row, col) for row in range(rows) for col in range(cols)]
    seekers = tuple(
        SeekerPosition(rng.choice(anywhere), home, rng.choice(fixed), 0, False)
        for home in rng.sample(fixed, seats)
    )
    position = replace(
        start,
        connectors=tuple("".join(rng.choice(connectors) for _ in range(cols)) for _ in range(rows)),
        seekers=seekers,
        pool=tuple(rng.choice(fixed) for _ in range(rng.choice([0, 0, 1, 2, 4]))),
        last=rng.choice([None, (0, "LEFT"), (0, "UP")]),
        round=rng.choice([1, 1, 1, 990, 999, 1000]),
    )
    return game, position


# Positions made by hand. Fixed tiles of a 4 by 4 board: (1, 1) (1, 3) (3, 1) (3, 3).


def seeker(avatar: Cell, home: Cell, goal: Cell, found: int = 0, homeward: bool = False) -> SeekerPosition:
    return SeekerPosition(avatar, home, goal, found, homeward)


def put(connectors: tuple[str, ...], spare: str, *seekers: SeekerPosition, **changes: Any) -> LabyrinthState:
    """A position at the start of a round; treasures do not matter."""
    rows, cols = len(connectors), len(connectors[0])
    game = Labyrinth(rows=rows, cols=cols)
    drawn = Labyrinth(rows=rows + 4, cols=cols + 4).start(2, Random(0)).position()
    position = replace(
        drawn,
        connectors=connectors,
        treasures=tuple(line[:cols] for line in drawn.treasures[:rows]),
        spare=Tile(spare, drawn.spare.treasure),
        seekers=seekers,
        due=tuple(range(len(seekers))),
        **changes,
    )
    return game.restore(position)


def open_board(*seekers: SeekerPosition, **changes: Any) -> LabyrinthState:
    return put(OPEN, "┼", *seekers, **changes)


def two_on_open_board(**changes: Any) -> LabyrinthState:
    """Two seats far from their goals on a board on which one can walk anywhere."""
    return open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), **changes)


def go(to: Cell, index: int = 0, direction: Any = "RIGHT") -> Slide:
    return Slide(index, direction, 0, to)


def ended(state: LabyrinthState) -> Outcome:
    outcome = state.outcome()
    assert outcome is not None
    return outcome


def where(state: LabyrinthState, seat: int) -> Cell | None:
    return state.position().seekers[seat].avatar


def three(**changes: Any) -> LabyrinthState:
    return open_board(
        seeker((1, 1), (1, 1), (3, 3)),
        seeker((1, 3), (1, 3), (3, 1)),
        seeker((3, 1), (3, 1), (1, 3)),
        **changes,
    )
