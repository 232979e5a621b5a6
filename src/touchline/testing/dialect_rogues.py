"""Misbehaving players that work in any dialect, and three odd but honest ones.

Each plays honestly through the dialect's client side until its first or second move, and then misbehaves.
So one rogue serves every dialect: in virtual time, over TCP or WebSocket (`raw_connections.py`), and as a
process:

    python -m touchline.testing.dialect_rogues NAME DIALECT

Rogues that need the native dialect or a real process are in `rogues.py`.

Law of this file: every loop is bounded, and so is what a rogue sends.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import TouchlineError
from touchline.testing.scripts import LONG, Exit, Read, Sleep, Write, enact

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from touchline.testing.scripts import Action

Script: TypeAlias = "Generator[Action, bytes, None]"
"""The actions of a player; each Read is answered with the frame read."""

EAGER = 3
"""Moves for which a player takes the first legal move. Later it takes the last one: in Labyrinth that is the
pass, so matches end soon."""
NOWHERE = (99, 99)
"""A square that no board has."""
TOO_LONG = 1.5
"""Seconds that exceed a limit of one second a move."""
BLANKS = b" " * 4096


class DialectPlayer:
    """An honest player of a dialect that counts how often it was asked for a move."""

    def __init__(self, dialect: str, name: str | None = None, turns: int = 1) -> None:
        """With a `name` it signs up first, as networks require; `turns` is the number of honest moves."""
        self.dialect, self.turns = dialect, turns
        self._numbered = registry.dialect(dialect).numbered
        self._face = registry.dialect(dialect).face(self)
        self._name = name
        self.questions = 0
        self.lies = False

    def choose(self, view: Any, turn: int) -> Any:
        self.questions += 1
        move = view.legal_moves()[0 if self.questions <= EAGER else -1]
        return illegal(view.legal_moves()[0]) if self.lies else move

    @property
    def over(self) -> bool:
        """Whether it was told that the match is over for it."""
        return self._face.over

    def sign_up(self) -> bytes:
        return b"" if self._name is None else lines(self._face.sign_up(self._name))

    def hear(self, frame: bytes) -> bytes:
        """Return the answer to a frame."""
        return lines(self._face.hear(frame))

    def again(self, answer: bytes) -> bytes:
        """Return the last answer again, with the next turn number where turns are numbered."""
        if not self._numbered:
            return answer
        said = msgspec.json.decode(answer)
        return lines([msgspec.json.encode({**said, "turn": said["turn"] + 1})])


def lines(frames: Iterable[bytes]) -> bytes:
    return b"".join(frame + b"\n" for frame in frames)


def illegal(move: Any) -> Any:
    """Return the move with an impossible target: in each of our games that is the last field."""
    return msgspec.structs.replace(move, **{move.__struct_fields__[-1]: NOWHERE})


def playing(player: DialectPlayer, send: Callable[[bytes], Iterable[Action]]) -> Script:
    """Play honestly and send each answer with `send`; sign up first, unless the match has begun."""
    if player.questions == 0:
        yield from send(player.sign_up())
    while True:
        yield from send(player.hear((yield Read())))


def until_asked(player: DialectPlayer, less: int = 0) -> Generator[Action, bytes, bytes]:
    """Play the honest turns, or `less` fewer, and return the next answer instead of sending it."""
    yield Write(player.sign_up())
    while True:
        answer = player.hear((yield Read()))
        if player.questions > player.turns - less:
            return answer
        yield Write(answer)


# -- honest players -----------------------------------------------------------------------------


def honest(player: DialectPlayer) -> Script:
    """Plays correctly."""
    return playing(player, _plainly)


def _plainly(answer: bytes) -> Iterable[Action]:
    yield Write(answer)


def trickler(player: DialectPlayer) -> Script:
    """Sends its answers byte by byte, in time."""
    return playing(player, _bytewise)


def _bytewise(answer: bytes) -> Iterable[Action]:
    for byte in answer:
        yield Write(bytes([byte]))
        yield Sleep(0.0001)


def padder(player: DialectPlayer) -> Script:
    """Sends thousands of blanks before each answer."""
    return playing(player, _padded)


def _padded(answer: bytes) -> Iterable[Action]:
    yield Write(b"".join(BLANKS + line for line in answer.splitlines(keepends=True)))


# -- rogues -------------------------------------------------------------------------------------


def sleeper(player: DialectPlayer) -> Script:
    """Does not answer when asked for a move."""
    yield from until_asked(player)
    yield Sleep(LONG)


def dozer(player: DialectPlayer) -> Script:
    """Never answers anything."""
    yield Write(player.sign_up())
    yield Sleep(LONG)


def crasher(player: DialectPlayer) -> Script:
    """Exits when asked for a move."""
    yield from until_asked(player)
    yield Exit(1)


def quitter(player: DialectPlayer) -> Script:
    """Exits before it has taken its seat."""
    yield Write(player.sign_up())
    yield Exit(0)


def liar(player: DialectPlayer) -> Script:
    """Sends well-formed but illegal moves."""
    lie = yield from until_asked(player, less=1)
    yield Write(lie)
    player.lies = True
    while not player.over:
        frame = yield Read()
        answer = player.hear(frame)
        lie = answer or lie
        # In seed-001 a rejected player keeps its turn and is not asked again.
        yield Write(lie if b"rejectMove" in frame else answer)
    yield Sleep(LONG)


def babbler(player: DialectPlayer) -> Script:
    """Answers with malformed frames."""
    yield from until_asked(player)
    for words in (b"hello\n", b"{}\n", b"\xff\xfe\n", b'"void"\n'):
        yield Write(words)
        yield Read()
    yield Sleep(LONG)


def half_frame(player: DialectPlayer) -> Script:
    """Sends half an answer and stops."""
    answer = yield from until_asked(player)
    yield Write(answer[: len(answer) // 2])
    yield Sleep(LONG)


def flooder(player: DialectPlayer) -> Script:
    """Sends thousands of answers at once."""
    answer = yield from until_asked(player, less=1)
    yield Write(answer + player.again(answer) * 2048)
    yield Sleep(LONG)


def long_line(player: DialectPlayer) -> Script:
    """Sends a frame that never ends."""
    yield from until_asked(player)
    yield Write(b'"')
    for _ in range(40):
        yield Write(b"x" * 65_536)
    yield Sleep(LONG)


def giant(player: DialectPlayer) -> Script:
    """Sends one frame of 2 MiB."""
    yield from until_asked(player)
    yield Write(b'"' + b"x" * (2 << 20) + b'"\n')
    yield Sleep(LONG)


def early_bird(player: DialectPlayer) -> Script:
    """Keeps sending moves after its own."""
    answer = yield from until_asked(player, less=1)
    yield Write(answer)
    for _ in range(40):
        yield Sleep(0.001)
        yield Write(player.again(answer))
    yield Sleep(LONG)


def double_mover(player: DialectPlayer) -> Script:
    """Answers one question twice, and plays on honestly."""
    answer = yield from until_asked(player, less=1)
    yield Write(answer + player.again(answer))
    yield from playing(player, _plainly)


def never_reads(player: DialectPlayer) -> Script:
    """Moves once and stops reading."""
    yield Write((yield from until_asked(player, less=1)))
    yield Sleep(LONG)


def late(player: DialectPlayer) -> Script:
    """Answers after its deadline."""
    answer = yield from until_asked(player)
    yield Sleep(TOO_LONG)
    yield Write(answer)
    yield Sleep(LONG)


HONEST: dict[str, Callable[[DialectPlayer], Script]] = {
    "honest": honest,
    "trickler": trickler,
    "padder": padder,
}
"""Players that commit no offence, by name."""

MISCHIEF: dict[str, tuple[Callable[[DialectPlayer], Script], Offence]] = {
    "sleeper": (sleeper, Offence.LATE),
    "dozer": (dozer, Offence.LATE),
    "crasher": (crasher, Offence.GONE),
    "quitter": (quitter, Offence.GONE),
    "liar": (liar, Offence.ILLEGAL),
    "babbler": (babbler, Offence.MALFORMED),
    "half_frame": (half_frame, Offence.LATE),
    "flooder": (flooder, Offence.FLOOD),
    "long_line": (long_line, Offence.FLOOD),
    "giant": (giant, Offence.FLOOD),
    "early_bird": (early_bird, Offence.OUT_OF_TURN),
    "double_mover": (double_mover, Offence.OUT_OF_TURN),
    "never_reads": (never_reads, Offence.LATE),
    "late": (late, Offence.LATE),
}
"""The scripts by name, each with the offence it commits first."""

OWES_AT_ONCE = frozenset({"seed-003"})
"""Dialects in which the mover must acknowledge its move: there a second answer is malformed, not out of
turn."""


def first_offence(name: str, dialect: str, *, messages: bool = False) -> Offence:
    """Return the first offence of a rogue.

    On a transport of `messages`, not a byte stream, each message is judged by itself, so a flood is out of
    turn at its second message.
    """
    offence = MISCHIEF[name][1]
    if name == "flooder" and messages:
        offence = Offence.OUT_OF_TURN
    if offence is Offence.OUT_OF_TURN and dialect in OWES_AT_ONCE:
        return Offence.MALFORMED
    return offence


def script(name: str, dialect: str, signs_up: str | None = None, turns: int = 1) -> Script:
    """Return the script of a player, honest or rogue, by its name."""
    found = HONEST.get(name) or MISCHIEF[name][0]
    return found(DialectPlayer(dialect, signs_up, turns))


def main() -> None:
    """Run one of the players as a process."""
    names = [*HONEST, *MISCHIEF]
    if len(sys.argv) != 3 or sys.argv[1] not in names:
        sys.exit(f"usage: python -m touchline.testing.dialect_rogues {'|'.join(names)} DIALECT")
    try:
        enact(script(sys.argv[1], sys.argv[2]), lambda line: line.rstrip(b"\r\n"))
    except TouchlineError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
