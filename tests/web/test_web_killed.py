"""`touchline serve --record` is killed with SIGKILL and started again: real processes, ports and files."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import signal
import sys
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from cli.test_serve_join import NATIVE, Raw, Running, joined, serving
from touchline.records.replay import Replay
from web.restarts import checked_record, files_in, stay
from web.sites import SMALL, Visit, house, live, me, run, until
from web.test_web_serve import fetched, page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

LAST = Path(__file__).parents[2] / "examples" / "bots" / "first.py"
GREEDY: tuple[str, dict[str, Any]] = ("greedy", {})
RESTARTS = 3
PAUSE = 0.6
"""Seconds between the first request and a kill, at most."""


class Killable:
    """A page that is killed, and started again with the same words."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._words = ("serve", "--record", str(folder), "--grace", "0", *words)
        self.server = Running(*self._words, "--page", "127.0.0.1:0")
        self.url = self._page()
        self.said = ""

    def _page(self) -> str:
        while "the page is at " not in (line := self.server.complaint()):
            assert line, self.server.end()
        return line.split()[-1]

    def kill(self) -> None:
        """Kill it without a warning."""
        self.server.process.kill()
        self.said += self.server.end()[2]

    def again(self, place: str | None = None) -> None:
        """Start it again; unless it is told a place, it must find its old port by itself."""
        self.server = Running(*self._words, "--page", place or "127.0.0.1:0")
        assert self._page() == self.url


@contextmanager
def killable(folder: Path, *words: str) -> Iterator[Killable]:
    server = Killable(folder, *words)
    try:
        yield server
    finally:
        server.kill()


@asynccontextmanager
async def visiting(server: Killable) -> AsyncIterator[Visit]:
    async with aiohttp.ClientSession(server.url) as http:
        yield Visit(None, server.url, http)  # type: ignore[arg-type]  # nobody looks into another process


