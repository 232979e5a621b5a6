"""The Fish course's remote protocol: `start`, `playing-as`, `playing-with`, `setup`, `take-turn`, `end`.

The referee calls `["name",[arguments]]` and the player answers with one value, `"void"` where there is
nothing to say. A match by itself is a tournament of one: it begins with `start` and closes with `end`. In a
tournament these belong to the tournament, and a match has neither.

Law of this file: the actions that come with `take-turn` are the moves of the others since the player was last
asked, oldest first. There are none the first time and after a removal: no actions are no information.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from touchline.core.clock import Micros, micros
from touchline.core.messages import Begin, Expelled, Over, Ready, Update, YourTurn
from touchline.dialects.base import SILENCE, Exchange, told
from touchline.dialects.notation.fish import Position, write_action, write_position
from touchline.dialects.notation.json_stream import shaped
from touchline.dialects.shared import fish
from touchline.dialects.shared.calls import READY, Calls, answering, call, heard, moving
from touchline.games.fish import COLOURS, FishState, Place, Slide

if TYPE_CHECKING:
    from random import Random

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat

_encode = msgspec.json.Encoder().encode
_position = msgspec.json.Decoder(Position).decode
_action = msgspec.json.Decoder(tuple[Position, Position]).decode
_alphabetic = re.compile("[A-Za-z]{1,12}").fullmatch
VOID = _encode("void")
SEATED = Ready(updates=True)


def _place(frame: bytes) -> Place:
    return Place(_position(frame))


def _slide(frame: bytes) -> Slide:
    return Slide(*_action(frame))


class FishCourse(Calls):
    """One connection on which the referee calls a player of the course."""

    name: ClassVar[str] = "fish-course"
    games: ClassVar[tuple[str, ...]] = ("fish",)
    framing: ClassVar[Literal["lines", "values"]] = "values"
    conduct: ClassVar[str] = "course"
    per_move: ClassVar[Micros] = micros(10)
    lingers: ClassVar[bool] = False
    words: ClassVar[dict[str, str]] = {
        "start": 'a tournament begins, or a match by itself; answer "void"',
        "playing-as": 'a match begins, and this is your colour; answer "void"',
        "playing-with": 'these are the colours of the others; answer "void"',
        "setup": "place a penguin; answer [row,column]",
        "take-turn": "move a penguin, the others have made these moves; answer [[row,column],[row,column]]",
        "end": 'the tournament, or the match by itself, is over; have you won?; answer "void"',
    }

    def __init__(self, game: Game, *, tournament: bool = False) -> None:
        super().__init__()
        self._tournament = tournament
        self._seat: Seat = 0
        self._last: FishState | None = None
        """How things were when we last heard of them."""
        self._moves: list[Slide] | None = None
        """What the others have moved since the player was last asked; None if that is not known."""
        self._asked: int | None = None
        self._news: list[Slide] = []
        """What goes with the question that was last asked."""

    def start(self, begins: bool) -> Exchange:
        """A tournament begins. The player's answer says that it is ready."""
        return self.make(call("start", [begins], answering(READY)))

    def end(self, won: bool) -> Exchange:
        """A tournament is over. The player's answer says that it is ready, for nothing."""
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
                self.forget()  # the connection is closed, and tells it all
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
        if turn != self._asked:  # else it is asked again, and what it was told is true still
            self._asked, self._news, self._moves = turn, self._moves or [], []
        arguments = [fish.state(view), [*map(write_action, self._news)]]
        return self.make(call("take-turn", arguments, moving(turn, _slide), turn))

    def _follow(self, view: FishState) -> None:
        """Keep what the others move, as long as it can be told from how things were and are."""
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

    @staticmethod
    def signed_up(frame: bytes) -> str:
        return fish.named(frame, _alphabetic, "a name has 1 to 12 letters, A to Z and a to z")


def _slides(before: FishState, after: FishState) -> list[tuple[Seat, Slide]]:
    """Which penguins are elsewhere now, and whose they are."""
    cells = after.table.grid.cells
    return [
        (seat, Slide(cells[origin], cells[target]))
        for seat, mine in enumerate(before.penguins)
        for origin, target in zip(mine, after.penguins[seat], strict=False)
        if origin != target
    ]


DIALECT = FishCourse


class Called:
    """A player that is called: an object with the course's methods, or a bot that chooses."""

    asked: ClassVar[str] = "take_turn"

    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        self._player = ByChoice(player) if hasattr(player, "choose") else player
        self.over = False

    def sign_up(self, name: str) -> list[bytes]:
        return [_encode(name)]

    def hear(self, frame: bytes) -> list[bytes]:
        """Answer a call. One that the course does not know is not for us."""
        match fish.called(frame):
            case "start", [begins, *_]:
                told(self._player, "start", begins)
            case "playing-as", [color, *_]:
                told(self._player, "playing_as", color)
            case "playing-with", [colors, *_]:
                told(self._player, "playing_with", colors)
            case "setup", [state, *_]:
                return [_encode(self._player.setup(state))]
            case "take-turn", [state, actions, *_]:
                return [_encode(self._player.take_turn(state, actions))]
            case "end", [won, *_]:
                self.over = True
                told(self._player, "end", won)
            case _:
                return []
        return [VOID]


FACE = Called


class ByChoice(fish.Choosing):
    """A bot that answers the course's calls."""

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
        """The State says it all. Some servers put "skip" among the actions."""
        return write_action(Slide(*self._slide(state)))

    def end(self, won: bool) -> None:
        """A bot does not mind how it went."""
