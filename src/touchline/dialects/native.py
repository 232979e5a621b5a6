"""The native dialect: any game, JSON, one value a frame, a number on every turn.

A player that connects says `hello` and is told `welcome`; a program that was started by the referee is
expected, and need not. Then the referee says `begin`, and the player answers `ready`; each `your_turn` is
answered by an `act` with the same turn number, so that a late answer can do no harm, or by `resign`. `over`
or `expelled` is the last word. A player ignores words and fields that it does not know: there may be more
of them some day.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from touchline.core import messages, registry
from touchline.core.clock import Micros, micros
from touchline.core.errors import BadInput
from touchline.core.events import Result
from touchline.core.messages import MOST_INBOUND, Act, FromPlayer, Garbled
from touchline.core.rules import Outcome
from touchline.dialects.base import UNREADABLE, Exchange, Refusal, plain, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game

PROTOCOL = 1
"""The version of the words below."""


class Welcome(Struct, frozen=True, tag="welcome"):
    """You have signed up. Keep the token: with it you can come back to your seat if the connection breaks."""

    protocol: int
    name: str
    token: str


class Begin(Struct, frozen=True, tag="begin"):
    """A match begins. Answer `ready`."""

    protocol: int
    game: str
    options: dict[str, Any]
    seat: int
    names: tuple[str, ...]
    position: Any
    """What you may see, in the game's written form."""


class YourTurn(Struct, frozen=True, tag="your_turn"):
    """Move: answer `act` with this turn number."""

    turn: int
    milliseconds: int | None
    """How long you have; null is as long as you like."""
    position: Any
    latency: int = 0
    """Milliseconds that your answer is under way, as far as we can tell; they are not counted."""


class Accepted(Struct, frozen=True, tag="accepted"):
    """Your move was made."""

    turn: int


class Rejected(Struct, frozen=True, tag="rejected"):
    """What you sent was refused, for this reason, and nothing has changed."""

    turn: int
    reason: str


class Update(Struct, frozen=True, tag="update"):
    """How things are now; only sent to players that were ready with `updates`."""

    turn: int
    position: Any


class Skipped(Struct, frozen=True, tag="skipped"):
    """Your turn was taken away, or you could not move."""

    turn: int
    reason: str


class Expelled(Struct, frozen=True, tag="expelled"):
    """You are out of the match. Nothing follows."""

    reason: str


class Over(Struct, frozen=True, tag="over"):
    """The match is over. Nothing follows."""

    verdict: str
    """`finished`, `forfeited`, or `void`: it does not count."""
    outcome: Outcome | None
    reason: str
    position: Any


Said = Welcome | Begin | YourTurn | Accepted | Rejected | Update | Skipped | Expelled | Over


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """You want to sign up, or to come back to your seat."""

    protocol: int
    """The version of these words that you know."""
    name: Annotated[str, Meta(min_length=1, max_length=32)]
    token: str | None = None
    """What `welcome` gave you, to come back."""
    key: str | None = None
    """What the organiser gave you, where a seat needs one."""


class Ready(Struct, frozen=True, tag="ready"):
    """You have taken your seat."""

    updates: bool = False
    """Whether you want `accepted`, `update` and `skipped` as well."""


Turn: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 53)]


class Move(Struct, frozen=True, tag="act"):
    """You move."""

    turn: Turn
    move: msgspec.Raw
    """In the game's own form."""


class Resign(Struct, frozen=True, tag="resign"):
    """You give up."""

    why: Annotated[str, Meta(max_length=200)] = "resigned"


_encode = msgspec.json.Encoder().encode
_hear = msgspec.json.Decoder(Ready | Move | Resign).decode
_hello = msgspec.json.Decoder(Hello).decode


def hello(frame: bytes) -> Hello:
    """A player's first frame. Refusal if it is anything else."""
    try:
        said = _hello(frame)
    except UNREADABLE as error:
        raise Refusal(f"hello was expected: {plain(str(error))}") from None
    if said.protocol != PROTOCOL:
        raise Refusal(f"protocol {plain(str(said.protocol))} is not known here: {PROTOCOL} is")
    return said


@lru_cache
def _answers(kind: Any) -> Callable[[bytes], Any]:
    answer = msgspec.defstruct("Answer", [("turn", Turn), ("move", kind)], tag="act", gc=False)
    return msgspec.json.Decoder(answer).decode


