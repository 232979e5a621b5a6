"""Can a player be beaten that plays any of certain moves? Everything that can happen is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.rules import Seat, State

MOST_STATES = 200_000


class TooMany(Exception):
    """There are more states than one can look at."""


def line_against(
    start: State, seat: Seat, may_play: Callable[[Any], Sequence[Any]], most: int = MOST_STATES
) -> list[Any] | None:
    """Moves by which `seat` does not win, whatever the others must play for it; None is a proof of none.

    Who may play nothing has lost. TooMany if it cannot be known.
    """
    came: dict[State, tuple[State, Any] | None] = {start: None}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        outcome, moves = state.outcome(), state.legal_moves()
        if outcome is None and state.to_move == seat:
            moves = list(may_play(state.view(seat)))
        if (outcome is None and not moves) or (outcome is not None and seat not in outcome.winners):
            return _way_to(state, came)
        for move in moves:
            after = state.play(move)
            if after not in came:
                if len(came) >= most:
                    raise TooMany(f"more than {most} states")
                came[after] = state, move
                waiting.append(after)
    return None


def _way_to(state: State, came: dict[State, tuple[State, Any] | None]) -> list[Any]:
    line = []
    while (step := came[state]) is not None:
        state, move = step
        line.append(move)
    return line[::-1]
