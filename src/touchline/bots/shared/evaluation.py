"""How good a state is for each seat, by the rules alone: what players without knowledge of a game go by.

A game that can say how its seats stand before the end has `tally()`. One that cannot is judged by how many
moves the seat to move has, which is better than nothing in most games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import State

MARGIN = 0.45
"""An open game is never worth as much as a won one, nor as little as a lost one."""


def worth(state: State, seats: int) -> list[float]:
    """For each seat between 0, lost, and 1, won alone; those who share a win share its worth."""
    outcome = state.outcome()
    if outcome is not None:
        won = 1 / len(outcome.winners) if outcome.winners else 0
        return [won if seat in outcome.winners else 0.0 for seat in range(seats)]
    tally = getattr(state, "tally", None)
    if tally is not None:
        stands = tally()
        return [_lead(stands, seat) for seat in range(seats)]
    return [_freedom(state) if seat == state.to_move else 1 - _freedom(state) for seat in range(seats)]


def _lead(stands: tuple[float, ...], seat: int) -> float:
    mine = stands[seat]
    best = max((other for place, other in enumerate(stands) if place != seat), default=0.0)
    return 0.5 + MARGIN * (mine - best) / (1 + abs(mine) + abs(best))


def _freedom(state: State) -> float:
    moves = len(state.legal_moves())
    return 0.5 + MARGIN * (moves - 4) / (moves + 4)


def seats_seen(states: Sequence[State]) -> int:
    """How many seats there are, as far as these states of one game tell: a state need not say it."""
    for state in reversed(states):
        if (outcome := state.outcome()) is not None:
            return len(outcome.ranks)
        if (tally := getattr(state, "tally", None)) is not None:
            return len(tally())
    return 1 + max(state.to_move for state in states if state.to_move is not None)


def followed(state: State, line: Sequence[Any]) -> list[State]:
    """The states along a line of moves, the first one included."""
    states = [state]
    for move in line:
        states.append(states[-1].play(move))
    return states
