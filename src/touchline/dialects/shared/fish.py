"""What the dialects of Fish share: the words of the course, a name to sign up with, and a bot behind it all.

Law of this file: colours belong to seats in turn order, and the first player of a State is the one to move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from touchline.core.errors import BadInput
from touchline.dialects.base import UNREADABLE, Refusal, plain
from touchline.dialects.notation import fish as notation
from touchline.games.fish import COLOURS, FishState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from touchline.core.rules import Cell, Seat

Whole: TypeAlias = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)]
"""A row or a column, perhaps of no board: that is for the rules to say."""

_text = msgspec.json.Decoder(str).decode
_called = msgspec.json.Decoder(tuple[str, list[Any]]).decode


def state(view: FishState) -> dict[str, Any]:
    """A view as the course's State."""
    return notation.write_state(view, COLOURS, view.to_move or 0)


def colours(seats: Iterable[Seat]) -> list[str]:
    """The colours of these seats, in turn order."""
    return [COLOURS[seat] for seat in sorted(seats)]


def named(frame: bytes, fits: Callable[[str], object], rule: str) -> str:
    """The name in a first frame: a JSON string, which may end in a newline."""
    try:
        name = _text(frame)
    except UNREADABLE as error:
        raise Refusal(f"a name is a JSON string: {plain(str(error))}") from None
    name = name.removesuffix("\n").removesuffix("\r")
    if not fits(name):
        raise Refusal(rule)
    return name


def printable(frame: bytes) -> str:
    """A name for the dialects whose notes say nothing about names."""
    return named(
        frame,
        lambda name: 1 <= len(name) <= 32 and name.isprintable(),
        "a name has 1 to 32 printable characters",
    )


def called(frame: bytes) -> tuple[str, list[Any]]:
    """The name and the arguments of a call that a player hears. BadInput if it is none."""
    try:
        return _called(frame)
    except UNREADABLE as error:
        raise BadInput(f"not a call: {plain(str(error))}") from None


class Choosing:
    """A bot that chooses from the States it is told: what stands between it and a dialect's own words."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self._turns = 0
        self._players = len(COLOURS)
        """How many there were at the start: each places 6 penguins less one for each player."""

    def _place(self, state: Any) -> Cell:
        """Where to place a penguin."""
        at: Cell = self._choose(notation.placing(state, "State", 6 - self._players)).at
        return at

    def _slide(self, state: Any) -> tuple[Cell, Cell]:
        """From where to where to move one."""
        move = self._choose(notation.state(state, "State")[1])
        return move.origin, move.target

    def _choose(self, view: FishState) -> Any:
        if not view.penguins or not view.legal_moves():
            raise BadInput("the first player cannot move", "State")
        self._turns += 1  # nobody tells it the number of the turn, so it counts its own
        return self._bot.choose(view, self._turns - 1)
