"""A short match of a game between house players, drawn move by move: the moving picture of the lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.drivers.match import agreed, opened
from touchline.records.positions import changed_spots, keys_of
from touchline.web import schema
from touchline.web.levels import for_people

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import State

MOST_SEATS, MOST_MOVES, LONGEST = 4, 14, 400
"""More seats show more colours; a film is short; a match that does not end is cut."""
SEED = 89
"""Always the same match, so that it is computed once and cached."""


def demonstration(name: str) -> schema.Demonstration:
    """Return a part of a match; without moves if nobody of the house plays the game.

    It is the middle, where most is going on; of a game with secrets the opening, while the first is sought.
    """
    states = list(_states(name))
    first = 0 if registry.find("games", name).hidden else len(states) // 3
    shown = _view(states[first][0])
    moves = []
    for state, move in states[first : first + MOST_MOVES]:
        if move is None:
            break
        after = _view(state.play(move))
        whole, spots = changed_spots(shown, after)
        moves.append(schema.DemonstrationMove(whole, spots, keys_of(state.view(0), shown, move)))
        shown = after
    opening = _view(states[first][0])
    return schema.Demonstration(name, opening.spots, opening.backdrop, tuple(moves))


def _view(state: State) -> Any:
    """Return the drawing for the first seat: a game with secrets shows what that seat seeks."""
    return state.view(0).sketch()


def _states(name: str) -> Iterator[tuple[State, Any]]:
    """Yield the positions of a match between players of the first level, each with the move made in it."""
    kind = registry.find("games", name)
    game = registry.game(name, {})
    seats = min(MOST_SEATS, kind.seats[-1])
    state, levels = opened(agreed(game, [""] * seats, SEED)), for_people(kind).levels
    player = factory.make(levels[0].player, game, SEED, levels[0].options, seats) if levels else None
    turn = 0
    while player is not None and state.outcome() is None and state.to_move is not None and turn < LONGEST:
        move = player.choose(state.view(state.to_move), turn)
        yield state, move
        state, turn = state.play(move), turn + 1
    yield state, None
