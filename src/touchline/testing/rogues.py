"""Misbehaving players of the native dialect, and two honest ones, to test a referee with.

Each is a script of reads, writes and sleeps, so the same rogue runs in virtual time (`Scripted`) and as a
real process: `python -m touchline.testing.rogues NAME`.

Law of this file: every loop is bounded, and a rogue that forks or floods runs as a process only where it can
do no harm.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.dialects import DEFAULT
from touchline.players.remote import Remote
from touchline.testing.scripts import (
    LONG,
    PIPE,
    Exit,
    Harm,
    Read,
    ScriptedConnection,
    Sleep,
    Write,
    enact,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from touchline.core.rules import Game, Seat
    from touchline.testing.scripts import Action


Script: TypeAlias = "Generator[Action, dict[str, Any], None]"
"""The actions of a player; each Read is answered with the decoded message."""

READY = b'{"type":"ready"}\n'


def legal(game: Game, said: dict[str, Any]) -> bytes:
    """Return an answer with the first legal move."""
    view = game.restore(msgspec.convert(said["position"], game.Position))
    return answer(said["turn"], view.legal_moves()[0])


def answer(turn: int, move: Any) -> bytes:
    return msgspec.json.encode({"type": "act", "turn": turn, "move": move}) + b"\n"


def seated() -> Generator[Action, dict[str, Any], Game]:
    """Answer `begin` with `ready`, and return the game."""
    begun = yield Read()
    yield Write(READY)
    return registry.game(begun["game"], begun["options"])


def honest() -> Script:
    """Always plays the first legal move."""
    yield from until_turn(10**9)


def until_turn(turns: int) -> Generator[Action, dict[str, Any], tuple[Game, dict[str, Any]]]:
    """Play `turns` honest turns, and return the game and the next question, unanswered."""
    game = yield from seated()
    while True:
        said = yield Read()
        if said["type"] != "your_turn":
            continue
        if turns == 0:
            return game, said
        turns -= 1
        yield Write(legal(game, said))


def sleeper() -> Script:
    """Never answers its second turn."""
    yield from until_turn(1)
    yield Sleep(LONG)


def dozer() -> Script:
    """Never answers `begin`."""
    yield Sleep(LONG)


def crasher() -> Script:
    """Exits in its second turn."""
    yield from until_turn(1)
    yield Exit(1)


def quitter() -> Script:
    """Exits before it has taken its seat."""
    yield Exit(0)


def liar() -> Script:
    """Sends well-formed but illegal moves."""
    game, said = yield from until_turn(1)
    bad = illegal_move(game, said)
    while True:
        yield Write(answer(said["turn"], bad))
        while (said := (yield Read()))["type"] != "your_turn":
            pass


def illegal_move(game: Game, said: dict[str, Any]) -> Any:
    """Return a move of the game that is illegal in this position."""
    view = game.restore(msgspec.convert(said["position"], game.Position))
    legal_now = set(view.legal_moves())
    return next(move for move in game.all_moves() if move not in legal_now)


def babbler() -> Script:
    """Answers with malformed messages."""
    yield from until_turn(1)
    for words in (b"hello\n", b"{}\n", b'{"type":"act"}\n', b"\xff\xfe\n", b"[" * 10_000 + b"\n", b"null\n"):
        yield Write(words)
        yield Read()
    yield Sleep(LONG)


def half_frame() -> Script:
    """Sends half an answer and stops."""
    game, said = yield from until_turn(1)
    whole = legal(game, said)
    yield Write(whole[: len(whole) // 2])
    yield Sleep(LONG)


def trickler() -> Script:
    """Sends honest answers byte by byte, in time, which is no offence."""
    game = yield from seated()
    while True:
        said = yield Read()
        if said["type"] == "your_turn":
            for byte in legal(game, said):
                yield Write(bytes([byte]))
                yield Sleep(0.0001)


def flooder() -> Script:
    """Sends hundreds of thousands of messages at once."""
    yield from until_turn(1)
    for _ in range(64):
        yield Write(b'{"type":"ready"}\n' * 4096)
    yield Sleep(LONG)


def long_line() -> Script:
    """Sends a line that never ends."""
    yield from until_turn(1)
    for _ in range(40):
        yield Write(b"[" * 65_536)
    yield Sleep(LONG)


def early_bird() -> Script:
    """Keeps sending moves after its own."""
    game, said = yield from until_turn(0)
    yield Write(legal(game, said))
    for _ in range(40):
        yield Write(answer(said["turn"] + 1, illegal_move(game, said)))
        yield Sleep(0.001)
    yield Sleep(LONG)


def double_mover() -> Script:
    """Answers one question twice."""
    game, said = yield from until_turn(0)
    yield Write(legal(game, said) + answer(said["turn"] + 1, illegal_move(game, said)))
    yield Sleep(LONG)


def never_reads() -> Script:
    """Says that it is ready and stops reading."""
    yield Write(READY)
    yield Sleep(LONG)


def late() -> Script:
    """Answers after its deadline."""
    game, said = yield from until_turn(1)
    yield Sleep((said["milliseconds"] or 1000) / 1000 + 0.5)
    yield Write(legal(game, said))
    yield Sleep(LONG)


def parrot() -> Script:
    """Repeats its first answer, with its first turn number, in every turn."""
    game, said = yield from until_turn(0)
    same = legal(game, said)
    while True:
        yield Write(same)
        while (yield Read())["type"] != "your_turn":
            pass


def forker() -> Script:
    """Starts detached processes, and sleeps."""
    yield from until_turn(1)
    yield Harm(_fork_and_hide)
    yield Sleep(LONG)


def stubborn() -> Script:
    """Ignores SIGTERM, SIGHUP and SIGINT."""
    yield Harm(_ignore_signals)
    yield from until_turn(1)
    yield Sleep(LONG)


def _fork_and_hide() -> None:
    for _ in range(3):  # orphans in sessions of their own that ignore signals and hold no pipe of ours
        subprocess.Popen(
            ["sh", "-c", "trap '' TERM HUP INT; setsid sleep 60 & setsid sleep 60 & wait"],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def _ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


ROGUES: dict[str, tuple[Callable[[], Script], Offence]] = {
    "sleeper": (sleeper, Offence.LATE),
    "dozer": (dozer, Offence.LATE),
    "crasher": (crasher, Offence.GONE),
    "quitter": (quitter, Offence.GONE),
    "liar": (liar, Offence.ILLEGAL),
    "babbler": (babbler, Offence.MALFORMED),
    "half_frame": (half_frame, Offence.LATE),
    "flooder": (flooder, Offence.FLOOD),
    "long_line": (long_line, Offence.FLOOD),
    "early_bird": (early_bird, Offence.OUT_OF_TURN),
    "double_mover": (double_mover, Offence.OUT_OF_TURN),
    "never_reads": (never_reads, Offence.LATE),
    "late": (late, Offence.LATE),
    "parrot": (parrot, Offence.LATE),
    "forker": (forker, Offence.LATE),
    "stubborn": (stubborn, Offence.LATE),
}
"""The scripts by name, each with the offence it commits first."""


class Scripted(Remote):
    """A player on the event loop that runs a script."""

    def __init__(self, script: Callable[[], Script], game: Game, *, pipe: int = PIPE) -> None:
        self._made = script, pipe
        self.dialect = registry.dialect(DEFAULT)(game)

    def sit(self, seat: Seat, table: Any) -> None:
        script, pipe = self._made
        super().__init__(ScriptedConnection(script(), pipe), self.dialect)
        super().sit(seat, table)


def main() -> None:
    """Run one of the players as a process."""
    names = {**{name: script for name, (script, _) in ROGUES.items()}, "honest": honest, "trickler": trickler}
    if len(sys.argv) != 2 or sys.argv[1] not in names:
        sys.exit(f"usage: python -m touchline.testing.rogues {'|'.join(names)}")
    enact(names[sys.argv[1]](), msgspec.json.decode)


if __name__ == "__main__":
    main()
