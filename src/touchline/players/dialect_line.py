"""A line to a player of this process that speaks a dialect: what is sent is heard by its face at once.

It is for what is said before a match begins; at a table the player is a `Faced` or an `Aside`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from touchline.players.in_dialect import Faced
    from touchline.transports.base import Receiver


class FaceLine:
    """The line to one player; with threads, the player hears and answers in one of them."""

    def __init__(self, player: Faced, threads: Executor | None) -> None:
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
        except Exception as error:  # whatever it is, it is the player's
            self._receiver.lost(f"raised {type(error).__name__}: {error}")
            return
        for answer in answers:
            self._receiver.frame(answer)
