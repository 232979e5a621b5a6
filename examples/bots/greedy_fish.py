"""Fish in Python: a bot that always goes for the tile with the most fish."""

from typing import Any


class GreedyFish:
    """`view` is what our seat may see of the game: the board as rows of fish, and the moves we may make."""

    def choose(self, view: Any, turn: int) -> Any:
        board = view.board()

        def fish(move: Any) -> int:
            row, column = move.at if hasattr(move, "at") else move.target  # we place a penguin, or slide one
            count: int = board[row][column]
            return count

        return max(view.legal_moves(), key=fish)
