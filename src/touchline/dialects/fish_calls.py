"""Fish by calls (seed 000): the referee calls functions of the player.

The functions are `initialize`, `get-placement`, `get-movement`, `finalize` and `terminate`. "There are 6
functions", says the note, but the sixth, `listen`, had been deleted. `get-movement` and `get-move` are the
same function, and the wire says the former. The referee calls `["name",[arguments]]` and the player answers
with one value, `"void"` where there is nothing to say; `terminate` is not answered.

Law of this file: a posn is `{"x": column, "y": row}`, "as a `(make-posn column row)`", the reverse of the
course's Position, in which a State is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec import Struct

from touchline.core.clock import Micros, micros
from touchline.core.messages import Begin, Expelled, Over, YourTurn
from touchline.dialects.base import SILENCE, Exchange, Face, SignUp
from touchline.dialects.notation.json_stream import shaped
from touchline.dialects.shared import fish
from touchline.dialects.shared.calls import (
    READY,
    CalledFace,
    Calls,
    Chooser,
    answering,
    call,
    encode,
    heard,
    moving,
)
from touchline.dialects.shared.fish import Whole
from touchline.games.fish import COLOURS, FishState, Place, Slide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Cell


class Posn(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile, column first."""

    x: Whole
    y: Whole


class Movement(Struct, frozen=True, forbid_unknown_fields=True, rename={"origin": "from", "target": "to"}):
    """The note's `Move`."""

    origin: Posn
    target: Posn


_posn = msgspec.json.Decoder(Posn).decode
_movement = msgspec.json.Decoder(Movement).decode
TERMINATE = encode(["terminate", []])


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


class _Game(Struct):
    """The part of a `Game` that a bot looks at."""

    state: Any


class ByChoice(fish.FishChooser):
    """A bot as the note's player."""

    def initialize(self, board: Any, players: Any, color: Any) -> None:
        self._players = shaped(players, int, "players")

    def get_placement(self, state: Any) -> dict[str, int]:
        return _written(self._place(state))

    def get_movement(self, game: Any) -> dict[str, dict[str, int]]:
        origin, target = self._slide(shaped(game, _Game, "Game").state)
        return {"from": _written(origin), "to": _written(target)}

    def finalize(self, end_game: Any) -> None:
        """A bot ignores the result."""

    def terminate(self) -> None:
        """A bot ignores that it was kicked."""


def _written(cell: Cell) -> dict[str, int]:
    row, column = cell
    return {"x": column, "y": row}


class FishByCallsFace(CalledFace):
    """A player with the note's functions as methods."""

    asked: ClassVar[str] = "get_placement"
    void: ClassVar[Mapping[str, int]] = {"initialize": 3, "finalize": 1}
    asks: ClassVar[Mapping[str, int]] = {"get-placement": 1, "get-movement": 1, "get-move": 1}
    unanswered: ClassVar[Mapping[str, int]] = {"terminate": 0}
    last: ClassVar[frozenset[str]] = frozenset({"finalize", "terminate"})
    by_choice: ClassVar[type[Chooser]] = ByChoice

    def ask(self, name: str, arguments: Sequence[Any]) -> Any:
        """The note calls it `get-movement` in one place and `get-move` in another, so a player may too."""
        if name == "get-placement":
            return super().ask(name, arguments)
        return super().ask("get-movement" if hasattr(self.player, "get_movement") else "get-move", arguments)


class FishByCalls(Calls):
    """One connection on which the referee calls a player of Fish."""

    name: ClassVar[str] = "seed-000"
    games: ClassVar[tuple[str, ...]] = ("fish",)
    conduct: ClassVar[str] = "seed-000"
    per_move: ClassVar[Micros] = micros(30)
    own_name_rule: ClassVar[bool] = True
    face: ClassVar[type[Face]] = FishByCallsFace
    words: ClassVar[dict[str, str]] = {
        "initialize": 'a match begins: the board, how many players there are, your colour; answer "void"',
        "get-placement": 'place a penguin; answer a posn, {"x":column,"y":row}',
        "get-movement": 'move a penguin; answer {"from":posn,"to":posn}, a posn is {"x":column,"y":row}',
        "finalize": 'the match is over: the last state, who was kicked, who has won; answer "void"',
        "terminate": "you are kicked out; there is no answer, and nothing follows",
    }

    def say(self, message: ToPlayer) -> Exchange:
        """Call the player; the next State shows it what happens to others."""
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
        return SILENCE  # after a rejection the call is made again; there is no other word for it

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

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        return SignUp(fish.read_printable_name(frame))

    @classmethod
    def refuse(cls, why: str) -> Sequence[bytes]:
        return [TERMINATE]


DIALECT = FishByCalls
