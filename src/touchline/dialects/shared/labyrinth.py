"""Code that the dialects of Labyrinth share: a name, the goal that a view shows, and the player's side.

Law of this file: it has no words of its own; each dialect's file has all of its words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from touchline.core.errors import BadInput
from touchline.dialects.base import UNREADABLE, Refusal, SignUp, plain
from touchline.dialects.notation.labyrinth import Coordinate, cell_on
from touchline.dialects.shared.calls import CalledFace
from touchline.games.labyrinth import LabyrinthState, Seeker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Cell, Seat
    from touchline.games.boards.maze import Maze, Push

_name = msgspec.json.Decoder(Annotated[str, Meta(pattern=r"^[a-zA-Z0-9]{1,20}\n?\Z")]).decode


def read_name(frame: bytes) -> SignUp:
    """Decode a sign-up that is only a name. "A name may end in a newline", which is no part of it."""
    try:
        name: str = _name(frame)
    except UNREADABLE:
        raise Refusal("a name is a JSON string of 1 to 20 letters or digits") from None
    return SignUp(name.rstrip("\n"))


def sought(view: LabyrinthState, seat: Seat, before: Cell | None) -> Cell | None:
    """Return the goal that a seat seeks; on its way home, the last goal that it has reached."""
    seeker = view.seekers[seat]
    return before if seeker.homeward else seeker.goal


def seen(
    maze: Maze,
    players: Sequence[tuple[Cell, Cell | None]],
    seat: Seat,
    aim: Seeker,
    last: Push | None,
) -> LabyrinthState:
    """Return the view of the seat to move, from each player's home and, unless it was kicked, its place.

    No dialect tells the round, so it is the first.
    """
    places = [
        None if place is None else cell_on(maze, Coordinate(*place), f"player {number}")
        for number, (_, place) in enumerate(players)
    ]
    seekers = [Seeker(home, None, None, None) for home, _ in players]
    seekers[seat] = aim
    return LabyrinthState(
        maze=maze,
        avatars=tuple(places),
        seekers=tuple(seekers),
        pool=None,
        last=last,
        round=1,
        due=tuple(later for later in range(seat, len(players)) if places[later] is not None),
    )


class LabyrinthFace(CalledFace):
    """A player that is called, in a dialect whose calls are all known: any other is an error."""

    def understands(self, name: str, arguments: int) -> bool:
        if name not in self._calls:
            raise BadInput(f"no call is named {plain(name)!r}")
        if arguments != self._calls[name]:
            raise BadInput(f"{name} has {self._calls[name]} arguments, not {arguments}")
        return True
