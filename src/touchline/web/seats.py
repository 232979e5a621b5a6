"""Who sits at a table of the page: somebody at a browser, or a house player that thinks elsewhere.

Laws of this file: a browser's seat is a player like any other, and what its user does goes to the referee as
it is; who leaves may come back with the token, and the clock has not stopped; a house player thinks in
another process, and its clock runs from when it begins to think.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.conduct import Offence
from touchline.core.errors import TouchlineError
from touchline.core.messages import Accepted, Act, Begin, Expelled, Onward, Ready, Rejected, Resign, YourTurn
from touchline.players.base import Player
from touchline.web import schema
from touchline.web.workers import jobs
from touchline.web.workers.pool import Busy, Failed, Overdue

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat
    from touchline.players.base import Table
    from touchline.web.workers.pool import Workers

log = logging.getLogger(__name__)

LONGEST = 60.0
"""Seconds that a house player may think where the clock sets no limit."""


class BrowserSeat(Player):
    """A player at a browser: told by the feed, heard by the API."""

    latency: Micros = 0
    handed_over: Micros | None = None

    def __init__(self, touched: Callable[[], None], patience: float) -> None:
        self._touched, self._patience = touched, patience
        self._table: Table | None = None
        self._seat: Seat = 0
        self._question: YourTurn | None = None
        self._greeted = False
        self._heard_of = False
        self._answer = schema.Heard(0, "ignored")
        self._connections = 0
        self._leaving: asyncio.TimerHandle | None = None

    # -- at the table -------------------------------------------------------------------------

    def sit(self, seat: Seat, table: Table) -> None:
        self._seat, self._table = seat, table

    def tell(self, message: ToPlayer) -> None:
        assert self._table is not None
        match message:
            case Begin():
                self.handed_over, self._greeted = self._table.now(), True
                if self._heard_of:
                    self._get_ready()
            case Onward():
                self.handed_over = self._table.now()
                self._table.hear(self._seat, Ready())
            case YourTurn():
                self.handed_over, self._question = self._table.now(), message
            case Accepted(turn):
                self._answer = schema.Heard(turn, "accepted")
            case Rejected(turn, reason):
                self._answer = schema.Heard(turn, "rejected", reason)
            case Expelled(reason):
                self._answer = schema.Heard(self._answer.turn, "rejected", reason)
        self._touched()

    def close(self, *, at_once: bool) -> None:
        self._table = self._question = None
        self._calm()

    # -- at the browser -----------------------------------------------------------------------

    @property
    def question(self) -> YourTurn | None:
        """What it is asked now."""
        asked = self._table is not None and self._table.awaits(self._seat)
        return self._question if asked else None

    @property
    def away(self) -> bool:
        return self._heard_of and not self._connections

    def heard_of(self) -> None:
        """There is somebody: that is all it takes to be ready."""
        first, self._heard_of = not self._heard_of, True
        if first and self._greeted:
            self._get_ready()
        if not self._connections:
            self._wait()

    def connect(self) -> None:
        self._connections += 1
        self._calm()
        self.heard_of()
        self._touched()

    def disconnect(self) -> None:
        self._connections -= 1
        if not self._connections:
            self._wait()
            self._touched()

    def _get_ready(self) -> None:
        if self._table is not None:
            self._table.hear(self._seat, Ready(updates=True))

    def _wait(self) -> None:
        """Nobody is connected: they may come back for a while."""
        self._calm()
        if self._table is not None:
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(self._patience, self._left)

    def _left(self) -> None:
        if self._table is not None:
            self._table.fail(self._seat, Offence.GONE, "left the table and did not come back")

    def _calm(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    def move(self, move: Any, turn: int) -> schema.Heard:
        """Hand a move to the referee; what came of it."""
        if self._table is None:
            return schema.Heard(turn, "ignored", "you do not sit at this table any more")
        self._answer = schema.Heard(turn, "ignored", f"turn {turn} is over")
        self._table.hear(self._seat, Act(move, turn))
        return self._answer

    def resign(self) -> None:
        if self._table is not None:
            self._table.hear(self._seat, Resign())


class HouseSeat(Player):
    """A house player, which is asked in another process."""

    latency: Micros = 0
    handed_over: Micros | None = None

    def __init__(
        self, workers: Workers, game: Game, player: str, options: dict[str, Any], seed: str, pace: float
    ) -> None:
        self._workers, self._game = workers, game
        self._player, self._options, self._seed, self._pace = player, options, seed, pace
        self._written: dict[str, Any] = msgspec.to_builtins(game)
        self._decode = msgspec.json.Decoder(game.Move).decode
        self._table: Table | None = None
        self._seat: Seat = 0
        self._thinking: asyncio.Task[None] | None = None

    def sit(self, seat: Seat, table: Table) -> None:
        self._seat, self._table = seat, table

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, Begin | Onward):
            self._begin()
            assert self._table is not None
            self._table.hear(self._seat, Ready())
        elif isinstance(message, YourTurn):
            self.handed_over = None
            self._thinking = asyncio.ensure_future(self._think(message))

    def _begin(self) -> None:
        """The clock runs."""
        if self._table is not None:
            self.handed_over = self._table.now()
            self._table.started()

    async def _think(self, question: YourTurn) -> None:
        job = jobs.Choose(
            game=self._game.name, options=self._written,
            position=msgspec.json.encode(question.view.position()),
            player=self._player, player_options=self._options, seed=self._seed, turn=question.turn,
        )  # fmt: skip
        seconds = LONGEST if question.allowance is None else question.allowance / 1e6 + 1
        try:
            said = await self._workers.do(job, bytes, seconds=seconds, urgent=True, started=self._begin)
            move = self._decode(said)
        except Busy as error:
            if self._table is not None:
                self._table.broken(f"seat {self._seat} could not be asked: {error}")
            return
        except (Overdue, Failed, TouchlineError, msgspec.MsgspecError) as error:
            if self._table is not None:
                self._table.fail(self._seat, Offence.GONE, str(error))
            return
        await self._pause()
        if self._table is not None:
            self._table.hear(self._seat, Act(move, question.turn))

    async def _pause(self) -> None:
        """Take as long as was agreed, so that people can follow."""
        if self._table is not None and self.handed_over is not None:
            await asyncio.sleep(self._pace - (self._table.now() - self.handed_over) / 1e6)

    def close(self, *, at_once: bool) -> None:
        self._table = None
        if self._thinking is not None:
            self._thinking.cancel()
