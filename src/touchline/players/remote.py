"""A player at the other end of a connection: a dialect over a connection.

Laws of this file: a player's clock starts when the question has left our send buffer, but at the latest
`CLOCK_LIMIT` seconds after the question, and at the latest when the connection is lost or replaced; from
then on nothing stops it. A player that does not read for `WRITE_LIMIT` seconds has failed. A player that
reconnects gets the current state. An answer that was received before its question was handed over is out of
turn. After the last message a player has `goodbye` seconds to answer; the answer changes no result.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from touchline.core.clock import HOLDING_BACK, LINGER
from touchline.core.conduct import Offence
from touchline.core.messages import QUESTIONS, Begin, Garbled, Ready, Update, YourTurn
from touchline.core.text import PendingFrames
from touchline.dialects.base import SILENCE, Exchange
from touchline.players.base import Player
from touchline.players.process_connection import ProcessConnection

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from touchline.core.clock import Micros
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect, FastWords
    from touchline.players.base import Table
    from touchline.players.progress import Progress
    from touchline.players.wasm import Meter
    from touchline.sandbox.usage import Usage
    from touchline.transports.base import Connection, Receiver

log = logging.getLogger(__name__)

WRITE_LIMIT = 2.0
"""Seconds that the send buffer may stay non-empty before the player counts as not reading."""
CLOCK_LIMIT = 2.0
"""Seconds after a question at which the clock starts, even if the question has not left our send buffer."""


class Disconnected:
    """The connection of a player that has not come back since the server was restarted."""

    receiver: Receiver | None = None
    where = "nowhere"
    latency: Micros = 0
    reads = 0
    scarce = False
    taken = True

    def listen(self, receiver: Receiver) -> None:
        self.receiver = receiver

    def send(self, frame: bytes) -> None:
        """Drop a frame: the player is told again when it comes back."""

    def measure(self) -> None:
        """Do nothing."""

    def close(self, *, at_once: bool = False) -> None:
        """Do nothing."""


class Remote(Player):
    """A player over a connection: a network connection, or the pipes of a program."""

    handed_over: Micros | None = None

    def __init__(
        self,
        connection: Connection,
        dialect: Dialect,
        *,
        goodbye: float = 1.0,
        patience: float = 0.0,
        keep: bool = False,
        meter: Meter | None = None,
    ) -> None:
        """`goodbye` and `patience` are in seconds; `keep` leaves the connection open after the match.

        `meter` reads the fuel in the frames of a program whose fuel is counted.

        `goodbye` is the time to answer the last message, `patience` the time to reconnect, which only a
        resumable dialect allows.
        """
        self.connection, self.dialect = connection, dialect
        self._goodbye, self._keep, self._meter = goodbye, keep, meter
        self._patience = patience if dialect.resumable else 0.0
        self.remembers = isinstance(connection, Disconnected)
        self._fast: FastWords | None = None
        self._loop = asyncio.get_running_loop()
        self._seat: Seat = 0
        self._table: Table | None = None
        self._asked_in = -1
        """The read of the connection in which the last question was handed over."""
        self._asked = False
        """Whether a question waits in our send buffer, so that its clock does not run yet."""
        self._clock: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._away: asyncio.TimerHandle | None = None
        self._left: asyncio.Future[None] | None = None
        self._parting: asyncio.TimerHandle | None = None
        self._begin: Begin | None = None
        self._question: YourTurn | None = None
        self._view: Any = None
        self._returning = False
        self._pending = PendingFrames()
        self.fell_out: str | None = None
        """The failure after the last message, if there was one."""

    @property
    def latency(self) -> Micros:
        return self.connection.latency

    @property
    def usage(self) -> Usage | None:
        connection = self.connection
        return connection.program.usage if isinstance(connection, ProcessConnection) else None

    @property
    def progress(self) -> Progress | None:
        connection = self.connection
        return connection.progress(self.dialect) if isinstance(connection, ProcessConnection) else None

    def let_think(self, thinks: bool) -> None:
        if isinstance(self.connection, ProcessConnection):
            self.connection.program.let_think(thinks)

    def _measure_usage(self) -> None:
        if (usage := self.usage) is not None:
            usage.asked()

    # -- at the table -------------------------------------------------------------------------

    def sit(self, seat: Seat, table: Table) -> None:
        self._seat, self._table = seat, table
        self._fast = self.dialect.fast if self._meter is None else None
        self._measure()
        self.connection.listen(self)

    def _measure(self) -> None:
        self.connection.measure()
        self.dialect.latency = self.connection.latency

    def tell(self, message: ToPlayer) -> None:
        if self._patience:
            self.remember(message)
        if isinstance(message, QUESTIONS):
            self._hold_clock()
        self._exchange(self.dialect.say(message))

    def _hold_clock(self) -> None:
        """Let the clock of a question wait until the question has left our send buffer, but not for long."""
        self.handed_over, self._asked = None, True
        self._forget_clock()

    def _forget_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _start_clock(self) -> None:
        """Start the clock of the question that stands, unless it runs."""
        self._forget_clock()
        if self._asked and self._table is not None:
            self._measure_usage()
            self.handed_over, self._asked = self._table.now(), False
            self._asked_in = self.connection.reads
            self._table.started()

    def await_return(self) -> bool:
        """Return whether the player is back. If it never is, the restart is the cause: the match is void."""
        if not isinstance(self.connection, Disconnected):
            return True
        if self._away is None:
            self._away = self._loop.call_later(self._patience, self._did_not_come_back)
        return False

    def _did_not_come_back(self) -> None:
        self._away = None
        if self._table is not None:
            self._table.broken(f"seat {self._seat} did not come back after the server restarted")

    def remember(self, message: ToPlayer) -> None:
        """Keep a message that must be sent again after a reconnect."""
        if isinstance(message, Begin):
            self._begin = message
        elif isinstance(message, YourTurn):
            self._question = message
        if isinstance(message, Begin | YourTurn | Update):
            self._view = message.view

    def _exchange(self, exchange: Exchange, *, early: bool = False) -> None:
        """Send frames, and report what the player has said; `early` if it could not know the question."""
        for frame in exchange.frames:
            self.connection.send(frame)
        if not self.connection.taken and self._away is None:
            if self._stuck is None:
                self._stuck = self._loop.call_later(WRITE_LIMIT, self._not_reading)
            if self._asked and self._clock is None:
                self._clock = self._loop.call_later(CLOCK_LIMIT, self._start_clock)
        elif self._asked or self._stuck is not None:
            self.writable()
        if exchange.said:
            self._say(exchange.said, early=early)

    def _say(self, things: Iterable[FromPlayer], *, early: bool) -> None:
        raw, fuel = self._pending.take(), UNSET if self._meter is None else self._meter.fuel
        for said in things:
            if self._returning and isinstance(said, Ready):
                self._returning = False
                continue
            if self._table is not None:
                unasked = early and not isinstance(said, Ready)  # to be ready early gains nothing
                self._table.hear(self._seat, said, raw or UNSET, fuel, unasked=unasked)
                raw = ()  # it belongs to the first of them

    def _fail(self, offence: Offence, why: str) -> None:
        if self._left is not None:
            self.fell_out = why
            self._gone()
        elif self._table is not None:
            self._table.fail(self._seat, offence, why)

    def _not_reading(self) -> None:
        self._stuck = None
        self._fail(Offence.NOT_READING, "does not read what it is sent")

    @property
    def fast(self) -> FastWords | None:
        """The fast words of the dialect; None if it has none, or while the send buffer is not empty."""
        return self._fast if self.connection.taken else None

    def ask(self, turn: int, view: Any, allowance: Micros | None) -> None:
        """Ask the player for a move; the fast path, which builds no message."""
        assert self._fast is not None
        assert self._table is not None
        if self._patience:
            self._question, self._view = YourTurn(turn, view, allowance), view
        self.connection.send(self._fast.ask(turn, view, allowance))
        if self.connection.taken:
            self._measure_usage()
            self.handed_over, self._asked_in = self._table.now(), self.connection.reads
        else:
            self._hold_clock()
            self._exchange(SILENCE)

    # -- callbacks of the connection ----------------------------------------------------------

    def frame(self, frame: bytes) -> None:
        early = self._asked_in == self.connection.reads  # it was sent before the question was handed over
        if self._meter is not None:
            if not self._meter.read(frame):
                if self._meter.ran_out and self._table is not None:
                    self._table.ran_out(self._seat, self._meter.fuel)
                return
            frame = self._meter.line
        try:
            if not early and self._table is not None and self._table.fast_frame(self._seat, frame):
                return
            self._pending.add(frame)
            exchange = self.dialect.hear(frame, self._waited())
        except Exception as error:  # a bug of ours, so no player is at fault
            log.exception("a dialect failed")
            if self._table is not None:
                self._table.broken(f"hearing seat {self._seat}: {error!r}")
            return
        if self._left is None:
            self._exchange(exchange, early=early)
            return
        for answer in exchange.frames:
            self.connection.send(answer)
        for said in exchange.said:
            if isinstance(said, Garbled):  # other messages are late answers to earlier questions
                self.fell_out = said.why
        if not self.dialect.owes and not self.dialect.lingers:
            self._gone()

    def _waited(self) -> Micros:
        """Return the time since the last question was delivered; 0 if it has not been."""
        if self.handed_over is None or self._table is None:
            return 0
        return self._table.now() - self.handed_over

    def lost(self, why: str) -> None:
        self._calm()
        self._start_clock()
        if self._patience > 0 and self._left is None:
            self._away = self._loop.call_later(self._patience, self._fail, Offence.GONE, why)
        else:
            self._fail(self._offence_of_loss(), why)

    def _offence_of_loss(self) -> Offence:
        connection = self.connection
        limit = isinstance(connection, ProcessConnection) and connection.program.broken is not None
        return Offence.LIMIT if limit else Offence.GONE

    def flooded(self, why: str) -> None:
        self._fail(Offence.FLOOD, why)

    def writable(self) -> None:
        self._calm()
        self._start_clock()

    def _calm(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    # -- reconnecting -------------------------------------------------------------------------

    @property
    def seated(self) -> bool:
        """Whether it is still at a table, so that it can reconnect."""
        return self._table is not None

    def come_back(self, connection: Connection) -> None:
        """Replace the connection after a reconnect, and send the current state again."""
        if self._away is not None:
            self._away.cancel()
            self._away = None
        self._start_clock()
        old, self.connection, self._asked_in = self.connection, connection, -1
        old.receiver = None
        old.close(at_once=True)
        self._measure()
        connection.listen(self)
        if self._table is None:
            return
        if self._begin is not None:
            self._repeat(self._begin, connection)
        if self.remembers:
            self._table.returned()

    def _repeat(self, begin: Begin, connection: Connection) -> None:
        """Send the greeting and the question that stands again."""
        assert self._table is not None
        # A second `ready` is ignored, unless the connection was lost before the first.
        self._returning = self._question is not None or not self._table.awaits(self._seat)
        again: list[ToPlayer] = [structs.replace(begin, view=self._view)]
        if self._question is not None and self._table.awaits(self._seat):
            again.append(self._left_of(self._question))
        if self.handed_over is None and self._table.awaits(self._seat):
            self._asked = True  # its clock starts now
        for message in again:
            for frame in self.dialect.say(message).frames:
                connection.send(frame)
        self._exchange(SILENCE)

    def _left_of(self, question: YourTurn) -> YourTurn:
        """Return the question with the time that is left as its allowance."""
        if question.allowance is None or self.handed_over is None or self._table is None:
            return question
        spent = self._table.now() - self.handed_over
        return structs.replace(question, allowance=max(0, question.allowance - spent))

    # -- parting ------------------------------------------------------------------------------

    def close(self, *, at_once: bool) -> asyncio.Future[None] | None:
        """Close the connection, after the answer to the last message if the player owes one."""
        self._table = None
        self._forget_clock()
        if self._away is not None:
            self._away.cancel()
            self._part()
            return None
        lingers = self.dialect.lingers and at_once
        if not lingers and (at_once or not self.dialect.owes):
            self._part()
            return None
        self._left = self._loop.create_future()
        self._calm()
        if lingers:
            self._parting = self._loop.call_later(min(LINGER / 1e6, self._goodbye), self._gone)
        else:
            self._parting = self._loop.call_later(self._goodbye * HOLDING_BACK, self._say_the_rest)
        return self._left

    def _say_the_rest(self) -> None:
        """Stop waiting for an answer: send the frames that were held back for it, then close soon."""
        for frame in self.dialect.part():
            self.connection.send(frame)
        rest = self._goodbye * (1 - HOLDING_BACK)
        self._parting = self._loop.call_later(rest, self._fail, Offence.LATE, "did not answer the last word")

    def _gone(self) -> None:
        self._part()
        if self._left is not None and not self._left.done():
            self._left.set_result(None)

    def _part(self) -> None:
        self._calm()
        if self._parting is not None:
            self._parting.cancel()
        if self._keep and self.fell_out is None and self._away is None:
            self.connection.receiver = None
        else:
            self.connection.close()
