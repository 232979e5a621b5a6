"""A site on loopback for a test, and those who come there: browsers that play, and spectators."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from functools import wraps
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import aiohttp
import msgspec

from touchline.core import registry
from touchline.core.clock import UNTIMED
from touchline.core.errors import TouchlineError
from touchline.core.happenings import Heard, Note
from touchline.core.messages import Act
from touchline.drivers.match import MatchSpec, agreed, announced, opened, referee_for
from touchline.web.app import Site
from touchline.web.workers import game_jobs, jobs
from touchline.web.workers.pool import JobFailed, JobPool, packed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

    from touchline.core.events import Event
    from touchline.web.workers.lanes import LaneName

T = TypeVar("T")
P = ParamSpec("P")
DEADLINE = 20.0
"""Seconds after which whatever a test waits for will not come."""

SMALL: dict[str, dict[str, Any]] = {
    "hexapawn": {"rows": 4, "cols": 3},
    "fish": {"rows": 4, "cols": 4},
    "labyrinth": {"rows": 5, "cols": 5},
}


def run(main: Coroutine[Any, Any, T]) -> T:
    """A test, which takes no longer than it may, and in which nothing is raised where nobody hears it."""
    unheard: list[Any] = []

    async def whole() -> T:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: unheard.append(context))
        return await asyncio.wait_for(main, 2 * DEADLINE)

    with asyncio.Runner() as runner:
        done = runner.run(whole())
    assert not unheard, unheard
    return done


def on_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Let a test be a coroutine, on an event loop of its own."""

    @wraps(test)
    def on_its_loop(*args: P.args, **options: P.kwargs) -> None:
        run(test(*args, **options))

    return on_its_loop


async def until(condition: Callable[[], object]) -> None:
    """Wait for something to be so."""
    async with asyncio.timeout(DEADLINE):
        while not condition():  # noqa: ASYNC110 - of most things nobody is told
            await asyncio.sleep(0.002)


class Here(JobPool):
    """Does every job at once and in this process, so that a test need not start others."""

    async def do(
        self,
        job: jobs.Job,
        kind: type[T],
        *,
        seconds: float,
        lane: LaneName = "requests",
        address: str = "",
        started: Callable[[], None] = lambda: None,
        postponed: Callable[[], None] = lambda: None,
        compiling: Callable[[float], None] = lambda seconds: None,
        looked: Callable[[jobs.JobProgress], None] = lambda progress: None,
    ) -> T:
        if isinstance(job, game_jobs.ListGames):  # it takes its time, and a test of its own asks for it
            return msgspec.convert({"games": (), "conducts": ()}, kind)
        job = jobs.unpack_job(packed(job))
        await asyncio.sleep(0)
        try:
            done = job.done(started)
        except TouchlineError:
            raise
        except Exception as error:
            raise JobFailed(repr(error)) from None
        return msgspec.msgpack.decode(jobs.pack(done), type=kind)


