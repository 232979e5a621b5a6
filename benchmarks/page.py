"""What the page costs: spectators by the thousand, and a table that does not slow down for them.

How long a slow line takes is measured in Chromium, with its emulation of networks.

The site is in one process (with workers of its own, in which house players think) and all spectators in
another, as WebSockets that check each line: numbered without a gap, and every event in it, in order. Times
are of one clock for both. Turns are counted by the match itself, with and without spectators in turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import resource
import struct
import subprocess
import sys
import time
from functools import lru_cache
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import msgspec
import uvloop
from msgspec import Struct
from playwright.async_api import async_playwright
from verdict import Interval, Judged, judge

from touchline.cli._library_checks import chromium
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import registry
from touchline.core.clock import UNTIMED
from touchline.core.events import Moved
from touchline.drivers.match import agreed, announced, opened
from touchline.web import schema, static_files
from touchline.web.app import Site
from touchline.web.live import feed
from touchline.web.live.watchers import Watcher
from touchline.web.tables.chair import Chair
from touchline.web.tables.table import PageTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Browser

    from touchline.core.events import Event

CROWD = 1_000
A_FEW = 100
PACE = 20
"""Turns a second of the table that is followed turn by turn."""
TURNS = 120
CROWDS = 3
"""How often a thousand come and follow a match."""
ROUNDS = 5
"""How often a newcomer's wait is measured."""
WINDOW, PAIRS = 0.4, 30
"""Seconds for which turns are counted, with spectators and without in turn; and how often at least."""
SECONDS = 2.0
"""How long we look whether the loop is late."""
LONG = {"rows": 9, "cols": 9, "goals": 12}
"""A labyrinth in which two who move at random are busy for a thousand turns."""
STATIC = 200 << 10
"""Bytes that somebody loads who comes to the lobby and plays the game with the largest art."""
SLOW_LINE = {"offline": False, "latency": 600, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""Milliseconds for a request and its answer, and bytes a second."""
USABLE = 2000
"""Milliseconds until somebody on a slow line can begin a game."""
LOOKS = 5
"""How often the lobby is opened on a slow line."""
THINKER = schema.SeatForHouse("minimax", {"depth": 12})
"""One who thinks for longer than we look."""


def counted(what: str, value: float, bar: float) -> Judged:
    """A figure that has no rounds: a count, a size, a maximum. It should stay at or under the bar."""
    return Judged(what, value, Interval(value, value), bar, cost=True)


# -- the site, in a process of its own --------------------------------------------------------------


class Lateness:
    """How late the loop comes to what is due, while it is looked at."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._task = asyncio.ensure_future(self._tick())

    async def _tick(self) -> None:
        while True:
            due = time.monotonic() + 0.005
            await asyncio.sleep(0.005)
            self.late.append(time.monotonic() - due)

    def end(self) -> dict[str, float]:
        self._task.cancel()
        self.late.sort()
        return {"p99": self.late[int(len(self.late) * 0.99)], "max": self.late[-1]}


class Bench:
    """Does at the site what it is told, a JSON value a line."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def adopt(self) -> dict[str, Any]:
        """A table of a match that is played elsewhere: we are the match."""
        spec = agreed(registry.game("labyrinth"), ["a", "b", "c", "d"], 1, limits=UNTIMED)
        self._observers = self.site.tables.adopt(spec, ["remote"] * 4)
        state = opened(spec)
        self.see(announced(spec, state))
        rng, self.moves = Random(1), list[Moved]()
        for turn in range(TURNS):
            assert state.to_move is not None
            going_on = [
                move for move in rng.sample(state.legal_moves(), 3) if state.play(move).to_move is not None
            ]
            self.moves.append(Moved(turn, state.to_move, going_on[0], 0))
            state = state.play(going_on[0])
        self.table = next(reversed(self.site.tables.by_id.values()))
        return {"table": self.table.id}

    def see(self, event: Event) -> None:
        for observer in self._observers:
            observer(event)

    async def _watched_by(self, table: PageTable, spectators: int) -> None:
        while table.watching != spectators:  # noqa: ASYNC110 - of this nobody is told
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.3)

    async def steady(self, spectators: int) -> dict[str, Any]:
        """So many turns at an even pace: when each happened, how much was put into words, by how much CPU."""
        tables = self.site.tables
        await self._watched_by(self.table, spectators)
        encoded, cpu, start = tables.tally.encoded, time.process_time(), time.monotonic()
        late, times = Lateness(), list[float]()
        for number, event in enumerate(self.moves):
            await asyncio.sleep(max(0.0, start + number / PACE - time.monotonic()))
            times.append(time.monotonic())
            self.see(event)
        await asyncio.sleep(0.5)
        return {
            "times": times, "encoded": tables.tally.encoded - encoded, "dropped": tables.tally.dropped,
            "cpu": (time.process_time() - cpu) / (time.monotonic() - start), "late": late.end(),
        }  # fmt: skip

    async def seat(self) -> dict[str, Any]:
        """A table of house players who take no longer than they need; it has not begun."""
        chairs = [Chair(seat, "house", f"random {seat}") for seat in range(2)]
        for chair in chairs:
            chair.house = ("random", {})
        game = registry.game("labyrinth", LONG)
        self.table = PageTable(self.site.tables, game, COURSE, UNTIMED, chairs)
        self.site.tables.add(self.table)
        return {"table": self.table.id}

    async def race(self, spectators: int) -> dict[str, Any]:
        """Let that table play when so many have come: turns and lines while they look, and while they do not.

        The machine is another one from second to second, so they look away and back again all the time.
        """
        await self._watched_by(self.table, spectators)
        self.table.begin_if_full()
        shown = self.table.watchers.feed
        assert shown is not None
        audience = shown.audience(None)
        crowd, nobody, told = audience.members, set[Watcher](), list[list[tuple[float, ...]]]()
        while True:
            pair = []
            for audience.members in (nobody, crowd):
                shown.caught_up()  # what happened in the other's time is not for this one to follow
                await asyncio.sleep(feed.PICTURE)
                pair.append(await self._window(shown.events))
            if self.table.over.is_set():
                return {"pairs": told}
            told.append(pair)

    async def _window(self, events: Sequence[Event]) -> tuple[float, ...]:
        """Turns, lines and seconds of a moment."""
        tally, turns, begin = self.site.tables.tally, len(events), time.monotonic()
        lines = tally.encoded
        await asyncio.sleep(WINDOW)
        return len(events) - turns, tally.encoded - lines, time.monotonic() - begin

    async def think(self) -> dict[str, Any]:
        """House players think hard at two tables: how late are we for everybody else?"""
        calm = Lateness()
        await asyncio.sleep(SECONDS)
        before = calm.end()
        new = schema.NewTable(game="hexapawn", options={"rows": 8, "cols": 8}, seats=(THINKER,) * 2, pace=0)
        tables = [(await self.site.tables.make(new, "")).table.id for _ in range(2)]
        busy = Lateness()
        await asyncio.sleep(2 * SECONDS)
        late = busy.end()
        running = [self.site.tables.by_id[table].state == "running" for table in tables]
        return {"calm": before, "busy": late, "thinking": sum(running)}


async def serve() -> None:
    """Until the parent hangs up."""
    site = Site()
    url = await site.start("127.0.0.1", 0)
    bench, loop = Bench(site), asyncio.get_running_loop()
    print(json.dumps({"url": url}), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(line)
        print(json.dumps(await getattr(bench, asked.pop("do"))(**asked)), flush=True)
    await site.stop()


class Served:
    """The site, as seen from the spectators' process."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, __file__, "--serve"], stdin=pipe, stdout=pipe)
        self.place = self._answer()["url"].removeprefix("http://").rstrip("/")
        self.host, port = self.place.split(":")
        self.port = int(port)

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    async def ask(self, do: str, **given: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **given}).encode() + b"\n")
        self._process.stdin.flush()
        return await asyncio.get_running_loop().run_in_executor(None, self._answer)

    def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


