"""The native dialect: any game, JSON, one value a frame, a number on every turn.

A player that connects sends `hello` and receives `welcome`; a program that the referee has started does not
sign up. Then the referee sends `begin`, and the player answers `ready`; it answers each `your_turn` with an
`act` that has the same turn number, so that a late answer does no harm, or with `resign`. `over` or
`expelled` is the last word. A player ignores words and fields that it does not know: a later version may
have more of them.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from touchline.core import messages, registry
from touchline.core.errors import BadInput
from touchline.core.events import Result
from touchline.core.messages import Act, FromPlayer, Garbled
from touchline.core.rules import Outcome
from touchline.dialects import base
from touchline.dialects.base import UNREADABLE, Exchange, Refusal, SignUp, Word, plain, told, unreadable
from touchline.dialects.shared.misread import misread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Micros
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game

PROTOCOL = 1
"""The version of this protocol."""


class Welcome(Struct, frozen=True, tag="welcome"):
    """You have signed up. Keep the token: with it you can come back to your seat if the connection breaks."""

    protocol: int
    """The version of the protocol that the server speaks."""
    name: str
    """Your name, as the server shows it."""
    token: str
    """The secret of your seat; send it in `hello` to come back."""


class Begin(Struct, frozen=True, tag="begin"):
    """A match begins. Answer `ready`."""

    protocol: int
    """The version of the protocol."""
    game: str
    """The name of the game."""
    options: dict[str, Any]
    """The options of the game, such as the size of the board."""
    seat: int
    """Your seat, from 0 in turn order."""
    names: tuple[str, ...]
    """The names of all players, by seat."""
    position: Any
    """What you may see, in the game's written form."""


class YourTurn(Struct, frozen=True, tag="your_turn"):
    """Move: answer `act` with this turn number."""

    turn: int
    """The number of the turn; your answer has the same."""
    milliseconds: int | None
    """Your time for this move; null is no limit."""
    position: Any
    """What you may see, in the game's written form."""
    latency: int = 0
    """The measured round-trip time in milliseconds, which does not count against your time."""


class Accepted(Struct, frozen=True, tag="accepted"):
    """Your move was made."""

    turn: int
    """The turn of your move."""


class Rejected(Struct, frozen=True, tag="rejected"):
    """What you sent was refused, for this reason, and nothing has changed."""

    turn: int
    """The turn that you are asked about still."""
    reason: str
    """Why, in words for a person."""


class Update(Struct, frozen=True, tag="update"):
    """The position has changed; only sent to players that were ready with `updates`."""

    turn: int
    """The turn that led to it."""
    position: Any
    """What you may see, in the game's written form."""


class Skipped(Struct, frozen=True, tag="skipped"):
    """Your turn was taken away, or you could not move."""

    turn: int
    """The turn that you have lost."""
    reason: str
    """Why, in words for a person."""


class Expelled(Struct, frozen=True, tag="expelled"):
    """You are out of the match. Nothing follows."""

    reason: str
    """Why, in words for a person."""


class Over(Struct, frozen=True, tag="over"):
    """The match is over. Nothing follows."""

    verdict: str
    """`finished`, `forfeited`, or `void`: it does not count."""
    outcome: Outcome | None
    """Winners, ranks and scores; null if the match is void."""
    reason: str
    """How the match ended, in words for a person."""
    position: Any
    """The last position, with nothing hidden."""


Said = Welcome | Begin | YourTurn | Accepted | Rejected | Update | Skipped | Expelled | Over


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """You want to sign up, or to come back to your seat."""

    protocol: int
    """The version of the protocol that you speak."""
    name: Annotated[str, Meta(min_length=1, max_length=32)]
    """Your name, 1 to 32 printable characters."""
    token: str | None = None
    """The token of `welcome`, to resume your seat."""
    key: str | None = None
    """The organiser's key, where a seat needs one."""


class Ready(Struct, frozen=True, tag="ready"):
    """You have taken your seat."""

    updates: bool = False
    """Whether you want `accepted`, `update` and `skipped` as well."""


Turn: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 53)]


class Move(Struct, frozen=True, tag="act"):
    """You move."""

    turn: Turn
    """The number of the turn that you answer."""
    move: msgspec.Raw
    """In the game's own form."""


class Resign(Struct, frozen=True, tag="resign"):
    """You give up."""

    why: Annotated[str, Meta(max_length=200)] = "resigned"
    """Why, in words for a person."""


_encode = msgspec.json.Encoder().encode
_hear = msgspec.json.Decoder(Ready | Move | Resign).decode
_hello = msgspec.json.Decoder(Hello).decode


class _Answer(Struct, tag="act"):
    turn: int
    move: Any


@lru_cache
def _answers(kind: Any) -> Callable[[bytes], Any]:
    answer = msgspec.defstruct("Answer", [("turn", Turn), ("move", kind)], tag="act", gc=False)
    return msgspec.json.Decoder(answer).decode


@lru_cache(maxsize=64)
def _example(kind: type[Game]) -> str:
    """Return a move of a game in its written form."""
    try:
        start = kind().start(kind.seats[0], Random(0))
        return msgspec.json.encode(start.legal_moves()[0]).decode()
    except Exception:  # a game of somebody else, which cannot be made without options
        return "{...}"


