"""Dialects of calls: the referee calls `["name",[arguments]]`, and the player answers with one value.

Law of this file: one call at a time. The next is held back until the player has answered, because some
players take one read for one message; the clock does not wait for them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import msgspec

from touchline.core.errors import BadInput
from touchline.core.messages import Act, FromPlayer, Garbled, Ready
from touchline.core.printable import quoted
from touchline.dialects.base import (
    UNREADABLE,
    Dialect,
    Exchange,
    Face,
    Framing,
    chooses,
    plain,
    told,
    unreadable,
)
from touchline.dialects.shared.misread import misread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from touchline.core.clock import Micros
    from touchline.core.rules import Game

encode = msgspec.json.Encoder().encode
_void = msgspec.json.Decoder(Literal["void"]).decode
_called = msgspec.json.Decoder(tuple[str, list[Any]]).decode
VOID = encode("void")
READY = Ready()


class Call(NamedTuple):
    """A call that was made, or will be."""

    frame: bytes | Callable[[Micros], bytes]
    """The frame to send; it may depend on how long ago the player was asked."""
    read: Callable[[bytes], FromPlayer | None]
    """Decode an answer; None if it only acknowledges the call. It may raise UNREADABLE."""
    turn: int | None = None
    """The turn it asks a move for, if it does."""


def call(
    name: str, arguments: Sequence[Any], read: Callable[[bytes], FromPlayer | None], turn: int | None = None
) -> Call:
    """Return a call, and how to read its answer."""
    return Call(encode([name, arguments]), read, turn)


def heard(frame: bytes) -> None:
    """Read an answer that must be "void" and says nothing."""
    _void(frame)


def answering(said: FromPlayer) -> Callable[[bytes], FromPlayer]:
    """Return a reader of an answer that must be "void" and stands for this message."""

    def read(frame: bytes) -> FromPlayer:
        _void(frame)
        return said

    return read


def moving(turn: int, move: Callable[[bytes], Any]) -> Callable[[bytes], FromPlayer]:
    """Return a reader of an answer that is a move in this turn."""

    def read(frame: bytes) -> FromPlayer:
        return Act(move(frame), turn)

    return read


class Calls(Dialect):
    """The calls of one connection: the open one, and a queue of those that wait for its answer."""

    framing: ClassVar[Framing] = "values"
    confirmation: ClassVar[bytes | None] = b'"void"'

    def __init__(self, game: Game) -> None:
        self._open: Call | None = None
        self._waiting: deque[Call] = deque()
        self._answered = False

    @property
    def owes(self) -> bool:
        return self._open is not None

    @property
    def expected(self) -> str:
        return "" if self._open is None else _expected(self._open)

    def make(self, *calls: Call, said: Sequence[FromPlayer] = ()) -> Exchange:
        """Make these calls, now or when those before them are answered."""
        for new in calls:
            standing = (self._open, *self._waiting) if new.turn is not None else ()
            if any(old is not None and old.turn == new.turn for old in standing):
                continue  # the same turn is asked again before it was answered: the question stands
            self._waiting.append(new)
        return Exchange(self._next(0), said)

    def _next(self, waited: Micros) -> list[bytes]:
        if self._open is None and self._waiting:
            self._open = self._waiting.popleft()
            return [_written(self._open, waited)]
        return []

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        """Decode the answer to the open call, and make the next call."""
        asked, self._open = self._open, None
        if asked is None:
            return Exchange((), [Garbled(f"received {quoted(frame)}, but nothing was asked")])
        said: FromPlayer | None
        try:
            said = asked.read(frame)
        except UNREADABLE as error:
            why = misread(error, frame, _expected(asked))
            if not self._answered:
                why = unreadable(why, frame, self.read_sign_up)
            said = Garbled(why, asked.turn, owed=True)
        else:
            self._answered = True
        return Exchange(self._next(waited), () if said is None else [said])

    def withdraw(self) -> None:
        """Drop the queued questions: the match is over, and no move is wanted."""
        self._waiting = deque(call for call in self._waiting if call.turn is None)

    def forget(self) -> None:
        """Drop all calls, also the open one: no answer is awaited."""
        self._open = None
        self._waiting.clear()

    def part(self) -> list[bytes]:
        """Return the queued calls, to be made without waiting for an answer."""
        frames = [_written(call, 0) for call in self._waiting]
        self._waiting.clear()
        return frames


def _expected(call: Call) -> str:
    """Return which call is to be answered, in words."""
    try:
        return f"the answer to {called(_written(call, 0))[0]} was expected"
    except BadInput:
        return ""


def _written(call: Call, waited: Micros) -> bytes:
    return call.frame if isinstance(call.frame, bytes) else call.frame(waited)


# -- the player's side ----------------------------------------------------------------------------


def called(frame: bytes) -> tuple[str, list[Any]]:
    """Decode the name and the arguments of a call. Raise BadInput if a frame is not a call."""
    try:
        return _called(frame)
    except UNREADABLE as error:
        raise BadInput(f"not a call: {plain(str(error))}") from None


class Chooser:
    """A bot behind a dialect's methods; it counts its own turns where the dialect has no turn number."""

    def __init__(self, bot: Any, rng: Random | None = None) -> None:
        self._bot, self._rng = bot, rng
        self._turns = 0

    def _choose(self, view: Any) -> Any:
        self._turns += 1
        return self._bot.choose(view, self._turns - 1)


class CalledFace(Face):
    """A player that is called: each call is a method of the player, and what it returns is the answer.

    A player with a method `choose` is a bot, and is wrapped in `by_choice`. A call that is not in the tables
    below, or has fewer arguments, is ignored; further arguments are dropped.
    """

    void: ClassVar[Mapping[str, int]]
    """Calls that are answered with "void", whatever the method returns, and their numbers of arguments."""
    asks: ClassVar[Mapping[str, int]]
    """Calls that ask for something, which a player must have a method for."""
    unanswered: ClassVar[Mapping[str, int]] = {}
    last: ClassVar[frozenset[str]]
    """The calls after which there is none."""
    by_choice: ClassVar[type[Chooser]]

    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        self.player = self.by_choice(player, rng) if chooses(player) else player
        self._calls = {**self.void, **self.asks, **self.unanswered}

    def sign_up(self, name: str, key: str | None = None, token: str | None = None) -> list[bytes]:
        return [encode(name)]

    def hear(self, frame: bytes) -> list[bytes]:
        name, arguments = called(frame)
        if not self.understands(name, len(arguments)):
            return []
        arguments = arguments[: self._calls[name]]
        self.over = self.over or name in self.last
        if name in self.asks:
            return [encode(self.ask(name, arguments))]
        told(self.player, _method(name), *arguments)
        return [VOID] if name in self.void else []

    def understands(self, name: str, arguments: int) -> bool:
        """Return whether a call with this number of arguments is for the player."""
        return name in self._calls and arguments >= self._calls[name]

    def ask(self, name: str, arguments: Sequence[Any]) -> Any:
        """Call a method that the player must have."""
        return getattr(self.player, _method(name))(*arguments)


def _method(name: str) -> str:
    return name.replace("-", "_")
