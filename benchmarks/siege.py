"""What half-open connections cost honest players: 2,000 of them from 40 addresses at each door of a server.

`touchline serve` runs on one core; the honest players and the besiegers run on the other, the besiegers at
the lowest priority. Besiegers send half of a first message, then a byte now and then, and come again when
they are cut off. Four honest pairs play Hexapawn, calm and besieged in turn, at the same door or, when the
page is besieged, at the TCP port; a latency is the time from a player's move to the other player's question.
After the last round the besiegers fall silent without hanging up, and the server must have its descriptors
and its memory back within a minute. All traffic stays on loopback.
Options: `--rounds N`, `--json`, `--door tcp|ws|http`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import uvloop
from besiegers import CROWD, HALVES
from measure import rounds_asked
from network import SCRIPT
from picows import WSListener, WSMsgType, ws_connect
from verdict import Interval, Judged, judge

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 6
BESIEGERS = Path(__file__).with_name("besiegers.py")
PAIRS = 4
THINKING = 0.005
"""Seconds that an honest player thinks about a move."""
SECONDS = 12.0
"""How long we look in each half of a round: the server waits 10 s for a first message."""
PATIENCE = 60.0
"""Seconds within which descriptors and memory must be back."""
SLACK = 16
"""Descriptors, and MiB of memory, that may stay in use after a siege."""


class Process:
    """A process of this benchmark that talks in lines of JSON."""

    def __init__(self, command: list[str], core: int, nice: int = 0) -> None:
        def settle() -> None:
            os.sched_setaffinity(0, {core})
            os.nice(nice)

        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, preexec_fn=settle
        )

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    async def ask(self, line: str) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return await asyncio.get_running_loop().run_in_executor(None, self.hear)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


# -- the server -------------------------------------------------------------------------------------


class Served(Process):
    """`touchline serve` with all its doors."""

    def __init__(self, core: int) -> None:
        any_port = [f"{scheme}://127.0.0.1:0/native" for scheme in ("tcp", "ws")]
        command = [sys.executable, "-m", "touchline", "serve", "hexapawn", "--rows", "5", "--cols", "5"]
        options = ["--listen", any_port[0], "--listen", any_port[1], "--page", "127.0.0.1:0", "--json"]
        super().__init__([*command, *options], core)
        said = self.hear()
        tcp, ws = (int(re.findall(r":(\d+)", url)[-1]) for url in said["listening"])
        self.ports = {"tcp": tcp, "ws": ws, "http": int(re.findall(r":(\d+)", said["page"])[-1])}

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def cpu(self) -> float:
        """Seconds of processor time."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> float:
        """MiB of memory."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / (1 << 20)

    def drain(self) -> None:
        """Read the results of matches, for ever: nobody else wants them."""
        assert self.process.stdout is not None
        while self.process.stdout.readline():
            pass


# -- honest players ---------------------------------------------------------------------------------


class Pair:
    """Two players at one table: the time from each move to the next question is measured."""

    def __init__(self, took: list[float]) -> None:
        self._took = took
        self._moved, self._begun = 0.0, 0
        self.seated, self.over = asyncio.Event(), asyncio.Event()

    def hear(self, frame: bytes, send: Callable[[bytes], None]) -> None:
        if frame.startswith(b'{"type":"your_turn","turn":'):
            now, turn = time.perf_counter(), int(frame[27 : frame.index(b",", 27)])
            if turn:
                self._took.append(now - self._moved)
            asyncio.get_running_loop().call_later(THINKING, self._move, turn, send)
        elif frame.startswith(b'{"type":"begin"'):
            self._begun += 1
            if self._begun == 2:
                self.seated.set()
            send(b'{"type":"ready"}')
        elif frame.startswith((b'{"type":"over"', b'{"type":"expelled"')):
            self.end()

    def end(self) -> None:
        self.seated.set()
        self.over.set()

    def _move(self, turn: int, send: Callable[[bytes], None]) -> None:
        self._moved = time.perf_counter()
        send(SCRIPT[turn])


class TcpPlayer(asyncio.Protocol):
    def __init__(self, pair: Pair) -> None:
        self._pair, self._rest = pair, b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def say(self, frame: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(frame + b"\n")

    def data_received(self, data: bytes) -> None:
        *frames, self._rest = (self._rest + data).split(b"\n")
        for frame in frames:
            self._pair.hear(frame, self.say)

    def connection_lost(self, error: Exception | None) -> None:
        self._pair.end()


class WsPlayer(WSListener):
    def __init__(self, pair: Pair) -> None:
        self._pair = pair

    def on_ws_connected(self, transport: Any) -> None:
        self.transport = transport

    def say(self, frame: bytes) -> None:
        if not self.transport.is_disconnected:
            self.transport.send(WSMsgType.TEXT, frame)

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self._pair.hear(frame.get_payload_as_bytes(), self.say)

    def on_ws_disconnected(self, transport: Any) -> None:
        self._pair.end()


async def player(door: str, port: int, pair: Pair, name: str) -> Any:
    made: TcpPlayer | WsPlayer
    if door == "ws":
        made = listener = WsPlayer(pair)
        await ws_connect(lambda: listener, f"ws://127.0.0.1:{port}/native", use_aiofastnet=False)
        transport = made.transport.underlying_transport
    else:
        loop = asyncio.get_running_loop()
        transport, made = await loop.create_connection(lambda: TcpPlayer(pair), "127.0.0.1", port)
    made.say(b'{"type":"hello","protocol":1,"name":"%s"}' % name.encode())
    return transport


class Honest:
    """Pairs that play match after match."""

    def __init__(self, door: str, port: int) -> None:
        self._door, self._port = door, port
        self.took: list[float] = []
        self._matches = 0
        self._seating = asyncio.Lock()
        self._playing = [asyncio.ensure_future(self._play()) for _ in range(PAIRS)]

    async def _play(self) -> None:
        while True:
            pair = Pair(self.took)
            async with self._seating:  # so that the two of a pair sit at one table
                self._matches += 1
                names = [f"{side}{self._matches}" for side in ("a", "b")]
                both = [await player(self._door, self._port, pair, name) for name in names]
                await pair.seated.wait()
            try:
                await pair.over.wait()
            finally:
                for transport in both:
                    transport.close()

    async def watch(self, seconds: float) -> Latencies:
        """Return the latencies of so many seconds from now on."""
        before = len(self.took)
        await asyncio.sleep(seconds)
        return latencies(self.took[before:])

    async def stop(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


class Latencies(NamedTuple):
    """In milliseconds."""

    p50: float
    p99: float
    turns: int


def latencies(took: list[float]) -> Latencies:
    ordered = sorted(took) or [float("inf")]
    p50, p99 = (1000 * ordered[int(len(ordered) * share)] for share in (0.5, 0.99))
    return Latencies(p50, p99, len(took))


# -- the rounds -------------------------------------------------------------------------------------


class Look(NamedTuple):
    """One half of a round: the latencies, and the server's share of its core."""

    latencies: Latencies
    cpu: float