# -- spectators -------------------------------------------------------------------------------------


class Numbered(Struct):
    n: int


class Line(Struct):
    """What of a line says whether one is missing."""

    type: str
    seq: int = -1
    """Lines about people have none."""
    events: list[Numbered] = []
    log: list[Numbered] = []


PEOPLE = b'{"type":"people"'
"""The beginning of a line that tells of spectators and emotes, and is no part of the match."""


@lru_cache(maxsize=64)
def read(body: bytes) -> tuple[str, int, list[int]]:
    """Whether it is an update, its number, and those of its events. All spectators get the same bytes."""
    line = msgspec.json.decode(body, type=Line)
    return line.type, line.seq, [event.n for event in line.events or line.log]


class Spectator(asyncio.Protocol):
    """Reads a table's lines; who does not check them reads the first, and takes the rest as it comes."""

    def __init__(self, served: Served, table: str, *, checks: bool) -> None:
        self._served, self._table, self._checks = served, table, checks
        self._rest = b""
        self._up = False
        self._seq = self._next = -1
        self.lines = self.people = 0
        self.heard: list[float] = []
        """When each event came."""
        self.wrong = ""
        self.began = asyncio.get_running_loop().create_future()
        self.gone = False

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(
            f"GET /api/tables/{self._table}/live HTTP/1.1\r\nHost: {self._served.place}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if self.lines and not self._checks:
            return  # so that this process takes nothing from the other
        self._rest = self._rest + data if self._rest else data
        if not self._up:
            head, found, self._rest = self._rest.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            self._up = True
            self._say(0x81, b'{"type":"watch"}')
        while (frame := self._frame()) is not None:
            code, body = frame
            if code == 1:
                self._line(body)
            elif code == 9:
                self._say(0x8A, body)

    def _say(self, code: int, body: bytes) -> None:
        self._transport.write(struct.pack("!BB4x", code, 0x80 | len(body)) + body)

    def _frame(self) -> tuple[int, bytes] | None:
        rest, head = self._rest, 2
        if len(rest) < head:
            return None
        size = rest[1] & 127
        if size > 125:
            head = 4 if size == 126 else 10
            size = int.from_bytes(rest[2:head])
        if len(rest) < head + size:  # also where the size itself is not complete: it is at least 126
            return None
        self._rest = rest[head + size :]
        return rest[0] & 15, rest[head : head + size]

    def _line(self, body: bytes) -> None:
        now = time.monotonic()
        if body.startswith(PEOPLE):
            self.people += 1
            return
        self.lines += 1
        if not self.began.done():
            self.began.set_result(now)
        if not self._checks:
            return
        kind, seq, numbers = read(body)
        if kind == "update":
            if seq != self._seq + 1 or numbers != [*range(self._next, self._next + len(numbers))]:
                gap = f"line {seq} with events {numbers} after {self._seq} with {self._next - 1}"
                self.wrong = self.wrong or gap
            self.heard += [now] * len(numbers)
        self._seq, self._next = seq, numbers[-1] + 1 if numbers else self._next

    def connection_lost(self, error: Exception | None) -> None:
        self.gone = True

    def leave(self) -> None:
        self._transport.close()


async def crowd(served: Served, table: str, count: int, *, checks: bool) -> list[Spectator]:
    """So many spectators who have all seen the board."""
    loop, all_of_them = asyncio.get_running_loop(), list[Spectator]()
    for start in range(0, count, 50):
        some = [Spectator(served, table, checks=checks) for _ in range(min(50, count - start))]
        for one in some:
            await loop.create_connection(lambda one=one: one, served.host, served.port)  # type: ignore[misc]
        await asyncio.gather(*(one.began for one in some))
        all_of_them += some
    return all_of_them


def say(text: str) -> None:
    print(text, file=sys.stderr)


# -- what is measured -------------------------------------------------------------------------------


class Round(NamedTuple):
    """A table at 20 turns a second, and a thousand who follow it."""

    incomplete: int
    p99: float
    late: float
    dropped: int
    words: float
    """Lines that were put into words, for each that a spectator got."""


async def followed(served: Served) -> list[Judged]:
    """Everybody gets every event of a table at 20 turns a second, in order and in time."""
    await served.ask("adopt")
    alone = await served.ask("steady", spectators=0)
    rounds = [await followed_once(served) for _ in range(CROWDS)]
    return [
        counted("lines put into words where nobody watches", alone["encoded"], 0),
        counted(f"spectators of {CROWD} who missed an event, or had them out of order",
                sum(one.incomplete for one in rounds), 0),
        counted("spectators dropped", max(one.dropped for one in rounds), 0),
        judge("ms from event to spectator, p99", [one.p99 for one in rounds], 250, cost=True),
        counted("times that a line is put into words for all", max(one.words for one in rounds), 1),
        judge("ms that others wait while all are written to, p99",
              [one.late for one in rounds], 50, cost=True),
    ]  # fmt: skip


async def followed_once(served: Served) -> Round:
    table = (await served.ask("adopt"))["table"]
    begin = time.monotonic()
    watching = await crowd(served, table, CROWD, checks=True)
    came = time.monotonic() - begin
    told = await served.ask("steady", spectators=CROWD)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(10):  # what is under way is not missing
            while any(len(one.heard) < TURNS for one in watching):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
    late = sorted(
        heard - happened
        for one in watching
        for happened, heard in zip(told["times"], one.heard, strict=False)
    )
    complete = sum(len(one.heard) == TURNS and not one.wrong and not one.gone for one in watching)
    for wrong in {one.wrong for one in watching if one.wrong}:
        say(wrong)
    for one in watching:
        one.leave()
    p50, p99 = (1e3 * late[int(len(late) * share)] for share in (0.5, 0.99))
    say(f"each was told of people {max(one.people for one in watching)} times")
    say(
        f"{CROWD} came within {came:.1f} s; event to spectator: p50 {p50:.0f} ms, p99 {p99:.0f} ms, "
        f"max {1e3 * late[-1]:.0f} ms; the site used {told['cpu']:.0%} of a core"
    )
    lines = max(one.lines - 1 + one.people for one in watching)
    return Round(CROWD - complete, p99, 1e3 * told["late"]["p99"], told["dropped"], told["encoded"] / lines)


async def unhindered(served: Served) -> list[Judged]:
    """A table of house players at full speed, with spectators and without."""
    pairs = await raced(served, A_FEW)
    alone, watched = totals(pairs)
    crowded = await raced(served, CROWD)
    some, _ = totals(crowded)
    # In life they are elsewhere; here they take what cores there are from those who play.
    kept, rate = median(slowed(crowded)), alone.turns / alone.seconds
    say(f"with {CROWD:,} spectators on this very machine it keeps {kept:.2f} of its turns/s")
    return [
        counted("lines put into words while nobody looks at a fast table", alone.lines + some.lines, 0),
        counted("pictures a second for its spectators", watched.lines / watched.seconds, 10.5),
        judge(f"turns/s with {A_FEW} spectators : with none ({rate:,.0f}/s)", slowed(pairs), 0.8),
    ]


class Window(NamedTuple):
    """What happened in a moment, or in all of them."""

    turns: float
    lines: float
    seconds: float


Pair: TypeAlias = tuple[Window, Window]
"""A moment without spectators, and the next one with them."""


def totals(pairs: Sequence[Pair]) -> Pair:
    """Add up the moments of each side."""
    alone, watched = (Window(*map(sum, zip(*side, strict=True))) for side in zip(*pairs, strict=True))
    return alone, watched


def slowed(pairs: Sequence[Pair]) -> list[float]:
    """Return turns/s with spectators : without, pair by pair."""
    return [watched.turns / watched.seconds / (alone.turns / alone.seconds) for alone, watched in pairs]


async def raced(served: Served, count: int) -> list[Pair]:
    """Moments without spectators and with so many, in turn."""
    pairs: list[Pair] = []
    while len(pairs) < PAIRS:
        table = (await served.ask("seat"))["table"]
        watching = await crowd(served, table, count, checks=False)
        told = await served.ask("race", spectators=count)
        pairs += [(Window(*alone), Window(*watched)) for alone, watched in told["pairs"]]
        for one in watching:
            one.leave()
    return pairs


async def first_board(served: Served) -> list[Judged]:
    """The files of the page, and how long until somebody who comes has what a board is drawn from."""
    table = (await served.ask("adopt"))["table"]
    build, art = static_files.StaticFiles().build(), static_files.art_addresses()
    paths = [*(f"/static/{name}" for name in build.files), *art.values()]
    waits, firsts = [], []
    for _ in range(ROUNDS):
        begin = time.monotonic()
        _, first = await fetched(served, "/")
        firsts.append(1e3 * (first - begin))
        answers = await asyncio.gather(*(fetched(served, path) for path in paths))
        (one,) = await crowd(served, table, 1, checks=True)
        waits.append(1e3 * (one.began.result() - begin))
        one.leave()
    sizes = [len(answer.partition(b"\r\n\r\n")[2]) for answer, _ in answers]
    say(f"all parts of the page, and the art of all games: {len(build.page) + sum(sizes):,} bytes")
    played = [*re.findall(r'="(/static/[^"]+)"', build.page), *build.parts["table.js"]]
    played += [address for path, address in art.items() if path.startswith(("/art/common", "/art/labyrinth"))]
    size = len(build.page) + sum(size for path, size in zip(paths, sizes, strict=True) if path in played)
    return [
        counted("bytes of lobby, table and Labyrinth, before compression", size, STATIC),
        judge("ms until the first byte of the page", firsts, 250, cost=True),
        judge("ms until all files and the first board are there", waits, 1000, cost=True),
    ]


async def slow_line(served: Served) -> list[Judged]:
    """How long until the lobby can be used on a slow line, by somebody who comes for the first time."""
    path = chromium()
    if path is None:
        say("there is no Chromium: the slow line is left out")
        return []
    await fetched(served, "/api/games")  # the server has been up for a while
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        looks = [await cold_lobby(browser, served) for _ in range(LOOKS)]
        await browser.close()
    requests, received = looks[-1].requests, looks[-1].received
    say(f"a cold lobby takes {requests} requests and {received:,} bytes; {', '.join(looks[-1].paths)}")
    return [
        judge(
            "ms until the lobby is usable at 600 ms and 50 kB/s",
            [one.usable for one in looks],
            USABLE,
            cost=True,
        )
    ]


NOTE_PLAY = """
new MutationObserver(() => {
  const plays = (button) => button.textContent.startsWith("Play") && !button.disabled;
  if ([...document.querySelectorAll("main button")].some(plays)) window.usable ??= performance.now();
}).observe(document, { childList: true, subtree: true });
"""
"""Note when a button begins a game, in milliseconds since the navigation: to ask from outside is slow."""


class ColdLobby(NamedTuple):
    """The first visit of a browser."""

    usable: float
    """Milliseconds until a button begins a game."""
    requests: int
    received: int
    """Bytes until then, as they were sent."""
    paths: list[str]


async def cold_lobby(browser: Browser, served: Served) -> ColdLobby:
    context = await browser.new_context()
    page = await context.new_page()
    line = await context.new_cdp_session(page)
    paths: list[str] = []
    received: list[int] = []
    line.on("Network.requestWillBeSent", lambda sent: paths.append(urlsplit(sent["request"]["url"]).path))
    line.on("Network.loadingFinished", lambda loaded: received.append(int(loaded["encodedDataLength"])))
    await line.send("Network.enable")
    await line.send("Network.emulateNetworkConditions", SLOW_LINE)
    await page.add_init_script(NOTE_PLAY)
    await page.goto(f"http://{served.place}/", wait_until="commit")
    await page.get_by_role("button", name=re.compile("^Play")).first.wait_for()
    usable = await page.evaluate("window.usable")
    found = ColdLobby(usable, len(paths), sum(received), [*paths])
    await context.close()
    return found


async def fetched(served: Served, path: str) -> tuple[bytes, float]:
    """An answer, and when its first byte came."""
    reader, writer = await asyncio.open_connection(served.host, served.port)
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: {served.host}:{served.port}\r\nConnection: close\r\n\r\n".encode()
    )
    start = await reader.readexactly(12)
    first = time.monotonic()
    assert start == b"HTTP/1.1 200", (path, start)
    answer = start + await reader.read()
    writer.close()
    return answer, first


async def thought(served: Served) -> list[Judged]:
    """Whoever thinks does not hold up others."""
    told = await served.ask("think")
    assert told["thinking"] == 2, "they have not thought long enough"
    calm, busy = told["calm"], told["busy"]
    say(
        "the loop is late by "
        + "; while house players think by ".join(
            f"p99 {1e3 * late['p99']:.1f} ms, max {1e3 * late['max']:.1f} ms" for late in (calm, busy)
        )
    )
    return [counted("ms that others wait while house players think, p99", 1e3 * busy["p99"], 50)]


async def measured() -> list[Judged]:
    served = Served()
    try:
        found = []
        for part in (first_board, slow_line, followed, unhindered, thought):
            found += await part(served)
        return found
    finally:
        served.stop()


def main() -> int:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if "--serve" in sys.argv:
        uvloop.run(serve())
        return 0
    load = os.getloadavg()[0]
    rows = uvloop.run(measured())
    if "--json" in sys.argv:
        print(json.dumps({"load": load, "claims": [row.as_json() for row in rows]}))
    else:
        print(f"load of the machine at the start: {load:.1f} on {os.cpu_count()} cores\n")
        for row in rows:
            print(row.line())
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
