"""A player in this process that computes its moves in a thread, so that the event loop stays responsive.

Laws of this file: a player that computes delays no other player and no other clock; its own clock starts when
a thread is free for it, or at once if it is still busy with an earlier question; the face is called in
threads only, the table on the event loop only.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.messages import QUESTIONS
from touchline.dialects import DEFAULT
from touchline.players.in_dialect import InDialect

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat
    from touchline.dialects.base import Dialect, Face


class InThread(InDialect):
    """A dialect's face as a player at a table, which hears and answers in threads."""

    def __init__(self, face: Face, dialect: Dialect, threads: Executor, goodbye: float) -> None:
        """`goodbye` is the time in seconds that the player has for the last messages after `close()`."""
        super().__init__(face, dialect)
        self._threads, self._goodbye = threads, goodbye
        self._left: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def sit(self, seat: Seat, table: Any) -> None:
        super().sit(seat, table)
        self._loop = asyncio.get_running_loop()

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, QUESTIONS):
            self.handed_over = self._table.now() if self._hearing else None
        self._exchange(self.dialect.say(message))

    def _hear_on(self) -> None:
        if self._heard:
            self._hearing = True
            hearing = self._threads.submit(self._hear_in_thread, self._heard.popleft())
            hearing.add_done_callback(lambda done: self._on_the_loop(lambda: self._answered(done)))

    def _hear_in_thread(self, frame: bytes) -> list[bytes]:
        """Pass a frame to the face; runs in a thread."""
        self._on_the_loop(self._begun)
        return self.face.hear(frame)

    def _on_the_loop(self, call: Callable[[], None]) -> None:
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the loop is closed: the match is over
            self._loop.call_soon_threadsafe(call)

    def _begun(self) -> None:
        if self.handed_over is None:
            self.handed_over = self._table.now()
            self._table.started()

    def _answered(self, done: Future[list[bytes]]) -> None:
        self._hearing = False
        self._answer(done.result)
        if not self._hearing:
            self._hear_on()
        if not self._hearing:
            self._gone()

    def close(self, *, at_once: bool) -> asyncio.Future[None] | None:  # type: ignore[override]
        """Dismiss the player; if it is still busy, wait up to `goodbye` seconds for it."""
        if not self._hearing:
            return None
        assert self._loop is not None
        self._left = self._loop.create_future()
        self._loop.call_later(self._goodbye, self._gone)
        return self._left

    def _gone(self) -> None:
        if self._left is not None and not self._left.done():
            self._left.set_result(None)


def in_thread(player: Any, game: Game, threads: Executor, goodbye: float = 1.0) -> InThread:
    """Wrap a bot or an `InDialect` player so that it computes its moves in these threads."""
    if isinstance(player, InDialect):
        return InThread(player.face, player.dialect, threads, goodbye)
    dialect = registry.dialect(DEFAULT)
    return InThread(dialect.face(player), dialect(game), threads, goodbye)
