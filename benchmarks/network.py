"""What the server costs: whole matches over TCP and WebSocket beside a bare echo of the same bytes.

Hexapawn 5 x 5, uvloop, the server in one process and scripted clients in another. In a game one of two
players is under way at any time, so an echo has as many connections as there are games. Connecting is not
timed: all games are seated, then all begin. `--memory` measures what a live game costs, and how quickly
players are seated. A boardgame.io server plays 100 games beside ours where npm is there.

The wall clock also times the scripted clients. So each row has a second one, which counts only the CPU time
of the server's process: from the start of a batch until its last client has heard that the match is over.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from inspect import signature
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import rows
import uvloop
from measure import Claim, in_rounds, report
from picows import WSListener, WSMsgType, ws_connect, ws_create_server

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits, micros
from touchline.core.messages import YourTurn
from touchline.dialects.native import Native
from touchline.games.hexapawn import Hexapawn
from touchline.players.address import ServerAddress
from touchline.server.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
GAME = Hexapawn()
CAPS = ("most_per_address", "most_seats_per_address")
"""Caps that loopback would reach; an older tree does not know all of them."""
LIMITS = Limits(set_up=micros(600), clock=Clock(micros(600)))


def script() -> list[bytes]:
    """What is answered in each turn of a game in which both play so as to make it long."""
    best: list[bytes] = []
    for seed in range(300):
        rng, state, answers = Random(seed), GAME.start(2, Random(0)), list[bytes]()
        while state.to_move is not None:
            move = rng.choice(state.legal_moves())
            answers.append(msgspec.json.encode({"type": "act", "turn": len(answers), "move": move}))
            state = state.play(move)
        best = max(best, answers, key=len)
    return best


SCRIPT = script()
QUESTION = Native(GAME).say(YourTurn(7, GAME.start(2, Random(0)), micros(600))).frames[0]


# -- the servers, each in a process of its own -----------------------------------------------------


class TcpEcho(asyncio.Protocol):
    """Whatever comes is answered with a question."""

    def connection_made(self, transport: Any) -> None:
        self._write = transport.write

    def data_received(self, data: bytes) -> None:
        self._write(QUESTION + b"\n")


class WsEcho(WSListener):
    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        transport.send(WSMsgType.TEXT, QUESTION)


async def serve(kind: str) -> None:
    """Serve until the parent hangs up: print the port, then the CPU seconds so far for each line of stdin."""
    loop = asyncio.get_running_loop()
    if kind == "echo-tcp":
        server = await loop.create_server(TcpEcho, "127.0.0.1", 0, backlog=4096)
        port = server.sockets[0].getsockname()[1]
    elif kind == "echo-ws":
        server = await ws_create_server(
            lambda request: WsEcho(),
            "127.0.0.1",
            0,
            read_buffer_init_size=1024,
            use_aiofastnet=False,
            backlog=4096,
        )
        port = server.sockets[0].getsockname()[1]
    else:
        caps = {name: 20_000 for name in CAPS if name in signature(Server).parameters}
        ours = Server(GAME, 2, conduct=COURSE, limits=LIMITS, seed=1, **caps)  # type: ignore[arg-type]
        url = await ours.listen(ServerAddress(kind, "127.0.0.1", 0, "native"))
        port = ServerAddress.read(url).port
    print(port, flush=True)
    while await loop.run_in_executor(None, sys.stdin.buffer.readline):
        print(time.process_time(), flush=True)
    os._exit(0)


class Served:
    """A server that runs in another process, on the other core."""

    def __init__(self, kind: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve", kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.port = int(self._answer())

    def _answer(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def cpu(self) -> float:
        """Seconds of CPU time that it has used."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return float(self._answer())

    def resident(self) -> int:
        """Bytes of memory it has."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


# -- the clients -----------------------------------------------------------------------------------


class Crowd:
    """All clients of one batch: they wait until everybody is seated, then play by the script."""

    def __init__(self, names: int, turns: int) -> None:
        self.waiting: list[Callable[[bytes], None]] = []
        self.seated = asyncio.Event()
        self.over = asyncio.Event()
        self.parted = asyncio.Event()
        """Everybody has heard that the match is over."""
        self._names, self._left = names, turns
        self.turns = self._ends = 0

    def ready(self, send: Callable[[bytes], None]) -> None:
        self.waiting.append(send)
        if len(self.waiting) == self._names:
            self.seated.set()

    def moved(self) -> None:
        self.turns += 1
        if self.turns == self._left:
            self.over.set()

    def ended(self) -> None:
        self._ends += 1
        if self._ends == self._names:
            self.parted.set()


class Client:
    """One scripted player; how its bytes travel is the subclass's business."""

    send: Callable[[bytes], None]

    def __init__(self, crowd: Crowd, name: int) -> None:
        self.crowd, self.name = crowd, name
        self.born = time.perf_counter()
        self.welcomed = self.began = 0.0

    def hello(self) -> None:
        self.send(b'{"type":"hello","protocol":1,"name":"p%d"}' % self.name)

    def hear(self, frame: bytes) -> None:
        if frame.startswith(b'{"type":"your_turn","turn":'):
            turn = int(frame[27 : frame.index(b",", 27)])
            self.send(SCRIPT[turn])
            self.crowd.moved()
        elif frame.startswith(b'{"type":"begin"'):
            self.began = time.perf_counter()
            self.crowd.ready(self.send)
        elif frame.startswith(b'{"type":"welcome"'):
            self.welcomed = time.perf_counter()
        elif frame.startswith(b'{"type":"over"'):
            self.crowd.ended()


