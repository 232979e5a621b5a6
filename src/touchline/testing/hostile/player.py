"""An honest player of any dialect that can be stopped at a phase of its match, to misbehave from there."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from touchline.core import registry
from touchline.testing.scripts import Read, Sleep, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from touchline.testing.scripts import Action

Script: TypeAlias = "Generator[Action, bytes, None]"
"""The actions of a player; each Read is answered with the frame read."""

EAGER = 2
"""Moves for which a player takes the first legal move. Later it takes the last one: in Labyrinth that is the
pass, so matches end soon."""
NOWHERE = (99, 99)
"""A square that no board has."""


class Phase(enum.Enum):
    """The phases of a match, as a player sees them."""

    SIGN_UP = "sign-up"
    """It connects, and gives its name in its first frame."""
    SET_UP = "set-up"
    """It is asked for the first time, before any move."""
    TURN = "turn"
    """It is asked for a move."""
    END = "end"
    """It hears the last word of a match that it has played honestly."""


class DialectPlayer:
    """An honest player of a dialect that counts how often it was asked for a move."""

    def __init__(
        self, dialect: str, name: str | None = None, turns: int = 1, *, lies_after: int | None = None
    ) -> None:
        """With a `name` it signs up first, as networks require; `turns` is the number of honest moves.

        After `lies_after` honest moves it makes illegal ones.
        """
        self.dialect, self.turns = dialect, turns
        self._numbered = registry.dialect(dialect).numbered
        self._face = registry.dialect(dialect).face(self)
        self._name, self._lies_after = name, lies_after
        self.questions = 0

    def choose(self, view: Any, turn: int) -> Any:
        self.questions += 1
        moves = view.legal_moves()
        if self._lies_after is not None and self.questions > self._lies_after:
            return illegal(moves[0])
        return moves[0 if self.questions <= EAGER else -1]

    @property
    def over(self) -> bool:
        """Whether it was told that the match is over for it."""
        return self._face.over

    def sign_up(self) -> bytes:
        """Return its first frames; none without a name."""
        return b"" if self._name is None else lines(self._face.sign_up(self._name))

    def hear(self, frame: bytes) -> bytes:
        """Return the answer to a frame."""
        return lines(self._face.hear(frame))

    def again(self, answer: bytes) -> bytes:
        """Return the last answer again, with the next turn number where turns are numbered."""
        if not self._numbered or b'"turn"' not in answer:
            return answer
        said = msgspec.json.decode(answer)
        return lines([msgspec.json.encode({**said, "turn": said["turn"] + 1})])


def lines(frames: Iterable[bytes]) -> bytes:
    """Return the frames, each as a line."""
    return b"".join(frame + b"\n" for frame in frames)


def illegal(move: Any) -> Any:
    """Return the move with an impossible target: in each of our games that is the last field."""
    return msgspec.structs.replace(move, **{move.__struct_fields__[-1]: NOWHERE})


class Moment(NamedTuple):
    """The point of a match at which a behaviour begins."""

    player: DialectPlayer
    answer: bytes
    """What an honest player would send now: frames, each as a line. At the end there may be none."""
    phase: Phase
    limit: float
    """The time limit for this answer in seconds."""
    in_time: float
    """Seconds that are safely less than the limit."""


def until(player: DialectPlayer, phase: Phase) -> Generator[Action, bytes, bytes]:
    """Play honestly until this phase, and return the next answer instead of sending it."""
    if phase is Phase.SIGN_UP:
        return player.sign_up()
    yield Write(player.sign_up())
    while True:
        answer = player.hear((yield Read()))
        match phase:
            case Phase.SET_UP:
                reached = bool(answer)
            case Phase.TURN:
                reached = player.questions > player.turns
            case _:
                reached = player.over
        if reached:
            return answer
        yield Write(answer)


def playing(player: DialectPlayer, send: Callable[[bytes], Iterable[Action]], thinks: float = 0.0) -> Script:
    """Play on honestly and send each answer with `send`; think about the first answer and every move."""
    asked = -1
    while not player.over:
        answer = player.hear((yield Read()))
        if answer and player.questions > asked:
            asked = player.questions
            yield Sleep(thinks)
        yield from send(answer)


def plainly(answer: bytes) -> Iterable[Action]:
    """Send an answer in one piece."""
    if answer:
        yield Write(answer)


def honest(player: DialectPlayer, thinks: float = 0.0) -> Script:
    """Sign up if it has a name, and play a whole match."""
    yield from plainly(player.sign_up())
    yield from playing(player, plainly, thinks)
