"""Fish by push, as seed 001 has it: a bot that always goes for the tile with the most fish.

Nobody asks us anything. The referee tells us what happens, and when it is our turn we make a request of it:
`placePenguin` or `movePenguin`, for which we are given a `referee`. A State is
`{"players": [{"color", "score", "places": [[row, column], ...]}, ...], "board": [[fish, ...], ...],
"phase": "placing", "moving" or "over"}`, and its first player is the one to move.
"""

# ruff: noqa: N802 - the methods have the note's own names
from typing import Any

# N, NE, SE, S, SW, NW. Odd rows lie half a tile to the right, so it depends on the row that is left.
STEPS = (
    ((-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)),
    ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)),
)


class Fish001:
    referee: Any
    """Whom to ask: it is put here before the game begins."""

    def updateGameState(self, state: Any) -> None:
        """How things are now; the last one before our turn is the one we move from."""
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
        """The fish of every tile that is neither a hole nor under a penguin."""
        penguins = {tuple(place) for player in self.state["players"] for place in player["places"]}
        return {
            (row, column): fish
            for row, line in enumerate(self.state["board"])
            for column, fish in enumerate(line)
            if fish and (row, column) not in penguins
        }

    def slides(self, place: Any, free: dict[tuple[int, int], int]) -> list[tuple[Any, tuple[int, int]]]:
        """Every slide of the penguin that stands there: straight on, as far as tiles are free."""
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

    # We could do without the rest: the referee does not mind if a player has no method for what it is told.

    def acceptMove(self) -> None:
        """Our request was granted."""

    def rejectMove(self, reason: str) -> None:
        """It was not, and it is still our turn. What we ask for is legal, so this does not happen."""

    def notifySkipped(self, reason: str) -> None:
        """Our turn has passed without a move: we could not move, or took too long."""

    def notifyBanned(self, reason: str) -> None:
        """We are out."""

    def notifyStartGame(self) -> None:
        """All penguins stand."""

    def notifyGameOver(self) -> None:
        """The last state has told who has won."""
