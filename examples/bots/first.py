"""The shortest bot: it makes the first legal move of any game."""

from typing import Any


class First:
    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[0]
