"""Ann's bot: it looks six moves ahead."""

from typing import Any

from search import value


class Ann:
    def choose(self, view: Any, turn: int) -> Any:
        return max(view.legal_moves(), key=lambda move: value(view.play(move), view.to_move, 5))
