"""Pairs of worlds for `check_leaks`: two full states that differ only in what one seat may not see.

Law of this file: what a seat may not see is taken from the state's own `redraw()`, never from `view()`, which
is under test. A state without `redraw()` is redrawn by `view().imagine()`, and then `view()` is believed.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from touchline.core.errors import BadOptions
from touchline.core.rules import Redrawable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.core.rules import Game, Seat, State

G = TypeVar("G", bound="Game")
JUDGE = "the same"
"""The seed with which two states are redrawn to find out whether they differ only in secrets."""


def redrawn(state: State, seat: Seat | None, rng: Random) -> State:
    """Return another state that the seat must not be able to tell from this one."""
    if state.to_move is None:
        return state
    if isinstance(state, Redrawable):
        other: State = state.redraw(seat, rng)
        return other
    return state.view(seat).imagine(rng)


def alike(one: State, other: State, seat: Seat | None) -> bool:
    """Return whether two states differ only in what the seat may not see, and neither is over."""
    if one.to_move is None or other.to_move is None:
        return False
    return redrawn(one, seat, Random(JUDGE)) == redrawn(other, seat, Random(JUDGE))


def starting_with(game: G, state: State) -> G:
    """Return the same game, except that every match of it starts with this state."""

    def start(self: G, seats: int, rng: Random, proposals: Sequence[Any] = ()) -> State:
        return state

    kind = msgspec.defstruct(
        type(game).__name__, (), bases=(type(game),), namespace={"start": start}, frozen=True
    )
    return cast("G", kind(**{name: getattr(game, name) for name in kind.__struct_fields__}))


def started(game: Game, seats: int, seed: object) -> State:
    """Return a first state. BadOptions if the game does not take this number of seats."""
    try:
        return game.start(seats, Random(f"{seed}"))
    except ValueError as error:
        raise BadOptions(f"{game.name}: {error}") from None


# -- which parts of a position differ --------------------------------------------------------------


def different_parts(one: State, other: State) -> set[str]:
    """Return the parts of two written positions that differ, such as `seekers[].goal`."""
    mine, theirs = msgspec.to_builtins(one.position()), msgspec.to_builtins(other.position())
    return {re.sub(r"\[\d+\]", "[]", path) for path in _differing(mine, theirs, "")}


def _differing(one: Any, other: Any, path: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            yield from _differing(one.get(name), other.get(name), f"{path}.{name}".removeprefix("."))
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and _holds_structs(one, other):
        for at, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from _differing(mine, theirs, f"{path}[{at}]")
    elif one != other:
        yield path


def _holds_structs(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and any(isinstance(part, dict) for part in (*one, *other))
