"""A plain minimax search."""

from typing import Any


def value(state: Any, me: int, depth: int) -> float:
    """Return 1 if `me` wins, -1 if it loses, 0 if the search does not see the end."""
    if state.to_move is None:
        return 1 if me in state.outcome().winners else -1
    if depth == 0:
        return 0
    best = max if state.to_move == me else min
    return best(value(state.play(move), me, depth - 1) for move in state.legal_moves())
