"""Exhaustive check: can a player that is restricted to certain moves be forced to lose?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.rules import Seat, State

MOST_STATES = 200_000
"""States that are searched at most."""


class TooManyStates(Exception):
    """The game has more states than the search may visit."""


def line_against(
    start: State, seat: Seat, may_play: Callable[[Any], Sequence[Any]], most: int = MOST_STATES
) -> list[Any] | None:
    """Return a line in which `seat` does not win though it plays only moves of `may_play`, or None.

    None is a proof that there is no such line. A seat without a move to play has lost. TooManyStates if there
    are more states than `most`.
    """
    parents: dict[State, tuple[State, Any] | None] = {start: None}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        outcome, moves = state.outcome(), state.legal_moves()
        if outcome is None and state.to_move == seat:
            moves = list(may_play(state.view(seat)))
        if (outcome is None and not moves) or (outcome is not None and seat not in outcome.winners):
            return _line_to(state, parents)
        for move in moves:
            after = state.play(move)
            if after not in parents:
                if len(parents) >= most:
                    raise TooManyStates(f"more than {most} states")
                parents[after] = state, move
                waiting.append(after)
    return None


def _line_to(state: State, parents: dict[State, tuple[State, Any] | None]) -> list[Any]:
    line = []
    while (step := parents[state]) is not None:
        state, move = step
        line.append(move)
    return line[::-1]
