"""The Fish course's tournament over TCP: the knock-out server, and house players as clients.

"Rounds of knock-out: the top scorers of each game go on. Before each round the pool is put back into age
order"; the first to sign up is the youngest.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from touchline.bots.fish_course import FishCourse as HousePlayer
from touchline.client.connect import Away
from touchline.client.join import join
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits, micros
from touchline.core.messages import Ready
from touchline.coursework.courses.signup import signed_up
from touchline.dialects.fish_course import FishCourse
from touchline.drivers import event_loop
from touchline.drivers.match import agreed
from touchline.games.fish import Fish
from touchline.players.address import ServerAddress
from touchline.players.remote import Remote
from touchline.tournament.formats.fish_manager import LARGEST, allocation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from touchline.server.sign_up import Guest

GAME = Fish(rows=5, cols=5, fish=2)
LEAST, MOST = 5, 10
SIGN_UP_SECONDS, NAME_SECONDS, CALL_SECONDS = 30.0, 10.0, 10.0


class Tournament:
    """One knock-out tournament between guests, numbered by age from the youngest."""

    def __init__(self, guests: list[Guest], call: float) -> None:
        self._guests, self._call = guests, call
        self.out: set[int] = set()
        """The numbers of the guests that cheated or failed."""

    async def run(self) -> list[int]:
        """Play the tournament and return the numbers of the winners."""
        await self._called(range(len(self._guests)), lambda dialect, who: dialect.start(True))
        winners = await self._knock_out([who for who in range(len(self._guests)) if who not in self.out])
        await self._called(winners, lambda dialect, who: dialect.end(True))
        # "Winners that fail to accept this message become losers"
        won = [who for who in winners if who not in self.out]
        rest = [who for who in range(len(self._guests)) if who not in winners and who not in self.out]
        await self._called(rest, lambda dialect, who: dialect.end(False))
        for guest in self._guests:
            guest.connection.close()
        return won

    async def _knock_out(self, pool: list[int]) -> list[int]:
        before: list[int] | None = None
        while len(pool) > LARGEST:
            games, left = [], iter(pool)
            for size in allocation(len(pool)):
                games.append([next(left) for _ in range(size)])
            winners = sorted(who for group in await self._round(games) for who in group)
            if winners == before:
                return winners
            pool = before = winners
        if len(pool) < 2:
            return pool
        (winners,) = await self._round([pool])
        return sorted(winners)

    async def _round(self, games: list[list[int]]) -> list[list[int]]:
        return await asyncio.gather(*map(self._game, games))

    async def _game(self, players: list[int]) -> list[int]:
        """Play one game and return its top scorers."""
        call = micros(self._call)
        limits = Limits(set_up=call, goodbye=call, clock=Clock(call))
        guests = [self._guests[who] for who in players]
        remotes = [Remote(guest.connection, guest.dialect, goodbye=self._call, keep=True) for guest in guests]
        spec = agreed(GAME, [guest.name for guest in guests], 0, conduct=COURSE, limits=limits)
        result = await event_loop.play(spec, remotes)
        self.out |= {players[seat] for seat in result.expelled}
        self.out |= {players[seat] for seat, remote in enumerate(remotes) if remote.fell_out}
        winners = result.outcome.winners if result.outcome else ()
        return [players[seat] for seat in winners if players[seat] not in self.out]

    async def _called(self, players: Iterable[int], call: Callable[[Any, int], Any]) -> None:
        """Make a call to each guest, and drop those that do not answer correctly and in time."""

        async def one(who: int) -> None:
            guest = self._guests[who]
            if not await _answered(guest, call(guest.dialect, who).frames, self._call):
                self.out.add(who)
                guest.connection.close()

        await asyncio.gather(*map(one, players))


class _Listening:
    """Receives the answer to one call."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def frame(self, frame: bytes) -> None:
        said = self._guest.dialect.hear(frame).said
        self._done(all(isinstance(thing, Ready) for thing in said))

    def lost(self, why: str) -> None:
        self._done(False)

    def flooded(self, why: str) -> None:
        self._done(False)

    def writable(self) -> None:
        """Do nothing: a call is small enough to be sent at once."""

    def _done(self, well: bool) -> None:
        self._guest.connection.receiver = None
        if not self.answered.done():
            self.answered.set_result(well)


async def _answered(guest: Guest, frames: Iterable[bytes], seconds: float) -> bool:
    """Make a call, and return whether the guest answers it correctly and in time."""
    listening = _Listening(guest)
    guest.connection.listen(listening)
    for frame in frames:
        guest.connection.send(frame)
    try:
        async with asyncio.timeout(seconds):
            return await listening.answered
    except TimeoutError:
        return False


async def xserver(
    port: int,
    *,
    sign_up: float = SIGN_UP_SECONDS,
    name: float = NAME_SECONDS,
    call: float = CALL_SECONDS,
    listening: Callable[[int], None] = lambda port: None,
) -> tuple[int, int] | None:
    """Run a tournament; return the numbers of winners and of failures, or None if too few signed up."""
    guests = await signed_up(
        port, GAME, "fish-course",
        least=LEAST, most=MOST, seconds=sign_up, name_seconds=name, listening=listening,
        make=lambda game: FishCourse(game, tournament=True),
    )  # fmt: skip
    if not guests:
        return None
    tournament = Tournament(guests, call)
    winners = await tournament.run()
    return len(winners), len(tournament.out)


async def xclients(
    count: int, port: int, host: str = "127.0.0.1", *, depth: int = 1, retry: float = 60.0
) -> None:
    """Connect `count` house players one after the other, and play until the server disconnects them."""
    listen = ServerAddress("tcp", host, port, "fish-course")

    async def client(number: int) -> None:
        face, name = FishCourse.face(HousePlayer(depth=depth)), chr(ord("a") + number)
        with contextlib.suppress(Away):  # a client that is thrown out is disconnected without a message
            await join(listen, face, "values", name, seconds=retry)

    async with asyncio.TaskGroup() as clients:
        for number in range(count):
            clients.create_task(client(number))
            await asyncio.sleep(0.05)  # the order of sign-up is the order of ages