class Visit:
    """A client of the site; what it has received is kept, byte for byte."""

    def __init__(self, site: Site, url: str, http: aiohttp.ClientSession) -> None:
        self.site, self.url, self.http = site, url, http
        self.received: list[bytes] = []

    async def ask(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """The status, and the answer read as JSON where it is."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        data = None
        if method == "POST":
            data = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
            sent.setdefault("Content-Type", "application/json")
        async with self.http.request(method, path, data=data, headers=sent) as response:
            answer = await response.read()
            self.received.append(answer)
            if response.content_type == "application/json":
                return response.status, json.loads(answer)
            return response.status, answer

    async def get(self, path: str, **others: Any) -> tuple[int, Any]:
        return await self.ask("GET", path, **others)

    async def post(self, path: str, body: Any = None, **others: Any) -> tuple[int, Any]:
        return await self.ask("POST", path, body, **others)

    async def table(self, game: str, *seats: dict[str, Any], **terms: Any) -> tuple[str, list[str]]:
        """Make a small table: its id, and the tokens of its seats."""
        new = {"game": game, "options": SMALL[game], "pace": 0, "seats": [*seats], **terms}
        status, made = await self.post("/api/tables", new)
        assert status == 201, made
        return made["table"]["id"], [ticket["token"] for ticket in made["seats"]]

    async def result(self, table: str) -> dict[str, Any]:
        """The table when its match is over."""
        await self.site.tables.by_id[table].over.wait()
        _, seen = await self.get(f"/api/tables/{table}")
        found: dict[str, Any] = seen["table"]
        return found

    async def resign(self, table: str, token: str) -> dict[str, Any]:
        """Resign a seat: the table when its match is over."""
        await self.post(f"/api/tables/{table}/resign", token=token)
        return await self.result(table)


@asynccontextmanager
async def site(**options: Any) -> AsyncIterator[Visit]:
    """A site on a free port; whatever happens, it is stopped afterwards."""
    here = Site(**{"workers": Here(), **options})
    url = await here.start("127.0.0.1", 0)
    try:
        async with aiohttp.ClientSession(url) as http:
            yield Visit(here, url, http)
    finally:
        await here.stop()


def played(game: str, seats: int = 2, seed: int = 1) -> tuple[MatchSpec, list[Event]]:
    """A match between random movers, as its events."""
    spec = agreed(
        registry.game(game, SMALL[game]), [f"p{seat}" for seat in range(seats)], seed, limits=UNTIMED
    )
    state, rng = opened(spec), Random(seed)
    referee = referee_for(spec, state)
    events: list[Event] = [announced(spec, state)]

    def take(effects: list[Any]) -> None:
        events.extend(effect.event for effect in effects if isinstance(effect, Note))

    take(referee.begin())
    while referee.result is None:
        seat = referee.state.to_move
        assert seat is not None
        take(referee.take(Heard(seat, Act(rng.choice(referee.state.legal_moves()), referee.turn))))
    return spec, events


def me(name: str = "ann") -> dict[str, Any]:
    return {"kind": "me", "name": name}


def house(player: str = "random", **options: Any) -> dict[str, Any]:
    return {"kind": "house", "player": player, "options": options}


OPEN: dict[str, Any] = {"kind": "open"}


class Screen:
    """What a browser knows from the lines it was sent: every line must fit to the one before."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.spots: dict[str, Any] = {}
        self.now: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.seq = -1

    def take(self, line: dict[str, Any]) -> None:
        self.lines.append(line)
        if line["type"] == "snapshot":
            self.seq, self.events = line["seq"], line["log"]
            self._draw(line["spots"], whole=True)
        elif line["type"] == "update":
            assert line["seq"] == self.seq + 1
            self.seq += 1
            self.events += line["events"]
            self._draw(line["spots"], whole=line["whole"])
        else:
            return
        numbers = [event["n"] for event in self.events]
        assert numbers, "a match begins with an event"
        assert numbers == [*range(numbers[0], numbers[0] + len(numbers))], "an event is missing"
        self.now = line["now"]

    def _draw(self, spots: list[dict[str, Any]], *, whole: bool) -> None:
        if whole:
            self.spots.clear()
        for spot in spots:
            self.spots[json.dumps(spot["key"])] = spot

    @property
    def asked(self) -> dict[str, Any] | None:
        you = self.now.get("you")
        return you if you is not None and you["asked"] else None

    def moves(self) -> Iterator[Any]:
        return (event["move"] for event in self.events if event["kind"] == "moved")


class Live:
    """A WebSocket to a table."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self.ws, self.screen = ws, Screen()
        self.received: list[bytes] = []
        self.heard: list[dict[str, Any]] = []
        self.answered = -1

    async def line(self) -> dict[str, Any] | None:
        """The next line; None if there will be no other."""
        message = await self.ws.receive(timeout=DEADLINE)
        if message.type is not aiohttp.WSMsgType.TEXT:
            return None
        self.received.append(message.data.encode())
        line: dict[str, Any] = json.loads(message.data)
        if line["type"] == "heard":
            self.heard.append(line)
        self.screen.take(line)
        return line

    async def kind(self, kind: str) -> dict[str, Any]:
        """The next line of this kind."""
        while (line := await self.line()) is not None:
            if line["type"] == kind:
                return line
        raise AssertionError(f"closed with {self.ws.close_code} instead of {kind}")

    async def people(self, topic: str, wanted: Callable[[Any], object] = bool) -> Any:
        """Until a line about people says of a topic what is wanted, by default anything: what it says."""
        while True:
            told = (await self.kind("people"))[topic]
            if wanted(told):
                return told

    async def no_more(self, topic: str) -> None:
        """Until the lines about people say nothing of a topic."""
        await self.people(topic, lambda told: told is None)

    async def say(self, kind: str, **rest: Any) -> None:
        """Send a message of this kind."""
        await self.ws.send_json({"type": kind, **rest})

    async def end(self) -> dict[str, Any]:
        """Until the end of the match is seen: its result."""
        while self.screen.now.get("result") is None:
            assert await self.line() is not None, f"closed with {self.ws.close_code}"
        found: dict[str, Any] = self.screen.now["result"]
        return found

    async def turn(self) -> dict[str, Any]:
        """Until this seat is asked to move, and has not answered yet."""
        while (asked := self.screen.asked) is None or asked["turn"] <= self.answered:
            assert await self.line() is not None, f"closed with {self.ws.close_code}"
        return asked

    async def move(self, choice: int) -> dict[str, Any]:
        asked = await self.turn()
        self.answered = asked["turn"]
        await self.ws.send_json({"type": "move", "turn": asked["turn"], "choice": choice})
        return await self.kind("heard")

    async def play(self, rng: Random, most: int = 1 << 30) -> None:
        """Make legal moves from what is sent, until the end or so many turns."""
        while most and self.screen.now.get("result") is None:
            asked = self.screen.asked
            if asked is not None and asked["turn"] > self.answered:
                self.answered, most = asked["turn"], most - 1
                choice = rng.randrange(len(asked["legal"]))
                await self.ws.send_json({"type": "move", "turn": self.answered, "choice": choice})
            elif await self.line() is None:
                return


@asynccontextmanager
async def live(visit: Visit, table: str, token: str | None = None) -> AsyncIterator[Live]:
    """Somebody at a table: a spectator, or whoever has the token."""
    async with visit.http.ws_connect(f"/api/tables/{table}/live") as ws:
        first = {"type": "watch"} if token is None else {"type": "seat", "token": token}
        await ws.send_json(first)
        yield Live(ws)


class Pair(NamedTuple):
    """A match of two people, and where it is played."""

    visit: Visit
    table: str
    ann: Live
    bob: Live


@asynccontextmanager
async def two_people(game: str = "hexapawn") -> AsyncIterator[Pair]:
    """A site with a match between Ann, who moves first, and Bob, each at a browser."""
    async with site() as visit:
        table, [token] = await visit.table(game, me("ann"), OPEN)
        _, seated = await visit.post(f"/api/tables/{table}/join", {"name": "bob"})
        async with (
            live(visit, table, token) as ann,
            live(visit, table, seated["seats"][0]["token"]) as bob,
        ):
            yield Pair(visit, table, ann, bob)
