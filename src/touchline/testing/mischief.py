"""Players that misbehave in any dialect, and some that only look as if they did.

Each speaks through the dialect's own face, honestly, until it is asked for a move for the first or second
time; then it does what it is named after. So the same rogue plays in every dialect that there is: in virtual
time, over TCP or a WebSocket (see `wires`), and as a process, `python -m touchline.testing.mischief NAME
DIALECT`. What only native has, and what only a process can do, is in `rogues`.

Law of this file: every loop is bounded, and what a rogue sends is too.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import TouchlineError
from touchline.testing.rogues import LONG, Exit, Read, Sleep, Write, enact

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from touchline.testing.rogues import Deed

Script: TypeAlias = "Generator[Deed, bytes, None]"
"""What a player does; it is told each frame that it reads."""

EAGER = 3
"""So many questions are answered with the first legal move, and all others with the last one: in Labyrinth
that is to pass, and a match in which everybody passes is over soon."""
NOWHERE = (99, 99)
"""A square of no board."""
TOO_LONG = 1.5
"""Seconds: late where a move has one second."""
BLANKS = b" " * 4096


class Speaker:
    """An honest player of a dialect, who knows whether it was just asked for a move."""

    def __init__(self, dialect: str, name: str | None = None, turns: int = 1) -> None:
        """One with a name signs up first, as it must over a network; for so many `turns` it is honest."""
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
        """Whether it has heard its last word."""
        return self._face.over

    def sign_up(self) -> bytes:
        return b"" if self._name is None else lines(self._face.sign_up(self._name))

    def hear(self, frame: bytes) -> bytes:
        """What it answers."""
        return lines(self._face.hear(frame))

    def again(self, answer: bytes) -> bytes:
        """Its last answer once more; where answers are numbered, with the next number: it is not stale."""
        if not self._numbered:
            return answer
        said = msgspec.json.decode(answer)
        return lines([msgspec.json.encode({**said, "turn": said["turn"] + 1})])


def lines(frames: Iterable[bytes]) -> bytes:
    return b"".join(frame + b"\n" for frame in frames)


def illegal(move: Any) -> Any:
    """The move with an impossible end: in every game of the house the last field is where it leads."""
    return msgspec.structs.replace(move, **{move.__struct_fields__[-1]: NOWHERE})


def playing(speaker: Speaker, send: Callable[[bytes], Iterable[Deed]]) -> Script:
    """Play honestly, and send every answer in this way; who has not begun yet signs up."""
    if speaker.questions == 0:
        yield from send(speaker.sign_up())
    while True:
        yield from send(speaker.hear((yield Read())))


def until_asked(speaker: Speaker, less: int = 0) -> Generator[Deed, bytes, bytes]:
    """Play honestly for one's honest turns, or so many `less`; the answer that is then owed."""
    yield Write(speaker.sign_up())
    while True:
        answer = speaker.hear((yield Read()))
        if speaker.questions > speaker.turns - less:
            return answer
        yield Write(answer)


# -- the honest ---------------------------------------------------------------------------------


def honest(speaker: Speaker) -> Script:
    """Does everything as it should."""
    return playing(speaker, _plainly)


def _plainly(answer: bytes) -> Iterable[Deed]:
    yield Write(answer)


def trickler(speaker: Speaker) -> Script:
    """Sends everything byte by byte, in time."""
    return playing(speaker, _bytewise)


def _bytewise(answer: bytes) -> Iterable[Deed]:
    for byte in answer:
        yield Write(bytes([byte]))
        yield Sleep(0.0001)


def padder(speaker: Speaker) -> Script:
    """Sends thousands of blanks before everything it says."""
    return playing(speaker, _padded)


def _padded(answer: bytes) -> Iterable[Deed]:
    yield Write(b"".join(BLANKS + line for line in answer.splitlines(keepends=True)))


# -- the others ---------------------------------------------------------------------------------


def sleeper(speaker: Speaker) -> Script:
    """Hears the question and does not answer."""
    yield from until_asked(speaker)
    yield Sleep(LONG)


def dozer(speaker: Speaker) -> Script:
    """Does not answer anything at all."""
    yield Write(speaker.sign_up())
    yield Sleep(LONG)


def crasher(speaker: Speaker) -> Script:
    """Ends when it is asked."""
    yield from until_asked(speaker)
    yield Exit(1)


def quitter(speaker: Speaker) -> Script:
    """Ends before it has sat down."""
    yield Write(speaker.sign_up())
    yield Exit(0)