class TcpClient(Client, asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.send = lambda frame: transport.write(frame + b"\n")
        self._rest = b""
        self.hello()

    def data_received(self, data: bytes) -> None:
        *frames, self._rest = (self._rest + data).split(b"\n")
        for frame in frames:
            self.hear(frame)


class WsClient(Client, WSListener):
    def on_ws_connected(self, transport: Any) -> None:
        self.transport = transport.underlying_transport
        self.send = lambda frame: transport.send(WSMsgType.TEXT, frame)
        self.hello()

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self.hear(frame.get_payload_as_bytes())


async def connect(kind: str, port: int, client: Any) -> None:
    if kind == "tcp":
        await asyncio.get_running_loop().create_connection(lambda: client, "127.0.0.1", port)
    else:
        url = f"ws://127.0.0.1:{port}/native"
        await ws_connect(lambda: client, url, read_buffer_init_size=1024, use_aiofastnet=False)


async def seated(kind: str, port: int, games: int) -> tuple[Crowd, list[Client]]:
    """So many games in which everybody has sat down and nobody is ready."""
    crowd = Crowd(2 * games, games * len(SCRIPT))
    kinds: dict[str, type[Client]] = {"tcp": TcpClient, "ws": WsClient}
    clients = [kinds[kind](crowd, name) for name in range(2 * games)]
    for start in range(0, len(clients), 100):
        await asyncio.gather(*(connect(kind, port, client) for client in clients[start : start + 100]))
    await asyncio.wait_for(crowd.seated.wait(), 60)
    return crowd, clients


class Batch(NamedTuple):
    """Turns, or echoed messages: each second by the clock, and each second of the server's CPU time."""

    by_clock: float
    by_cpu: float


async def games(kind: str, served: Served, count: int) -> Batch:
    """So many games at once."""
    crowd, clients = await seated(kind, served.port, count)
    cpu, start = served.cpu(), time.perf_counter()
    for send in crowd.waiting:
        send(b'{"type":"ready"}')
    await asyncio.wait_for(crowd.over.wait(), 120)
    spent = time.perf_counter() - start
    await asyncio.wait_for(crowd.parted.wait(), 120)
    cpu = served.cpu() - cpu
    for client in clients:
        client.transport.close()  # type: ignore[attr-defined]
    return Batch(crowd.turns / spent, crowd.turns / cpu)


class Echoed(Client):
    """Answers every question, so many times."""

    def __init__(self, crowd: Crowd, name: int) -> None:
        super().__init__(crowd, name)
        self._left = len(SCRIPT)

    def hello(self) -> None:
        self.crowd.ready(self.send)

    def hear(self, frame: bytes) -> None:
        self.crowd.moved()
        self._left -= 1
        if self._left:
            self.send(SCRIPT[7])


class TcpEchoed(Echoed, TcpClient):
    pass


class WsEchoed(Echoed, WsClient):
    pass


async def echoes(kind: str, served: Served, count: int) -> Batch:
    """So many connections that are echoed at once, with as many messages each as a game has turns."""
    crowd = Crowd(count, count * len(SCRIPT))
    clients: list[Any] = [(TcpEchoed if kind == "tcp" else WsEchoed)(crowd, name) for name in range(count)]
    for start in range(0, len(clients), 100):
        some = clients[start : start + 100]
        await asyncio.gather(*(connect(kind, served.port, client) for client in some))
    cpu, begin = served.cpu(), time.perf_counter()
    for send in crowd.waiting:
        send(SCRIPT[7])
    await asyncio.wait_for(crowd.over.wait(), 120)
    spent, cpu = time.perf_counter() - begin, served.cpu() - cpu
    for client in clients:
        client.transport.close()
    return Batch(crowd.turns / spent, crowd.turns / cpu)


COUNTS = (100, 1000)
BATCHES = {100: 10, 1000: 1}
"""How often a row is measured in a round: few games are over soon, and the median of several is steadier."""
BY_CPU = ", per second of server CPU"
"""What the name of a row ends with that counts CPU time."""
CLAIMS = [
    claim
    for kind, way, echo, bar in (("tcp", "TCP", "echo", 0.40), ("ws", "WebSocket", "picows echo", 0.36))
    for count in COUNTS
    for ours, theirs in ((f"{kind} {count}", f"echo-{kind} {count}"),)
    for claim in (
        Claim(f"turns/s of {count:,} games over {way} : {echo}", ours, theirs, bar),
        Claim(f"server CPU a turn, {count:,} games over {way} : a message, {echo}",
              ours + BY_CPU, theirs + BY_CPU, None, cost=True),
    )
]  # fmt: skip


class Boardgame:
    """A boardgame.io server, installed by npm into a folder of its own; its clients are its own too."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        shutil.copytree(HERE / "boardgame", self._folder.name, dirs_exist_ok=True)
        install = ["npm", "install", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(install, cwd=self._folder.name, check=True, stdout=subprocess.DEVNULL)
        self._server = subprocess.Popen(["node", "server.js"], cwd=self._folder.name, stdout=subprocess.PIPE)
        assert self._server.stdout is not None
        self._port = self._server.stdout.readline().decode().strip()

    def play(self, count: int) -> float:
        """Moves a second of so many games at once."""
        done = subprocess.run(
            ["node", "clients.js", self._port, str(count)],
            cwd=self._folder.name, capture_output=True, timeout=60, check=True,
        )  # fmt: skip
        return float(done.stdout)

    def stop(self) -> None:
        self._server.kill()
        self._server.wait()
        self._folder.cleanup()


BOARDGAME = Claim("moves/s of 100 games over WebSocket : boardgame.io", "ws 100", "boardgame.io 100", 10)


def boardgame_measured(peer: Boardgame) -> dict[str, float]:
    return {BOARDGAME.theirs: peer.play(100)}


def boardgame() -> Boardgame | None:
    if shutil.which("npm") is None:
        print("npm is not here: boardgame.io is left out", file=sys.stderr)
        return None
    try:
        return Boardgame()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"boardgame.io cannot be installed, and is left out: {error}", file=sys.stderr)
        return None


def measured(kind: str, count: int, served: Served) -> dict[str, float]:
    """Measure both rows of a server with so many games: the medians of its batches."""
    run = echoes if kind.startswith("echo") else games
    transport = kind.removeprefix("echo-")
    batches = [uvloop.run(run(transport, served, count)) for _ in range(BATCHES[count])]
    name = f"{kind} {count}"
    return {
        name: median(batch.by_clock for batch in batches),
        name + BY_CPU: median(batch.by_cpu for batch in batches),
    }


def speed() -> int:
    peer = None if rows.asked() else boardgame()
    served = {kind: Served(kind) for kind in ("tcp", "echo-tcp", "ws", "echo-ws")}
    measures: dict[str, rows.Measure] = {
        f"{kind} {count}": partial(measured, kind, count, server)
        for count in COUNTS
        for kind, server in served.items()
    }
    claims = CLAIMS
    if peer is not None:
        measures[BOARDGAME.theirs] = partial(boardgame_measured, peer)
        claims = [*CLAIMS, BOARDGAME]
    try:
        return report(in_rounds(measures), claims)
    finally:
        if peer is not None:
            peer.stop()
        for server in served.values():
            server.stop()


async def arrivals(port: int, each_second: int, seconds: float) -> float:
    """Players come at a steady rate: how long until they have been let in, for all but one in a hundred."""
    crowd = Crowd(1 << 30, 1 << 30)
    clients: list[TcpClient] = []
    loop, start = asyncio.get_running_loop(), time.perf_counter()
    tasks = []
    for number in range(int(each_second * seconds)):
        await asyncio.sleep(max(0.0, start + number / each_second - time.perf_counter()))
        client = TcpClient(crowd, 100_000 + number)
        clients.append(client)
        tasks.append(loop.create_task(connect("tcp", port, client)))
    await asyncio.gather(*tasks)
    await asyncio.sleep(1)
    took = sorted(
        client.began - client.born if client.name % 2 else client.welcomed - client.born for client in clients
    )
    for client in clients:
        client.transport.close()
    return took[int(len(took) * 0.99)]


async def alive(kind: str, served: Served, count: int) -> tuple[float, bool]:
    """Bytes of memory a live game costs the server, and whether all of them can be played to the end."""
    before = served.resident()
    crowd, clients = await seated(kind, served.port, count)
    for send in crowd.waiting:
        send(b'{"type":"ready"}')
    await asyncio.sleep(0)
    cost = (served.resident() - before) / count
    await asyncio.wait_for(crowd.over.wait(), 300)
    for client in clients:
        client.transport.close()  # type: ignore[attr-defined]
    return cost, crowd.turns == count * len(SCRIPT)


def memory() -> int:
    good = True
    for kind, most in (("tcp", 48), ("ws", 96)):
        served = Served(kind)
        uvloop.run(games(kind, served, 10))  # so that everything is loaded
        cost, finished = uvloop.run(alive(kind, served, 2_500))
        good &= finished and cost <= most * 1024
        played = "all were played to the end" if finished else "NOT all were played to the end"
        print(f"2,500 live games over {kind}: {cost / 1024:.1f} KiB a game (at most {most}); {played}")
        served.stop()
    served = Served("tcp")
    slowest = uvloop.run(arrivals(served.port, 200, 5))
    served.stop()
    print(f"at 200 arrivals a second 99 of 100 are seated within {slowest * 1000:.1f} ms (at most 100)")
    return 0 if good and slowest < 0.1 else 1


def main() -> int:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if "--serve" in sys.argv:
        uvloop.run(serve(sys.argv[-1]))
        return 0
    return memory() if "--memory" in sys.argv else speed()


if __name__ == "__main__":
    sys.exit(main())
