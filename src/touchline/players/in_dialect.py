"""A player in this process that speaks a dialect: a class with the methods of a seed's note, for example.

It hears and says the very frames that would go over a wire, so it cannot tell the difference, and neither can
the referee. Like every player in this process it cannot be stopped: only code that you trust may be one.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from touchline.core.conduct import Offence
from touchline.core.messages import QUESTIONS
from touchline.players.base import Player

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect, Exchange, Face


class Faced(Player):
    """Sit a face at a table in this process."""

    latency: Micros = 0
    handed_over: Micros | None = None

    def __init__(self, face: Face, dialect: Dialect) -> None:
        self.face, self.dialect = face, dialect
        self._seat: Seat = 0
        self._table: Any = None
        self._heard: deque[bytes] = deque()
        self._hearing = False

    def sit(self, seat: Seat, table: Any) -> None:
        self._seat, self._table = seat, table

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, QUESTIONS):
            self.handed_over = self._table.now()
        self._exchange(self.dialect.say(message))

    def _exchange(self, exchange: Exchange) -> None:
        self._heard += exchange.frames
        for said in exchange.said:
            self._table.hear(self._seat, said)
        if not self._hearing:  # else it is in the middle of hearing something, and will come to this
            self._hear_on()

    def _hear_on(self) -> None:
        """Let it hear what has been said to it, one frame after the other."""
        self._hearing = True
        try:
            while self._heard:
                self._answer(partial(self.face.hear, self._heard.popleft()))
        finally:
            self._hearing = False

    def _answer(self, answers: Callable[[], list[bytes]]) -> None:
        """Pass on what it answers, or that it failed to."""
        try:
            said = answers()
        except Exception as error:
            self._heard.clear()
            self._table.fail(self._seat, Offence.GONE, f"raised {type(error).__name__}: {error}")
            return
        for answer in said:
            waited = 0 if self.handed_over is None else self._table.now() - self.handed_over
            self._exchange(self.dialect.hear(answer, waited))

    def close(self, *, at_once: bool) -> None:
        return None
