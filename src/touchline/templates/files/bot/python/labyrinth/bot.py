"""A player of Labyrinth."""


class MyBot:
    """Walk as near to the goal as one move leads. Make it better!"""

    def choose(self, view, turn):
        """Return one of the legal moves. `view` is what you may see, and `view.to_move` is your seat."""
        me = view.position().seekers[view.to_move]  # its fields: avatar, home, goal, found, homeward
        *slides, stay = view.legal_moves()  # the last one is to pass

        def distance(cell):
            return (cell[0] - me.goal[0]) ** 2 + (cell[1] - me.goal[1]) ** 2

        best = min(slides, key=lambda move: distance(move.to), default=stay)
        return best if best is not stay and distance(best.to) < distance(me.avatar) else stay
