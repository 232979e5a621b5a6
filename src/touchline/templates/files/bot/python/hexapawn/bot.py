"""A player of Hexapawn."""


class MyBot:
    """Get through if possible, capture if possible, and else step forward. Make it better!"""

    def choose(self, view, turn):
        """Return one of the legal moves. `view` is the position, and `view.to_move` is your seat."""
        rows = len(view.position().board)
        last_row = rows - 1 if view.to_move == 0 else 0

        def value(move):
            (_, col), (to_row, to_col) = move.origin, move.target
            if to_row == last_row:
                return 2  # wins
            return 1 if col != to_col else 0  # only a capture goes diagonally

        return max(view.legal_moves(), key=value)