class Round(NamedTuple):
    calm: Look
    besieged: Look
    held: int
    """Connections of besiegers at the end."""
    recovery: Recovery | None


class Recovery(NamedTuple):
    seconds: float
    descriptors: int
    mebibytes: float
    """More than before the siege."""


async def recovered(served: Served, descriptors: int, mebibytes: float) -> Recovery:
    """Wait until the server is as it was before, for a minute at most. The besiegers stay connected."""
    start = time.monotonic()
    while True:
        spent = time.monotonic() - start
        more = served.descriptors() - descriptors, served.resident() - mebibytes
        if spent >= PATIENCE or max(more) <= SLACK:
            return Recovery(spent, *more)
        await asyncio.sleep(0.5)


async def looked(served: Served, honest: Honest) -> Look:
    cpu = served.cpu()
    found = await honest.watch(SECONDS)
    return Look(found, (served.cpu() - cpu) / SECONDS)


async def one_round(served: Served, besiegers: Process, door: str, *, last: bool) -> Round:
    """Look at honest players when it is calm, then besieged; after the last round wait for the recovery."""
    played = "tcp" if door == "http" else door
    honest = Honest(played, served.ports[played])
    await honest.watch(1.0)
    descriptors, mebibytes = served.descriptors(), served.resident()
    calm = await looked(served, honest)
    attack = asyncio.ensure_future(besiegers.ask(f"{served.ports[door]} {door} {SECONDS}"))
    besieged = await looked(served, honest)
    await attack
    held = served.descriptors() - descriptors
    back = await recovered(served, descriptors, mebibytes) if last else None
    said = await besiegers.ask("close")
    await honest.stop()
    await asyncio.sleep(0.5)
    print(f"{door}: {calm} -> {besieged}; {said}, {held} held; {back}", file=sys.stderr)
    return Round(calm, besieged, held, back)


