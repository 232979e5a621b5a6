"""The hall of a tournament: entrants sign up over the network, and their games are played on an event loop.

A remote entrant signs up under its name, with its key, and again for every game. Laws of this file: an
entrant that is missing when its game is called has a limited time to sign up, which is halved each time it
misses a game; one that plays at another table is not missing; a table takes all its guests at once or none,
so that no two tables can wait for each other (deadlock).
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import threading
from collections import Counter
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import msgspec
from msgspec.structs import replace

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions
from touchline.core.events import Refused
from touchline.dialects import DEFAULT
from touchline.dialects.base import Refusal
from touchline.drivers.lineup import Absent
from touchline.players.remote import Remote
from touchline.server.sign_up import Door, Guest, WrongSecret
from touchline.tournament.cup import REMOTE, unpacked
from touchline.tournament.executors.base import WorkerPool
from touchline.tournament.seeds import spec_of
from touchline.tournament.worker import (
    GameRecorder,
    Job,
    JobReply,
    cores,
    games_in_time,
    lineup_of,
    own_folders,
    worker_name,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Result
    from touchline.drivers.match import MatchSpec
    from touchline.players.address import ServerAddress
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Claim
    from touchline.tournament.pairing import Pairing
    from touchline.tournament.seeds import GameSecrets
    from touchline.tournament.worker import GameReport
    from touchline.transports.base import Connection, Listening

log = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds in which an entrant must sign up when its game is called."""
TABLES = 4
"""The default number of concurrent games."""
PARTING = 0.1
"""Seconds in which entrants that were told to leave may hang up first."""
LAST_ITERATIONS = 5
"""Event-loop iterations that a connection needs to be set up or closed."""
ANOTHER_GAME = 60.0
"""Seconds between two looks at an entrant that plays at another table; the end of that game wakes us too."""


