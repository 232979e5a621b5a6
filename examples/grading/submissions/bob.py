"""Bob's bot: it prefers a pawn that can capture, and then moves it straight on, even into another pawn."""

import sys
from typing import Any

from touchline.games.hexapawn import Step


class Bob:
    def choose(self, view: Any, turn: int) -> Any:
        chosen = max(view.legal_moves(), key=lambda move: move.origin[1] != move.target[1])
        (row, col), (ahead, _) = chosen.origin, chosen.target
        sys.stderr.write(f"turn {turn}: {row},{col} to {ahead},{col}\n")
        return Step((row, col), (ahead, col))
