"""A player of Fish."""


class MyBot:
    """Always go for the tile with the most fish. Make it better!"""

    def choose(self, view, turn):
        """Return one of the legal moves. `view` is the position, and `view.to_move` is your seat."""
        board = view.board()  # the fish on each tile, row by row; 0 is a hole

        def value(move):
            row, col = move.at if view.placing else move.target
            return board[row][col]

        return max(view.legal_moves(), key=value)
