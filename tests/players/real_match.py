"""A match between real processes, and a report of what it left behind.

As a program, `python -m players.real_match JOB` with the job as JSON, it prints the report as JSON: so that
a match with rogues that fork or flood can be run in namespaces of its own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from players.survivors import MARK, descriptors, gone, marked, until, zombies
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import Event, Result, encode
from touchline.core.registry import CONDUCTS
from touchline.drivers.match import agreed
from touchline.drivers.programs import play_local
from touchline.players.process import Program
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.drivers.match import Bot


class Job(Struct, frozen=True, kw_only=True):
    """What is to be played."""

    commands: list[list[str]]
    mark: str
    game: str = "hexapawn"
    set_up: float = 20
    seconds: float = 1
    conduct: str = "course"
    kill: int = 0
    """If not 0: kill the referee with SIGKILL once there are so many processes called `sleep`."""


class Report(Struct, frozen=True, kw_only=True):
    """What came of it."""

    result: Result | None = None
    notes: list[str] = []
    left: list[str]
    """Processes that were still there ten seconds later."""
    descriptors: int = 0
    """How many more descriptors are open than before."""
    zombies: int = 0
    hidden: int = 0
    """How many processes hid when the referee was killed."""
    confined: bool = True
    """Whether a pid namespace can be had here."""


def rogue(name: str) -> list[str]:
    return [sys.executable, "-m", "touchline.testing.rogues", name]


def small(name: str) -> dict[str, int]:
    return {} if name == "labyrinth" else {"rows": 4, "cols": 4}


def settled(job: Job, bots: Sequence[Bot] = ()) -> Report:
    """Play it; the programs come first, then these bots."""
    os.environ[MARK] = job.mark
    open_before, unburied = descriptors(), zombies()
    limits = Limits(set_up=micros(job.set_up), clock=Clock(per_move=micros(job.seconds)))
    names = [f"player {seat}" for seat in range(len(job.commands) + len(bots))]
    game = registry.game(job.game, small(job.game))
    spec = agreed(game, names, 1, limits=limits, conduct=CONDUCTS[job.conduct])
    events: list[Event] = []
    programs = [Program(command) for command in job.commands]
    try:
        result = play_local(spec, [*programs, *bots], [events.append])
    finally:
        for program in programs:
            program.hang_up()
        for program in programs:
            program.stop(1)
        del os.environ[MARK]
    Replay(b"".join(encode(event) + b"\n" for event in events), "this match").verify()
    return Report(
        result=result,
        notes=[program.notes.text() for program in programs],
        left=gone(job.mark),
        descriptors=descriptors() - open_before,
        zombies=zombies() - unburied,
    )


def killed(job: Job) -> Report:
    """Kill the referee in the middle of it: who is left?"""
    inner = msgspec.json.encode(msgspec.structs.replace(job, kill=0)).decode()
    referee = subprocess.Popen([sys.executable, "-m", "players.real_match", inner], stdout=subprocess.DEVNULL)
    assert until(lambda: marked(job.mark).count("sleep") >= job.kill, 30), marked(job.mark)
    hidden = marked(job.mark).count("sleep")
    os.kill(referee.pid, signal.SIGKILL)
    referee.wait()
    left = gone(job.mark)
    return Report(left=left, hidden=hidden)


def apart(job: Job, prefix: list[str], timeout: float = 60) -> Report:
    """Play it in namespaces of its own, with the same code as here."""
    tests, *paths = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.environ.get("PYTHONPATH")
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "players.real_match", msgspec.json.encode(job).decode()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([tests, *filter(None, paths)])},
        capture_output=True, timeout=timeout, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Report)


def main() -> None:
    job = msgspec.json.decode(sys.argv[1], type=Job)
    report = killed(job) if job.kill else settled(job)
    own_pids = subprocess.run(["unshare", "--pid", "--fork", "true"], stderr=subprocess.DEVNULL, check=False)
    report = msgspec.structs.replace(report, confined=own_pids.returncode == 0)
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    main()
