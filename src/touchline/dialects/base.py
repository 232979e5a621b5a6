"""The contract of a dialect: the words of one protocol, without any I/O.

A dialect is two classes in one file. `Dialect` is the referee's side of one connection, `Face` the player's.
Whatever a server or a client has to know about a protocol is an attribute or a method here: how a player
signs up and is welcomed or refused, whether it can resume its seat, which names it may have, what it is asked
before a match, and whether it can use the fast lane.

Laws: nothing a player sends can raise past `hear()`; a dialect decides nothing; it holds a frame back only
while the player owes an answer to an earlier one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from touchline.core.clock import micros
from touchline.core.errors import BadInput
from touchline.core.messages import MOST_INBOUND

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from touchline.core.clock import Micros
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Game

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError, BadInput)
"""The exceptions that decoding a frame can raise."""

Framing: TypeAlias = Literal["lines", "values"]
"""How frames are separated in a byte stream: one on each line, or JSON values one after the other."""


class Exchange(NamedTuple):
    """The result of saying or hearing something."""

    frames: Sequence[bytes] = ()
    """Frames to send now, each with one write."""
    said: Sequence[FromPlayer] = ()
    """Messages that the player has thereby said."""


SILENCE = Exchange()


class Refusal(Exception):
    """A sign-up is not accepted; the text says why."""


class SignUp(NamedTuple):
    """The content of a player's first frame."""

    name: str
    key: str | None = None
    """The organiser's secret, in a dialect that has a word for it."""
    token: str | None = None
    """The token of a welcome: the player wants its seat back."""


class CourseSignUp(NamedTuple):
    """How players come to a table in the course that a dialect is from; the fields are those of `serve`."""

    seats: int
    at_least: int
    window: float
    """Seconds from the first sign-up."""
    last_first: bool
    """Whether the last to sign up moves first."""


class Answer(Protocol):
    """A move that was decoded on the fast lane."""

    turn: int
    move: Any


class FastWords(Protocol):
    """Encode a question and decode an answer without building a message.

    A dialect may have one if each `YourTurn` is exactly one frame and each move another, and if nothing else
    is sent on a legal turn to a player that did not ask for updates.
    """

    def ask(self, turn: int, view: Any, allowance: Micros | None, /) -> bytes:
        """Return the frame that `say(YourTurn(turn, view, allowance))` would return."""

    def decode_answer(self, frame: bytes, /) -> Answer:
        """Decode a move. Raise one of UNREADABLE for anything else, which must then go through `hear()`."""


