"""The Fish course's tournament over TCP: the knock-out server, and house players as clients.

"Rounds of knock-out: the top scorers of each game go on. Before each round the pool is put back into age
order"; the first to sign up is the youngest.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from touchline.bots.fish_course import FishCourse as HousePlayer
from touchline.client.join import join
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits, micros
from touchline.core.messages import Garbled, Ready
from touchline.coursework.courses.clients import ClientOptions, Fate, Following, lenient, played
from touchline.coursework.courses.news import News
from touchline.coursework.courses.signup import USUAL, signed_up
from touchline.dialects.fish_course import FishCourse
from touchline.drivers import event_loop
from touchline.drivers.match import agreed
from touchline.games.fish import COLOURS, Fish
from touchline.players.address import ServerAddress
from touchline.players.remote import Remote
from touchline.tournament.formats.fish_manager import LARGEST, allocation

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from touchline.core.events import Result
    from touchline.coursework.courses.signup import ServerOptions, SignedUp
    from touchline.server.sign_up import Guest

GAME = Fish(rows=5, cols=5, fish=2)
LEAST, MOST = 5, 10
SIGN_UP_SECONDS, NAME_SECONDS, CALL_SECONDS = 30.0, 10.0, 10.0


class Tournament:
    """One knock-out tournament between players, numbered by age from the youngest."""

    def __init__(self, players: list[SignedUp], call: float, options: ServerOptions = USUAL) -> None:
        self._players, self._call, self._options = players, call, options
        self._games = 0
        self.out: set[int] = set()
        """The numbers of the players that cheated or failed, from 0."""

    async def run(self) -> list[int]:
        """Play the tournament and return the numbers of the winners, from 0."""
        everybody = range(len(self._players))
        await self._called(everybody, "start", lambda dialect: dialect.start(True))
        winners = await self._knock_out([who for who in everybody if who not in self.out])
        await self._called(winners, "end", lambda dialect: dialect.end(True))
        # "Winners that fail to accept this message become losers"
        won = [who for who in winners if who not in self.out]
        rest = [who for who in everybody if who not in winners and who not in self.out]
        await self._called(rest, "end", lambda dialect: dialect.end(False))
        for player in self._players:
            player.guest.connection.close()
        for who in won:
            self._options.tell(self._players[who].news("won"))
        if not won:
            self._options.tell(News(event="nobody_won"))
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

    async def _game(self, numbers: list[int]) -> list[int]:
        """Play one game and return its top scorers."""
        self._games += 1
        game, call = self._games, micros(self._call)
        limits = Limits(set_up=call, goodbye=call, clock=Clock(call))
        guests = [self._players[who].guest for who in numbers]
        remotes = [Remote(guest.connection, guest.dialect, goodbye=self._call, keep=True) for guest in guests]
        # The record names no dialect: fish-course begins every match with `start`, a tournament only once.
        spec = agreed(
            GAME, [guest.name for guest in guests], 0, conduct=COURSE, limits=limits,
            isolation=(None,) * len(guests),
        )  # fmt: skip
        result = await event_loop.play(spec, remotes, self._options.records.begin(spec))
        self.out |= {numbers[seat] for seat in result.expelled}
        self.out |= {numbers[seat] for seat, remote in enumerate(remotes) if remote.fell_out}
        winners = result.outcome.winners if result.outcome else ()
        won = [numbers[seat] for seat in winners if numbers[seat] not in self.out]
        self._tell(game, result, numbers, won)
        for who, remote in zip(numbers, remotes, strict=True):
            if remote.fell_out:
                self._options.tell(self._players[who].news("failed", game=game, why=remote.fell_out))
        return won

    def _tell(self, game: int, result: Result, numbers: list[int], won: list[int]) -> None:
        for fault in result.faults:
            if fault.seat in result.expelled:
                why = f"{fault.offence.value}: {fault.reason}"
                player = self._players[numbers[fault.seat]]
                self._options.tell(player.news("expelled", game=game, turn=fault.turn, why=why))
        names = ", ".join(f"{self._players[who].guest.name} (player {who + 1})" for who in won)
        self._options.tell(News(event="game", game=game, why=f"won by {names}" if won else "nobody won"))

    async def _called(self, players: Iterable[int], call: str, make: Callable[[Any], Any]) -> None:
        """Make a call to each player, and drop those that do not answer correctly and in time."""

        async def one(who: int) -> None:
            player = self._players[who]
            why = await _fault(player.guest, make(player.guest.dialect).frames, self._call)
            if why is not None:
                self.out.add(who)
                self._options.tell(player.news("failed", why=f"{call}: {why}"))
                player.guest.connection.close()

        await asyncio.gather(*map(one, players))


class _Listening:
    """Receives the answer to one call."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.answered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        """What is wrong with the answer, or None."""

    def frame(self, frame: bytes) -> None:
        said = self._guest.dialect.hear(frame).said
        wrong = [thing for thing in said if not isinstance(thing, Ready)]
        self._done(
            f"malformed: {wrong[0].why if isinstance(wrong[0], Garbled) else wrong[0]}" if wrong else None
        )

    def lost(self, why: str) -> None:
        self._done(f"gone: {why}")

    def flooded(self, why: str) -> None:
        self._done(f"flood: {why}")

    def writable(self) -> None:
        """Do nothing: a call is small enough to be sent at once."""

    def _done(self, fault: str | None) -> None:
        self._guest.connection.receiver = None
        if not self.answered.done():
            self.answered.set_result(fault)


async def _fault(guest: Guest, frames: Iterable[bytes], seconds: float) -> str | None:
    """Make a call; return what is wrong with the answer, or None if it is correct and in time."""
    listening = _Listening(guest)
    guest.connection.listen(listening)
    for frame in frames:
        guest.connection.send(frame)
    try:
        async with asyncio.timeout(seconds):
            return await listening.answered
    except TimeoutError:
        return f"late: no answer within {seconds:g} s"


async def xserver(
    port: int,
    *,
    sign_up: float = SIGN_UP_SECONDS,
    name: float = NAME_SECONDS,
    call: float = CALL_SECONDS,
    listening: Callable[[int], None] = lambda port: None,
    options: ServerOptions = USUAL,
) -> tuple[int, int] | None:
    """Run a tournament; return the numbers of winners and of failures, or None if too few signed up."""
    players = await signed_up(
        port, GAME, FishCourse.name,
        least=LEAST, most=MOST, seconds=sign_up, name_seconds=name, listening=listening,
        make=lambda game: FishCourse(game, tournament=True), options=options,
    )  # fmt: skip
    if not players:
        return None
    tournament = Tournament(players, call, options)
    winners = await tournament.run()
    return len(winners), len(tournament.out)


BETWEEN_CLIENTS = 0.05
"""Seconds between the starts of two clients: the order of sign-up is the order of ages."""


async def xclients(
    count: int,
    port: int,
    host: str = "127.0.0.1",
    *,
    depth: int = 1,
    retry: float = 60.0,
    options: ClientOptions = ClientOptions(),  # noqa: B008, it is immutable
) -> list[Fate]:
    """Connect `count` house players one after the other, and play until the server disconnects them."""
    listen = ServerAddress("tcp", host, port, FishCourse.name)

    def client(name: str, seconds: float) -> tuple[Following, Coroutine[Any, Any, None]]:
        following = Following(name, options, listen, seconds, first="start", last="end")
        face = lenient(FishCourse.face, COLOURS, following)(HousePlayer(depth=depth))
        return following, join(
            listen, face, "values", name, seconds=seconds, heard=following.heard,
            waiting=following.waiting, connected=following.connected,
        )  # fmt: skip

    names = (chr(ord("a") + number) for number in range(count))
    return await played([partial(client, name) for name in names], BETWEEN_CLIENTS, retry)
