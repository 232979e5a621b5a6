"""Fish by push (seed 001): the player calls `movePenguin`, the referee accepts or rejects it.

Both sides send `["name",[arguments]]`, and no call has an answer: a player requests with `placePenguin` and
`movePenguin`; the referee notifies it of its turn, of the verdict on its request, and of every new state. A
State is the course's with a `"phase"`, and its first player is the one to move.

Law of this file: when a request is accepted, all seats are sent the new state, and then the next player is
told of its turn; after a rejection the turn lasts, so it is not announced again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import msgspec
from msgspec import Struct

from touchline.core.conduct import LATENESS, Offence
from touchline.core.errors import BadInput
from touchline.core.messages import (
    Accepted,
    Act,
    Begin,
    Expelled,
    Garbled,
    Over,
    Ready,
    Rejected,
    Skipped,
    Update,
    YourTurn,
)
from touchline.core.printable import quoted
from touchline.dialects.base import (
    SILENCE,
    UNREADABLE,
    Dialect,
    Exchange,
    Face,
    Framing,
    SignUp,
    chooses,
    told,
    unreadable,
)
from touchline.dialects.notation.json_stream import shaped
from touchline.dialects.shared import fish
from touchline.dialects.shared.calls import called, encode
from touchline.dialects.shared.fish import Whole
from touchline.games.fish import FishState, Place, Slide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from touchline.core.clock import Micros
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Game

Position: TypeAlias = tuple[Whole, Whole]


class PlacePenguin(Struct, frozen=True, array_like=True, tag="placePenguin", forbid_unknown_fields=True):
    """Put a penguin there: the note's companion to `movePenguin`."""

    arguments: tuple[Position]


class MovePenguin(Struct, frozen=True, array_like=True, tag="movePenguin", forbid_unknown_fields=True):
    """Move a penguin from there to there."""

    arguments: tuple[Position, Position]


_request = msgspec.json.Decoder(PlacePenguin | MovePenguin).decode


def _call(name: str, *arguments: Any) -> bytes:
    return encode([name, arguments])


REQUESTS = 'a request is ["placePenguin",[[row,column]]] or ["movePenguin",[[row,column],[row,column]]]'
"""The rule that an unreadable request breaks."""
ACCEPTED = _call("acceptMove")
YOUR_TURN = _call("notifyTurn")
STARTED = _call("notifyStartGame")
GAME_OVER = _call("notifyGameOver")
BANNED = _call("rejectMove", "banned")


def _state(view: FishState, phase: str) -> bytes:
    return _call("updateGameState", {**fish.state(view), "phase": phase})


class Requests:
    """The referee as a player sees it: it takes requests, and says later what became of them."""

    color: str | None = None
    """The player's colour, from its first turn on: the note has no word for it."""

    def __init__(self) -> None:
        self._made: list[bytes] = []

    def placePenguin(self, position: Any) -> None:  # noqa: N802
        self._made.append(_call("placePenguin", position))

    def movePenguin(self, origin: Any, destination: Any) -> None:  # noqa: N802
        self._made.append(_call("movePenguin", origin, destination))

    def taken(self) -> list[bytes]:
        """The requests that were made since this was last asked."""
        made, self._made = self._made, []
        return made


TOLD = frozenset({
    "notifyTurn", "updateGameState", "acceptMove", "rejectMove", "notifySkipped", "notifyBanned",
    "notifyStartGame", "notifyGameOver",
})  # fmt: skip
LAST = frozenset({"notifyBanned", "notifyGameOver"})
ARGUMENTS = {"rejectMove": 1, "updateGameState": 1, "notifySkipped": 1, "notifyBanned": 1}


def _first_colour(state: Any) -> str | None:
    """Return the colour of the first player of a State, the one to move."""
    match state:
        case {"players": [{"color": str(color)}, *_]}:
            return color
    return None


class _State(Struct):
    """The part of a State that a bot looks at first."""

    players: list[Any]
    phase: str


class ByChoice(fish.FishChooser):
    """A bot as the note's player; it moves for the first player of the last State when its turn comes."""

    referee: Requests

    def __init__(self, bot: Any, rng: Random | None = None) -> None:
        super().__init__(bot, rng)
        self._state: Any = None
        self._phase = ""

    def updateGameState(self, state: Any) -> None:  # noqa: N802
        told = shaped(state, _State, "State")
        if self._state is None:
            self._players = len(told.players)
        self._state, self._phase = state, told.phase

    def notifyTurn(self) -> None:  # noqa: N802
        if self._state is None:
            raise BadInput("a turn, but no state yet")
        if self._phase == "placing":
            self.referee.placePenguin(self._place(self._state))
        else:
            self.referee.movePenguin(*self._slide(self._state))


class FishByPushFace(Face):
    """A player with the note's methods, which makes requests of its `referee`."""

    asked: ClassVar[str] = "notifyTurn"

    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        self._player = ByChoice(player, rng) if chooses(player) else player
        self._requests = Requests()
        if self._player is not None:  # None: this face only signs up
            self._player.referee = self._requests
        self._to_move: str | None = None

    def sign_up(self, name: str, key: str | None = None, token: str | None = None) -> list[bytes]:
        return [encode(name)]

    def hear(self, frame: bytes) -> list[bytes]:
        """Tell the player, and return its requests. A word that is not in the note is ignored."""
        name, arguments = called(frame)
        if name in TOLD and len(arguments) >= ARGUMENTS.get(name, 0):
            self.over = self.over or name in LAST
            self._tell(name, arguments[: ARGUMENTS.get(name, 0)])
        return self._requests.taken()

    def _tell(self, name: str, arguments: list[Any]) -> None:
        if name == "notifyTurn":
            self._requests.color = self._requests.color or self._to_move
            self._player.notifyTurn()
            return
        if name == "updateGameState":
            self._to_move = _first_colour(arguments[0])
        told(self._player, name, *arguments)


