"""The Labyrinth course's remote protocol: `setup`, `take-turn`, `win`, and the course's JSON.

A client connects and sends its name as a JSON string; there is no reply. Then it is called:

    ["setup", [State, Coordinate]]    a game begins, and this is your goal             "void"
    ["take-turn", [State]]            move                                             Choice
    ["setup", [false, Coordinate]]    you have reached your goal; this is the next     "void"
    ["win", [Boolean]]                it is over                                       "void"

`plmt` begins with whoever reads it, in `setup` too, goes on in turn order, and leaves out who was kicked.
Who is kicked hears nothing more. In a match that does not count nobody has won: `win(false)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from touchline.core import messages
from touchline.core.clock import Micros, micros
from touchline.core.messages import Ready
from touchline.dialects.base import SILENCE, Exchange
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
from touchline.dialects.shared.calls import READY, Calls, answering, call, heard, moving
from touchline.dialects.shared.labyrinth import Chooser, Face, name_alone
from touchline.games.labyrinth import LabyrinthState, Pass, Seeker, Slide

if TYPE_CHECKING:
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Cell, Game, Seat

_choice = msgspec.json.Decoder(Choice).decode


def _move(frame: bytes) -> Slide | Pass:
    return chosen(_choice(frame))


class LabyrinthCourse(Calls):
    """One connection that speaks the course's protocol."""

    name: ClassVar[str] = "labyrinth-course"
    games: ClassVar[tuple[str, ...]] = ("labyrinth",)
    framing: ClassVar[Literal["lines", "values"]] = "values"
    conduct: ClassVar[str] = "course"
    per_move: ClassVar[Micros] = micros(4)
    lingers: ClassVar[bool] = False
    words: ClassVar[dict[str, str]] = {
        "setup": 'a state and your goal: a match begins; false and a goal: go there next; answer "void"',
        "take-turn": 'move; answer a Choice: [index,direction,degree,Coordinate], or "PASS"',
        "win": 'the match is over; have you won?; answer "void"',
    }

    def __init__(self, game: Game) -> None:
        super().__init__()
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

    @staticmethod
    def signed_up(frame: bytes) -> str:
        return name_alone(frame)


DIALECT = LabyrinthCourse


class ByChoice(Chooser):
    """The course's player with a bot inside, which is shown what the player was told."""

    _goal: Cell | None = None
    _found = 0

    def setup(self, state: Any, goal: Any) -> None:
        """A state is the start of a game; without one, a goal was reached."""
        self._found = self._found + 1 if state is False else 0
        self._goal = coordinate(goal, "goal").cell()

    def take_turn(self, written: Any) -> Any:
        return write_choice(self._choose(self._view(written)))

    def win(self, won: Any) -> None:
        """A bot does not care."""

    def _view(self, written: Any) -> LabyrinthState:
        """The reader sits at seat 0. That it goes home is not said, but seen from where it is sent."""
        live = state(written, "State")
        own, *others = live.seekers
        homeward = self._found > 0 and self._goal == own.home
        seekers = (
            Seeker(own.home, self._goal, self._found, homeward),
            *(Seeker(other.home, None, None, None) for other in others),
        )
        return replace(live, seekers=seekers)


class LabyrinthCourseFace(Face):
    """A player at the other end: methods `setup`, `take_turn` and `win`."""

    asked: ClassVar[str] = "take_turn"

    void = frozenset({"setup", "win"})
    asks = frozenset({"take-turn"})
    arguments: ClassVar[dict[str, int]] = {"setup": 2, "take-turn": 1, "win": 1}
    last = "win"
    by_choice = ByChoice


FACE = LabyrinthCourseFace
