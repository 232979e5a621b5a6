"""Labyrinth by tasks (seed 003): the state is sent after every turn, and a move is requested separately.

"When the game starts, and after each player performs a move, the referee will call `NotifyGameState` with
the current state of the game." The note has three methods, and they are the calls:

    ["NotifyGameState", [IPlayerState]]               "void"
    ["RequestMove", [milliseconds]]                   IMove, or null to pass
    ["NotifyGameOver", [IPublicPlayerInfo or null]]   "void"

The note leaves out what the types hold; here they are (Board and Tile are the course's, a place is
`[row, column]`, counted from 0 at the top left):

    IPlayerState        {"board": Board, "spare": Tile,
                         "players": [IPublicPlayerInfo with "kicked": Boolean, ...],  all, in turn order
                         "lastSlide": Slide or null, "turn": index in players, or null when it is over,
                         "goal": place, "hasReachedGoal": Boolean, "home": place}     the receiver's own
    IPublicPlayerInfo   {"name": String, "color": Color, "home": place, "position": place, or null if kicked}
    Slide               {"type": "SlideRowLeft" | "SlideRowRight" | "SlideColumnUp" | "SlideColumnDown",
                         "index": row or column}
    IMove               {"slide": Slide, "rotation": 0 | 90 | 180 | 270, "destination": place}

`rotation` is clockwise. With several goals `goal` changes each time one is reached; after the last it stays,
`hasReachedGoal` is true, and the player must go home. Everybody is told the state again if a player was
kicked before the first turn. The timeout is the time that is left when the request is made; without a limit
it is 2147483647, the most that the note's `int` holds. The last state is told before `NotifyGameOver`, whose
argument is the receiver if it has won, else the first winner in turn order, else null.

The note has no sign-up; on a wire it is the course's, a name as a JSON string.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from touchline.core import messages
from touchline.core.clock import Micros, micros
from touchline.core.errors import BadInput
from touchline.core.messages import Ready
from touchline.dialects.base import SILENCE, Exchange, Face
from touchline.dialects.notation.json_stream import shaped
from touchline.dialects.notation.labyrinth import (
    Board,
    Colour,
    CourseTile,
    Index,
    colours,
    maze_from,
    standing,
    write_board,
    write_spare,
)
from touchline.dialects.shared.calls import Call, Calls, Chooser, answering, call, encode, heard, moving
from touchline.dialects.shared.labyrinth import LabyrinthFace, read_name, seen, sought
from touchline.games.boards.maze import Degree, Direction
from touchline.games.labyrinth import PASS, LabyrinthState, Pass, Seeker, Slide

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Cell, Game, Outcome, Seat
    from touchline.dialects.base import SignUp

FOREVER = (1 << 31) - 1
"""The timeout in a match without a time limit, in milliseconds."""

Place: TypeAlias = tuple[Index, Index]
SlideType: TypeAlias = Literal["SlideRowLeft", "SlideRowRight", "SlideColumnUp", "SlideColumnDown"]
DIRECTIONS: dict[SlideType, Direction] = dict(zip(get_args(SlideType), get_args(Direction), strict=True))
TYPES = {direction: slide for slide, direction in DIRECTIONS.items()}


class NoteSlide(Struct):
    """A Slide of the note."""

    type: SlideType
    index: Index


class IMove(Struct):
    slide: NoteSlide
    rotation: Degree
    destination: Place


_imove = msgspec.json.Decoder(IMove | None).decode


def _reversed(degree: Degree) -> Degree:
    """Return the clockwise degree for a counter-clockwise one, or the reverse."""
    back: dict[Degree, Degree] = {0: 0, 90: 270, 180: 180, 270: 90}
    return back[degree]


def _move(frame: bytes) -> Slide | Pass:
    written = _imove(frame)
    if written is None:
        return PASS
    direction = DIRECTIONS[written.slide.type]
    return Slide(written.slide.index, direction, _reversed(written.rotation), written.destination)


def _request(allowance: Micros | None, waited: Micros) -> bytes:
    """Encode a request with the time left: the clock runs while an earlier call is unanswered."""
    left = FOREVER if allowance is None else min(FOREVER, max(0, allowance - waited) // 1000)
    return encode(["RequestMove", [left]])


class _Public(Struct):
    home: Place
    position: Place | None = None
    kicked: bool = False


class _PlayerState(Struct, rename="camel"):
    board: Board
    spare: CourseTile
    players: list[_Public]
    last_slide: NoteSlide | None
    turn: Index | None
    goal: Place
    has_reached_goal: bool
    home: Place


class ByChoice(Chooser):
    """A bot as the note's player: it sees the state that was told last."""

    _state: Any = None

    def NotifyGameState(self, state: Any) -> None:  # noqa: N802 - the note's name
        self._state = state

    def RequestMove(self, timeout: Any) -> Any:  # noqa: N802
        move = self._choose(_view(shaped(self._state, _PlayerState, "IPlayerState")))
        if isinstance(move, Pass):
            return None
        return {
            "slide": {"type": TYPES[move.direction], "index": move.index},
            "rotation": _reversed(move.degree),
            "destination": move.to,
        }

    def NotifyGameOver(self, winner: Any) -> None:  # noqa: N802
        """A bot ignores the result."""