class Face(base.Face):
    """The player's side: an object with `choose(view, turn)`, and if it wants to hear the end, `told`.

    A question that is asked again, after a broken connection or a restart of the server, gets the same
    answer, and the player does not hear of it. After `rejected` the player is asked again.
    """

    asked: ClassVar[str] = "choose"
    welcomes: ClassVar[bool] = True

    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        self._player = player
        self._game: Game | None = None
        self._seat = self._turns = 0
        self._answered: tuple[int, Any, bytes] | None = None
        """The last question, turn and position, and its answer."""

    def sign_up(self, name: str, key: str | None = None, token: str | None = None) -> list[bytes]:
        return [_encode(Hello(PROTOCOL, name, token, key))]

    def hear(self, frame: bytes) -> list[bytes]:
        try:
            said = _decode_said(frame)
        except msgspec.ValidationError:
            return []  # an unknown word: later versions may have more
        match said:
            case YourTurn(turn=turn, position=position):
                self._turns = turn + 1
                if self._answered is None or self._answered[:2] != (turn, position):
                    self._answered = (turn, position, self._act(turn, self._view(position)))
                return [self._answered[2]]
            case Rejected():
                self._answered = None
            case Begin(game=name, options=options, seat=seat):
                self._game, self._seat = registry.game(name, options), seat
                return [_encode(Ready())]
            case Welcome(token=token):
                self.token = token
            case Over():
                self.over, self._answered = True, None
                self._end(said)
            case Expelled():
                self.over, self._answered = True, None
        return []

    def _end(self, over: Over) -> None:
        """Tell the player the result, as far as a player without the referee's record can know it."""
        verdict = cast("Any", over.verdict)
        result = Result(verdict=verdict, outcome=over.outcome, reason=over.reason, turns=self._turns)
        try:
            told(self._player, "told", self._seat, result)
        except Exception:
            import logging  # a slow import, and programs must start fast

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

    @classmethod
    def classify(cls, frame: bytes) -> Word:
        """Look at the tag alone, which our encoder writes first."""
        return next((word for tag, word in TAGS.items() if frame.startswith(tag)), Word.MATCH)

    @classmethod
    def reason(cls, frame: bytes) -> str:
        try:
            return plain(msgspec.json.decode(frame, type=Expelled).reason)
        except UNREADABLE:
            return super().reason(frame)


TAGS = {
    b'{"type":"welcome"': Word.WELCOME,
    b'{"type":"expelled"': Word.REFUSAL,
    b'{"type":"over"': Word.LAST,
}
_decode_said = msgspec.json.Decoder(Said).decode


class Native(base.Dialect):
    """One connection that speaks native."""

    name: ClassVar[str] = "native"
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
    numbered: ClassVar[bool] = True
    extensible: ClassVar[bool] = True
    unique_names: ClassVar[bool] = True
    has_keys: ClassVar[bool] = True
    resumable: ClassVar[bool] = True
    face: ClassVar[type[base.Face]] = Face

    def __init__(self, game: Game) -> None:
        self._game = game
        self._decode_move = msgspec.json.Decoder(game.Move).decode
        self._asked: int | None = None
        """The turn of the last question, if a move was asked for."""
        self.decode_answer: Callable[[bytes], base.Answer] = _answers(game.Move)
        """Decode a frame that should be an `act`; one that this raises at goes through `hear()`."""

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        try:
            said = _hello(frame)
        except UNREADABLE as error:
            raise Refusal(f"hello was expected: {plain(str(error))}") from None
        if said.protocol != PROTOCOL:
            raise Refusal(f"protocol {plain(str(said.protocol))} is not known here: {PROTOCOL} is")
        return SignUp(said.name, said.key, said.token)

    @classmethod
    def welcome(cls, name: str, token: str) -> Sequence[bytes]:
        return [_encode(Welcome(PROTOCOL, name, token))]

    @classmethod
    def refuse(cls, why: str) -> Sequence[bytes]:
        return [_encode(Expelled(why))]

    @property
    def fast(self) -> base.FastWords:
        return self

    def ask(self, turn: int, view: Any, allowance: Micros | None) -> bytes:
        return _encode(self._your_turn(turn, view, allowance))

    def _your_turn(self, turn: int, view: Any, allowance: Micros | None) -> YourTurn:
        milliseconds = None if allowance is None else allowance // 1000
        self._asked = turn
        return YourTurn(turn, milliseconds, view.position(), self.latency // 1000)

    def say(self, message: ToPlayer) -> Exchange:
        """Encode a message as one frame; only Onward has none, for the position shows it."""
        if isinstance(message, messages.Onward):
            return Exchange((), [messages.Ready()])
        return Exchange([_encode(self._worded(message))])

    def _worded(self, message: ToPlayer) -> Said:
        match message:
            case messages.YourTurn(turn, view, allowance):
                return self._your_turn(turn, view, allowance)
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
                raise AssertionError("say() answers it without a frame")

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        try:
            answer = self.decode_answer(frame)
        except UNREADABLE as error:
            return Exchange((), (self._heard(frame, error),))
        return Exchange((), (Act(answer.move, answer.turn),))

    def _heard(self, frame: bytes, error: Exception) -> FromPlayer:
        """Decode a frame that is no readable move, because of this error."""
        try:
            said = _hear(frame)
        except UNREADABLE as problem:
            why = misread(problem, frame, self.expected)
            return Garbled(unreadable(why, frame, self.read_sign_up))
        if type(said) is Resign:
            return messages.Resign(plain(said.why))
        if type(said) is Ready:
            return messages.Ready(said.updates)
        assert type(said) is Move
        try:
            return Act(self._decode_move(said.move), said.turn)  # a key that is there twice counts once
        except UNREADABLE:
            return Garbled(misread(error, frame, self.expected))

    @property
    def expected(self) -> str:
        """An answer to the last question, as an example."""
        if self._asked is None:
            return 'the answer to begin is {"type":"ready"}'
        example = _example(type(self._game))
        return f'an answer is like {{"type":"act","turn":{self._asked},"move":{example}}}'


DIALECT = Native
