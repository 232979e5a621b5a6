"""The Labyrinth course's Euclid: the goal, else the tile nearest to it that can be reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from touchline.bots.labyrinth.seek import goal_of, seek, thought

if TYPE_CHECKING:
    from touchline.bots.base import Thought
    from touchline.games.labyrinth import LabyrinthState, Pass, Slide


class Euclid:
    """Go for the goal, else as near to it as there is a way; of equally near tiles the first, row by row."""

    game: ClassVar[str] = "labyrinth"

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        goal = to_row, to_col = goal_of(view)
        nearest = sorted(
            view.maze.grid.cells,
            key=lambda cell: (cell[0] - to_row) ** 2 + (cell[1] - to_col) ** 2,
        )
        return seek(view, goal, nearest)

    def think(self, view: LabyrinthState) -> Thought:
        return thought(view, self.choose(view))
