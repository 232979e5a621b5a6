"""Code that the dialects of Fish share: the course's State, a name as a JSON string, and a bot as a player.

Law of this file: colours belong to seats in turn order, and the first player of a State is the one to move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from touchline.core.errors import BadInput
from touchline.dialects.base import UNREADABLE, Refusal, plain
from touchline.dialects.notation import fish as notation
from touchline.dialects.shared.calls import Chooser
from touchline.games.fish import COLOURS, FishState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from touchline.core.rules import Cell, Seat

Whole: TypeAlias = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)]
"""A row or a column; the rules decide whether it is on the board."""

_text = msgspec.json.Decoder(str).decode


def state(view: FishState) -> dict[str, Any]:
    """Write a view as the course's State."""
    return notation.write_state(view, COLOURS, view.to_move or 0)


def colours(seats: Iterable[Seat]) -> list[str]:
    """Return the colours of these seats, in turn order."""
    return [COLOURS[seat] for seat in sorted(seats)]


def read_name(frame: bytes, fits: Callable[[str], object], rule: str) -> str:
    """Decode the name in a first frame: a JSON string, which may end in a newline."""
    try:
        name = _text(frame)
    except UNREADABLE as error:
        raise Refusal(f"a name is a JSON string: {plain(str(error))}") from None
    name = name.removesuffix("\n").removesuffix("\r")
    if not fits(name):
        raise Refusal(rule)
    return name


def read_printable_name(frame: bytes) -> str:
    """Decode a name for the dialects whose notes have no rule for names."""
    return read_name(
        frame,
        lambda name: 1 <= len(name) <= 32 and name.isprintable(),
        "a name has 1 to 32 printable characters",
    )


class FishChooser(Chooser):
    """A bot that chooses from the States that a dialect tells it."""

    def __init__(self, bot: Any, rng: Random | None = None) -> None:
        super().__init__(bot, rng)
        self._players = len(COLOURS)
        """The number of players at the start: each places 6 penguins less one for each player."""

    def _place(self, state: Any) -> Cell:
        """Return where to place a penguin."""
        at: Cell = self._choose(notation.placing(state, "State", 6 - self._players)).at
        return at

    def _slide(self, state: Any) -> tuple[Cell, Cell]:
        """Return from where to where to move a penguin."""
        move = self._choose(notation.state(state, "State")[1])
        return move.origin, move.target

    def _choose(self, view: FishState) -> Any:
        if not view.penguins or not view.legal_moves():
            raise BadInput("the first player cannot move", "State")
        return super()._choose(view)
