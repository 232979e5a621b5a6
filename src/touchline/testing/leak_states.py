"""What a seat can learn from one state without a match: its view, pictures, reasons and hints.

Law of this file: a channel is a function of the full state, called as the referee, the command line and the
page call it, so that one which looks at more than the view is noticed.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.bots.shared import factory
from touchline.core.errors import TouchlineError
from touchline.core.rules import IllegalMove, Tallied
from touchline.draw.sheet import sheet_of
from touchline.draw.svg import picture, svg
from touchline.records.analysis import advised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from touchline.core.rules import Game, Seat, State

STRANGERS = 60
"""Moves from elsewhere that are passed to `check()`, to compare its reasons."""
NONSENSE: tuple[Any, ...] = (None, -1, "pass", (0, 0), {}, 1.5)
_encode = msgspec.json.Encoder().encode


class StateChannel(NamedTuple):
    """A way to learn about a state: `show` returns its bytes for a seat, None where it has nothing to say."""

    name: str
    show: Callable[[Game, State, Seat | None], bytes | None]


def _position(game: Game, state: State, seat: Seat | None) -> bytes:
    return _encode(state.view(seat).position())


def _repr(game: Game, state: State, seat: Seat | None) -> bytes:
    return repr(state.view(seat)).encode()


def _moves_of_view(game: Game, state: State, seat: Seat | None) -> bytes:
    return _encode(list(state.view(seat).legal_moves()))


def _moves_of_state(game: Game, state: State, seat: Seat | None) -> bytes | None:
    """The referee takes the move that it makes for a seat from the full state."""
    return _encode(list(state.legal_moves())) if seat == state.to_move else None


def _reasons(game: Game, state: State, seat: Seat | None) -> bytes | None:
    """The referee checks a move against the full state, and tells the seat why it is illegal."""
    if seat != state.to_move:
        return None
    everything = list(game.all_moves())
    strangers = Random(0).sample(everything, min(STRANGERS, len(everything)))
    return _encode([_reason(state, move) for move in (*strangers, *NONSENSE)])


def _reason(state: State, move: Any) -> str | None:
    try:
        state.check(move)
    except IllegalMove as reason:
        return reason.worded(0)
    return None


def _sketch(game: Game, state: State, seat: Seat | None) -> bytes:
    return _encode(state.view(seat).sketch())


def _svg(game: Game, state: State, seat: Seat | None) -> bytes:
    return svg(picture(state.view(seat).sketch(), sheet_of(type(game))), "light", game.name).encode()


def _tally(game: Game, state: State, seat: Seat | None) -> bytes | None:
    view = state.view(seat)
    return _encode(view.tally()) if isinstance(view, Tallied) else None


STATE_CHANNELS = (
    StateChannel("the position of view()", _position),
    StateChannel("repr() of view()", _repr),
    StateChannel("legal_moves() of view()", _moves_of_view),
    StateChannel("legal_moves()", _moves_of_state),
    StateChannel("the reasons of check()", _reasons),
    StateChannel("sketch() of view()", _sketch),
    StateChannel("the SVG of view()", _svg),
    StateChannel("tally() of view()", _tally),
)


def hint_channels(game: Game) -> Iterator[StateChannel]:
    """Yield `touchline hint` and the choice of each house bot that is quick in this game, on fixed seeds."""
    for name in quick_bots(game):
        yield StateChannel(f"the hint of {name}", _hint(name))


def quick_bots(game: Game) -> list[str]:
    """Return the house bots without a time budget that play this game, unless they are slow at it."""
    return [
        name
        for name, kind in factory.kinds(game.name).items()
        if game.name not in kind.slow_at and "seconds" not in factory.options_of(kind) and _plays(name, game)
    ]


def _plays(name: str, game: Game) -> bool:
    try:
        factory.check_game(name, game)
    except TouchlineError:
        return False
    return True


def _hint(name: str) -> Callable[[Game, State, Seat | None], bytes | None]:
    def hint(game: Game, state: State, seat: Seat | None) -> bytes | None:
        if seat is None or seat != state.to_move:
            return None
        advice = advised(state, factory.make(name, game.name, "hint"))
        return _encode(advice)

    return hint


def shown(channels: Sequence[StateChannel], game: Game, state: State, seat: Seat | None) -> dict[str, bytes]:
    """Return what every channel that has something to say shows to a seat, or to spectators."""
    found = {channel.name: channel.show(game, state, seat) for channel in channels}
    return {name: data for name, data in found.items() if data is not None}