async def make(visit: Visit, game: str, *seats: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """Make a table of a game that takes a while; return its id and its tickets."""
    options = {"rows": 7, "cols": 6} if game == "hexapawn" else SMALL[game]
    new = {"game": game, "options": options, "pace": 0.05, "seats": [*seats]}
    status, made = await visit.post("/api/tables", new)
    assert status == 201, made
    return made["table"]["id"], made["seats"]


async def begun(visit: Visit, table: str) -> None:
    """Wait until the match of a table has begun."""
    while (await visit.get(f"/api/tables/{table}"))[1]["table"]["state"] == "open":  # noqa: ASYNC110
        await asyncio.sleep(0.02)


async def program(line: str) -> asyncio.subprocess.Process:
    """A program that comes in by the line that the page shows, and always plays its first move."""
    key, _, *words = shlex.split(line)
    name, _, secret = key.partition("=")
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "touchline", *words[:-1], str(LAST), env={**os.environ, name: secret},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip


def test_a_page_that_is_killed_goes_on(tmp_path: Path) -> None:
    """A person comes back over a WebSocket, and the match ends as it would have."""

    async def main() -> None:
        with killable(tmp_path) as server:
            async with visiting(server) as visit:
                table, [ann] = await make(visit, "hexapawn", me(), house("greedy"))
                async with live(visit, table, ann["token"]) as person:
                    await person.turn()
                server.kill()
                server.again()
                now = await stay(visit, table, ann["token"], 0)
                assert now["result"]["expelled"] == []
        checked_record(tmp_path / "000000.jsonl", {1: GREEDY})

    run(main())


async def play_through_kills(server: Killable, game: str, rng: Random, folder: Path) -> None:
    """Play two tables while the server is killed again and again."""
    async with visiting(server) as visit:
        friends = ["ann"] if game == "hexapawn" else ["ann", "bob"]
        first, tickets = await make(visit, game, *map(me, friends), house("greedy"))
        other, [cy, seat] = await make(visit, game, me("cy"), {"kind": "remote"})
        bot = await program(seat["join"])
        await begun(visit, other)  # a program that is cut off before it has signed up gives up
        people = [asyncio.create_task(stay(visit, first, one["token"], one["seat"])) for one in tickets]
        people.append(asyncio.create_task(stay(visit, other, cy["token"], 0)))
        for _ in range(RESTARTS):
            await asyncio.sleep(rng.uniform(0, PAUSE))
            server.kill()
            server.again(server.url.removeprefix("http://").rstrip("/"))
        await asyncio.gather(*people)
        said, _ = await bot.communicate()
        assert bot.returncode == 0, said
        await until(lambda: not files_in(folder, "*.secret"))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", sorted(SMALL))
def test_killed_at_random_instants(game: str, seed: int, tmp_path: Path) -> None:
    """People over WebSockets, a program over TCP and house players: every match ends as it would have."""

    async def main() -> None:
        with killable(tmp_path) as server:
            await play_through_kills(server, game, Random(seed), tmp_path)
            assert "cannot be resumed" not in server.said

    run_long(main())
    records = [tmp_path / name for name in files_in(tmp_path, "*.jsonl")]
    assert len(records) == 2
    for path in records:
        *_, last = names = Replay.read(path).begun.names
        if last == "greedy":
            checked_record(path, {len(names) - 1: GREEDY})
        else:
            checked_record(path, {}, programs={1})


def run_long(main: Any) -> None:
    asyncio.run(asyncio.wait_for(main, 200))


def test_a_record_that_cannot_be_written_fails_the_server(tmp_path: Path) -> None:
    """The matches are played; at the end it says which have no record, with exit code 1."""
    folder = tmp_path / "records"
    with serving(
        "hexapawn", "--listen", NATIVE, "--house", "greedy", "--record", str(folder), "--tables", "1",
        "--page", "127.0.0.1:0",
    ) as (server, url):  # fmt: skip
        shutil.rmtree(folder)
        assert joined(url, "random", "ann").end()[0] == 0
        assert json.loads(server.line())["recorded"] is False
        code, _, err = server.end()
    assert (code, "not recorded: " in err, "000000.jsonl" in err) == (1, True, True)


@pytest.mark.slow
def test_the_page_alone_fails_too_if_a_match_is_not_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    with page("--record", str(folder), "--grace", "0") as (server, url):
        shutil.rmtree(folder)
        seats = [{"kind": "house", "player": "random"}] * 2
        made = fetched(f"{url}api/tables", {"game": "hexapawn", "pace": 0, "seats": seats})
        assert made["table"]["recorded"] is False
        code, _, err = server.end(signal.SIGTERM)
    assert (code, "not recorded: " in err) == (1, True)


@pytest.mark.slow
def test_the_page_says_who_is_missing_at_a_port(tmp_path: Path) -> None:
    """Until the player has come back to the port with its token."""
    words = ("hexapawn", "--house", "greedy", "--record", str(tmp_path), "--page", "127.0.0.1:0")

    async def main() -> None:
        with serving(*words, "--listen", NATIVE) as (server, url):
            ann = Raw(url, "ann")
            token = ann.hear("welcome")["token"]
            ann.hear("begin")
            server.process.kill()
            ann.close()
        with serving(*words, "--listen", url) as (server, _):
            while "the page is at " not in (line := server.complaint()):
                assert line
            async with aiohttp.ClientSession(line.split()[-1]) as http:
                visit = Visit(None, line, http)  # type: ignore[arg-type]
                [table] = (await visit.get("/api/tables"))[1]["tables"]
                async with live(visit, table["id"]) as spectator:
                    assert (await spectator.kind("snapshot"))["now"]["missing"] == [0]
                    back = Raw(url, "ann", token)
                    back.hear("welcome")
                    while spectator.screen.now["missing"]:
                        assert await spectator.line() is not None
                    back.close()

    run(main())
