"""File descriptors of a server: the limit is raised, and strangers cannot use up those of players."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from server.rooms import DEADLINE, Caller, guest, hello, play_on, room, run, seated
from touchline.games.hexapawn import Hexapawn
from touchline.server.sign_up import FULL
from touchline.transports.shared import descriptors

if TYPE_CHECKING:
    from asyncio.subprocess import Process

LIMIT = 240


def test_the_soft_limit_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the hard one, but no further than makes sense; a higher one is left alone."""
    limits = {"now": (1024, 20_000)}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits["now"])
    monkeypatch.setattr(resource, "setrlimit", lambda kind, new: limits.update(now=new))
    assert descriptors.raise_limit() == 20_000
    assert limits["now"] == (20_000, 20_000)
    limits["now"] = (1024, resource.RLIM_INFINITY)
    assert descriptors.raise_limit() == descriptors.MOST
    limits["now"] = (100_000, 1_000_000)
    assert descriptors.raise_limit() == 100_000


@pytest.mark.parametrize(("limit", "page", "door"), [(1024, 768, 896), (20_000, 18_976, 19_488)])
def test_the_last_numbers_are_reserved(
    monkeypatch: pytest.MonkeyPatch, limit: int, page: int, door: int
) -> None:
    """Spectators leave more than players who are new."""
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limit, limit))
    for parts, first in ((2, page), (1, door)):
        assert descriptors.is_reserved(first, parts)
        assert not descriptors.is_reserved(first - 1, parts)


def test_when_descriptors_are_scarce_only_seated_players_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new player is refused with the reason; one that comes back to its seat is not."""

    async def whole() -> None:
        async with room() as here:
            ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
            await seated(ann, bob)
            monkeypatch.setattr(descriptors, "are_scarce", lambda: True)
            new = await Caller.at(here.url, hello("cyd"))
            assert await new.rest() == [{"type": "expelled", "reason": FULL}]
            await ann.gone()
            back = await guest(here.url, "ann", token=ann.token)
            for caller in (bob, back, new):
                await caller.gone()

    run(whole())


async def served() -> tuple[Process, Any]:
    """`touchline serve` with few descriptors."""
    script = (
        "import resource, sys; from touchline.cli.main import main; "
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({LIMIT // 2}, {LIMIT})); main()"
    )
    arguments = ["serve", "hexapawn", "--rows", "3", "--cols", "3", "--json", "--page", "127.0.0.1:0"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, *arguments, "--listen", "tcp://127.0.0.1:0/native",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    return process, json.loads(await process.stdout.readline())


@pytest.mark.parametrize("door", ["page", "listening"])
def test_silent_connections_leave_descriptors_for_players(door: str) -> None:
    """More silent connections than there are descriptors, at the page or at the port: players play."""

    async def whole() -> None:
        process, said = await served()
        url = said["listening"][0]
        place = said["page"] if door == "page" else url
        port = int(place.split(":")[2].split("/")[0])
        with ExitStack() as crowd:
            for number in range(LIMIT + LIMIT // 2):
                sock = crowd.enter_context(socket.socket())
                sock.bind((f"127.0.0.{2 + number % 20}", 0))
                sock.settimeout(DEADLINE)
                sock.connect(("127.0.0.1", port))
                if door == "page":
                    sock.send(b"GET / HTTP/1.1\r\n")
            ann, bob = await guest(url, "ann"), await guest(url, "bob")
            game = Hexapawn(rows=3, cols=3)
            last, _ = await asyncio.gather(play_on(ann, game), play_on(bob, game))
            assert last["type"] == "over"
        process.terminate()
        await process.communicate()

    run(whole())
