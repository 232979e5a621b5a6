"""A server: players sign up over any transport in any dialect, and play at many tables at once.

Laws of this file: a failure at one table does not affect the others; after `stop()`, running matches are
finished or void, and every player that waits has been dismissed.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.clock import UNTIMED
from touchline.core.errors import BadOptions
from touchline.dialects.base import Refusal
from touchline.drivers.event_loop import AsyncMatch
from touchline.drivers.match import Bot, agreed, opened
from touchline.drivers.proposals import Proposing
from touchline.drivers.terms import terms_of
from touchline.players.by_name import is_program, spoken_by
from touchline.players.in_thread import in_thread
from touchline.players.remote import Remote
from touchline.records.interrupted import void
from touchline.records.side_file import SeatSecret, Secret
from touchline.server.lobby import Lobby
from touchline.server.names import skeleton
from touchline.server.resume import house_player, returning
from touchline.server.sign_up import FIRST_WORD, FULL, Door, Guest, token_hash
from touchline.transports.base import USUAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.events import Event, Refused, Result
    from touchline.core.rules import Game, Seat
    from touchline.drivers.match import MatchSpec
    from touchline.drivers.past import Past
    from touchline.drivers.terms import Terms
    from touchline.players.address import ServerAddress
    from touchline.players.base import Player
    from touchline.records.interrupted import Interrupted
    from touchline.server.resume import ReturningGuest
    from touchline.transports.base import Listening, ListenOptions

log = logging.getLogger(__name__)


def _nobody(number: int, spec: MatchSpec, secret: Secret) -> Sequence[Callable[[Event], None]]:
    """Return no observers."""
    return ()


MOST_SEATS = 128
"""The most guests of one address at tables and in the lobby together."""
MOST_GUESTS = 12_000
"""The most guests at tables and in the lobby together; bounds memory and file descriptors."""


class Server:
    """A server for one game; house players may fill seats."""

    def __init__(
        self,
        game: Game,
        seats: int,
        *,
        least: int | None = None,
        window: float | None = None,
        house: Sequence[tuple[str, Callable[[str], Bot | Player]]] = (),
        last_first: bool = False,
        tables: int | None = None,
        patience: float = 30.0,
        returning: float = 0.0,
        isolation: str = "none",
        key: str | None = None,
        most_per_address: int = 64,
        most_seats_per_address: int = MOST_SEATS,
        listening: ListenOptions = USUAL,
        conduct: Conduct | None = None,
        limits: Limits = UNTIMED,
        paced: bool = True,
        observers: Callable[[int, MatchSpec, Secret], Sequence[Callable[[Event], None]]] = _nobody,
        begun: Callable[[int, MatchSpec, Terms], None] = lambda number, spec, terms: None,
        told: Callable[[int, MatchSpec, Result], None] = lambda number, spec, result: None,
        **spec: Any,
    ) -> None:
        """Set the terms of the tables.

        `house` has a word and a maker for each house player; the maker takes the seed of its random numbers.
        Programs among them run in the tier `isolation`, says the record.
        `most_per_address` is for connections that have not signed up, `most_seats_per_address` for guests; an
        address is that of a client behind a proxy, if `listening` has that proxy.
        `conduct` holds at every table; with `paced`, so does the time for a move in `limits`.
        `touchline.drivers.terms` decides for each table what is not set here.
        """
        self._game, self._house, self._spec = game, house, spec
        self._house_dialects = [spoken_by(word) for word, _ in house]
        self._isolation = tuple(isolation if is_program(word) else None for word, _ in house)
        self._conduct, self._limits, self._paced = conduct, limits, paced
        places = seats - len(house)
        for count in range((places if least is None else least) + len(house), seats + 1):
            opened(agreed(game, [""] * count, 0))  # raises BadOptions if it cannot be played
        self._lobby: Lobby[Guest] = Lobby(places, least, last_first=last_first)
        self._window, self._tables = window, tables
        self._patience, self._asking_back, self._key = patience, returning, key
        self._most_per_address, self._most_seats = most_per_address, most_seats_per_address
        self._listening = listening._replace(most_silent=most_per_address)
        self._guests_from: Counter[str] = Counter()
        self._counted: dict[Guest, str] = {}
        """The address against which each guest is counted."""
        self._observers, self._announced, self._told = observers, begun, told
        self._doors: list[Door] = []
        self._sockets: list[Listening] = []
        self._running: dict[int, AsyncMatch] = {}
        self._starting: dict[int, tuple[Proposing, list[Guest]]] = {}
        self._seated: dict[str, Guest] = {}
        self._returning: dict[int, dict[Seat, ReturningGuest]] = {}
        """The guests of matches that were resumed, by the number of the table."""
        self._begun = 0
        self._closing: asyncio.TimerHandle | None = None
        self._stopping = False
        self.idle = asyncio.Event()
        """Set when all tables are done and no further one can begin."""
        self._leaving: set[asyncio.Future[None]] = set()
        self._threads: ThreadPoolExecutor | None = None

    @property
    def waiting(self) -> int:
        """The number of guests in the lobby."""
        return len(self._lobby)

    # -- sign-up ------------------------------------------------------------------------------

    async def listen(self, address: ServerAddress) -> str:
        """Open a door at an address; return its URL, with the real port."""
        dialect = registry.dialect(address.dialect)
        if dialect.games and self._game.name not in dialect.games:
            games = ", ".join(dialect.games)
            raise BadOptions(f"{address.dialect} is spoken in {games}, not in {self._game.name}")
        if not address.is_local and self._key is not None and not dialect.has_keys:
            raise BadOptions(
                f"{address.dialect} has no word for the key that a seat needs: "
                "listen on loopback, or use --no-key"
            )
        longest = dialect(self._game).longest  # raises BadOptions if the dialect cannot express this board
        launch = self._limits.launch
        door = Door(
            self, dialect, key=self._key, most_per_address=self._most_per_address,
            first_word=FIRST_WORD if launch is None else launch / 1e6, returning=self._asking_back,
        )  # fmt: skip
        self._doors.append(door)
        socket = await address.listen(dialect.framing, door.connected, longest, self._listening)
        self._sockets.append(socket)
        return address.url(socket.port)

    def welcome(self, guest: Guest) -> None:
        """Add a guest to the lobby, and open a table if that completes one."""
        if len(self._counted) >= MOST_GUESTS:
            raise Refusal(FULL)
        if self._guests_from[guest.address] >= self._most_seats:
            raise Refusal(f"there are {self._most_seats} players from your address already")
        if guest.spoken.unique_names:
            self._check_name(guest.name)
        guest.dialect = guest.spoken(self._game)
        self._counted[guest] = guest.address
        self._guests_from[guest.address] += 1
        guest.wait(lambda: self._leave(guest))
        log.info("%s signs up as %s", guest.connection.where, guest.name)
        table = self._lobby.sign_up(guest)
        if table is not None:
            self._seat(table)
        elif self._window is not None and self._closing is None:
            self._closing = asyncio.get_running_loop().call_later(self._window, self._close_window)

    def _check_name(self, name: str) -> None:
        """Raise Refusal if the name can be mistaken for that of another player at the same table."""
        wanted = skeleton(name)
        if any(skeleton(other) == wanted for other, _ in self._house):
            raise Refusal(f"a player of the house is called {name}")
        if self._lobby.has(lambda other: skeleton(other.name) == wanted):
            raise Refusal(f"another player who waits is called {name}")

    def _leave(self, guest: Guest) -> None:
        """Remove a guest from the lobby; an empty lobby has no window until the next guest signs up."""
        self._lobby.leave(guest)
        self._uncount(guest)
        self._forget_window()

    def _uncount(self, guest: Guest) -> None:
        address = self._counted.pop(guest, None)
        if address is not None:
            self._guests_from[address] -= 1
            if not self._guests_from[address]:
                del self._guests_from[address]

    def _forget_window(self) -> None:
        if self._closing is not None and not len(self._lobby):
            self._closing.cancel()
            self._closing = None

    def seated(self, token: str) -> Guest | None:
        """Return the guest whose seat has this token."""
        return self._seated.get(token_hash(token))

    def _close_window(self) -> None:
        self._closing = None
        table = self._lobby.close_window()
        if table is not None:
            self._seat(table)
        elif len(self._lobby) and self._window is not None:  # too few: open another window
            self._closing = asyncio.get_running_loop().call_later(self._window, self._close_window)

    # -- at the tables ------------------------------------------------------------------------

    def _seat(self, guests: list[Guest]) -> None:
        self._forget_window()
        number = self._count_table()
        seconds = None if self._limits.set_up is None else self._limits.set_up / 1e6
        proposing = Proposing(
            guests, lambda proposals, refused: self._begin(number, guests, proposals, refused)
        )
        self._starting[number] = (proposing, guests)
        proposing.ask(seconds)

    def _count_table(self) -> int:
        """Return the number of a new table; after the last one, nobody can sign up any more."""
        number = self._begun
        self._begun += 1
        if self._tables is not None and self._begun >= self._tables:
            self._shut()
        return number

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
        spoken = [*(guest.dialect.name for guest in guests), *self._house_dialects]
        terms = terms_of(spoken, conduct=self._conduct, limits=self._limits, paced=self._paced)
        spec = agreed(
            self._game, names, **self._spec, conduct=terms.conduct, limits=terms.limits,
            proposals=proposals, refused=refused, dialects=tuple(spoken),
            isolation=(*(None for _ in guests), *self._isolation),
        )  # fmt: skip
        goodbye = (terms.limits.goodbye or 0) / 1e6
        seats = [
            *(SeatSecret(token=guest.token_hash, kind="remote") for guest in guests),
            *(
                SeatSecret(word=word, seed=f"{spec.seed} house {place}", kind="house")
                for place, (word, _) in enumerate(self._house)
            ),
        ]
        secret = Secret(origin="serve", seed=spec.seed, nonce=spec.nonce, seats=tuple(seats))
        for guest in guests:
            guest.remote = Remote(guest.connection, guest.dialect, goodbye=goodbye, patience=self._patience)
        players: list[Bot | Player] = [
            *(guest.remote for guest in guests if guest.remote),
            *(
                self._in_thread(make(f"{spec.seed} house {place}"), spec.game, goodbye)
                for place, (_, make) in enumerate(self._house)
            ),
        ]
        self._announced(number, spec, terms)
        self._play(number, spec, guests, players, self._observers(number, spec, secret))

    def _play(
        self,
        number: int,
        spec: MatchSpec,
        guests: list[Guest],
        players: Sequence[Bot | Player],
        watching: Sequence[Callable[[Event], None]],
        past: Past | None = None,
    ) -> None:
        table = AsyncMatch(spec, players, watching, lambda result: self._over(number, guests, spec, result))
        self._running[number] = table
        for guest in guests:
            self._seated[guest.token_hash] = guest
        table.open(past)

    def resume(
        self,
        match: Interrupted,
        observers: Callable[[int, MatchSpec], Sequence[Callable[[Event], None]]],
    ) -> int:
        """Go on with an interrupted match, and return the number of its table; void if that is impossible."""
        number = self._count_table()
        spec, seats = match.spec, match.secret.seats
        watching = observers(number, spec)
        goodbye = (spec.limits.goodbye or 0) / 1e6
        try:
            guests = returning(match, self._patience)
            players: list[Bot | Player] = [
                guest.remote
                if (guest := guests.get(seat)) and guest.remote
                else self._in_thread(house_player(kept, spec, dict(self._house)), spec.game, goodbye)
                for seat, kept in enumerate(seats)
            ]
        except BadOptions as error:
            self._told(number, spec, void(match, watching, f"the match cannot be resumed: {error}"))
            self._check_idle()
            return number
        self._returning[number] = guests
        self._play(number, spec, [*guests.values()], players, watching, match.past)
        return number

    def missing(self, number: int) -> tuple[Seat, ...]:
        """Return the seats of a table whose players have not come back since the restart."""
        guests = self._returning.get(number, {}).items()
        return tuple(seat for seat, guest in guests if guest.missing)

    def _in_thread(self, player: Bot | Player, game: Game, goodbye: float) -> Player:
        """Return a house player that thinks in a worker thread, so that it does not block the event loop."""
        if not isinstance(player, Bot):
            return player
        if self._threads is None:
            self._threads = ThreadPoolExecutor(os.cpu_count(), "thinking")
        return in_thread(player, game, self._threads, goodbye)

    def _over(self, number: int, guests: list[Guest], spec: MatchSpec, result: Result) -> None:
        self._clear(number, guests)
        try:
            self._told(number, spec, result)
        except Exception:
            log.exception("the result of table %d could not be reported", number)
        self._check_idle()

    def _clear(self, number: int, guests: list[Guest]) -> None:
        """Free the seats of a table; track players that are still closing their connections."""
        for guest in guests:
            self._seated.pop(guest.token_hash, None)
            self._uncount(guest)
        self._returning.pop(number, None)
        table = self._running.pop(number, None)
        for going in map(asyncio.ensure_future, [] if table is None else table.leaving):
            self._leaving.add(going)
            going.add_done_callback(self._leaving.discard)

    def _check_idle(self) -> None:
        enough = self._tables is not None and self._begun >= self._tables
        if not self._running and not self._starting and (enough or self._stopping):
            self.idle.set()

    # -- shutdown -----------------------------------------------------------------------------

    def _shut(self) -> None:
        for door in self._doors:
            door.shut()
        self._dismiss(self._lobby.dismiss(), "the server takes nobody more")
        self._forget_window()

    def _dismiss(self, guests: Sequence[Guest], why: str) -> None:
        """Refuse guests whose match has not begun, and close their connections."""
        for guest in guests:
            self._uncount(guest)
            guest.refuse(why)
            guest.connection.close()

    async def stop(self, grace: float) -> None:
        """Close the doors, wait `grace` seconds for running matches to end, and declare the rest void."""
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
        """Declare running matches void, and dismiss the players of those that have not begun."""
        for number in [*self._starting]:
            proposing, guests = self._starting.pop(number)
            proposing.call_off()
            self._dismiss(guests, why)
        for table in [*self._running.values()]:
            table.broken(why)
        self._check_idle()
