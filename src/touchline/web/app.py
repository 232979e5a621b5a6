"""The site: page and API on one port, with the guard in front.

Laws of this file: every request is looked at by the guard before anything else; every answer has the headers
that keep a browser safe; whatever goes wrong is JSON with a sentence; nothing that is logged has a token in
it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

from aiohttp import web

from touchline.core import registry
from touchline.core.errors import BadInput, BadOptions, TouchlineError
from touchline.dialects import DEFAULT
from touchline.server.sign_up import Door
from touchline.transports.base import transport
from touchline.web import schema
from touchline.web import static_files as files
from touchline.web.guard import HEADERS, RATES, Bucket, Doorman, Rates, address_of, is_loopback
from touchline.web.handlers.records import MOST_DROPPED
from touchline.web.http import Problem, problem
from touchline.web.live.cups import Cups
from touchline.web.routes import ROUTES
from touchline.web.tables import CAPS, Caps, Hall, TooMany
from touchline.web.workers import jobs
from touchline.web.workers.pool import Busy, Failed, Overdue, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from touchline.core.events import Event
    from touchline.drivers.match import MatchSpec
    from touchline.transports.base import Listening
    from touchline.web.live.cups import Place

log = logging.getLogger(__name__)

TIDY = 10.0
"""Seconds between two looks at what stands idle."""
IDLE = 30.0
"""Seconds that a connection may take for its next request, from the first byte to the last of its head."""
MOST_CONNECTIONS = 64
"""Live connections of one address from elsewhere."""
LOOKING = 60.0
"""Seconds that it may take to find out what can be played here."""
INTERVAL = 5.0
"""Seconds between two matches of a table that is there to be watched."""
STOPPING = 1001
PROGRAMS = "tcp"
"""The transport by which programs take the seats of the page's tables."""


