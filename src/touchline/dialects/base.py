"""What a dialect is: words on the wire for one connection, without the wire.

A dialect has two verbs. `say(message)` is told what the referee wants to say, `hear(frame)` what the
player sent; both give an Exchange: the frames to send now, and what the player has thereby said. A
dialect whose note has no word for something is silent; one in which a player need not say that it is
ready says so in the player's place.

Laws: nothing a player sends can raise past `hear()`; a dialect decides nothing; it holds a frame back
only while the player owes an answer to an earlier one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Protocol

import msgspec

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Micros
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Game

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError, BadInput)
"""What reading a frame can raise."""


class Exchange(NamedTuple):
    """What comes of saying or hearing something."""

    frames: Sequence[bytes] = ()
    """To be sent now, each with one write."""
    said: Sequence[FromPlayer] = ()
    """What the player has said."""


SILENCE = Exchange()


class Refusal(Exception):
    """A sign-up that is not taken; the text says why."""


class Dialect(Protocol):
    """The referee's side of one connection."""

    name: ClassVar[str]
    games: ClassVar[tuple[str, ...]]
    """The games it has words for; none is every game."""
    framing: ClassVar[Literal["lines", "values"]]
    """How frames follow each other in a stream of bytes."""
    conduct: ClassVar[str]
    """The conduct of a match in which everybody speaks this."""
    per_move: ClassVar[Micros]
    """How long a move may take in such a match."""
    lingers: ClassVar[bool]
    """Whether an expelled player is still heard for a moment, and refused."""
    words: ClassVar[dict[str, str]]
    """Each word on the wire, in both directions, and its meaning in one sentence; a call names its answer."""

    def __init__(self, game: Game) -> None: ...

    def say(self, message: ToPlayer) -> Exchange:
        """Say this, now or once the player has answered what it was asked before."""

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        """Take in a frame from the player, so long after it was last asked something."""

    def part(self) -> Sequence[bytes]:
        """The frames that were held back for an answer which nobody waits for any more."""

    @property
    def longest(self) -> int:
        """Bytes that a message of the player may have; a board that it proposes may be large."""

    @property
    def owes(self) -> bool:
        """Whether the player still has to answer something."""

    @staticmethod
    def signed_up(frame: bytes) -> str:
        """The name under which this first frame signs a player up. Refusal if it does not."""


def unreadable(error: Exception, frame: bytes, sign_up: Callable[[bytes], object]) -> str:
    """Return why a frame cannot be read; a player that signs up in its seat is told that it has one."""
    try:
        sign_up(frame)
    except (Refusal, *UNREADABLE):
        return plain(str(error))
    return "a sign-up, but the player has its seat: a program that the referee starts does not sign up"


def told(player: object, name: str, *arguments: object) -> None:
    """Call a method that a player need not have; only those that ask for something are required."""
    method = getattr(player, name, None)
    if method is not None:
        method(*arguments)


def plain(text: str) -> str:
    """A reason that fits on a line of anybody's terminal.

    >>> plain("no" + chr(27) + " way")
    'no? way'
    """
    return "".join(char if char.isprintable() else "?" for char in text[:200])
