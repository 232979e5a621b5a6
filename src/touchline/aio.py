"""The asyncio driver: players of any kind, each with a listener and a sender of its own.

Laws of this file: one slow, deaf or noisy player holds up nobody else; what arrives is stamped by the
loop's clock and by no other, so that a test can be its time; if the loop itself was late, that is
never charged to a player; every task ends with the match.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Protocol

from touchline.clock import Micros, micros
from touchline.conduct import Offence
from touchline.errors import BadOptions
from touchline.match import Bot, Watchers, announced, opened, referee_for
from touchline.referee import Broken, Failed
from touchline.timekeeper import QUESTIONS, Arrival, Timekeeper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.events import Event, Result
    from touchline.match import MatchSpec
    from touchline.messages import FromPlayer, ToPlayer
    from touchline.rules import Seat

log = logging.getLogger(__name__)

MOST_HELD = 64
"""How many messages of one seat may wait to be looked at."""
WRITE_LIMIT = 2.0
"""Seconds a player may take to read what it is sent."""


class Hung(Exception):
    """The player is gone; the text says how."""


class Flooded(Exception):
    """The player sent more than anybody may."""


class Player(Protocol):
    """Whoever sits at a table that is run by an event loop."""

    async def tell(self, message: ToPlayer) -> None:
        """Hand over a message; it may take as long as the player takes to read. Hung if it is gone."""

    async def listen(self) -> FromPlayer:
        """The next thing it says. Hung if it is gone, Flooded if it says too much."""

    async def close(self, *, at_once: bool) -> None:
        """Part with it."""


class _Seated:
    """A player at its seat, with the two tasks that serve it."""

    def __init__(self, seat: Seat, player: Player, room: _Room) -> None:
        self.seat, self.player, self.room = seat, player, room
        self.held = 0
        self.handed_over: Micros | None = None
        self._outbox: deque[ToPlayer] = deque()
        self._more = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._send())]

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, QUESTIONS):
            self.handed_over = None
        self._outbox.append(message)
        self._more.set()

    async def _send(self) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            while self._outbox:
                message = self._outbox.popleft()
                try:
                    async with asyncio.timeout(WRITE_LIMIT):
                        await self.player.tell(message)
                except TimeoutError:
                    self._failed(Offence.NOT_READING, "does not read what it is sent")
                    return
                except Hung:
                    return  # its listener knows how it ended
                except Exception as error:
                    self.room.broken(f"sending to seat {self.seat}: {error!r}")
                    return
                if isinstance(message, QUESTIONS):
                    self.handed_over = self.room.now()
                    self.room.ring()  # its clock runs

    async def _listen(self) -> None:
        while True:
            try:
                said = await self.player.listen()
            except Hung as error:
                self._failed(Offence.GONE, str(error))
                return
            except Flooded as error:
                self._failed(Offence.FLOOD, str(error))
                return
            except Exception as error:
                self.room.broken(f"listening to seat {self.seat}: {error!r}")
                return
            self.held += 1
            if self.held > MOST_HELD:
                self._failed(Offence.FLOOD, f"more than {MOST_HELD} messages that nobody asked for")
                return
            self.room.arrive(Arrival(self.seat, said, self.room.now()))

    def _failed(self, offence: Offence, why: str) -> None:
        if offence is Offence.FLOOD:
            self.room.forget(self.seat)
        self.room.arrive(Arrival(self.seat, Failed(self.seat, offence, why), self.room.now()))

    async def close(self, *, at_once: bool) -> None:
        """Send what is left to say, if that can be done, and part."""
        try:
            async with asyncio.timeout(WRITE_LIMIT):
                while self._outbox and not at_once:
                    await self.player.tell(self._outbox.popleft())
        except Exception as error:  # it is leaving anyhow
            log.debug("seat %d did not hear its last word: %r", self.seat, error)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.player.close(at_once=at_once)


class _Room:
    """The ports of a match on an event loop."""

    def __init__(self, players: dict[Seat, Player]) -> None:
        self._loop = asyncio.get_running_loop()
        self._arrivals: deque[Arrival] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._leaving: list[asyncio.Task[None]] = []
        self.fault: str | None = None
        self._seated = {seat: _Seated(seat, player, self) for seat, player in players.items()}

    def now(self) -> Micros:
        return micros(self._loop.time())

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        if seat in self._seated:
            self._seated[seat].tell(message)

    def handed_over(self, seat: Seat) -> Micros | None:
        seated = self._seated.get(seat)
        return None if seated is None else seated.handed_over

    def close(self, seat: Seat, *, at_once: bool) -> None:
        seated = self._seated.pop(seat, None)
        if seated is not None:
            self._leaving.append(asyncio.create_task(seated.close(at_once=at_once)))

    def arrive(self, arrival: Arrival) -> None:
        self._arrivals.append(arrival)
        self.ring()

    def forget(self, seat: Seat) -> None:
        """Drop what a seat has said and nobody has looked at."""
        self._arrivals = deque(arrival for arrival in self._arrivals if arrival.seat != seat)

    def broken(self, why: str) -> None:
        self.fault = why
        self.ring()

    def ring(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def wait(self, until: Micros | None) -> list[Arrival]:
        """What has arrived, in order; empty if nothing has by then."""
        if not self._arrivals and self.fault is None:
            self._wake = self._loop.create_future()
            alarm = None if until is None else self._loop.call_at(until / 1e6, self.ring)
            try:
                await self._wake
            finally:
                if alarm is not None:
                    alarm.cancel()
        if until is not None and self.now() > until:
            for _ in range(3):  # we are late ourselves: read what has been lying there
                await asyncio.sleep(0)
            arrivals = [arrival._replace(at=min(arrival.at, until)) for arrival in self._arrivals]
        else:
            arrivals = [*self._arrivals]
        self._arrivals.clear()
        for arrival in arrivals:
            if arrival.seat in self._seated:
                self._seated[arrival.seat].held = 0
        return arrivals

    async def empty(self) -> None:
        """Everybody leaves."""
        for seat in list(self._seated):
            self.close(seat, at_once=True)
        await asyncio.gather(*self._leaving, return_exceptions=True)


async def play(
    spec: MatchSpec,
    players: Sequence[Bot | Player],
    observers: Sequence[Callable[[Event], None]] = (),
) -> Result:
    """Play a match between players of any kind."""
    if len(players) != len(spec.names):
        raise BadOptions(f"{len(players)} players for {len(spec.names)} seats")
    bots: dict[Seat, Bot] = {}
    others: dict[Seat, Player] = {}
    for place, player in enumerate(players):
        if isinstance(player, Bot):
            bots[place] = player
        else:
            others[place] = player
    state, talks, watchers = opened(spec), sorted(others), Watchers(observers)
    watchers.see(announced(spec, state, talks))
    referee = referee_for(spec, state, talks)
    room = _Room(others)
    timekeeper = Timekeeper(referee, room, watchers, bots)
    try:
        timekeeper.begin()
        while (result := timekeeper.result) is None:
            _, until = timekeeper.first_due()
            arrivals = await room.wait(until)
            if room.fault is not None:
                timekeeper.broke(Broken(room.fault))
                continue
            timekeeper.deliver(arrivals)
            if until is not None:  # else a clock has just started, and we may be late ourselves
                timekeeper.look_at_the_clock()
        return result
    finally:
        await room.empty()
