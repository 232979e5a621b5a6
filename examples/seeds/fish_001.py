"""Fish by push (seed 001): a bot that always goes for the tile with the most fish.

The referee asks no questions: it tells us what happens. In our turn we call `placePenguin` or `movePenguin`
of `self.referee`. A State is
`{"players": [{"color", "score", "places": [[row, column], ...]}, ...], "board": [[fish, ...], ...],
"phase": "placing", "moving" or "over"}`, and its first player is the one to move.
"""

# ruff: noqa: N802 - the methods have the note's own names
from typing import Any

# N, NE, SE, S, SW, NW. Odd rows lie half a tile to the right, so the steps depend on the parity of the row.
STEPS = (
    ((-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)),
    ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)),
)


class Fish001:
    referee: Any
    """Takes our requests; it is set before the game begins."""

    def updateGameState(self, state: Any) -> None:
        """Keep the current state: we move from the last one before our turn."""
        self.state = state

    def notifyTurn(self) -> None:
        free = self.free_tiles()
        if self.state["phase"] == "placing":
            self.referee.placePenguin(max(free, key=lambda tile: free[tile]))
        else:
            own = self.state["players"][0]["places"]
            slides = [slide for place in own for slide in self.slides(place, free)]
            self.referee.movePenguin(*max(slides, key=lambda slide: free[slide[1]]))

    def free_tiles(self) -> dict[tuple[int, int], int]:
        """Return the fish of each tile that is neither a hole nor under a penguin."""
        penguins = {tuple(place) for player in self.state["players"] for place in player["places"]}
        return {
            (row, column): fish
            for row, line in enumerate(self.state["board"])
            for column, fish in enumerate(line)
            if fish and (row, column) not in penguins
        }

    def slides(self, place: Any, free: dict[tuple[int, int], int]) -> list[tuple[Any, tuple[int, int]]]:
        """Return every slide of a penguin: in straight lines, over free tiles."""
        found = []
        for direction in range(6):
            row, column = place
            while True:
                down, right = STEPS[row % 2][direction]
                row, column = row + down, column + right
                if (row, column) not in free:
                    break
                found.append((place, (row, column)))
        return found

    # The rest is optional: a player need not have a method for every message.

    def acceptMove(self) -> None:
        """Our request was granted."""

    def rejectMove(self, reason: str) -> None:
        """Our request was refused, and it is still our turn. Our moves are legal, so this does not happen."""

    def notifySkipped(self, reason: str) -> None:
        """Our turn has passed without a move: we could not move, or took too long."""

    def notifyBanned(self, reason: str) -> None:
        """We are out."""

    def notifyStartGame(self) -> None:
        """All penguins are placed."""

    def notifyGameOver(self) -> None:
        """The match is over; the scores in the last state tell who has won."""