def _view(told: _PlayerState) -> LabyrinthState:
    """Read a state as a view of the player to move."""
    if told.turn is None or told.turn >= len(told.players):
        raise BadInput("it is nobody's turn", "IPlayerState.turn")
    homeward, last = told.has_reached_goal, told.last_slide
    return seen(
        maze_from(told.board, told.spare, "IPlayerState.board"),
        [(player.home, None if player.kicked else player.position) for player in told.players],
        told.turn,
        Seeker(told.home, told.home if homeward else told.goal, int(homeward), homeward),
        None if last is None else (last.index, DIRECTIONS[last.type]),
    )


class LabyrinthByTasksFace(LabyrinthFace):
    """A player with the methods `NotifyGameState`, `RequestMove` and `NotifyGameOver`."""

    asked: ClassVar[str] = "RequestMove"
    void: ClassVar[Mapping[str, int]] = {"NotifyGameState": 1, "NotifyGameOver": 1}
    asks: ClassVar[Mapping[str, int]] = {"RequestMove": 1}
    last: ClassVar[frozenset[str]] = frozenset({"NotifyGameOver"})
    by_choice: ClassVar[type[Chooser]] = ByChoice


class LabyrinthByTasks(Calls):
    """One connection that speaks seed 003."""

    name: ClassVar[str] = "seed-003"
    games: ClassVar[tuple[str, ...]] = ("labyrinth",)
    conduct: ClassVar[str] = "seed-003"
    per_move: ClassVar[Micros] = micros(4)
    own_name_rule: ClassVar[bool] = True
    face: ClassVar[type[Face]] = LabyrinthByTasksFace
    words: ClassVar[dict[str, str]] = {
        "NotifyGameState": 'how things are now; answer "void"',
        "RequestMove": "move within this number of milliseconds; answer an IMove, or null to pass",
        "NotifyGameOver": 'the match is over, and this player has won, or nobody (null); answer "void"',
    }

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._seat: Seat | None = None
        self._names: tuple[str, ...] = ()
        self._colours: tuple[Colour, ...] = ()
        self._goal: Cell | None = None
        self._told: dict[str, Any] = {}

    def say(self, message: ToPlayer) -> Exchange:
        match message:
            case messages.Begin(seat, names, view, lot):
                self._seat, self._names, self._told = seat, names, {}
                self._colours = colours(len(names), lot)
                return self.make(*self._news(view, answering(Ready(updates=True))))
            case messages.Update(_, view):
                return self.make(*self._news(view))
            case messages.YourTurn(turn, view, allowance):
                request = Call(partial(_request, allowance), moving(turn, _move), turn)
                return self.make(*self._news(view), request)
            case messages.Onward():
                return Exchange((), [Ready()])  # the state has told it
            case messages.Over(view, _, outcome) if self._seat is not None:
                self.withdraw()
                over = call("NotifyGameOver", [self._winner(view, outcome)], heard)
                return self.make(*self._news(view), over)
            case messages.Expelled():
                self.forget()
        return SILENCE

    def _news(
        self, view: LabyrinthState, read: Callable[[bytes], FromPlayer | None] = heard
    ) -> tuple[Call, ...]:
        """Return a call that tells the state, unless it is the state told last."""
        told = self._player_state(view)
        if told == self._told:
            return ()
        self._told = told
        return (call("NotifyGameState", [told], read),)

    def _player_state(self, view: LabyrinthState) -> dict[str, Any]:
        assert self._seat is not None, "a match begins before it goes on"
        own = view.seekers[self._seat]
        self._goal = sought(view, self._seat, self._goal)
        players = [
            self._public(view, seat) | {"kicked": view.avatars[seat] is None}
            for seat in range(len(view.seekers))
        ]
        return {
            "board": write_board(view.maze),
            "spare": write_spare(view.maze),
            "players": players,
            "lastSlide": view.last and {"type": TYPES[view.last[1]], "index": view.last[0]},
            "turn": view.to_move,
            "goal": self._goal,
            "hasReachedGoal": bool(own.homeward),
            "home": own.home,
        }

    def _public(self, view: LabyrinthState, seat: Seat) -> dict[str, Any]:
        return {
            "name": self._names[seat],
            "color": self._colours[seat],
            "home": view.seekers[seat].home,
            "position": standing(view, seat),
        }

    def _winner(self, view: LabyrinthState, outcome: Outcome | None) -> dict[str, Any] | None:
        """Return the winner that this seat is told: "if there is one", and there can be several."""
        if outcome is None or not outcome.winners:
            return None
        winner = self._seat if self._seat in outcome.winners else outcome.winners[0]
        assert winner is not None
        return self._public(view, winner)

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        return read_name(frame)


DIALECT = LabyrinthByTasks
