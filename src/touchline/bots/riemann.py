"""Riemann, the Labyrinth course's first strategy: the goal, else the first reachable tile, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from touchline.bots.base import HouseBot, Level
from touchline.bots.labyrinth.course_strategy import goal_of, seek, thought

if TYPE_CHECKING:
    from touchline.bots.base import Thought
    from touchline.games.labyrinth import LabyrinthState, Pass, Slide


class Riemann(HouseBot):
    """Go to the goal; if it is out of reach, to the first reachable tile, row by row from the top left."""

    game: ClassVar[str | None] = "labyrinth"
    quick: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(30),)

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        return seek(view, goal_of(view), view.maze.grid.cells)

    def think(self, view: LabyrinthState) -> Thought:
        return thought(view, self.choose(view))