def counted(what: str, value: float, bar: float) -> Judged:
    """A figure that has no rounds. It should stay at or under the bar."""
    return Judged(what, value, Interval(value, value), bar, cost=True)


async def measured(doors: list[str], rounds: int) -> list[Judged]:
    server_core, other_core = sorted(os.sched_getaffinity(0))[:2]
    os.sched_setaffinity(0, {other_core})
    served = Served(server_core)
    besiegers = Process([sys.executable, str(BESIEGERS)], other_core, nice=19)
    asyncio.get_running_loop().run_in_executor(None, served.drain)
    found: dict[str, list[Round]] = {door: [] for door in doors}
    try:
        for number in range(rounds):
            for door in doors:
                last = number == rounds - 1
                found[door].append(await one_round(served, besiegers, door, last=last))
    finally:
        besiegers.stop()
        served.stop()
    return [row for door, all_rounds in found.items() for row in judged(door, all_rounds)]


def judged(door: str, all_rounds: list[Round]) -> list[Judged]:
    what, back = f"{CROWD:,} half-open at {door}", all_rounds[-1].recovery
    assert back is not None
    calm, besieged = (
        [one.calm.latencies for one in all_rounds],
        [one.besieged.latencies for one in all_rounds],
    )
    cpu = [one.besieged.cpu - one.calm.cpu for one in all_rounds]
    pairs = [*zip(calm, besieged, strict=True)]
    return [
        judge(f"{what}: p50 besieged : calm", [now.p50 / then.p50 for then, now in pairs], 1.5, cost=True),
        judge(
            f"{what}: p99 besieged - calm, ms", [now.p99 - then.p99 for then, now in pairs], 100, cost=True
        ),
        judge(f"{what}: calm p50, ms", [one.p50 for one in calm], None),
        judge(f"{what}: turns besieged : calm", [now.turns / then.turns for then, now in pairs], None),
        judge(f"{what}: server CPU besieged - calm", cpu, None),
        judge(f"{what}: held at the end", [one.held for one in all_rounds], None),
        counted(f"{what}: seconds until descriptors and memory are back", back.seconds, PATIENCE - 1),
        counted(f"{what}: descriptors still in use", back.descriptors, SLACK),
        counted(f"{what}: MiB still in use", back.mebibytes, SLACK),
    ]


def main() -> int:
    doors = [*HALVES] if "--door" not in sys.argv else [sys.argv[sys.argv.index("--door") + 1]]
    rows = uvloop.run(measured(doors, rounds_asked(ROUNDS)))
    if "--json" in sys.argv:
        print(json.dumps({"claims": [row.as_json() for row in rows]}))
    else:
        for row in rows:
            print(row.line())
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
