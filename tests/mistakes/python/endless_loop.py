class Bot:
    def choose(self, view, turn):
        best = None
        while best is None:
            moves = view.legal_moves()
        return best
