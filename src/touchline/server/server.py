"""A server: players sign up over any transport in any dialect, sit down, and play; many tables at once.

Laws of this file: whatever happens at one table, the others do not notice; when it is told to stop, running
matches are finished or void, and nobody is left waiting.
"""

from __future__ import annotations

import asyncio
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core import registry
from touchline.core.clock import UNTIMED
from touchline.core.errors import BadOptions
from touchline.core.messages import Expelled
from touchline.dialects import native
from touchline.dialects.base import Refusal
from touchline.drivers.event_loop import AsyncMatch
from touchline.drivers.match import Bot, agreed, opened
from touchline.drivers.proposals import Proposing
from touchline.drivers.terms import terms_of
from touchline.players.in_thread import aside
from touchline.players.remote import Remote
from touchline.server.lobby import Lobby, look
from touchline.server.sign_up import FIRST_WORD, Door, Guest, Listen, listening

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.events import Event, Refused, Result
    from touchline.core.rules import Game
    from touchline.drivers.match import MatchSpec
    from touchline.drivers.terms import Terms
    from touchline.players.base import Player
    from touchline.transports.base import Connection, Listening

log = logging.getLogger(__name__)

MOST_GUESTS = 12_000
"""How many may sit and wait here."""


class Server:
    """Serves one game to whoever comes; house players may fill seats."""

    def __init__(
        self,
        game: Game,
        seats: int,
        *,
        least: int | None = None,
        window: float | None = None,
        house: Sequence[tuple[str, Callable[[], Bot | Player]]] = (),
        last_first: bool = False,
        tables: int | None = None,
        patience: float = 30.0,
        key: str | None = None,
        most_per_address: int = 64,
        conduct: Conduct | None = None,
        limits: Limits = UNTIMED,
        paced: bool = True,
        observers: Callable[[int, MatchSpec], Sequence[Callable[[Event], None]]] = lambda number, spec: (),
        begun: Callable[[int, MatchSpec, Terms], None] = lambda number, spec, terms: None,
        told: Callable[[int, MatchSpec, Result], None] = lambda number, spec, result: None,
        **spec: Any,
    ) -> None:
        """`conduct` holds at every table, `limits` with their time for a move too if they are `paced`; where
        they leave it open, the rule for one table decides (`touchline.drivers.terms`)."""
        self._game, self._house, self._spec = game, house, spec
        self._conduct, self._limits, self._paced = conduct, limits, paced
        places = seats - len(house)
        for count in range((places if least is None else least) + len(house), seats + 1):
            opened(agreed(game, [""] * count, 0))  # what cannot be played is said now
        self._lobby: Lobby[Guest] = Lobby(places, least, last_first=last_first)
        self._window, self._tables = window, tables
        self._patience, self._key = patience, key
        self._most_per_address = most_per_address
        self._observers, self._announced, self._told = observers, begun, told
        self._doors: list[Door] = []
        self._sockets: list[Listening] = []
        self._running: dict[int, AsyncMatch] = {}
        self._starting: dict[int, tuple[Proposing, list[Guest]]] = {}
        self._seated: dict[str, Guest] = {}
        self._begun = 0
        self._closing: asyncio.TimerHandle | None = None
        self._stopping = False
        self.idle = asyncio.Event()
        """Set when there is nothing more to do."""
        self._leaving: set[asyncio.Future[None]] = set()
        self._threads: ThreadPoolExecutor | None = None

    @property
    def waiting(self) -> int:
        """How many wait for a table."""
        return len(self._lobby)

    # -- coming in ----------------------------------------------------------------------------

    async def listen(self, listen: Listen) -> str:
        """Open a door; the URL at which it is."""
        module = registry.dialect(listen.dialect)
        games = module.DIALECT.games
        if games and self._game.name not in games:
            raise BadOptions(f"{listen.dialect} is spoken in {', '.join(games)}, not in {self._game.name}")
        if not listen.here and self._key is not None and module is not native:
            raise BadOptions(
                f"{listen.dialect} has no word for the key that a seat needs: listen on loopback, or --no-key"
            )
        spoken = module.DIALECT(self._game)  # what it cannot speak about it says now
        launch = self._limits.launch
        door = Door(
            self, self._game, module, key=self._key, most_per_address=self._most_per_address,
            first_word=FIRST_WORD if launch is None else launch / 1e6,
        )  # fmt: skip
        self._doors.append(door)
        socket = await listening(listen, spoken.framing, door.connected, spoken.longest)
        self._sockets.append(socket)
        return listen.url(socket.port)

    def welcome(self, guest: Guest) -> None:
        if len(self._seated) + len(self._lobby) >= MOST_GUESTS:
            raise Refusal("there is no room for anybody more")
        if getattr(guest.dialect, "unique", False):
            self._check_name(guest.name)
        if guest.dialect.name == "native":
            said = native.Welcome(native.PROTOCOL, guest.name, guest.token)
            guest.connection.send(msgspec.json.encode(said))
        guest.gone = lambda: self._leave(guest)
        guest.connection.listen(guest)
        log.info("%s signs up as %s", guest.connection.where, guest.name)
        table = self._lobby.sign_up(guest)
        if table is not None:
            self._seat(table)
        elif self._window is not None and self._closing is None:
            self._closing = asyncio.get_running_loop().call_later(self._window, self._close_window)

    def _check_name(self, name: str) -> None:
        """At one table nobody's name may be mistaken for another's."""
        if any(look(other) == look(name) for other, _ in self._house):
            raise Refusal(f"a player of the house is called {name}")
        if self._lobby.known(lambda other: look(other.name) == look(name)):
            raise Refusal(f"somebody who waits is called {name}")

    def _leave(self, guest: Guest) -> None:
        """Somebody who waited has gone; the window opens anew with whoever comes first then."""
        self._lobby.leave(guest)
        self._forget_window()

    def _forget_window(self) -> None:
        if self._closing is not None and not len(self._lobby):
            self._closing.cancel()
            self._closing = None

    def returned(self, token: str, connection: Connection) -> bool:
        guest = self._seated.get(token)
        if guest is None or guest.remote is None or not guest.remote.seated:
            return False
        log.info("%s comes back as %s", connection.where, guest.name)
        connection.send(msgspec.json.encode(native.Welcome(native.PROTOCOL, guest.name, token)))
        guest.remote.come_back(connection)
        return True

    def _close_window(self) -> None:
        self._closing = None
        table = self._lobby.close_window()
        if table is not None:
            self._seat(table)
        elif len(self._lobby) and self._window is not None:  # not enough yet: a new window
            self._closing = asyncio.get_running_loop().call_later(self._window, self._close_window)

    # -- at the tables ------------------------------------------------------------------------

    def _seat(self, guests: list[Guest]) -> None:
        self._forget_window()
        number = self._begun
        self._begun += 1
        if self._tables is not None and self._begun >= self._tables:
            self._shut()
        seconds = None if self._limits.set_up is None else self._limits.set_up / 1e6
        proposing = Proposing(
            guests, lambda proposals, refused: self._begin(number, guests, proposals, refused)
        )
        self._starting[number] = (proposing, guests)
        proposing.ask(self._game, seconds)

    def _begin(
        self, number: int, guests: list[Guest], proposals: tuple[Any, ...], refused: tuple[Refused, ...]
    ) -> None:
        del self._starting[number]
        try:
            self._open_table(number, guests, proposals, refused)
        except Exception:
            log.exception("table %d cannot be opened", number)
            self._clear(number, guests)
            self._dismiss(guests, "the table broke")
            self._check_idle()

    def _open_table(
        self, number: int, guests: list[Guest], proposals: tuple[Any, ...], refused: tuple[Refused, ...]
    ) -> None:
        names = [*(guest.name for guest in guests), *(name for name, _ in self._house)]
        spoken = [*(guest.dialect.name for guest in guests), *(None for _ in self._house)]
        terms = terms_of(spoken, conduct=self._conduct, limits=self._limits, paced=self._paced)
        spec = agreed(
            self._game, names, **self._spec, conduct=terms.conduct, limits=terms.limits,
            proposals=proposals, refused=refused,
        )  # fmt: skip
        goodbye = (terms.limits.goodbye or 0) / 1e6
        for guest in guests:
            guest.remote = Remote(guest.connection, guest.dialect, goodbye=goodbye, patience=self._patience)
        players: list[Bot | Player] = [
            *(guest.remote for guest in guests if guest.remote),
            *(self._thinking(make(), goodbye) for _, make in self._house),
        ]
        self._announced(number, spec, terms)
        watching = self._observers(number, spec)
        table = AsyncMatch(spec, players, watching, lambda result: self._over(number, guests, spec, result))
        self._running[number] = table
        for guest in guests:
            self._seated[guest.token] = guest
        table.open()

    def _thinking(self, player: Bot | Player, goodbye: float) -> Player:
        """A house player that thinks where nobody has to wait for it."""
        if not isinstance(player, Bot):
            return player
        if self._threads is None:
            self._threads = ThreadPoolExecutor(os.cpu_count(), "thinking")
        return aside(player, self._game, self._threads, goodbye)

    def _over(self, number: int, guests: list[Guest], spec: MatchSpec, result: Result) -> None:
        self._clear(number, guests)
        try:
            self._told(number, spec, result)
        except Exception:
            log.exception("nobody could be told of table %d", number)
        self._check_idle()

    def _clear(self, number: int, guests: list[Guest]) -> None:
        """Nobody sits at this table any more; some may need a moment to go."""
        for guest in guests:
            self._seated.pop(guest.token, None)
        table = self._running.pop(number, None)
        for going in map(asyncio.ensure_future, [] if table is None else table.leaving):
            self._leaving.add(going)
            going.add_done_callback(self._leaving.discard)

    def _check_idle(self) -> None:
        enough = self._tables is not None and self._begun >= self._tables
        if not self._running and not self._starting and (enough or self._stopping):
            self.idle.set()

    # -- the end ------------------------------------------------------------------------------

    def _shut(self) -> None:
        for door in self._doors:
            door.shut()
        self._dismiss(self._lobby.dismiss(), "the server takes nobody more")
        self._forget_window()

    def _dismiss(self, guests: Sequence[Guest], why: str) -> None:
        """Send these away, who have not begun to play."""
        for guest in guests:
            for frame in guest.dialect.say(Expelled(why)).frames:
                guest.connection.send(frame)
            guest.connection.close()

    async def stop(self, grace: float) -> None:
        """Let nobody in any more; running matches may go on for so many seconds, then they are void."""
        self._stopping = True
        self._shut()
        self._check_idle()
        try:
            async with asyncio.timeout(grace):
                await self.idle.wait()
        except TimeoutError:
            self._break_off("the server was stopped")
        await asyncio.gather(*self._leaving, return_exceptions=True)
        for socket in self._sockets:
            socket.close()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        await asyncio.sleep(0)

    def _break_off(self, why: str) -> None:
        """Matches that have begun are void; those that have not never will."""
        for number in [*self._starting]:
            proposing, guests = self._starting.pop(number)
            proposing.call_off()
            self._dismiss(guests, why)
        for table in [*self._running.values()]:
            table.broken(why)
        self._check_idle()
