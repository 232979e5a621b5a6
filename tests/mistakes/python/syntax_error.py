class Bot:
    def choose(self, view, turn):
        return view.legal_moves([0
