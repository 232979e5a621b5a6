"""One table of four: a class with a note's methods, a player over WebSocket, one over TCP, a C program."""

from __future__ import annotations

import asyncio
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from touchline.bots.fish_course import FishCourse
from touchline.bots.random import Random as RandomBot
from touchline.client.join import join
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import Moved, encode
from touchline.dialects.native import Native
from touchline.drivers.event_loop import play
from touchline.drivers.match import agreed
from touchline.games.fish import Fish
from touchline.players.address import ServerAddress
from touchline.players.in_dialect import InDialect
from touchline.players.process import Program
from touchline.players.process_connection import ProcessConnection
from touchline.players.remote import Remote
from touchline.records.replay import Replay
from touchline.server.sign_up import Door, Guest
from touchline.transports.base import transport

if TYPE_CHECKING:
    from touchline.core.events import Event, Result
    from touchline.players.base import Player

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME = Fish(rows=5, cols=5)


class Host:
    """Takes whoever comes, by the dialect they speak."""

    def __init__(self, count: int) -> None:
        self.guests: dict[str, Guest] = {}
        self.complete = asyncio.Event()
        self._count = count

    def welcome(self, guest: Guest) -> None:
        self.guests[guest.spoken.name] = guest
        if len(self.guests) == self._count:
            self.complete.set()

    def seated(self, token: str) -> Guest | None:
        return None


async def mixed(program: Program, seed: int) -> tuple[Result, list[Event]]:
    host = Host(2)
    events: list[Event] = []
    pushed, course = (Door(host, registry.dialect(name)) for name in ("seed-001", "fish-course"))
    over_ws = await transport("ws").listen("127.0.0.1", 0, pushed.connected)
    over_tcp = await transport("tcp").listen("127.0.0.1", 0, course.connected, framing="values")
    clients = []
    for name, scheme, server, bot in (
        ("seed-001", "ws", over_ws, RandomBot(Random(seed))),
        ("fish-course", "tcp", over_tcp, FishCourse(depth=1)),
    ):
        module, port = registry.dialect(name), server.port
        listen = ServerAddress(scheme, "127.0.0.1", port, name)
        clients.append(
            asyncio.create_task(join(listen, module.face(bot), module.framing, "guest", seconds=5))
        )
    async with asyncio.timeout(20):
        await host.complete.wait()
    note: Any = runpy.run_path(str(EXAMPLES / "seeds" / "fish_000.py"))
    (player,) = (kind for kind in note.values() if hasattr(kind, "get_placement"))
    seed_000 = registry.dialect("seed-000")
    pipes = ProcessConnection(program)
    seated: list[Player] = [
        InDialect(seed_000.face(player()), seed_000(GAME)),
        *(
            Remote(host.guests[name].connection, host.guests[name].spoken(GAME))
            for name in ("seed-001", "fish-course")
        ),
        Remote(pipes, Native(GAME)),
    ]
    limits = Limits(clock=Clock(micros(10)))
    spec = agreed(GAME, ["here", "websocket", "tcp", "program"], seed, limits=limits)
    try:
        result = await play(spec, seated, [events.append])
        await asyncio.gather(*clients, return_exceptions=True)
        return result, events
    finally:
        pipes.release()
        over_ws.close()
        over_tcp.close()


@pytest.fixture(scope="module")
def fish_in_c(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The C example, or where there is no compiler our host, as a program."""
    if shutil.which("gcc") is None:
        return [
            sys.executable,
            "-m",
            "touchline.players.python_file",
            str(EXAMPLES / "bots" / "greedy_fish.py"),
        ]
    program = tmp_path_factory.mktemp("c") / "fish"
    subprocess.run(["gcc", "-O1", "-o", str(program), str(EXAMPLES / "bots" / "fish.c")], check=True)
    return [str(program)]


@pytest.mark.parametrize("seed", range(3))
def test_four_dialects_over_four_ways_at_one_table(fish_in_c: list[str], seed: int) -> None:
    """The game runs to its end, everybody moves, nobody is blamed, and the record verifies."""
    program = Program(fish_in_c)
    try:
        result, events = asyncio.run(mixed(program, seed))
    finally:
        program.stop(0.5)
    assert result.verdict == "finished"
    assert result.faults == ()
    assert {event.seat for event in events if isinstance(event, Moved)} == {0, 1, 2, 3}
    Replay(b"".join(encode(event) + b"\n" for event in events), "a mixed table").verify()
