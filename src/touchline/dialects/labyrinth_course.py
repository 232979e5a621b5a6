"""The Labyrinth course's remote protocol: `setup`, `take-turn`, `win`, and the course's JSON.

A client connects and sends its name as a JSON string; there is no reply. Then it is called:

    ["setup", [State, Coordinate]]    a game begins, and this is your goal             "void"
    ["take-turn", [State]]            move                                             Choice
    ["setup", [false, Coordinate]]    you have reached your goal; this is the next     "void"
    ["win", [Boolean]]                it is over                                       "void"

`plmt` begins with the receiver, in `setup` too, goes on in turn order, and leaves out kicked players. A
kicked player is sent nothing more. Nobody has won a match that does not count: `win(false)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec.structs import replace

from touchline.core import messages
from touchline.core.clock import Micros, micros
from touchline.core.errors import BadInput
from touchline.core.messages import Ready
from touchline.dialects.base import SILENCE, CourseSignUp, Exchange, Face
from touchline.dialects.notation.labyrinth import (
    Choice,
    Colour,
    chosen,
    colours,
    coordinate,
    state,
    write_cell,
    write_choice,
    write_state,
)
from touchline.dialects.shared.calls import READY, Calls, Chooser, answering, call, heard, moving
from touchline.dialects.shared.labyrinth import LabyrinthFace, read_name
from touchline.games.labyrinth import LabyrinthState, Pass, Seeker, Slide

if TYPE_CHECKING:
    from collections.abc import Mapping

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Cell, Game, Seat
    from touchline.dialects.base import SignUp

_choice = msgspec.json.Decoder(Choice).decode


def _move(frame: bytes) -> Slide | Pass:
    return chosen(_choice(frame))


class ByChoice(Chooser):
    """A bot as the course's player: it sees the states that the calls tell."""

    _goal: Cell | None = None
    _found = 0

    def setup(self, state: Any, goal: Any) -> None:
        """A state means that a game starts; false means that a goal was reached."""
        self._found = self._found + 1 if state is False else 0
        self._goal = coordinate(goal, "goal").cell()

    def take_turn(self, written: Any) -> Any:
        return write_choice(self._choose(self._view(written)))

    def win(self, won: Any) -> None:
        """A bot ignores the result."""

    def _view(self, written: Any) -> LabyrinthState:
        """Read a State; the receiver is seat 0, and goes home if its next goal is its home."""
        live = state(written, "State")
        if not live.seekers:
            raise BadInput("there is no player, and the receiver is the first of them", "State.plmt")
        own, *others = live.seekers
        homeward = self._found > 0 and self._goal == own.home
        seekers = (
            Seeker(own.home, self._goal, self._found, homeward),
            *(Seeker(other.home, None, None, None) for other in others),
        )
        return replace(live, seekers=seekers)


class LabyrinthCourseFace(LabyrinthFace):
    """A player with the methods `setup`, `take_turn` and `win`."""

    asked: ClassVar[str] = "take_turn"
    void: ClassVar[Mapping[str, int]] = {"setup": 2, "win": 1}
    asks: ClassVar[Mapping[str, int]] = {"take-turn": 1}
    last: ClassVar[frozenset[str]] = frozenset({"win"})
    by_choice: ClassVar[type[Chooser]] = ByChoice


class LabyrinthCourse(Calls):
    """One connection that speaks the course's protocol."""

    name: ClassVar[str] = "labyrinth-course"
    games: ClassVar[tuple[str, ...]] = ("labyrinth",)
    conduct: ClassVar[str] = "course"
    per_move: ClassVar[Micros] = micros(4)
    own_name_rule: ClassVar[bool] = True
    course_sign_up: ClassVar[CourseSignUp | None] = CourseSignUp(6, at_least=2, window=20.0, last_first=True)
    face: ClassVar[type[Face]] = LabyrinthCourseFace
    words: ClassVar[dict[str, str]] = {
        "setup": 'a state and your goal: a match begins; false and a goal: go there next; answer "void"',
        "take-turn": 'move; answer a Choice: [index,direction,degree,Coordinate], or "PASS"',
        "win": 'the match is over; have you won?; answer "void"',
    }

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._seat: Seat | None = None
        self._colours: tuple[Colour, ...] = ()

    def say(self, message: ToPlayer) -> Exchange:
        match message:
            case messages.Begin(seat, names, view, lot):
                self._seat, self._colours = seat, colours(len(names), lot)
                told = [write_state(view, seat, self._colours), self._target(view)]
                return self.make(call("setup", told, answering(Ready(guided=True))))
            case messages.YourTurn(turn, view):
                state = write_state(view, view.to_move, self._colours)
                return self.make(call("take-turn", [state], moving(turn, _move), turn))
            case messages.Onward(_, view):
                return self.make(call("setup", [False, self._target(view)], answering(READY)))
            case messages.Over(_, _, outcome) if self._seat is not None:
                self.withdraw()
                won = outcome is not None and self._seat in outcome.winners
                return self.make(call("win", [won], heard))
            case messages.Expelled():
                self.forget()
        return SILENCE

    def _target(self, view: LabyrinthState) -> dict[str, int]:
        assert self._seat is not None, "a match begins before it goes on"
        goal = view.seekers[self._seat].goal
        assert goal is not None, "a view shows its own seat's goal"
        return write_cell(goal)

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        return read_name(frame)


DIALECT = LabyrinthCourse
