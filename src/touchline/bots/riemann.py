"""The Labyrinth course's Riemann: the goal, else the first tile it can reach, row by row from the top."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from touchline.bots.labyrinth.seek import goal_of, seek, thought

if TYPE_CHECKING:
    from touchline.bots.base import Thought
    from touchline.games.labyrinth import LabyrinthState, Pass, Slide


class Riemann:
    """Go for the goal, else as far up and left as there is a way."""

    game: ClassVar[str] = "labyrinth"

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        return seek(view, goal_of(view), view.maze.grid.cells)

    def think(self, view: LabyrinthState) -> Thought:
        return thought(view, self.choose(view))
