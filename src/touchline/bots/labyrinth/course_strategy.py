"""The course's strategy that Riemann and Euclid share: try the goal, then every other tile in some order.

For each tile the pushes are tried rows first, from the top, LEFT before RIGHT, then columns from the left, UP
before DOWN; for each of them the spare turned by 0, 90, 180, 270 degrees. The first turn that reaches the
tile is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.bots.base import Thought
from touchline.bots.shared.evaluation import worth
from touchline.games.labyrinth import PASS, LabyrinthState, Pass, Slide

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.rules import Cell


def seek(view: LabyrinthState, goal: Cell, others: Iterable[Cell]) -> Slide | Pass:
    """Return the first turn that reaches the goal, else the first of the other tiles, else a pass."""
    grid = view.maze.grid
    goal_bit = 1 << goal[0] * grid.cols + goal[1] if goal in grid.cells else 0
    walks = []
    for track, degree, reach in view.walks():
        if reach & goal_bit:
            return Slide(*track.push, degree, goal)
        walks.append((track, degree, reach))
    for row, col in others:
        bit = 1 << row * grid.cols + col
        for track, degree, reach in walks:
            if reach & bit:
                return Slide(*track.push, degree, (row, col))
    return PASS


def goal_of(view: LabyrinthState) -> Cell:
    """Return the cell to which the seat to move must go next."""
    assert view.to_move is not None
    goal = view.seekers[view.to_move].goal
    assert goal is not None, "a view shows its own seat's goal"
    return goal


def thought(view: LabyrinthState, move: Slide | Pass) -> Thought:
    """Return the thought that explains a move."""
    goal = goal_of(view)
    if isinstance(move, Pass):
        says = "there is no way to any tile"
    elif move.to == goal:
        says = f"a way to the goal at row {goal[0]}, column {goal[1]}"
    else:
        says = f"no way to the goal at row {goal[0]}, column {goal[1]}, but some way towards it"
    return Thought(tuple(worth(view.play(move), len(view.seekers))), (move,), says)
