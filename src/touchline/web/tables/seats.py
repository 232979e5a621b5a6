"""Players of the page's tables: a person at a browser, or a house player that thinks in a worker process.

Rules of this file: the moves of a browser go to the referee unchecked, as those of any player; a person who
disconnects may come back with the token, and the clock runs on meanwhile; the clock of a house player starts
when its worker starts to think; after a restart of the server a person is waited for, and no clock runs
before everybody is back.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions, TouchlineError
from touchline.core.messages import Accepted, Act, Begin, Expelled, Onward, Ready, Rejected, Resign, YourTurn
from touchline.core.text import received
from touchline.players.base import Player
from touchline.web import schema
from touchline.web.workers import player_jobs
from touchline.web.workers.lanes import Busy
from touchline.web.workers.pool import JobFailed, Overdue, WorkerDied

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat
    from touchline.drivers.match import MatchSpec
    from touchline.players.base import Table
    from touchline.web.workers.pool import JobPool

log = logging.getLogger(__name__)

LONGEST = 60.0
"""Timeout of a house player in a match without a clock, in seconds."""
SOON = 1.0
"""Seconds within which a house player begins to think; one that takes longer is said to be waking up."""
RETRY = 1.0
"""Seconds until a house player asks again for a worker that could not be started."""


class _Asked(Player):
    """A player that needs no message of the past but the last question, which it answers after a restart."""

    remembers = True
    latency: Micros = 0
    handed_over: Micros | None = None
    _seat: Seat = 0
    _table: Table | None = None
    _last: Begin | Onward | YourTurn | None = None
    """The last question of before the restart."""

    def sit(self, seat: Seat, table: Table) -> None:
        self._seat, self._table = seat, table

    def remember(self, message: ToPlayer) -> None:
        if isinstance(message, Begin | Onward | YourTurn):
            self._last = message

    def await_return(self) -> bool:
        return True

    def go_live(self) -> None:
        """Ask the question of before the restart again, if it has no answer yet."""
        if self._last is not None and self._table is not None and self._table.awaits(self._seat):
            self.tell(self._last)


class BrowserSeat(_Asked):
    """A person at a browser: the feed shows the match, the API takes the moves."""

    def __init__(
        self,
        game: Game,
        touched: Callable[[], None],
        patience: float,
        returning: float | None = None,
    ) -> None:
        """`touched` is called when the feed has something new; `patience` is the time to reconnect.

        `returning` is the time to come back after a restart of the server; by default the same.
        """
        self._game, self._touched, self._patience = game, touched, patience
        self._returning = patience if returning is None else returning
        self._question: YourTurn | None = None
        self._greeted = False
        self._present = False
        """Whether the browser has connected, or sent a request, at least once."""
        self.missing = False
        """Whether the match waits for the browser to come back after a restart of the server."""
        self._paused = False
        """Whether the server was restarted, and not everybody is back yet."""
        self._verdict = schema.MoveVerdict(0, "ignored")
        self._connections = 0
        self._leaving: asyncio.TimerHandle | None = None

    # -- at the table -------------------------------------------------------------------------

    def tell(self, message: ToPlayer) -> None:
        assert self._table is not None
        match message:
            case Begin():
                self.handed_over, self._greeted = self._table.now(), True
                if self._present:
                    self._get_ready()
            case Onward():
                self.handed_over = self._table.now()
                self._table.hear(self._seat, Ready())
            case YourTurn():
                self.handed_over, self._question = self._table.now(), message
            case Accepted(turn):
                self._verdict = schema.MoveVerdict(turn, "accepted")
            case Rejected(turn, reason):
                self._verdict = schema.MoveVerdict(turn, "rejected", reason)
            case Expelled(reason):
                self._verdict = schema.MoveVerdict(self._verdict.turn, "rejected", reason)
        self._touched()

    def remember(self, message: ToPlayer) -> None:
        self._paused = True
        super().remember(message)

    def go_live(self) -> None:
        self._paused = False
        super().go_live()

    def await_return(self) -> bool:
        """Return whether the browser is back. If it never is, the restart is the cause: the match is void."""
        if not self._present and self._leaving is None:
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(self._returning, self._did_not_come_back)
        self.missing = not self._present
        return self._present

    def _did_not_come_back(self) -> None:
        if self._table is not None:
            self._table.broken(f"seat {self._seat} did not come back after the server restarted")

    def close(self, *, at_once: bool) -> None:
        self._table = self._question = None
        self.missing = False
        self._cancel_timer()

    # -- at the browser -----------------------------------------------------------------------

    @property
    def question(self) -> YourTurn | None:
        """The question that waits for a move; None if it is not this seat's turn."""
        asked = self._table is not None and self._table.awaits(self._seat)
        return self._question if asked else None

    @property
    def present(self) -> bool:
        """Whether the browser has connected, or sent a request, at least once."""
        return self._present

    @property
    def away(self) -> bool:
        return self.missing or (self._present and not self._connections)

    def note_presence(self) -> None:
        """Note a sign of life; the first one makes the seat ready."""
        first, self._present = not self._present, True
        if first and self._greeted:
            self._get_ready()
        if not self._connections:
            self._start_timer()
        if self.missing and self._table is not None:
            self.missing = False
            self._touched()
            self._table.returned()

    def connect(self) -> None:
        self._connections += 1
        self._cancel_timer()
        self.note_presence()
        self._touched()

    def disconnect(self) -> None:
        self._connections -= 1
        if not self._connections:
            self._start_timer()
            self._touched()

    def _get_ready(self) -> None:
        if self._table is not None:
            self._table.hear(self._seat, Ready(updates=True))

    def _start_timer(self) -> None:
        """Give a person without a connection some time to come back."""
        self._cancel_timer()
        if self._table is not None:
            loop = asyncio.get_running_loop()
            self._leaving = loop.call_later(self._patience, self._left)

    def _left(self) -> None:
        if self._table is not None:
            self._table.fail(self._seat, Offence.GONE, "left the table and did not come back")

    def _cancel_timer(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    def move(self, said: schema.MoveRequest) -> schema.MoveVerdict:
        """Hand a move to the referee, and return its verdict. BadOptions if it is not a move of the game."""
        if (said.choice is None) == (said.move is UNSET):
            raise BadOptions("give either choice or move")
        turn = said.turn
        if said.choice is None:
            move = self._decoded(said.move)
        else:
            question = self.question
            if question is None or question.turn != turn:
                return schema.MoveVerdict(turn, "ignored", f"turn {turn} is over, or not yours")
            moves = question.view.legal_moves()
            if said.choice >= len(moves):
                raise BadOptions(f"choice must be below {len(moves)}, the number of legal moves")
            move = moves[said.choice]
        if self._table is None:
            return schema.MoveVerdict(turn, "ignored", "you are no longer at this table")
        if self._paused:
            return schema.MoveVerdict(turn, "ignored", "the server restarted, and not everybody is back")
        self._verdict = schema.MoveVerdict(turn, "ignored", f"turn {turn} is over")
        self._table.hear(self._seat, Act(move, turn), received((msgspec.json.encode(said),)))
        return self._verdict

    def _decoded(self, move: Any) -> Any:
        try:
            return msgspec.json.decode(move, type=self._game.Move)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadOptions(f"that is not a move of {self._game.name}: {error}") from None

    def resign(self) -> None:
        if self._table is not None:
            self._table.hear(self._seat, Resign())


def house_seed(spec: MatchSpec, seat: Seat) -> str:
    """Return the seed of the house player in a seat."""
    return f"{spec.seed} {seat}"


class HouseSeat(_Asked):
    """A house player, which thinks in a worker process. It keeps nothing from one move to the next."""

    def __init__(
        self,
        workers: JobPool,
        game: Game,
        player: str,
        options: dict[str, Any],
        seed: str,
        pace: float,
        address: str = "",
        touched: Callable[[], None] = lambda: None,
    ) -> None:
        """`address` is that of the table's maker, to whom the thinking is charged.

        `touched` is called when the feed has something new.
        """
        self._touched = touched
        self.waking = False
        """Whether its turn waits until its kernels are compiled and its tables loaded; no clock runs."""
        self._awake_at = 0.0
        self._workers, self._game, self._address = workers, game, address
        self._player, self._options, self._seed, self._pace = player, options, seed, pace
        self._written: dict[str, Any] = msgspec.to_builtins(game)
        self._decode = msgspec.json.Decoder(game.Move).decode
        self._thinking: asyncio.Task[None] | None = None

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, Begin | Onward):
            assert self._table is not None
            self._begin()
            self._table.hear(self._seat, Ready())
        elif isinstance(message, YourTurn):
            self.stop_thinking()
            self.handed_over = None
            self._thinking = asyncio.ensure_future(self._think(message))

    def _begin(self) -> None:
        """Start the clock."""
        self._wake(waking=False)
        if self._table is not None:
            self.handed_over = self._table.now()
            self._table.started()

    @property
    def waking_seconds(self) -> float:
        """The seconds until it can think, as far as that is known; 0 if it is not."""
        return round(max(0.0, self._awake_at - asyncio.get_running_loop().time()), 1)

    def _compile(self, seconds: float) -> None:
        """Note that its kernels will probably be compiled in so many seconds."""
        self._awake_at, self.waking = asyncio.get_running_loop().time() + seconds, True
        self._touched()

    def _wake(self, *, waking: bool) -> None:
        if waking != self.waking:
            self.waking = waking
            self._touched()

    async def _think(self, question: YourTurn) -> None:
        job = player_jobs.Choose(
            game=self._game.name, options=self._written,
            position=msgspec.json.encode(question.view.position()),
            player=self._player, player_options=self._options, seed=self._seed, turn=question.turn,
        )  # fmt: skip
        seconds = LONGEST if question.allowance is None else question.allowance / 1e6 + 1
        try:
            move = self._decode(await self._choice(job, seconds))
        except WorkerDied as error:
            if self._table is not None:
                self._table.broken(f"{error}; this game does not count")
            return
        except (Overdue, JobFailed, TouchlineError, msgspec.MsgspecError) as error:
            log.error("the house player %s failed: %s", self._player, error)
            if self._table is not None:
                self._table.fail(self._seat, Offence.GONE, "it could not choose a move")
            return
        await self._pause()
        if self._table is not None:
            self._table.hear(self._seat, Act(move, question.turn))

    async def _choice(self, job: player_jobs.Choose, seconds: float) -> bytes:
        """Return the move of a worker. A match waits for a worker as long as it takes, and no clock runs."""
        patience = asyncio.get_running_loop().call_later(SOON, lambda: self._wake(waking=True))
        self._awake_at = 0.0

        def begin() -> None:
            patience.cancel()
            self._begin()

        try:
            while True:
                try:
                    return await self._workers.do(
                        job, bytes, seconds=seconds, lane="moves", address=self._address,
                        started=begin, postponed=self._postpone, compiling=self._compile,
                    )  # fmt: skip
                except Busy as error:
                    log.warning("a house player waits: %s", error)
                    await asyncio.sleep(RETRY)
        finally:
            patience.cancel()

    def _postpone(self) -> None:
        """Stop the clock: the move is to be chosen again, in the lane of long moves."""
        self.handed_over = None

    async def _pause(self) -> None:
        """Wait until the agreed pace is reached, so that people can follow the game."""
        if self._table is not None and self.handed_over is not None:
            await asyncio.sleep(self._pace - (self._table.now() - self.handed_over) / 1e6)

    def stop_thinking(self) -> None:
        """Give up the move that it thinks about: the position is no longer played."""
        self._wake(waking=False)
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def close(self, *, at_once: bool) -> None:
        self._table = None
        self.stop_thinking()
