"""What the three dialects of Labyrinth share: a name, what is known of a goal, and a player's side of calls.

Law of this file: it has no words of its own; each dialect's file has its own, all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from touchline.core.errors import BadInput
from touchline.dialects.base import UNREADABLE, Refusal, plain, told
from touchline.dialects.notation.labyrinth import Coordinate, cell_on
from touchline.games.labyrinth import LabyrinthState, Pass, Seeker, Slide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from touchline.core.rules import Cell, Seat
    from touchline.games.boards.maze import Maze, Push

encode = msgspec.json.Encoder().encode
_name = msgspec.json.Decoder(Annotated[str, Meta(pattern=r"^[a-zA-Z0-9]{1,20}\n?\Z")]).decode
_called = msgspec.json.Decoder(tuple[str, list[Any]]).decode


def name_alone(frame: bytes) -> str:
    """A sign-up that is a name and nothing else. "A name may end in a newline", which is no part of it."""
    try:
        name: str = _name(frame)
    except UNREADABLE as error:
        raise Refusal(f"a name of 1 to 20 letters or digits was expected: {plain(str(error))}") from None
    return name.rstrip("\n")


def sought(view: LabyrinthState, seat: Seat, before: Cell | None) -> Cell | None:
    """The goal that a seat seeks; if it has reached it and is on its way home, the one it sought before."""
    seeker = view.seekers[seat]
    return before if seeker.homeward else seeker.goal


def seen(
    maze: Maze,
    players: Sequence[tuple[Cell, Cell | None]],
    seat: Seat,
    aim: Seeker,
    last: Push | None,
) -> LabyrinthState:
    """What a seat sees when it is to move: of each player the home and, if it is still there, the place.

    Nothing that is told says which round it is.
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


class Chooser:
    """A bot that chooses from a view, and how many turns it has had."""

    def __init__(self, bot: Any, rng: Random | None = None) -> None:
        self._bot, self._rng = bot, rng
        self._turns = 0

    def _choose(self, view: LabyrinthState) -> Slide | Pass:
        move: Slide | Pass = self._bot.choose(view, self._turns)
        self._turns += 1
        return move


class Face:
    """A player's side of calls: each is a method of the player, and what it returns is the answer.

    A player that has a method `choose` instead is one of our bots, and is led by `by_choice`.
    """

    void: ClassVar[frozenset[str]]
    """The calls that are answered with "void", whatever the method returns."""
    asks: ClassVar[frozenset[str]]
    """The calls that ask for something."""
    arguments: ClassVar[dict[str, int]]
    """How many arguments each call has."""
    last: ClassVar[str]
    """The call after which there is none."""
    by_choice: ClassVar[type[Chooser]]

    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        self.player = self.by_choice(player, rng) if hasattr(player, "choose") else player
        self.over = False

    def sign_up(self, name: str) -> list[bytes]:
        return [encode(name)]

    def hear(self, frame: bytes) -> list[bytes]:
        """Answer a call. BadInput if it is none that this side knows."""
        try:
            name, arguments = _called(frame)
        except UNREADABLE as error:
            raise BadInput(f"not a call: {plain(str(error))}") from None
        if name not in self.void | self.asks:
            raise BadInput(f"no call is named {plain(name)!r}")
        if len(arguments) != self.arguments[name]:
            raise BadInput(f"{name} has {self.arguments[name]} arguments, not {len(arguments)}")
        self.over = self.over or name == self.last
        method = name.replace("-", "_")
        if name in self.void:
            told(self.player, method, *arguments)
            return [encode("void")]
        return [encode(getattr(self.player, method)(*arguments))]
