"""A player in this process that speaks a dialect: a class with the methods of a seed's note, for example.

It exchanges the same frames as over a network, so neither the player nor the referee sees a difference. A
player in this process cannot be interrupted: use trusted code only.
"""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from touchline.core.conduct import Offence
from touchline.core.messages import QUESTIONS
from touchline.core.text import PendingFrames
from touchline.players.base import Player

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from touchline.core.clock import Micros
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect, Exchange, Face
    from touchline.transports.base import Receiver


class InDialect(Player):
    """A dialect's face as a player at a table."""

    latency: Micros = 0
    handed_over: Micros | None = None

    def __init__(self, face: Face, dialect: Dialect) -> None:
        self.face, self.dialect = face, dialect
        self._seat: Seat = 0
        self._table: Any = None
        self._heard: deque[bytes] = deque()
        self._hearing = False
        self._pending = PendingFrames()

    def sit(self, seat: Seat, table: Any) -> None:
        self._seat, self._table = seat, table

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, QUESTIONS):
            self.handed_over = self._table.now()
        self._exchange(self.dialect.say(message))

    def _exchange(self, exchange: Exchange) -> None:
        self._heard += exchange.frames
        raw = self._pending.take() if exchange.said else UNSET
        for said in exchange.said:
            self._table.hear(self._seat, said, raw or UNSET)
            raw = UNSET  # it belongs to the first of them
        if not self._hearing:  # else the loop in _hear_on takes it from the queue
            self._hear_on()

    def _hear_on(self) -> None:
        """Pass the queued frames to the face, one at a time."""
        self._hearing = True
        try:
            while self._heard:
                self._answer(partial(self.face.hear, self._heard.popleft()))
        finally:
            self._hearing = False

    def _answer(self, answers: Callable[[], list[bytes]]) -> None:
        """Pass the face's answers to the table, or report that it raised an exception."""
        try:
            said = answers()
        except Exception as error:
            self._heard.clear()
            self._table.fail(self._seat, Offence.GONE, f"raised {type(error).__name__}: {error}")
            return
        for answer in said:
            self._pending.add(answer)
            waited = 0 if self.handed_over is None else self._table.now() - self.handed_over
            self._exchange(self.dialect.hear(answer, waited))

    def close(self, *, at_once: bool) -> None:
        return None


class InProcessConnection:
    """A connection to a player in this process, for messages before the match; `InDialect` plays the match.

    With `threads`, the face hears and answers in one of them.
    """

    def __init__(self, player: InDialect, threads: Executor | None) -> None:
        self.connection, self.dialect = self, player.dialect
        self._face, self._threads = player.face, threads
        self._receiver: Receiver | None = None
        self._hearing: set[asyncio.Task[None]] = set()

    def listen(self, receiver: Receiver) -> None:
        self._receiver = receiver

    def send(self, frame: bytes) -> None:
        task = asyncio.ensure_future(self._hear(frame))
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)

    async def _hear(self, frame: bytes) -> None:
        assert self._receiver is not None
        try:
            if self._threads is None:
                answers = self._face.hear(frame)
            else:
                loop = asyncio.get_running_loop()
                answers = await loop.run_in_executor(self._threads, self._face.hear, frame)
        except Exception as error:  # any exception is the player's fault
            self._receiver.lost(f"raised {type(error).__name__}: {error}")
            return
        for answer in answers:
            self._receiver.frame(answer)