def _heard(frame: bytes, turn: int | None, *, first: bool) -> FromPlayer:
    try:
        request = _request(frame)
    except UNREADABLE:
        why = f"received {quoted(frame)}; {REQUESTS}"
        return Garbled(unreadable(why, frame, fish.read_printable_name) if first else why, turn)
    if isinstance(request, PlacePenguin):
        return Act(Place(*request.arguments), turn)
    return Act(Slide(*request.arguments), turn)


def _phase(view: FishState) -> str:
    if view.to_move is None:
        return "over"
    return "placing" if view.placing else "moving"


class FishByPush(Dialect):
    """One connection on which a player of Fish makes requests."""

    name: ClassVar[str] = "seed-001"
    games: ClassVar[tuple[str, ...]] = ("fish",)
    framing: ClassVar[Framing] = "values"
    conduct: ClassVar[str] = "seed-001"
    lingers: ClassVar[bool] = True
    own_name_rule: ClassVar[bool] = True
    face: ClassVar[type[Face]] = FishByPushFace
    words: ClassVar[dict[str, str]] = {
        "updateGameState": "how things are now, the player to move first; there is no answer",
        "notifyTurn": "it is your turn; send placePenguin or movePenguin, by the last phase told",
        "placePenguin": "you ask to place a penguin: [[row,column]]",
        "movePenguin": "you ask to move a penguin: [[row,column],[row,column]], from and to",
        "acceptMove": "your request was granted; there is no answer",
        "rejectMove": "your request was refused, for this reason; while your turn lasts you may send another",
        "notifySkipped": "your turn has passed without a move, for this reason; there is no answer",
        "notifyBanned": "you are out, for this reason; what you send from now on is rejected",
        "notifyStartGame": "all penguins stand, and moving begins; there is no answer",
        "notifyGameOver": "the match is over; the last state says how; there is no answer",
    }

    def __init__(self, game: Game) -> None:
        self._spoken = False
        self._started = False
        self._banned = False
        self._announced: int | None = None
        """The turn that the player was last told is its own."""
        self._turn = 0
        self._late = False
        """Whether its last turn was taken away before it sent anything."""

    def say(self, message: ToPlayer) -> Exchange:
        """Tell the player."""
        match message:
            case Begin(_, _, view):
                return Exchange([_state(view, _phase(view))], [Ready(updates=True)])
            case YourTurn(turn, view):
                return self._announce(turn, view)
            case Accepted():
                return Exchange([ACCEPTED])
            case Rejected(_, reason, offence):
                out_of_turn = offence is Offence.OUT_OF_TURN
                return Exchange([_call("rejectMove", "not your turn" if out_of_turn else reason)])
            case Update(turn, view):
                self._turn = turn
                return Exchange([_state(view, _phase(view)), *self._start(view)])
            case Skipped(_, reason, offence):
                return self._skip(reason, offence)
            case Expelled(reason):
                self._banned = True
                return Exchange(self.refuse(reason))
            case Over(view):
                return Exchange([*self._start(view), _state(view, "over"), GAME_OVER])
        return SILENCE

    def _announce(self, turn: int, view: FishState) -> Exchange:
        """Announce each turn once: after a rejection it lasts."""
        if turn == self._announced:
            return SILENCE
        self._announced = self._turn = turn
        return Exchange([*self._start(view), YOUR_TURN])

    def _start(self, view: FishState) -> list[bytes]:
        """ "When the game has started (i.e. all penguins have been placed)", once; it may be over then."""
        if self._started or view.placing:
            return []
        self._started = True
        return [STARTED]

    def _skip(self, reason: str, offence: Offence | None) -> Exchange:
        """ "Because they have no moves left to make, or because they took too long", or one request too many
        was invalid. That is rejected as well: "If the move is invalid, then the referee [...] will invoke
        `rejectMove(reason)`".
        """
        if offence is None:
            return Exchange([_call("notifySkipped", "no moves")])
        if offence in LATENESS:
            self._late = True
            return Exchange([_call("notifySkipped", "took too long")])
        return Exchange([_call("rejectMove", reason), _call("notifySkipped", reason)])

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        """A request. "Once this method has been invoked, the referee should reject all requests"."""
        if self._banned:
            return Exchange([BANNED])
        # A request is about the state as it is when it comes, never a late answer to the turn that was taken
        # away. It has no number, so it is given that of the turn that it is now.
        turn, self._late = self._turn if self._late else None, False
        first, self._spoken = not self._spoken, True
        return Exchange((), [_heard(frame, turn, first=first)])

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        return SignUp(fish.read_printable_name(frame))

    @classmethod
    def refuse(cls, why: str) -> Sequence[bytes]:
        return [_call("notifyBanned", why)]


DIALECT = FishByPush
