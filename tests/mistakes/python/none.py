class Bot:
    def choose(self, view, turn):
        view.legal_moves()[0]
