"""A player of a-game."""

from random import choice


class MyBot:
    """Make a random legal move. Make it better!"""

    def choose(self, view, turn):
        """Return one of the legal moves. `view` is the position as your seat may see it."""
        return choice(view.legal_moves())
