"""Dialects of calls: the referee calls `["name",[arguments]]`, and the player answers with one value.

Law of this file: one call at a time. The next is held back until the player has answered, for there are
players that take one read for one message; the clock does not wait for them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from touchline.core.messages import MOST_INBOUND, Act, FromPlayer, Garbled, Ready
from touchline.dialects.base import UNREADABLE, Exchange, Refusal, plain, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Micros

_encode = msgspec.json.Encoder().encode
_void = msgspec.json.Decoder(Literal["void"]).decode


class Call(NamedTuple):
    """A call that was made, or will be."""

    frame: bytes | Callable[[Micros], bytes]
    """What is sent, perhaps depending on how long ago the player was asked."""
    read: Callable[[bytes], FromPlayer | None]
    """What an answer says; None if it says nothing but that the call was heard. It may raise UNREADABLE."""
    turn: int | None = None
    """The turn it asks a move for, if it does."""


def call(
    name: str, arguments: Sequence[Any], read: Callable[[bytes], FromPlayer | None], turn: int | None = None
) -> Call:
    """A call, and how to read its answer."""
    return Call(_encode([name, arguments]), read, turn)


def heard(frame: bytes) -> None:
    """Read an answer that must be "void" and says nothing."""
    _void(frame)


def answering(said: FromPlayer) -> Callable[[bytes], FromPlayer]:
    """Read an answer that must be "void" and says this."""

    def read(frame: bytes) -> FromPlayer:
        _void(frame)
        return said

    return read


def moving(turn: int, move: Callable[[bytes], Any]) -> Callable[[bytes], FromPlayer]:
    """Read an answer that is a move in this turn."""

    def read(frame: bytes) -> FromPlayer:
        return Act(move(frame), turn)

    return read


READY = Ready()


class Calls:
    """The calls of one connection: one that is open, and those that wait for its answer."""

    longest = MOST_INBOUND

    def __init__(self) -> None:
        self._open: Call | None = None
        self._waiting: deque[Call] = deque()
        self._answered = False

    @staticmethod
    def signed_up(frame: bytes) -> str:
        """Return the name in a first frame; each dialect has its own form."""
        raise Refusal("nobody signs up here")

    @property
    def owes(self) -> bool:
        return self._open is not None

    def make(self, *calls: Call, said: Sequence[FromPlayer] = ()) -> Exchange:
        """Make these calls, now or in their turn."""
        for new in calls:
            standing = (self._open, *self._waiting) if new.turn is not None else ()
            if any(old is not None and old.turn == new.turn for old in standing):
                continue  # it is asked again while it has not answered: the question stands
            self._waiting.append(new)
        return Exchange(self._next(0), said)

    def _next(self, waited: Micros) -> list[bytes]:
        if self._open is None and self._waiting:
            self._open = self._waiting.popleft()
            return [_written(self._open, waited)]
        return []

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        """An answer to the call that is open; the next may follow from it."""
        asked, self._open = self._open, None
        if asked is None:
            return Exchange((), [Garbled("nothing was asked")])
        said: FromPlayer | None
        try:
            said = asked.read(frame)
        except UNREADABLE as error:
            why = plain(str(error)) if self._answered else unreadable(error, frame, self.signed_up)
            said = Garbled(why, asked.turn, owed=True)
        else:
            self._answered = True
        return Exchange(self._next(waited), () if said is None else [said])

    def withdraw(self) -> None:
        """Drop the questions that wait: the match is over, and nobody wants a move any more."""
        self._waiting = deque(call for call in self._waiting if call.turn is None)

    def forget(self) -> None:
        """Drop all calls, also the open one: nothing more is awaited."""
        self._open = None
        self._waiting.clear()

    def part(self) -> list[bytes]:
        """Return the calls that still wait, to be made without waiting for an answer."""
        frames = [_written(call, 0) for call in self._waiting]
        self._waiting.clear()
        return frames


def _written(call: Call, waited: Micros) -> bytes:
    return call.frame if isinstance(call.frame, bytes) else call.frame(waited)
