"""Euclid, the Labyrinth course's second strategy: the goal, else the reachable tile nearest to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from touchline.bots.base import HouseBot, Level
from touchline.bots.labyrinth.course_strategy import goal_of, seek, thought

if TYPE_CHECKING:
    from touchline.bots.base import Thought
    from touchline.games.labyrinth import LabyrinthState, Pass, Slide


class Euclid(HouseBot):
    """Go to the goal; if it is out of reach, to the nearest reachable tile, at equal distance row by row."""

    game: ClassVar[str | None] = "labyrinth"
    quick: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(35),)

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        goal = to_row, to_col = goal_of(view)
        nearest = sorted(
            view.maze.grid.cells,
            key=lambda cell: (cell[0] - to_row) ** 2 + (cell[1] - to_col) ** 2,
        )
        return seek(view, goal, nearest)

    def think(self, view: LabyrinthState) -> Thought:
        return thought(view, self.choose(view))
