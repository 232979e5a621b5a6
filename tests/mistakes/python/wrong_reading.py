class Bot:
    def choose(self, view, turn):
        return view.legal_move()[0]
