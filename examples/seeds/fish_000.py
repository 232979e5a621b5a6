"""Fish by calls (seed 000): a bot that always goes for the tile with the most fish.

The referee calls these methods, and what they return is the answer. A State is
`{"players": [{"color", "score", "places": [[row, column], ...]}, ...], "board": [[fish, ...], ...]}`, and its
first player is the one to move: in a question, that is us.
"""

from typing import Any

# N, NE, SE, S, SW, NW. Odd rows lie half a tile to the right, so the steps depend on the parity of the row.
STEPS = (
    ((-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)),
    ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)),
)


def free_tiles(state: Any) -> dict[tuple[int, int], int]:
    """Return the fish of each tile that is neither a hole nor under a penguin."""
    penguins = {tuple(place) for player in state["players"] for place in player["places"]}
    return {
        (row, column): fish
        for row, line in enumerate(state["board"])
        for column, fish in enumerate(line)
        if fish and (row, column) not in penguins
    }


def posn(tile: tuple[int, int]) -> dict[str, int]:
    """Return a tile in the note's notation: column first."""
    row, column = tile
    return {"x": column, "y": row}


class Fish000:
    def initialize(self, board: Any, players: int, color: str) -> None:
        """A game begins. Each question repeats all we need to know."""

    def get_placement(self, state: Any) -> dict[str, int]:
        free = free_tiles(state)
        return posn(max(free, key=lambda tile: free[tile]))

    def get_movement(self, game: Any) -> dict[str, dict[str, int]]:
        state = game["state"]
        free = free_tiles(state)
        slides = []
        for row, column in state["players"][0]["places"]:
            for direction in range(6):
                target = (row, column)
                while True:
                    down, right = STEPS[target[0] % 2][direction]
                    target = (target[0] + down, target[1] + right)
                    if target not in free:
                        break
                    slides.append(((row, column), target))
        origin, target = max(slides, key=lambda slide: free[slide[1]])  # a player without a move is not asked
        return {"from": posn(origin), "to": posn(target)}

    def finalize(self, end_game: Any) -> None:
        """The game is over, and `end_game["winners"]` have won."""

    def terminate(self) -> None:
        """We are kicked out for an offence."""