class Dialect(ABC):
    """The referee's side of one connection."""

    name: ClassVar[str]
    """The name on the command line and in URLs."""
    games: ClassVar[tuple[str, ...]] = ()
    """The games it has words for; empty means every game."""
    framing: ClassVar[Framing] = "lines"
    conduct: ClassVar[str] = "standard"
    """The conduct of a match in which all players from outside speak this dialect."""
    per_move: ClassVar[Micros] = micros(10)
    """The time for a move in such a match."""
    lingers: ClassVar[bool] = False
    """Whether an expelled player is still heard for a moment, and each of its requests refused."""
    counted_from: ClassVar[int] = 0
    """The number of the first row and the first column on the wire."""
    words: ClassVar[dict[str, str]]
    """Each word on the wire, in both directions, and its meaning in one sentence; a call names its answer."""
    numbered: ClassVar[bool] = False
    """Whether a question has a turn number that its answer must repeat."""
    begins_anywhere: ClassVar[bool] = True
    """Whether a match may begin from an opening; False if a player knows its seat by the untouched board."""
    extensible: ClassVar[bool] = False
    """Whether a player must ignore words and fields that it does not know."""
    confirmation: ClassVar[bytes | None] = None
    """The frame by which a player confirms its next goal; None if the dialect has no such frame."""
    face: ClassVar[type[Face]]
    """The player's side."""

    longest: int = MOST_INBOUND
    """The size limit of a player's message in bytes."""
    latency: Micros = 0
    """The measured round-trip time of the connection. Whoever owns the connection keeps it up to date."""

    @abstractmethod
    def __init__(self, game: Game) -> None:
        """Raise BadOptions if the dialect has no words for a game with these options."""

    # -- before the match -----------------------------------------------------------------------

    own_name_rule: ClassVar[bool] = False
    """Whether `read_sign_up` decides which names are allowed; otherwise the server's rule does."""
    unique_names: ClassVar[bool] = False
    """Whether two players who wait for a table must have different names."""
    has_keys: ClassVar[bool] = False
    """Whether a sign-up can carry the organiser's key."""
    resumable: ClassVar[bool] = False
    """Whether a player that lost its connection can resume its seat, with the token of its welcome."""

    course_sign_up: ClassVar[CourseSignUp | None] = None
    """How the course of this dialect seats its players, if it has a rule for that."""

    @classmethod
    @abstractmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        """Decode a player's first frame. Raise Refusal if it is not a sign-up, or breaks a rule for names."""

    @classmethod
    def welcome(cls, name: str, token: str) -> Sequence[bytes]:
        """Return the frames that accept a sign-up, if the dialect has words for that."""
        return ()

    @classmethod
    def refuse(cls, why: str) -> Sequence[bytes]:
        """Return the frames that send a player away before a match, if the dialect has words for that."""
        return ()

    proposes: ClassVar[bool] = False
    """Whether a player is asked before the match what it proposes to begin with."""
    proposal: Any = None
    """What the player proposed, once it has answered, if that suits the game."""

    def propose(self) -> Exchange:
        """Ask for a proposal. `hear()` returns Ready for a readable answer, and `proposal` is set."""
        return SILENCE

    # -- in the match ---------------------------------------------------------------------------

    @abstractmethod
    def say(self, message: ToPlayer) -> Exchange:
        """Encode a message, to be sent now or once the player has answered an earlier question.

        Return SILENCE for a message without words here. Where players do not say that they are ready, say it
        in their place: `Exchange(frames, [Ready()])`.
        """

    @abstractmethod
    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        """Decode a frame that came `waited` µs after the last question; Garbled if it cannot be read."""

    def part(self) -> Sequence[bytes]:
        """Return the frames that were held back for an answer which is no longer awaited."""
        return ()

    @property
    def owes(self) -> bool:
        """Whether the player still has to answer something."""
        return False

    @property
    def expected(self) -> str:
        """What the player should answer now, in words for its author; empty where the dialect cannot say."""
        return ""

    @property
    def fast(self) -> FastWords | None:
        """The fast words of this connection, if the dialect has some."""
        return None


class Word(Enum):
    """The meaning of a frame to a client that follows a connection."""

    WELCOME = "the sign-up is accepted"
    MATCH = "a word of a match"
    REFUSAL = "the player is sent away, or expelled"
    LAST = "the match is over"


class Face(ABC):
    """The player's side of one connection.

    The player is an object with the dialect's own methods, or with `choose(view, turn)`.
    """

    asked: ClassVar[str]
    """The method by which a class is known as a player of this dialect; `choose` does in every dialect."""
    welcomes: ClassVar[bool] = False
    """Whether every sign-up is answered by a welcome or a refusal, so that a client can tell them apart."""
    over: bool = False
    """Whether the last word has been heard."""
    token: str | None = None
    """The token of the welcome, with which the player can resume its seat."""

    @abstractmethod
    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        """`player` may be None for a face that only signs up."""

    @abstractmethod
    def sign_up(self, name: str, key: str | None = None, token: str | None = None) -> list[bytes]:
        """Return the first frames; a dialect without words for a key or a token leaves them out."""

    @abstractmethod
    def hear(self, frame: bytes) -> list[bytes]:
        """Return the player's answer. Raise one of UNREADABLE if no referee can have sent this."""

    @classmethod
    def classify(cls, frame: bytes) -> Word:
        """Return what a frame means, without passing it to the player; exact only if `welcomes`."""
        return Word.MATCH

    @classmethod
    def reason(cls, frame: bytes) -> str:
        """Return the reason that a refusal gives, as printable text."""
        return plain(frame.decode(errors="replace"))


def chooses(player: object) -> bool:
    """Return whether a player chooses from views, as bots do, and has none of a dialect's own methods."""
    return hasattr(player, "choose")


def unreadable(why: str, frame: bytes, sign_up: Callable[[bytes], object]) -> str:
    """Return why a frame cannot be read; a player that signs up in its seat is told that it has one."""
    try:
        sign_up(frame)
    except (Refusal, *UNREADABLE):
        return why
    return "a sign-up, but the player has its seat: a program that the referee starts does not sign up"


def told(player: object, name: str, *arguments: object) -> None:
    """Call a method that a player need not have; only those that ask for something are required."""
    method = getattr(player, name, None)
    if method is not None:
        method(*arguments)


def plain(text: str) -> str:
    """Return a reason as one short line of printable characters.

    >>> plain("no" + chr(27) + " way")
    'no? way'
    """
    return "".join(char if char.isprintable() else "?" for char in text[:200])
