"""A generic evaluation of states, for bots that know nothing but the rules.

A state that has `tally()` (`core.rules.Tallied`) is evaluated by it. Any other is evaluated by mobility, that
is, by how many moves the seat to move has: better than nothing in most games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from touchline.core.rules import Tallied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import State

MARGIN = 0.45
"""An unfinished game is worth at most 0.5 + MARGIN and at least 0.5 - MARGIN."""
_TALLIED: dict[type, bool] = {}
"""Whether a class of states is `Tallied`. Cached: `isinstance` of a protocol is too slow for a search."""


def tallied(state: State) -> Tallied | None:
    """Return the state if it has a tally, else None."""
    kind = type(state)
    known = _TALLIED.get(kind)
    if known is None:
        known = _TALLIED[kind] = isinstance(state, Tallied)
    return cast("Tallied", state) if known else None


def worth(state: State, seats: int) -> list[float]:
    """Return the value per seat, from 0 (lost) to 1 (sole winner); winners of a tie share 1."""
    outcome = state.outcome()
    if outcome is not None:
        won = 1 / len(outcome.winners) if outcome.winners else 0
        return [won if seat in outcome.winners else 0.0 for seat in range(seats)]
    if (known := tallied(state)) is not None:
        tally = known.tally()
        return [_lead(tally, seat) for seat in range(seats)]
    return [_mobility(state) if seat == state.to_move else 1 - _mobility(state) for seat in range(seats)]


def _lead(tally: tuple[float, ...], seat: int) -> float:
    mine = tally[seat]
    best = max((other for place, other in enumerate(tally) if place != seat), default=0.0)
    return 0.5 + MARGIN * (mine - best) / (1 + abs(mine) + abs(best))


def _mobility(state: State) -> float:
    moves = len(state.legal_moves())
    return 0.5 + MARGIN * (moves - 4) / (moves + 4)


def seats_seen(states: Sequence[State]) -> int:
    """Return the number of seats as far as these states of one game show it: a state need not say it."""
    for state in reversed(states):
        if (outcome := state.outcome()) is not None:
            return len(outcome.ranks)
        if (known := tallied(state)) is not None:
            return len(known.tally())
    return 1 + max(state.to_move for state in states if state.to_move is not None)


def followed(state: State, line: Sequence[Any]) -> list[State]:
    """Return the states along a line of moves, the first one included."""
    states = [state]
    for move in line:
        states.append(states[-1].play(move))
    return states
