"""The native dialect: any game, JSON, one value a frame, a number on every turn.

The referee says `begin`, and the player answers `ready`; then each `your_turn` is answered by an
`act` with the same turn number, so that a late answer can do no harm. `over` or `expelled` is the
last word. A player ignores words and fields that it does not know: there may be more of them some
day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from touchline import messages
from touchline.messages import Act, FromPlayer, Garbled
from touchline.rules import Outcome

if TYPE_CHECKING:
    from touchline.clock import Micros
    from touchline.messages import ToPlayer
    from touchline.rules import Game

PROTOCOL = 1
"""The version of the words below."""


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


Said = Begin | YourTurn | Accepted | Rejected | Update | Skipped | Expelled | Over


class Ready(Struct, frozen=True, tag="ready"):
    """You have taken your seat."""

    updates: bool = False
    """Whether you want `accepted`, `update` and `skipped` as well."""


class Move(Struct, frozen=True, tag="act"):
    """You move."""

    turn: Annotated[int, Meta(ge=0, le=1 << 53)]
    move: msgspec.Raw
    """In the game's own form."""


_encode = msgspec.json.Encoder().encode
_hear = msgspec.json.Decoder(Ready | Move).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Native:
    """One connection that speaks native."""

    name: ClassVar[str] = "native"

    def __init__(self, game: Game) -> None:
        self._game = game
        self._decode_move = msgspec.json.Decoder(game.Move).decode

    def say(self, message: ToPlayer) -> list[bytes]:
        """The frames, here always one, that say this."""
        return [_encode(self._worded(message))]

    def ask(self, turn: int, view: Any, allowance: Micros | None) -> bytes:
        """`your_turn` as a line, the one thing that is said so often that it must be quick."""
        milliseconds = None if allowance is None else allowance // 1000
        return _encode(YourTurn(turn, milliseconds, view.position())) + b"\n"

    def _worded(self, message: ToPlayer) -> Said:
        match message:
            case messages.YourTurn(turn, view, allowance):
                milliseconds = None if allowance is None else allowance // 1000
                return YourTurn(turn, milliseconds, view.position())
            case messages.Update(turn, view):
                return Update(turn, view.position())
            case messages.Accepted(turn):
                return Accepted(turn)
            case messages.Rejected(turn, reason):
                return Rejected(turn, reason)
            case messages.Skipped(turn, reason):
                return Skipped(turn, reason)
            case messages.Expelled(reason):
                return Expelled(reason)
            case messages.Over(view, verdict, outcome, reason):
                return Over(verdict, outcome, reason, view.position())
            case messages.Begin(seat, names, view):
                options = msgspec.to_builtins(self._game)
                return Begin(PROTOCOL, self._game.name, options, seat, names, view.position())

    def hear(self, frame: bytes) -> FromPlayer:
        """What a frame says; Garbled if it cannot be read."""
        try:
            said = _hear(frame)
            if type(said) is Move:
                return Act(self._decode_move(said.move), said.turn)
            assert type(said) is Ready
            return messages.Ready(said.updates)
        except _UNREADABLE as error:
            return Garbled(_plain(str(error)))


def _plain(text: str) -> str:
    """A reason that fits on a line of anybody's terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)[:200]
