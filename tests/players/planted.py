"""Players in this process for `run_player_check`: honest ones, and ones with one planted mistake each."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any

from touchline.dialects import native
from touchline.testing.player_check import StepResult, run_player_check
from touchline.testing.player_session import LoggedConnection, Session
from touchline.testing.transcript import word_of
from touchline.transports.shared.buffered import BufferedConnection

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.players.process import Program

MOVING = {
    "get-placement", "get-movement", "notifyTurn", "request", "RequestMove", "TakeTurn", "take-turn",
    "your_turn",
}  # fmt: skip
"""The words that ask for a move; the `setup` of fish-course does so, too."""
LAST = {"finalize", "NotifyGameOver", "EndOfGame", "end", "win"}
"""The last calls that are answered."""
NOBODY = {
    "native": b'{"type":"act","turn":%d,"move":{"from":[9,9],"to":[9,9]}}',
    "seed-000": b'{"x":99,"y":99}',
    "seed-001": b'["placePenguin",[[99,99]]]',
    "seed-002": b"move(f(9 9) t(9 9))",
    "seed-003": b'{"slide":{"type":"SlideRowLeft","index":99},"rotation":0,"destination":[0,0]}',
    "seed-004": b'{"slide":{"direction":"LEFT","index":99,"rotations":0},"destination":[0,0]}',
    "fish-course": b"[99,99]",
    "labyrinth-course": b'[99,"LEFT",0,{"row#":0,"column#":0}]',
}
"""A move that nobody may make, in each dialect."""


class First:
    """Make the first legal move."""

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[0]


class Remembering:
    """Believe that the game went on from its own last move, and move from there."""

    def __init__(self) -> None:
        self._after: Any = None

    def choose(self, view: Any, turn: int) -> Any:
        if self._after is not None:
            expected = [self._after.play(move) for move in self._after.legal_moves()]
            if view not in expected:
                view = expected[0] if expected[0].to_move is not None else view
        move = view.legal_moves()[-1]
        self._after = view.play(move)
        return move


class Player:
    """An honest player in a dialect: `hear` gives its answers to a frame."""

    chatter: bytes | None = None
    """What it says when nothing happens for a while."""

    def __init__(self, module: type[Dialect], bot: Any = None) -> None:
        self.name = module.name
        self.face = module.face(bot or First(), rng=Random(0))

    def hear(self, frame: bytes) -> list[bytes]:
        answers: list[bytes] = self.face.hear(frame)
        return answers

    def moving(self, frame: bytes) -> bool:
        word = word_of(frame)
        return word in MOVING or (self.name, word) == ("fish-course", "setup")


class Illegal(Player):
    def hear(self, frame: bytes) -> list[bytes]:
        if not self.moving(frame):
            return super().hear(frame)
        nobody = NOBODY[self.name]
        return [nobody % json.loads(frame)["turn"] if b"%d" in nobody else nobody]


class Silent(Player):
    def hear(self, frame: bytes) -> list[bytes]:
        return [] if self.moving(frame) else super().hear(frame)


class Unreadable(Player):
    def hear(self, frame: bytes) -> list[bytes]:
        return [b"?"] if self.moving(frame) else super().hear(frame)


class Talkative(Player):
    chatter = b'"hello?"'


class Counting(Player):
    """Native: number the turns by its own count."""

    _turns = 0

    def hear(self, frame: bytes) -> list[bytes]:
        answers = super().hear(frame)
        if self.moving(frame):
            answers = [json.dumps({**json.loads(answers[0]), "turn": self._turns}).encode()]
            self._turns += 1
        return answers


class Once(Player):
    """Answer no question twice."""

    _answered = b""

    def hear(self, frame: bytes) -> list[bytes]:
        if self.moving(frame):
            if frame == self._answered:
                return []
            self._answered = frame
        return super().hear(frame)


class Picky(Player):
    """Native: crash at a word that it does not know."""

    def hear(self, frame: bytes) -> list[bytes]:
        if word_of(frame) not in native.Native.words:
            raise ValueError(frame)
        return super().hear(frame)


class Rude(Player):
    """Do not answer the last call."""

    def hear(self, frame: bytes) -> list[bytes]:
        answers = super().hear(frame)
        return [] if word_of(frame) in LAST else answers


class Thankful(Player):
    """Answer the last call with something else."""

    def hear(self, frame: bytes) -> list[bytes]:
        answers = super().hear(frame)
        return [b'"thanks"'] if word_of(frame) in LAST else answers


class Boardless(Player):
    """Seed 004: answer `ProposeBoard` with no board."""

    def hear(self, frame: bytes) -> list[bytes]:
        return [b'"none"'] if word_of(frame) == "ProposeBoard" else super().hear(frame)


class Near(BufferedConnection):
    """A connection to a player in this process."""

    where = "here"
    latency = 0
    taken = True

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player, self._loop = player, asyncio.get_running_loop()
        self._chatter: asyncio.TimerHandle | None = None

    def send(self, frame: bytes) -> None:
        self._loop.call_soon(self._hear, frame)

    def _hear(self, frame: bytes) -> None:
        if self._chatter is not None:
            self._chatter.cancel()
        try:
            self.deliver(self._player.hear(frame))
        except ValueError as error:
            self.fail("lost", f"crashed: {error}")
        if self._player.chatter is not None:
            self._chatter = self._loop.call_later(0.1, self.deliver, [self._player.chatter])

    def measure(self) -> None:
        """There is nothing to measure."""

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True


class Here:
    """Players of this process as they are made, one for every session."""

    signs_up = False

    def __init__(self, make: Callable[[], Player], module: type[Dialect], game: Game, seconds: float) -> None:
        self._make, self._module, self._game, self._seconds = make, module, game, seconds
        self.last: Session | None = None
        self.program: Program | None = None

    async def check(self) -> list[StepResult]:
        return await run_player_check(self, self._module, self._game, self._seconds)

    @asynccontextmanager
    async def session(self, what: str) -> AsyncIterator[Session]:
        connection = LoggedConnection(Near(self._make()))
        self.last = Session(connection, self._module(self._game), self._seconds)
        yield self.last
        connection.close()
