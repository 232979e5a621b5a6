"""A player with the methods of the dialect `plain`: it makes random legal moves."""

from random import choice

import msgspec

import touchline


class ExamplePlayer:
    def begin(self, options):
        """A match begins, of a game with these options."""
        self.game = touchline.game("hexapawn", **options)

    def move(self, position):
        """Return a move from this position, which is as it was read from JSON."""
        view = self.game.restore(msgspec.convert(position, self.game.Position))
        return choice(view.legal_moves())

    def over(self, won):
        """The match is over."""