class Site:
    """Everything behind the page."""

    def __init__(
        self,
        *,
        names: Collection[str] = (),
        caps: Caps = CAPS,
        rates: Rates = RATES,
        workers: Workers | None = None,
        cups: Sequence[Place] = (),
        observers: Callable[[MatchSpec], Sequence[Callable[[Event], None]]] = lambda spec: (),
    ) -> None:
        """`names` are the hosts that are this server; loopback's always are."""
        self.workers = Workers() if workers is None else workers
        self.hall = Hall(self.workers, caps, observers=observers)
        self.cups = Cups(cups, self.workers, self.hall.tally)
        self.files = files.Files()
        self._rates = rates
        self.requests, self.making = Bucket(*rates.requests), Bucket(*rates.tables)
        self.costly, self._wrong = Bucket(*rates.costly), Bucket(*rates.wrong_tokens)
        self._doorman = Doorman(names)
        self._live: Counter[str] = Counter()
        self.sockets: set[web.WebSocketResponse] = set()
        self.analysing = asyncio.Lock()
        self._games: asyncio.Task[schema.Games] | None = None
        self._shows: list[asyncio.Task[None]] = []
        self._runner: web.AppRunner | None = None
        self._door: Listening | None = None
        self._tidying: asyncio.Task[None] | None = None

    # -- coming up and going down -------------------------------------------------------------

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=0)
        for route in ROUTES:
            add = app.router.add_get if route.method == "GET" else app.router.add_post
            add(route.path, route.handler(self))
        for path, serve in (("/", files.index), ("/static/{name:.+}", files.static)):
            app.router.add_get(path, self._file(serve))
        app.on_response_prepare.append(self._sign)
        return app

    def _file(self, serve: Any) -> Any:
        async def handle(request: web.Request) -> web.Response:
            response: web.Response = await serve(self, request)
            return response

        return handle

    async def start(self, host: str, port: int) -> str:
        """Open the port of the page and the door for programs; the page's address."""
        self._runner = web.AppRunner(
            self.app(), access_log=None, keepalive_timeout=IDLE, max_line_size=4096, max_field_size=4096,
            shutdown_timeout=1.0,
        )  # fmt: skip
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port).start()
            self._door = await transport(PROGRAMS).listen(
                host, 0, self._door_for_programs().connected, framing=registry.dialect(DEFAULT).framing
            )
        except OSError as error:
            await self._runner.cleanup()
            raise BadOptions(f"the page cannot be at {host}:{port}: {error.strerror}") from None
        shown = f"[{host}]" if ":" in host else host
        self._doorman.port = self._runner.addresses[0][1]
        self.hall.door = transport(PROGRAMS).url(host, self._door.port, DEFAULT)
        self._tidying = asyncio.ensure_future(self._tidy())
        return f"http://{shown}:{self._doorman.port}/"

    async def _looked_up(self) -> schema.Games:
        return await self.workers.do(jobs.Offers(), schema.Games, seconds=LOOKING)

    def look_up_soon(self) -> asyncio.Task[schema.Games]:
        """Have it found out what can be played here, once."""
        if self._games is None or (self._games.done() and self._games.exception() is not None):
            self._games = asyncio.ensure_future(self._looked_up())
        return self._games

    async def games(self) -> schema.Games:
        """What can be played here."""
        return await asyncio.shield(self.look_up_soon())

    def _door_for_programs(self) -> Door:
        """Return the door for programs, whose sign-up has the token of a seat as its key."""
        return Door(self.hall, registry.dialect(DEFAULT))

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY)
            self.hall.tidy()

    def show(self, new: schema.NewTable) -> None:
        """Have a table of house players that begins again when it is over: something to see."""
        self._shows.append(asyncio.ensure_future(self._keep_showing(new)))

    async def _keep_showing(self, new: schema.NewTable) -> None:
        while not self.hall.stopping:
            try:
                made = await self.hall.make(new, "the house")
            except TouchlineError as error:
                log.error("nothing to show: %s", error)
                return
            except (TooMany, Busy, Overdue, Failed) as error:
                log.warning("nothing to show for now: %s", error)
            else:
                await self.hall.tables[made.table.id].over.wait()
            await asyncio.sleep(INTERVAL)

    def shelve(self, files: Sequence[Path]) -> None:
        """Have these records of earlier days, each as soon as it has proved itself."""
        self._shows.append(asyncio.ensure_future(self._shelve(files)))

    async def _shelve(self, files: Sequence[Path]) -> None:
        for file in files:
            try:
                data, made = await asyncio.to_thread(_read, file)
                job = jobs.Verify(data, made, "folder")
                record = await self.workers.do(job, schema.Record, seconds=LOOKING)
            except (OSError, TouchlineError, Busy, Overdue, Failed) as error:
                log.warning("%s is not shown: %s", file, error)
            else:
                self.hall.shelf.keep(record, data)

    async def stop(self, grace: float = 0.0) -> None:
        """Matches may end for so many seconds and are void then, readers are told, everything is closed."""
        for task in (self._tidying, self._games, *self._shows):
            if task is not None:
                task.cancel()
        self.cups.close()
        await self.hall.stop(grace)
        await asyncio.gather(*(ws.close(code=STOPPING) for ws in [*self.sockets]), return_exceptions=True)
        if self._door is not None:
            self._door.close()
        if self._runner is not None:
            await self._runner.cleanup()
        await self.workers.close()

    # -- the guard ----------------------------------------------------------------------------

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        try:
            self._check(request)
            response: web.StreamResponse = await handler(request)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            told = problem(error)
            if told is None:
                log.exception("%s %s failed", request.method, request.path)
                told = Problem(500, "broken", "that is our fault; the log of the server says more")
            return told.response()
        return response

    def _check(self, request: web.Request) -> None:
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
        if not self._doorman.knows(host):
            raise Problem(421, "wrong_host", "this server does not go by that name: see --host-name")
        if not self._doorman.same_origin(origin, host):
            raise Problem(403, "foreign_origin", "another site's page may not do that")
        self.count(request, self.requests)

    async def _sign(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(HEADERS)
        response.headers.pop("Server", None)

    def address(self, request: web.Request) -> str:
        return address_of(request)

    def count(self, request: web.Request, bucket: Bucket) -> None:
        """One more of these; Problem if there have been too many."""
        address = address_of(request)
        if self._rates.trust_loopback and is_loopback(address):
            return
        wait = bucket.take(address)
        if wait:
            raise Problem(429, "too_many", "that is too much at once; wait a little", wait)

    def count_wrong_token(self, address: str) -> None:
        wait = self._wrong.take(address)
        if wait:
            raise Problem(429, "too_many", "too many wrong tokens; wait a little", wait)

    @contextlib.contextmanager
    def connection(self, request: web.Request) -> Iterator[None]:
        """One live connection of an address, while it lasts."""
        address = address_of(request)
        trusted = self._rates.trust_loopback and is_loopback(address)
        if not trusted and self._live[address] >= MOST_CONNECTIONS:
            raise Problem(429, "too_many", "too many live connections from there", 10)
        self._live[address] += 1
        try:
            yield
        finally:
            self._live[address] -= 1
            if not self._live[address]:
                del self._live[address]

    def drop_one(self) -> None:
        """A reader did not keep up."""
        self.hall.tally.dropped += 1

    @staticmethod
    def svg(text: str) -> web.Response:
        headers = {"Content-Type": "image/svg+xml", "Cache-Control": "no-store"}
        return web.Response(body=text.encode(), headers=headers)


def _read(file: Path) -> tuple[bytes, int]:
    """A record, and when it was written."""
    about = file.stat()
    if about.st_size > MOST_DROPPED:
        raise BadInput("the record is too large", str(file))
    return file.read_bytes(), int(about.st_mtime * 1000)
