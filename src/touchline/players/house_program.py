"""A program as a house player on an event loop: started for its table, and stopped when it has left."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.dialects import DEFAULT
from touchline.players.by_name import dialect_of, player
from touchline.players.process_connection import ProcessConnection
from touchline.players.remote import Remote
from touchline.transports.shared.framing import MOST_FRAME

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from touchline.core.rules import Game
    from touchline.players.process import Program
    from touchline.sandbox.launch import Sandbox

GOODBYE = 1.0
"""Seconds in which the program may read its last messages and exit."""


class HouseProgram(Remote):
    """A player over the pipes of a program that is ours to stop."""

    def __init__(self, word: str, game: Game, seed: str, sandbox: Sandbox) -> None:
        """Start the program that a word names. BadOptions or OSError if that is impossible."""
        self.program: Program = player(word, game, seed, sandbox=sandbox)
        dialect = registry.dialect(dialect_of(word) or DEFAULT)(game)
        self._pipes = ProcessConnection(self.program, GOODBYE, max(MOST_FRAME, dialect.longest))
        super().__init__(self._pipes, dialect, goodbye=GOODBYE, meter=self.program.meter)

    def close(self, *, at_once: bool) -> asyncio.Future[None]:
        """Close the pipes, and stop the program with everything that it has started."""
        return asyncio.ensure_future(self._stopped(super().close(at_once=at_once)))

    async def _stopped(self, going: Awaitable[None] | None) -> None:
        if going is not None:
            await going
        self._pipes.release()
        await asyncio.to_thread(self.program.stop, GOODBYE)
