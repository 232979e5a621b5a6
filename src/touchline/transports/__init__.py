"""How frames travel. A transport knows no game and no dialect."""
