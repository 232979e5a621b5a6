class Bot:
    def chose(self, view, turn):
        return view.legal_moves()[0]
