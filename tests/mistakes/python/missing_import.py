import numpi


class Bot:
    def choose(self, view, turn):
        return numpi.random.choice(view.legal_moves())