def liar(speaker: Speaker) -> Script:
    """Makes moves that are well formed and against the rules."""
    lie = yield from until_asked(speaker, less=1)
    yield Write(lie)
    speaker.lies = True
    while not speaker.over:
        frame = yield Read()
        answer = speaker.hear(frame)
        lie = answer or lie
        # Where a player makes requests, its turn lasts when one is rejected, and it is not asked again.
        yield Write(lie if b"rejectMove" in frame else answer)
    yield Sleep(LONG)


def babbler(speaker: Speaker) -> Script:
    """Answers with what is no answer."""
    yield from until_asked(speaker)
    for words in (b"hello\n", b"{}\n", b"\xff\xfe\n", b'"void"\n'):
        yield Write(words)
        yield Read()
    yield Sleep(LONG)


def half_frame(speaker: Speaker) -> Script:
    """Sends half an answer and falls silent."""
    answer = yield from until_asked(speaker)
    yield Write(answer[: len(answer) // 2])
    yield Sleep(LONG)


def flooder(speaker: Speaker) -> Script:
    """Sends far more answers than anybody asked for."""
    answer = yield from until_asked(speaker, less=1)
    yield Write(answer + speaker.again(answer) * 2048)
    yield Sleep(LONG)


def long_line(speaker: Speaker) -> Script:
    """Sends an answer without end."""
    yield from until_asked(speaker)
    yield Write(b'"')
    for _ in range(40):
        yield Write(b"x" * 65_536)
    yield Sleep(LONG)


def giant(speaker: Speaker) -> Script:
    """Sends one enormous answer."""
    yield from until_asked(speaker)
    yield Write(b'"' + b"x" * (2 << 20) + b'"\n')
    yield Sleep(LONG)


def early_bird(speaker: Speaker) -> Script:
    """Moves again and again when it has moved."""
    answer = yield from until_asked(speaker, less=1)
    yield Write(answer)
    for _ in range(40):
        yield Sleep(0.001)
        yield Write(speaker.again(answer))
    yield Sleep(LONG)


def double_mover(speaker: Speaker) -> Script:
    """Answers twice, once, and is honest afterwards."""
    answer = yield from until_asked(speaker, less=1)
    yield Write(answer + speaker.again(answer))
    yield from playing(speaker, _plainly)


def never_reads(speaker: Speaker) -> Script:
    """Moves once and never reads a byte again."""
    yield Write((yield from until_asked(speaker, less=1)))
    yield Sleep(LONG)


def late(speaker: Speaker) -> Script:
    """Answers when its time is up."""
    answer = yield from until_asked(speaker)
    yield Sleep(TOO_LONG)
    yield Write(answer)
    yield Sleep(LONG)


HONEST: dict[str, Callable[[Speaker], Script]] = {"honest": honest, "trickler": trickler, "padder": padder}
"""These do nothing wrong."""

MISCHIEF: dict[str, tuple[Callable[[Speaker], Script], Offence]] = {
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
"""By name: the script, and the offence it commits first."""

OWES_AT_ONCE = frozenset({"seed-003"})
"""In these dialects whoever has moved is told of it at once and must say that it has heard: so what it says
more than once is a bad answer, and not out of turn."""


def first_offence(name: str, dialect: str, *, messages: bool = False) -> Offence:
    """What a rogue does wrong first. Where bytes come as `messages` of their own, and not as a stream, there
    cannot be too many at once: each is judged by itself, and the second is one too many."""
    offence = MISCHIEF[name][1]
    if name == "flooder" and messages:
        offence = Offence.OUT_OF_TURN
    if offence is Offence.OUT_OF_TURN and dialect in OWES_AT_ONCE:
        return Offence.MALFORMED
    return offence


def script(name: str, dialect: str, signs_up: str | None = None, turns: int = 1) -> Script:
    """What a player of this name does, rogue or not."""
    found = HONEST.get(name) or MISCHIEF[name][0]
    return found(Speaker(dialect, signs_up, turns))


def main() -> None:
    """Be one of them, as a process."""
    names = [*HONEST, *MISCHIEF]
    if len(sys.argv) != 3 or sys.argv[1] not in names:
        sys.exit(f"usage: python -m touchline.testing.mischief {'|'.join(names)} DIALECT")
    try:
        enact(script(sys.argv[1], sys.argv[2]), lambda line: line.rstrip(b"\r\n"))
    except TouchlineError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
