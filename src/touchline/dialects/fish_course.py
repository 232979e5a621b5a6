"""The Fish course's remote protocol: `start`, `playing-as`, `playing-with`, `setup`, `take-turn`, `end`.

The referee calls `["name",[arguments]]` and the player answers with one value, `"void"` where there is
nothing to say. A match by itself is a tournament of one: it begins with `start` and closes with `end`. In a
tournament these belong to the tournament, and a match has neither.

Law of this file: the actions that come with `take-turn` are the moves of the others since the player was last
asked, oldest first. There are none the first time and after a removal: no actions are no information.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from touchline.core.messages import Begin, Expelled, Over, Ready, Update, YourTurn
from touchline.dialects.base import SILENCE, Exchange, Face, SignUp
from touchline.dialects.notation.fish import Position, write_action, write_position
from touchline.dialects.notation.json_stream import shaped
from touchline.dialects.shared import fish
from touchline.dialects.shared.calls import (
    READY,
    CalledFace,
    Calls,
    Chooser,
    answering,
    call,
    heard,
    moving,
)
from touchline.games.fish import COLOURS, FishState, Place, Slide

if TYPE_CHECKING:
    from collections.abc import Mapping

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat

_position = msgspec.json.Decoder(Position).decode
_action = msgspec.json.Decoder(tuple[Position, Position]).decode
_alphabetic = re.compile("[A-Za-z]{1,12}").fullmatch
SEATED = Ready(updates=True)


def _place(frame: bytes) -> Place:
    return Place(_position(frame))


def _slide(frame: bytes) -> Slide:
    return Slide(*_action(frame))


class ByChoice(fish.FishChooser):
    """A bot as the course's player."""

    _color = ""

    def start(self, begins: bool) -> None:
        """A bot is always ready."""

    def playing_as(self, color: str) -> None:
        self._color = color

    def playing_with(self, colors: Any) -> None:
        others = {*shaped(colors, list[str], "colors")}
        self._players = 1 + len(others - {self._color})  # a server may count the player among them

    def setup(self, state: Any) -> list[int]:
        return write_position(self._place(state))

    def take_turn(self, state: Any, actions: list[Any]) -> list[list[int]]:
        """Choose from the State alone: some servers put "skip" among the actions."""
        return write_action(Slide(*self._slide(state)))

    def end(self, won: bool) -> None:
        """A bot ignores the result."""


class FishCourseFace(CalledFace):
    """A player with the course's methods."""

    asked: ClassVar[str] = "take_turn"
    void: ClassVar[Mapping[str, int]] = {"start": 1, "playing-as": 1, "playing-with": 1, "end": 1}
    asks: ClassVar[Mapping[str, int]] = {"setup": 1, "take-turn": 2}
    last: ClassVar[frozenset[str]] = frozenset({"end"})
    by_choice: ClassVar[type[Chooser]] = ByChoice


def _slides(before: FishState, after: FishState) -> list[tuple[Seat, Slide]]:
    """Return the penguins that have moved between two views, and their seats."""
    cells = after.table.grid.cells
    return [
        (seat, Slide(cells[origin], cells[target]))
        for seat, mine in enumerate(before.penguins)
        for origin, target in zip(mine, after.penguins[seat], strict=False)
        if origin != target
    ]


class FishCourse(Calls):
    """One connection on which the referee calls a player of the course."""

    name: ClassVar[str] = "fish-course"
    games: ClassVar[tuple[str, ...]] = ("fish",)
    conduct: ClassVar[str] = "course"
    own_name_rule: ClassVar[bool] = True
    face: ClassVar[type[Face]] = FishCourseFace
    words: ClassVar[dict[str, str]] = {
        "start": 'a tournament begins, or a match by itself; answer "void"',
        "playing-as": 'a match begins, and this is your colour; answer "void"',
        "playing-with": 'these are the colours of the others; answer "void"',
        "setup": "place a penguin; answer [row,column]",
        "take-turn": "move a penguin, the others have made these moves; answer [[row,column],[row,column]]",
        "end": 'the tournament, or the match by itself, is over; have you won?; answer "void"',
    }

    def __init__(self, game: Game, *, tournament: bool = False) -> None:
        super().__init__(game)
        self._tournament = tournament
        self._seat: Seat = 0
        self._last: FishState | None = None
        """The latest view."""
        self._moves: list[Slide] | None = None
        """The moves of the others since the player was last asked; None if they are not known."""
        self._asked: int | None = None
        self._news: list[Slide] = []
        """The moves that went with the last question."""

    def start(self, begins: bool) -> Exchange:
        """A tournament begins. The player's answer says that it is ready."""
        return self.make(call("start", [begins], answering(READY)))

    def end(self, won: bool) -> Exchange:
        """A tournament is over. The player's answer says that it is ready, but nothing follows."""
        return self.make(call("end", [won], answering(READY)))

    def say(self, message: ToPlayer) -> Exchange:
        """Call the player."""
        match message:
            case Begin(seat, names, view):
                return self._begin(seat, len(names), view)
            case YourTurn(turn, view):
                return self._ask(turn, view)
            case Update(_, view):
                self._follow(view)
            case Over(outcome=outcome) if not self._tournament:
                self.withdraw()
                return self.end(outcome is not None and self._seat in outcome.winners)
            case Expelled():
                self.forget()  # there is no word for it: the connection is closed
        return SILENCE

    def _begin(self, seat: Seat, players: int, view: FishState) -> Exchange:
        """A new match, perhaps one of many on this connection."""
        self._seat, self._last, self._moves, self._asked = seat, view, None, None
        opponents = fish.colours({*range(players)} - {seat})
        calls = [
            call("playing-as", [COLOURS[seat]], heard),
            call("playing-with", [opponents], answering(SEATED)),
        ]
        if not self._tournament:
            calls.insert(0, call("start", [True], heard))
        return self.make(*calls)

    def _ask(self, turn: int, view: FishState) -> Exchange:
        self._follow(view)
        if view.placing:
            return self.make(call("setup", [fish.state(view)], moving(turn, _place), turn))
        if turn != self._asked:  # else it is asked again, with the same moves
            self._asked, self._news, self._moves = turn, self._moves or [], []
        arguments = [fish.state(view), [*map(write_action, self._news)]]
        return self.make(call("take-turn", arguments, moving(turn, _slide), turn))

    def _follow(self, view: FishState) -> None:
        """Record the move of another seat, if the difference of two views shows which it was."""
        before, self._last = self._last, view
        if before is None or before.placing:
            return
        if view.removed != before.removed:
            self._moves, self._news = None, []
        elif self._moves is not None:
            slides = _slides(before, view)
            if len(slides) > 1:  # which came first?
                self._moves = None
            elif slides and slides[0][0] != self._seat:
                self._moves.append(slides[0][1])

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        return SignUp(fish.read_name(frame, _alphabetic, "a name has 1 to 12 letters, A to Z and a to z"))


DIALECT = FishCourse
