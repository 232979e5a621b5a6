"""Fish in Python: a bot that always goes for the tile with the most fish."""

from typing import Any


class GreedyFish:
    """Choose by `view`, which has what our seat may see: the board as rows of fish, and the legal moves."""

    def choose(self, view: Any, turn: int) -> Any:
        board = view.board()

        def fish(move: Any) -> int:
            row, column = move.at if hasattr(move, "at") else move.target  # a placement or a slide
            count: int = board[row][column]
            return count

        return max(view.legal_moves(), key=fish)