class Native:
    """One connection that speaks native."""

    name: ClassVar[str] = "native"
    games: ClassVar[tuple[str, ...]] = ()
    framing: ClassVar[Literal["lines", "values"]] = "lines"
    conduct: ClassVar[str] = "course"
    per_move: ClassVar[Micros] = micros(10)
    lingers: ClassVar[bool] = False
    words: ClassVar[dict[str, str]] = {
        "hello": "you sign up, or come back to your seat, when you have connected",
        "welcome": "you have signed up; keep the token, it brings you back to your seat; there is no answer",
        "begin": "a match begins, and this is your seat; answer ready",
        "ready": 'you have taken your seat; with "updates":true you are told what happens, too',
        "your_turn": "move from this position; answer act with this turn number, or resign",
        "act": "you move, in the turn of this number",
        "resign": "you give up",
        "accepted": "your move was made; there is no answer",
        "rejected": "what you sent was refused, for this reason, and nothing has changed; there is no answer",
        "update": "how things are now; there is no answer",
        "skipped": "your turn was taken away, or you could not move; there is no answer",
        "expelled": "you are out of the match, for this reason; nothing follows",
        "over": "the match is over; nothing follows",
    }
    unique: ClassVar[bool] = True
    """Whether nobody who waits for a table may have the same name; where this is missing, they may."""
    owes: ClassVar[bool] = False
    longest: ClassVar[int] = MOST_INBOUND

    def __init__(self, game: Game) -> None:
        self._game = game
        self.latency: Micros = 0
        """How long what is said is under way, there and back."""
        self._decode_move = msgspec.json.Decoder(game.Move).decode
        self.decode_answer = _answers(game.Move)
        """A quick look at a frame that ought to be an `act`; whatever it raises at must be heard properly."""

    def say(self, message: ToPlayer) -> Exchange:
        """Say this; there is always one frame, but for where to go next, which the position tells."""
        if isinstance(message, messages.Onward):
            return Exchange((), [messages.Ready()])
        return Exchange([_encode(self._worded(message))])

    def ask(self, turn: int, view: Any, allowance: Micros | None) -> bytes:
        """`your_turn`, the one thing that is said so often that it must be quick."""
        milliseconds = None if allowance is None else allowance // 1000
        return _encode(YourTurn(turn, milliseconds, view.position(), self.latency // 1000))

    def _worded(self, message: ToPlayer) -> Said:
        match message:
            case messages.YourTurn(turn, view, allowance):
                milliseconds = None if allowance is None else allowance // 1000
                return YourTurn(turn, milliseconds, view.position(), self.latency // 1000)
            case messages.Update(turn, view):
                return Update(turn, view.position())
            case messages.Accepted(turn):
                return Accepted(turn)
            case messages.Rejected(turn, reason, _):
                return Rejected(turn, reason)
            case messages.Skipped(turn, reason, _):
                return Skipped(turn, reason)
            case messages.Expelled(reason, _):
                return Expelled(reason)
            case messages.Over(view, verdict, outcome, reason):
                return Over(verdict, outcome, reason, view.position())
            case messages.Begin(seat, names, view):
                options = msgspec.to_builtins(self._game)
                return Begin(PROTOCOL, self._game.name, options, seat, names, view.position())
            case messages.Onward():
                raise AssertionError("the position tells it")

    def part(self) -> Sequence[bytes]:
        return ()

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        """What a frame says; Garbled if it cannot be read."""
        try:
            answer = self.decode_answer(frame)
        except UNREADABLE:
            return Exchange((), (self.heard(frame),))
        return Exchange((), (Act(answer.move, answer.turn),))

    def heard(self, frame: bytes) -> FromPlayer:
        """The same, where it is known that nothing follows from it."""
        try:
            said = _hear(frame)
            if type(said) is Move:
                return Act(self._decode_move(said.move), said.turn)
            if type(said) is Resign:
                return messages.Resign(plain(said.why))
            assert type(said) is Ready
            return messages.Ready(said.updates)
        except UNREADABLE as error:
            return Garbled(unreadable(error, frame, hello))

    @staticmethod
    def signed_up(frame: bytes) -> str:
        return hello(frame).name


class _Answer(Struct, tag="act"):
    turn: int
    move: Any


class Face:
    """The player's side: an object with `choose(view, turn)`, and if it wants to hear the end, `told`."""

    asked: ClassVar[str] = "choose"

    def __init__(self, player: Any, *, rng: Any = None) -> None:
        self._player = player
        self._game: Game | None = None
        self._seat = self._turns = 0
        self.over = False
        self.token: str | None = None
        """What lets this player come back to its seat."""

    def sign_up(self, name: str, *, key: str | None = None) -> list[bytes]:
        return [_encode(Hello(PROTOCOL, name, self.token, key))]

    def hear(self, frame: bytes) -> list[bytes]:
        """What the player answers. BadInput, or one of UNREADABLE, if no referee can have said this."""
        try:
            said = _told(frame)
        except msgspec.ValidationError:
            return []  # a word that we do not know: there may be more of them some day
        match said:
            case YourTurn(turn=turn, position=position):
                self._turns = turn + 1
                return [self._act(turn, self._view(position))]
            case Begin(game=name, options=options, seat=seat):
                self._game, self._seat = registry.game(name, options), seat
                return [_encode(Ready())]
            case Welcome(token=token):
                self.token = token
            case Over():
                self.over = True
                self._end(said)
            case Expelled():
                self.over = True
        return []

    def _end(self, over: Over) -> None:
        """Tell the player what came of it, as far as one who is not at the referee's side can know."""
        told, verdict = getattr(self._player, "told", None), cast("Any", over.verdict)
        if told is None:
            return
        result = Result(verdict=verdict, outcome=over.outcome, reason=over.reason, turns=self._turns)
        try:
            told(self._seat, result)
        except Exception:
            import logging  # it takes its time, which players have to start in

            logging.getLogger(__name__).exception("the player failed when it was told the result")

    def _view(self, position: Any) -> Any:
        if self._game is None:
            raise BadInput("a turn, but no match yet")
        try:
            view = self._game.restore(msgspec.convert(position, self._game.Position))
        except ValueError as error:
            raise BadInput(plain(str(error)), "position") from None
        if view.to_move is None:
            raise BadInput("a turn, but the game is over", "position")
        return view

    def _act(self, turn: int, view: Any) -> bytes:
        try:
            return _encode(_Answer(turn, self._player.choose(view, turn)))
        except messages.Resigned as error:
            return _encode(Resign(str(error)[:200] or "resigned"))


_told = msgspec.json.Decoder(Said).decode

DIALECT = Native
FACE = Face
