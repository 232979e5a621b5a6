"""A script of a match: what changes the state, step by step, without the times and the answers in between.

Law of this file: it is pure. A script is legal if the rules allow each of its steps and none ends the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from touchline.core import events
from touchline.core.conduct import LATENESS, Offence
from touchline.core.fold import turns_taken_back
from touchline.core.happenings import Failed, Heard, Lapsed
from touchline.core.messages import Act, Garbled
from touchline.core.rules import IllegalMove, Seat, Skippable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.happenings import Happening
    from touchline.core.rules import State
    from touchline.records.replay import Replay


class Step(Struct, frozen=True):
    """One change of the state: a seat moves, loses its turn, or leaves the match."""

    seat: Seat
    kind: Literal["move", "skip", "leave"] = "move"
    move: Any = None
    causes: tuple[Heard | Lapsed | Failed, ...] = ()
    """The offences for which the turn was taken away."""


Script: TypeAlias = tuple[Step, ...]


def script_of(replay: Replay, seat: Seat) -> Script:
    """Return the steps of a recorded match, as far as this seat takes part in it.

    A move that the referee made in the place of a seat becomes a move of that seat. Turns that were taken
    back are left out.
    """
    refused, undone = {one.seat for one in replay.begun.refused}, turns_taken_back(replay.events)
    steps: list[Step] = []
    offences: dict[tuple[int, Seat], list[Heard | Lapsed | Failed]] = {}
    for event in replay.events:
        match event:
            case events.Moved(turn) | events.Skipped(turn) if turn in undone:
                continue
            case events.Moved(_, mover, move):
                steps.append(Step(mover, move=replay.move_of(move)))
            case events.Faulted(turn, at_fault, offence):
                starved = offence is Offence.STARVED
                late = offence in LATENESS
                cause = Lapsed(at_fault, starved) if late else replay.happening_of(event)
                offences.setdefault((turn, at_fault), []).append(_unnumbered(cause))
            case events.Skipped(turn, skipped):
                causes = tuple(offences.get((turn, skipped), ()))
                steps.append(Step(skipped, "skip", causes=causes))
            case events.Expelled(_, leaver) | events.Resigned(_, leaver):
                if leaver == seat:
                    return tuple(steps)
                if leaver not in refused:
                    steps.append(Step(leaver, "leave"))
    return tuple(steps)


def _unnumbered(cause: Happening | None) -> Heard | Lapsed | Failed:
    """Return an offence without the number of its turn, which another script changes."""
    if isinstance(cause, Heard) and isinstance(cause.said, Act | Garbled):
        return Heard(cause.seat, replace(cause.said, turn=None))
    return cast("Heard | Lapsed | Failed", cause)


def following(state: State, step: Step) -> State | None:
    """Return the state after a step; None if the rules forbid the step, or it ends the game."""
    if step.kind == "leave":
        new = state.without(step.seat)
        if new == state:
            return None
    elif state.to_move != step.seat:
        return None
    elif step.kind == "skip":
        if not isinstance(state, Skippable):
            return None
        new = state.skip()
    else:
        try:
            state.check(step.move)
        except IllegalMove:
            return None
        new = state.play(step.move)
    return None if new.to_move is None else new


def legal_part(opening: State, steps: Iterable[Step]) -> Script:
    """Return the steps that are legal one after the other, without those that are not."""
    state, kept = opening, []
    for step in steps:
        new = following(state, step)
        if new is not None:
            state = new
            kept.append(step)
    return tuple(kept)


def continuations(state: State) -> list[tuple[Step, State]]:
    """Return every legal move as a step, with the state after it; moves that end the game are left out."""
    seat, found = state.to_move, []
    if seat is not None:
        for move in state.legal_moves():
            new = state.play(move)
            if new.to_move is not None:
                found.append((Step(seat, move=move), new))
    return found


def states_along(opening: State, script: Script) -> list[State]:
    """Return the state before each step of a legal script, and the state after the last."""
    states = [opening]
    for step in script:
        new = following(states[-1], step)
        assert new is not None
        states.append(new)
    return states