class Hall(WorkerPool):
    """A worker pool whose games are played on an event loop of its own, in this process."""

    at_once = 1

    def __init__(
        self, cup: Cup, listen: Sequence[ServerAddress], *, tables: int = TABLES, patience: float = PATIENCE
    ) -> None:
        self.slots = tables
        self._cup, self._listen, self._patience = cup, listen, patience
        self._keys = {one.name: one.key for one in cup.entrants if one.player == REMOTE}
        self._threads = ThreadPoolExecutor(cores(), "thinking")  # a clock starts when a thread is free
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hall", daemon=True)
        self._free: dict[str, Guest] = {}
        self._seated: dict[str, Guest] = {}
        self._left_at: dict[str, float] = {}
        """The loop time at which each entrant left."""
        self._missed: Counter[str] = Counter()
        """The games that each entrant has missed since it last signed up."""
        self._changed: asyncio.Condition | None = None
        self._doors: list[Door] = []
        self._connections: WeakSet[Connection] = WeakSet()
        self._sockets: list[Listening] = []
        self.urls: list[str] = []
        """The addresses at which entrants sign up."""
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        except BaseException:
            self.stop(now=True)
            raise

    # -- a worker pool ------------------------------------------------------------------------

    def start(self) -> Executor:
        return _Tables(self._loop, self._play)

    def look_after(self) -> None:
        """Nothing to do: tables need no watchdog."""

    def stop(self, *, now: bool) -> None:
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._close(now=now), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._threads.shutdown(wait=not now, cancel_futures=True)

    # -- coming in ----------------------------------------------------------------------------

    async def _open(self) -> None:
        self._changed = asyncio.Condition()
        game = self._cup.board(0)
        for address in self._listen:
            dialect = registry.dialect(address.dialect)
            if not address.is_local and not (dialect.has_keys and all(self._keys.values())):
                raise BadOptions(
                    f"{address.url()}: beyond this machine every entrant needs a key, "
                    f"and a dialect with keys, like {DEFAULT}"
                )
            door = Door(self, dialect)
            self._doors.append(door)
            accept, longest = partial(self._connected, door), dialect(game).longest
            socket = await address.listen(dialect.framing, accept, longest)
            self._sockets.append(socket)
            self.urls.append(address.url(socket.port))

    def _connected(self, door: Door, connection: Connection) -> None:
        self._connections.add(connection)
        door.connected(connection)

    def welcome(self, guest: Guest) -> None:
        key = self._keys.get(guest.name)
        if key is None:
            raise Refusal(f"no entrant of this cup who comes over the network is called {guest.name}")
        if not hmac.compare_digest(key.encode(), guest.key.encode()):
            raise WrongSecret("that is not the key of this entrant")
        if guest.name in self._free or self._plays(guest.name):
            raise Refusal(f"{guest.name} is here already")
        guest.wait(lambda: self._left(guest))
        self._free[guest.name] = guest
        del self._missed[guest.name]
        asyncio.ensure_future(self._tell())  # noqa: RUF006 - the loop lives as long as the hall

    def _plays(self, name: str) -> bool:
        """Return whether an entrant sits at a table where it still has to play; one that only waits there for
        the others to leave may sign up again."""
        return any(
            guest.name == name and (guest.remote is None or guest.remote.seated)
            for guest in self._seated.values()
        )

    def _left(self, guest: Guest) -> None:
        self._left_at[guest.name] = self._loop.time()
        if self._free.get(guest.name) is guest:
            del self._free[guest.name]

    def seated(self, token: str) -> Guest | None:
        return self._seated.get(token)

    async def _tell(self) -> None:
        assert self._changed is not None
        async with self._changed:
            self._changed.notify_all()

    async def _called(self, names: list[str]) -> dict[str, Guest]:
        """Wait for these entrants, and take those together who have come in time."""
        assert self._changed is not None
        called = self._loop.time()
        async with self._changed:
            while (waits := [left for name in names if (left := self._waits(name, called)) > 0]) != []:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(min(waits)):
                        await self._changed.wait()
            self._missed.update(name for name in names if name not in self._free)
            return {name: self._free.pop(name) for name in names if name in self._free}

    def _waits(self, name: str, called: float) -> float:
        """Return for how many seconds to wait for an entrant."""
        if name in self._free:
            return 0.0
        if self._plays(name):
            return ANOTHER_GAME
        since: float = max(called, self._left_at.get(name, called))
        return since + self._patience * 0.5 ** self._missed[name] - self._loop.time()

    # -- playing ------------------------------------------------------------------------------

    async def _play(self, data: bytes) -> bytes:
        job = msgspec.json.decode(data, type=Job)
        games = [await self._game(*game, job) for game in games_in_time(job)]
        return msgspec.json.encode(JobReply(worker_name(), games))

    async def _game(self, claimed: Claim, secrets: GameSecrets, job: Job) -> GameReport:
        pairing = claimed.pairing
        guests = await self._called([name for name in pairing.entrants if name in self._keys])
        account = GameRecorder(claimed)
        for guest in guests.values():
            self._seated[guest.token] = guest
        try:
            result = await self._match(pairing, secrets, guests, job, account)
        except Exception as error:
            result = account.failed(error)
            for guest in guests.values():
                guest.connection.close()
        finally:
            for guest in guests.values():
                self._seated.pop(guest.token, None)
                self._left(guest)
            await self._tell()
        return account.closed(result)

    async def _match(
        self,
        pairing: Pairing,
        secrets: GameSecrets,
        guests: dict[str, Guest],
        job: Job,
        account: GameRecorder,
    ) -> Result:
        spec = spec_of(self._cup, pairing, secrets)
        here = [name for name in pairing.entrants if name not in self._keys]
        own = await asyncio.to_thread(own_folders, job, here)
        names = dict(enumerate(pairing.entrants))
        away = [seat for seat, name in names.items() if name in self._keys and name not in guests]
        why = "did not come when its game was called"
        spec = replace(spec, refused=tuple(Refused(seat, Offence.REFUSED, why) for seat in away))
        seated = {seat: self._seat(guests[name], spec) for seat, name in names.items() if name in guests}
        lineup = lineup_of(unpacked(bytes(job.cup)), pairing.entrants, secrets.players, job, own)
        spec = lineup.fill(spec, {seat: Absent() for seat in away} | seated)
        result = await lineup.play_among_others(spec, [account.see], threads=self._threads)
        if (unstarted := lineup.unstarted()) is not None:
            raise BadOptions(unstarted)
        return result

    def _seat(self, guest: Guest, spec: MatchSpec) -> Remote:
        guest.remote = Remote(
            guest.connection, guest.spoken(spec.game),
            goodbye=(spec.limits.goodbye or 0) / 1e6, patience=self._patience,
        )  # fmt: skip
        return guest.remote

    async def _close(self, *, now: bool) -> None:
        for door in self._doors:
            door.shut()
        for guest in self._free.values():
            guest.refuse("no more games are played")
        for socket in self._sockets:
            socket.pause()
        await asyncio.sleep(0 if now else PARTING)
        for socket in self._sockets:
            socket.close()
        await _settled()
        tables = asyncio.all_tasks() - {asyncio.current_task()}
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
        for connection in [*self._connections]:
            connection.close(at_once=True)
        await _settled()


async def _settled() -> None:
    """Let connections be set up or closed that are about to be."""
    for _ in range(LAST_ITERATIONS):
        await asyncio.sleep(0)


class _Tables(Executor):
    """Run jobs as coroutines on the hall's event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, play: Callable[[bytes], Any]) -> None:
        self._loop, self._play = loop, play

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(self._play(*args), self._loop)
