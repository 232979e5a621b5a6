"""A player of this process that thinks in a thread, at a table whose event loop has others to serve.

Laws of this file: while it thinks, nobody else waits and nobody else's time passes; its clock runs from when
a thread is free for it, for that is our affair, and while it is busy with an earlier question, for that is
its own; the face is called in threads only, the table on its loop only.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.messages import QUESTIONS
from touchline.dialects import DEFAULT
from touchline.players.in_dialect import Faced

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat
    from touchline.dialects.base import Dialect, Face


class Aside(Faced):
    """Sit a face at a table, and let it hear and answer in threads."""

    def __init__(self, face: Face, dialect: Dialect, threads: Executor, goodbye: float) -> None:
        """After its last word was said it has `goodbye` seconds to hear it."""
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
            hearing = self._threads.submit(self._hear_aside, self._heard.popleft())
            hearing.add_done_callback(lambda done: self._on_the_loop(lambda: self._answered(done)))

    def _hear_aside(self, frame: bytes) -> list[bytes]:
        """In a thread."""
        self._on_the_loop(self._begun)
        return self.face.hear(frame)

    def _on_the_loop(self, call: Callable[[], None]) -> None:
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody wants to know any more
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
        """Part with it; it may be busy with an earlier question, and has a moment for its last words."""
        if not self._hearing:
            return None
        assert self._loop is not None
        self._left = self._loop.create_future()
        self._loop.call_later(self._goodbye, self._gone)
        return self._left

    def _gone(self) -> None:
        if self._left is not None and not self._left.done():
            self._left.set_result(None)


def aside(player: Any, game: Game, threads: Executor, goodbye: float = 1.0) -> Aside:
    """A bot of this process, or one with a face, so that it thinks in these threads."""
    if isinstance(player, Faced):
        return Aside(player.face, player.dialect, threads, goodbye)
    dialect = registry.dialect(DEFAULT)
    return Aside(dialect.face(player), dialect(game), threads, goodbye)
