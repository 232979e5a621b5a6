"""Fish by calls, the dialect of seed 000.

The functions are `initialize`, `get-placement`, `get-movement`, `finalize` and `terminate`. "There are 6
functions", says the note, but the sixth, `listen`, had been deleted. `get-movement` and `get-move` are the
same function, and the wire says the former. The referee calls `["name",[arguments]]` and the player answers
with one value, `"void"` where there is nothing to say; `terminate` is not answered.

Law of this file: a posn is `{"x": column, "y": row}`, "as a `(make-posn column row)`", the reverse of the
course's Position, in which a State is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec
from msgspec import Struct

from touchline.core.clock import Micros, micros
from touchline.core.messages import Begin, Expelled, Over, YourTurn
from touchline.dialects.base import SILENCE, Exchange, told
from touchline.dialects.notation.json_stream import shaped
from touchline.dialects.shared import fish
from touchline.dialects.shared.calls import READY, Calls, answering, call, heard, moving
from touchline.dialects.shared.fish import Whole
from touchline.games.fish import COLOURS, FishState, Place, Slide

if TYPE_CHECKING:
    from random import Random

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Cell, Game


class Posn(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile, column first."""

    x: Whole
    y: Whole


class Movement(Struct, frozen=True, forbid_unknown_fields=True, rename={"origin": "from", "target": "to"}):
    """The note's `Move`."""

    origin: Posn
    target: Posn


_encode = msgspec.json.Encoder().encode
_posn = msgspec.json.Decoder(Posn).decode
_movement = msgspec.json.Decoder(Movement).decode
TERMINATE = _encode(["terminate", []])
VOID = _encode("void")


def _cell(posn: Posn) -> Cell:
    return posn.y, posn.x


def _place(frame: bytes) -> Place:
    return Place(_cell(_posn(frame)))


def _slide(frame: bytes) -> Slide:
    said = _movement(frame)
    return Slide(_cell(said.origin), _cell(said.target))


def _game(view: FishState) -> dict[str, Any]:
    """The note's `Game`: a State, the colour to move, and who was kicked."""
    assert view.to_move is not None
    return {
        "state": fish.state(view),
        "turn": COLOURS[view.to_move],
        "kicked": fish.colours(view.removed),
    }


class FishByCalls(Calls):
    """One connection on which the referee calls a player of Fish."""

    name: ClassVar[str] = "seed-000"
    games: ClassVar[tuple[str, ...]] = ("fish",)
    framing: ClassVar[Literal["lines", "values"]] = "values"
    conduct: ClassVar[str] = "seed-000"
    per_move: ClassVar[Micros] = micros(30)
    lingers: ClassVar[bool] = False
    words: ClassVar[dict[str, str]] = {
        "initialize": 'a match begins: the board, how many players there are, your colour; answer "void"',
        "get-placement": 'place a penguin; answer a posn, {"x":column,"y":row}',
        "get-movement": 'move a penguin; answer {"from":posn,"to":posn}, a posn is {"x":column,"y":row}',
        "finalize": 'the match is over: the last state, who was kicked, who has won; answer "void"',
        "terminate": "you are kicked out; there is no answer, and nothing follows",
    }

    def __init__(self, game: Game) -> None:
        super().__init__()

    def say(self, message: ToPlayer) -> Exchange:
        """Call the player; of what happens to others it learns from the next State."""
        match message:
            case Begin(seat, names, view):
                arguments = [view.board(), len(names), COLOURS[seat]]
                return self.make(call("initialize", arguments, answering(READY)))
            case YourTurn(turn, view):
                return self._ask(turn, view)
            case Over(view):
                return self._finalize(view)
            case Expelled():
                return self._terminate()
        return SILENCE  # a call that was rejected is made again, and that is all it hears

    def _ask(self, turn: int, view: FishState) -> Exchange:
        if view.placing:
            asked = call("get-placement", [fish.state(view)], moving(turn, _place), turn)
        else:
            asked = call("get-movement", [_game(view)], moving(turn, _slide), turn)
        return self.make(asked)

    def _finalize(self, view: FishState) -> Exchange:
        """ "`finalize` will only be called with an `EndGame`": never in a match that broke off."""
        self.withdraw()
        ended = view.outcome()
        if ended is None:
            self.forget()
            return SILENCE
        end_game = {
            "state": fish.state(view),
            "kicked": fish.colours(view.removed),
            "winners": fish.colours(ended.winners),
        }
        return self.make(call("finalize", [end_game], heard))

    def _terminate(self) -> Exchange:
        """Nothing is awaited, before or after: "the Referee will call `terminate` once on this player"."""
        self.forget()
        return Exchange([TERMINATE])

    @staticmethod
    def signed_up(frame: bytes) -> str:
        return fish.printable(frame)


DIALECT = FishByCalls


class Called:
    """A player that is called: an object with the note's functions as methods, or a bot that chooses."""

    asked: ClassVar[str] = "get_placement"

    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        self._player = ByChoice(player) if hasattr(player, "choose") else player
        self.over = False

    def sign_up(self, name: str) -> list[bytes]:
        return [_encode(name)]

    def hear(self, frame: bytes) -> list[bytes]:
        """Answer a call. One that the note does not know is not for us."""
        match fish.called(frame):
            case "initialize", [board, players, color, *_]:
                told(self._player, "initialize", board, players, color)
                return [VOID]
            case "get-placement", [state, *_]:
                return [_encode(self._player.get_placement(state))]
            case "get-movement" | "get-move", [game, *_]:
                return [_encode(self._move(game))]
            case "finalize", [end_game, *_]:
                self.over = True
                told(self._player, "finalize", end_game)
                return [VOID]
            case "terminate", _:
                self.over = True
                told(self._player, "terminate")
        return []

    def _move(self, game: Any) -> Any:
        """The note calls it `get-movement` in one place and `get-move` in another, so a player may too."""
        name = "get_movement" if hasattr(self._player, "get_movement") else "get_move"
        return getattr(self._player, name)(game)


FACE = Called


class _Game(Struct):
    """Of a `Game`, what a bot looks at."""

    state: Any


class ByChoice(fish.Choosing):
    """A bot that answers the note's calls."""

    def initialize(self, board: Any, players: Any, color: Any) -> None:
        self._players = shaped(players, int, "players")

    def get_placement(self, state: Any) -> dict[str, int]:
        return _written(self._place(state))

    def get_movement(self, game: Any) -> dict[str, dict[str, int]]:
        origin, target = self._slide(shaped(game, _Game, "Game").state)
        return {"from": _written(origin), "to": _written(target)}

    def finalize(self, end_game: Any) -> None:
        """A bot does not mind how it went."""

    def terminate(self) -> None:
        """Nor that it was kicked."""


def _written(cell: Cell) -> dict[str, int]:
    row, column = cell
    return {"x": column, "y": row}
