"""Hexapawn by ports (seed 002): a bot that captures if it can, and else steps forward.

A board is a tuple of rows of "p1", "p2" and "empty"; a move is a pair of squares, from and to, each a row and
a column counted from 1. p1 begins on the first row and walks down, p2 on the last row and walks up.
"""

from typing import Any

Square = tuple[int, int]


class Hexapawn002:
    player = ""  # no message tells it

    def request(self, board: Any) -> tuple[Square, Square]:
        if not self.player:
            # p1 makes the first move: if all its pawns are on the first row, we are p1.
            self.player = "p2" if any("p1" in row for row in board[1:]) else "p1"
        own, enemy, forward = ("p1", "p2", 1) if self.player == "p1" else ("p2", "p1", -1)
        squares = {
            (row, column): square
            for row, line in enumerate(board, start=1)
            for column, square in enumerate(line, start=1)
        }
        captures, steps = [], []
        for (row, column), square in squares.items():
            if square != own:
                continue
            if squares.get((row + forward, column)) == "empty":
                steps.append(((row, column), (row + forward, column)))
            for side in (column - 1, column + 1):
                if squares.get((row + forward, side)) == enemy:
                    captures.append(((row, column), (row + forward, side)))
        return (captures + steps)[0]  # a player without a move is not asked

    def gameEnded(self, winner: str) -> None:  # noqa: N802 - the note's own name
        """`winner` is "p1" or "p2", or "none" if the match does not count."""
