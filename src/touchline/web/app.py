"""The web server: page and API on one port, behind a guard.

Rules of this file: the guard checks every request before anything else; every response has the security
headers; every error is JSON with a sentence; no token is ever logged.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from touchline.core.errors import BadOptions
from touchline.transports.shared.addresses import TrustedProxies
from touchline.transports.shared.gate import Gate, GateRules, bound
from touchline.transports.shared.host_names import FOREIGN_ORIGIN, WRONG_HOST, HostCheck
from touchline.transports.shared.reachable import reachable
from touchline.web import pages, schema, static_files
from touchline.web.address_limits import AddressLimits
from touchline.web.connections import Connections, HttpConnection, ServerLog
from touchline.web.drawings import Drawings, SharedWork
from touchline.web.guard import HEADERS, PROXIES, RATES, Rates, address_of, is_loopback, same_secret
from touchline.web.http import Problem, key, problem
from touchline.web.invitation import Places
from touchline.web.live.cups import CupDesks
from touchline.web.live.league import LeagueFeed
from touchline.web.live.watchers import GONE
from touchline.web.record_files import shelve
from touchline.web.routes import ROUTES
from touchline.web.tables.demonstration_tables import keep_showing
from touchline.web.tables.open_tables import Ports
from touchline.web.tables.page_tables import CAPS, Caps, PageTables
from touchline.web.tables.program_door import ProgramDoor
from touchline.web.tables.resume import LeftBehind
from touchline.web.workers import game_jobs
from touchline.web.workers.pool import JobPool

if TYPE_CHECKING:
    import socket
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from touchline.records.record_folder import RecordFolder
    from touchline.web.assets.build import Build
    from touchline.web.live.cups import CupSource
    from touchline.web.live.league import LeagueDesk

log = logging.getLogger(__name__)

TIDY = 10.0
"""Seconds between two searches for idle tables."""
IDLE = 30.0
"""Timeout for the next request on a connection: for its first byte, and for the end of its head."""
LOOKING = 60.0
"""Timeout for the catalogue of games."""
WAITING = 5.0
"""Seconds that a request waits for a server that is starting."""
STARTING_AGAIN = 2.0
"""Seconds after which a client of a server that is starting should ask again."""
HEALTH = "/api/health"
FILES = (
    ("/", pages.index),
    ("/t/{id}", pages.table),
    ("/r/{id}", pages.record),
    ("/static/{name:.+}", static_files.static),
    (r"/art/{game}.{kind:js|svg}", static_files.art),
)
LEAGUE_PAGE = ("/league", pages.index)
"""The same page; its script shows the league first."""


class Site:
    """The page with its tables, cups, records and workers."""

    def __init__(
        self,
        *,
        names: Collection[str] = (),
        proxies: TrustedProxies | None = None,
        caps: Caps = CAPS,
        rates: Rates = RATES,
        workers: JobPool | None = None,
        cups: Sequence[CupSource] = (),
        files: RecordFolder | None = None,
        key: str | None = None,
        league: LeagueDesk | None = None,
    ) -> None:
        """`names` are the host names of this server besides those of loopback, `proxies` its trusted proxies.

        `key` is the organiser's: without it nobody takes a seat or has the server think; anybody may watch.
        `files` takes the records. Tables that a killed server left there are set up again at the start.
        """
        self.workers = JobPool() if workers is None else workers
        self.tables = PageTables(self.workers, caps, files)
        self.left = LeftBehind(self.tables)
        self._is_set_up = asyncio.Event()
        self._programs = ProgramDoor(self.tables.tokens)
        self.cups = CupDesks(cups, self.workers, self.tables.tally)
        self.league = league
        self.league_feed = None if league is None else LeagueFeed(league, self.tables.tally)
        self.files = static_files.StaticFiles()
        self.limits = AddressLimits(rates, self.workers.time)
        self._hosts, self._names, self._key = HostCheck(names), tuple(names), key
        self._proxies = TrustedProxies() if proxies is None else proxies
        self.places = Places("127.0.0.1", 0)
        self._gate: Gate | None = None
        self.sockets: set[web.WebSocketResponse] = set()
        self.drawings, self.analyses = Drawings(self.workers), SharedWork()
        self.looking: dict[str, schema.AnalysisProgress] = {}
        """How far the analyses that run now have come, by record."""
        self._games: asyncio.Task[schema.Catalogue] | None = None
        self._background: list[asyncio.Task[None]] = []
        self.connections = Connections(
            lambda host: self.limits.is_trusted(host) or self._proxies.trusts(host)
        )
        self._runner: web.AppRunner | None = None
        self._tidying: asyncio.Task[None] | None = None

    # -- start and stop -----------------------------------------------------------------------

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=0)
        app[PROXIES] = self._proxies
        for route in ROUTES:
            add = app.router.add_get if route.method == "GET" else app.router.add_post
            add(route.path, partial(self._with_key, route.does) if route.key else partial(route.does, self))
        for path, serve in FILES if self.league is None else (*FILES, LEAGUE_PAGE):
            app.router.add_get(path, partial(serve, self))
        app.on_response_prepare.append(self._add_headers)
        return app

    async def start(self, host: str, port: int) -> str:
        """Listen for browsers, and on another port for programs; return the address of the page."""
        self._runner = web.AppRunner(
            self.app(), access_log=None, keepalive_timeout=IDLE, max_line_size=4096, max_field_size=4096,
            shutdown_timeout=1.0, handler_cancellation=True, logger=ServerLog(self.connections.notes),
        )  # fmt: skip
        await self._runner.setup()
        sockets: list[socket.socket] = []
        try:
            sockets = await bound(host, port)
            old = None if self.left.ports is None else self.left.ports.door
            door = await self._programs.listen(host, old, self._proxies)
        except OSError as error:
            for one in sockets:
                one.close()
            await self._close_http()
            raise BadOptions(f"the page cannot listen at {host}:{port}: {error.strerror}") from None
        shown = f"[{host}]" if ":" in host else host
        port = sockets[0].getsockname()[1]
        self._hosts = HostCheck(self._names, "" if is_loopback(host) else host)
        self._hosts.port, self.places = port, Places(host, port, self._names)
        self.tables.door = self._programs.url(reachable(host, self._names))
        self.tables.ports = Ports(self._hosts.port, door)
        self.files.build()
        static_files.art_addresses()  # the first visitor need not wait for either
        # Who connects before this waits in the backlog: nobody is answered and then refused.
        self._gate = self._open_gate(sockets)
        self._set_up()
        self._tidying = asyncio.ensure_future(self._tidy())
        return f"http://{shown}:{self._hosts.port}/"

    def _open_gate(self, sockets: list[socket.socket]) -> Gate:
        """Accept browsers, each when the head of its first request is complete."""
        rules = GateRules(heads=True, proxies=self._proxies, spares_reserve=True)
        return Gate(sockets, lambda where: self._met(), rules)

    def _met(self) -> HttpConnection:
        assert self._runner is not None
        assert self._runner.server is not None
        return HttpConnection(self.connections, self._runner.server)

    def look_up_soon(self) -> asyncio.Task[schema.Catalogue]:
        """Start to look up the catalogue of games, once; a failed lookup is retried."""
        if self._games is None or (self._games.done() and self._games.exception() is not None):
            lookup = self.workers.do(game_jobs.ListGames(), schema.Catalogue, seconds=LOOKING, lane="checks")
            self._games = asyncio.ensure_future(lookup)
        return self._games

    async def games(self) -> schema.Catalogue:
        """The games, house players and conducts of this server."""
        return await asyncio.shield(self.look_up_soon())

    def known_games(self) -> bytes | None:
        """The catalogue of games as JSON; None while it is looked up."""
        if self._games is None or not self._games.done() or self._games.exception() is not None:
            return None
        return msgspec.json.encode(self._games.result())

    def _set_up(self) -> None:
        """Set up the tables of before a restart, and let in who is waiting."""
        self.left.set_up()
        self._is_set_up.set()
        self._programs.open()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY)
            self.tables.tidy()
            self.tables.files.tidy()

    def show(self, new: schema.NewTable) -> None:
        """Keep a demonstration table of house players running, match after match."""
        self._background.append(asyncio.ensure_future(keep_showing(self.tables, self.left, new)))

    def shelve(self, files: Sequence[Path]) -> None:
        """Load the records of these files, each after it has been verified."""
        self._background.append(asyncio.ensure_future(shelve(files, self.tables.shelf, self.workers)))

    async def stop(self, grace: float = 0.0) -> None:
        """Give matches `grace` seconds to finish, void the rest, tell watchers, and close everything."""
        for task in (self._tidying, self._games, *self._background):
            if task is not None:
                task.cancel()
        self.cups.close()
        if self.league_feed is not None:
            self.league_feed.close()
        await self.tables.stop(grace)
        await asyncio.gather(*(ws.close(code=GONE) for ws in [*self.sockets]), return_exceptions=True)
        self._programs.close()
        await self._close_http()
        await self.workers.close()

    async def _close_http(self) -> None:
        if self._gate is not None:
            self._gate.close()
            self._gate = None
        if self._runner is not None:
            await self._runner.cleanup()
        self.connections.notes.close()

    # -- the guard ----------------------------------------------------------------------------

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        try:
            self._check(request)
            await self._ready(request)
            with self.connections.working(request.transport):
                response: web.StreamResponse = await handler(request)
        except asyncio.CancelledError:
            raise
        except ConnectionResetError:  # the client left before it was answered: nobody reads this
            return Problem(400, "gone", "the connection was closed").response()
        except Exception as error:
            told = problem(error)
            if told is None:
                log.exception("%s %s failed", request.method, request.path)
                told = Problem(500, "broken", "the server failed; its log has the details")
            return pages.failure(self._looks(told), request, told)
        return response

    def _looks(self, told: Problem) -> Build | None:
        """Return the page whose looks an error has; who has our name wrong cannot load its files."""
        return None if told.status == 421 else self.files.build()

    async def _ready(self, request: web.Request) -> None:
        """Wait until the tables are set up. Problem if that takes long; health is told at once."""
        if self._is_set_up.is_set() or request.path == HEALTH:
            return
        try:
            async with asyncio.timeout(WAITING):
                await self._is_set_up.wait()
        except TimeoutError:
            raise Problem(503, "starting", "the server is starting", STARTING_AGAIN) from None

    def health(self) -> schema.Health:
        """Whether this server can do what it is for, and if not, what it waits for."""
        if self.tables.stopping:
            return schema.Health(ready=False, why="the server stops")
        if not self._is_set_up.is_set():
            return schema.Health(ready=False, why="the tables of before the restart are being set up")
        games = self.look_up_soon()
        if not games.done():
            return schema.Health(ready=False, why="the games are being looked up")
        if games.cancelled() or games.exception() is not None:
            return schema.Health(ready=False, why="the games could not be looked up; the log has the details")
        return schema.Health(ready=True)

    def _check(self, request: web.Request) -> None:
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
        if not self._hosts.knows(host):
            raise Problem(421, "wrong_host", WRONG_HOST)
        if not self._hosts.same_origin(origin, host):
            raise Problem(403, "foreign_origin", FOREIGN_ORIGIN)
        self.limits.count_request(request)

    async def _with_key(self, does: Any, request: web.Request) -> web.StreamResponse:
        """Handle a request that needs the organiser's key, if there is one. Wrong keys are rate limited."""
        given = key(request)
        if self._key is not None and given is None:
            raise Problem(401, "no_key", "this needs the key of this server: ask its organiser")
        if self._key is not None and not same_secret(self._key, given or ""):
            self.limits.count_wrong_token(address_of(request))
            raise Problem(401, "no_key", "this is not the key of this server: ask its organiser")
        response: web.StreamResponse = await does(self, request)
        return response

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(HEADERS)
        response.headers.pop("Server", None)

    def key_given(self, request: web.Request, given: str | None) -> str | None:
        """Return the key of the server if it has one and it was given. Wrong keys are rate limited."""
        if self._key is None or given is None or same_secret(self._key, given):
            return None if given is None else self._key
        self.limits.count_wrong_token(address_of(request))
        return None
