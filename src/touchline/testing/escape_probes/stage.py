"""Run the probes against a referee, a record and an opponent in a tier, and print what got through as JSON.

usage: python -m touchline.testing.escape_probes.stage TIER [--user UID] [--no-namespaces] [PROBE ...]

TIER is bare, none, A, B or C; bare has not even a supervisor. The referee is this process.
`namespaces.command` returns the command to run it with.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline.players.process import Notes, Program
from touchline.sandbox.launch import Sandbox
from touchline.sandbox.limits import ProgramLimits
from touchline.testing.escape_probes import __main__ as runner
from touchline.testing.escape_probes.namespaces import MODULE, prepare
from touchline.testing.escape_probes.probe import ALL, NEEDS, PROBES, World
from touchline.testing.escape_probes.targets import Targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SECONDS = 90.0
"""Timeout of one program with all its probes."""
HOLD = 5.0
"""Seconds that a sandbox has to notice that a program is beyond a limit."""
PLENTY = 60
"""Seconds of processor time, so that no other probe is blocked by the limit of it."""
FROZEN = frozenset({"think-together", "think-by-timer"})
"""Probes of a program that is frozen while they run."""
BURIAL = 2.0
"""Seconds until the last process of a killed program is gone, at the latest, without the time to hold."""
LOOK, MOST_LOOKS, RESTED = 0.1, 50, 5
"""Seconds between two looks at a frozen program, the most looks, and how many in a row find it at rest."""


class BareProgram(Program):
    """A program without sandbox or supervisor that even inherits a descriptor: all probes may succeed."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.notes = Notes()
        pipe = subprocess.PIPE
        self._leak = os.open(os.devnull, os.O_RDONLY)
        self._bare = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, pass_fds=(self._leak,), bufsize=0
        )
        streams = (self._bare.stdin, self._bare.stdout, self._bare.stderr)
        self.stdin, self.stdout, self.stderr = (stream.fileno() for stream in streams if stream is not None)
        for descriptor in (self.stdout, self.stderr):
            os.set_blocking(descriptor, False)

    def ending(self, seconds: float = 0.2) -> str:
        return f"ended with {self._bare.poll()}"

    def let_think(self, thinks: bool) -> None:
        """Do nothing: nobody freezes this program."""

    def stop(self, grace: float = 0) -> None:
        self._bare.kill()
        self._bare.wait()
        for stream in (self._bare.stdin, self._bare.stdout, self._bare.stderr):
            if stream is not None:
                stream.close()
        os.close(self._leak)


def sandbox_of(tier: str, world: World, *, freezes: bool) -> Sandbox:
    """Return the sandbox of a seat with the limits that the probes are told."""
    fields = {name: getattr(world, name) for name in ProgramLimits.__struct_fields__}
    return Sandbox(tier=tier, limits=ProgramLimits(**fields), freezes=freezes)


def start(tier: str, folder: Path, words: Sequence[str], world: World) -> Program:
    """Start the program of a seat in a tier and tell it about the world."""
    if words[0] != "processor-time":
        world = dataclasses.replace(world, cpu=PLENTY)
    line = [sys.executable, str(folder / "run.py"), *words]
    if tier == "bare":
        program: Program = BareProgram(line, folder)
    else:
        program = Program(line, folder, sandbox_of(tier, world, freezes=FROZEN.issuperset(words)))
    program.write((world.to_json() + "\n").encode())
    return program


def lines(program: Program, timeout: float = SECONDS) -> Iterator[dict[str, Any]]:
    """Yield what the program prints, until it ends its output or the time is over."""
    buffer, deadline = b"", time.monotonic() + timeout
    while (left := deadline - time.monotonic()) > 0:
        select.select([program.stdout], [], [], left)
        data = program.read()
        if data == b"":
            return
        *whole, buffer = (buffer + (data or b"")).split(b"\n")
        yield from (json.loads(line) for line in whole)
        program.drain()


def processes_of(folder: Path) -> dict[int, bytes]:
    """Return the processes whose command line names the folder, and their command lines."""
    found = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdecimal() and os.fsencode(folder) in (line := (entry / "cmdline").read_bytes()):
                found[int(entry.name)] = line
    return found


def kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def ticks_of(folder: Path) -> dict[int, int]:
    """Return the clock ticks of processor time that each process of this folder has used."""
    used = {}
    for pid in processes_of(folder):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used[pid] = int(fields[11]) + int(fields[12])
    return used


def rests(folder: Path) -> bool:
    """Return whether the processes of this folder come to use no processor time for a while."""
    still, before = 0, ticks_of(folder)
    for _ in range(MOST_LOOKS):
        time.sleep(LOOK)
        now = ticks_of(folder)
        still = still + 1 if now == before else 0
        if still == RESTED:
            return True
        before = now
    return False


class Stage:
    """One run: the targets, the opponent, and the verdict on each probe."""

    def __init__(self, tier: str, base: Path, hold: float) -> None:
        self.tier, self.targets = tier, Targets(base)
        self.prober = base / "prober"
        self.world = dataclasses.replace(self.targets.world(), hold=hold)
        self._opponent = start(tier, base / "opponent", ["opponent", self.world.token], self.world)
        said = next(lines(self._opponent), None)
        if said is None:
            self._opponent.stop()
            raise SystemExit(f"the opponent does not start: {self._opponent.notes.text()}")
        # The innermost process is the opponent; those around it are its keepers.
        pid = max(processes_of(base / "opponent"))
        self.world = dataclasses.replace(self.world, opponent=pid, opponent_address=said["address"])

    def run(self, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the verdict on each of these probes."""
        together = [name for name in names if not ALL[name].alone]
        groups = [together] if together else []
        groups += [[name] for name in names if ALL[name].alone]
        results: dict[str, dict[str, Any]] = {}
        for group in groups:
            results |= self._run_frozen(group[0]) if FROZEN.issuperset(group) else self._run_group(group)
        return {name: results[name] for name in names}

    def _run_group(self, names: list[str]) -> dict[str, dict[str, Any]]:
        program = start(self.tier, self.prober, names, self.world)
        try:
            said = self._verdicts(program, len(names))
            ending = program.ending(0 if len(said) == len(names) else SECONDS)
        finally:
            program.stop()
        ending = f"the program {ending} {program.notes.text()[-300:]}".strip()
        results = {name: said.get(name, {"through": False, "how": ending}) for name in names}
        for name in names:
            if name in JUDGES:
                results[name] |= JUDGES[name](self)
        return results

    def _run_frozen(self, name: str) -> dict[str, dict[str, Any]]:
        """Freeze a program that wants to think, and judge it by the processor time it gets."""
        program = start(self.tier, self.prober, [name], self.world)
        try:
            started = select.select([program.stdout], [], [], SECONDS)[0]
            program.let_think(False)
            through = bool(started) and not rests(self.prober)
        finally:
            program.stop()
            kill(processes_of(self.prober))
        how = "got processor time while it was frozen" if through else "rested while it was frozen"
        return {name: {"through": through, "how": how if started else "did not start"}}

    def _verdicts(self, program: Program, count: int) -> dict[str, dict[str, Any]]:
        """Return what the probes say. Processes that they leave behind may keep the output open."""
        said = itertools.islice(lines(program), count)
        return {line["probe"]: {"through": line["through"], "how": line["how"]} for line in said}

    def signals(self) -> dict[str, Any]:
        """Judge `signal-everybody` by whether a signal has arrived."""
        heard = b"SIGWINCH" in (self._opponent.read() or b"")
        return {"through": heard or self.targets.signalled}

    def outside(self) -> dict[str, Any]:
        """Judge `outside-write` by the files that have appeared."""
        found = self.targets.written_outside()
        return {"through": True, "how": f"wrote {', '.join(found)}"} if found else {"through": False}

    def left(self) -> dict[str, Any]:
        """Judge `outlive` by the processes that are left after the end of the program, and kill them."""
        deadline = time.monotonic() + BURIAL + 2 * self.world.hold
        while (found := processes_of(self.prober)) and time.monotonic() < deadline:
            time.sleep(LOOK)
        kill(found)
        return {"through": True, "how": f"left behind: {found}"} if found else {"through": False}

    def close(self) -> None:
        self._opponent.stop()
        self.targets.close()


JUDGES = {
    "signal-everybody": Stage.signals,
    "outside-write": Stage.outside,
    "outlive": Stage.left,
    "outlive-keepers": Stage.left,
}
"""Probes on which the stage decides, because they cannot see their effect."""


def perform(tier: str, names: Iterable[str] = (), hold: float = HOLD) -> dict[str, dict[str, Any]]:
    """Run the named probes, or all, in a tier; return the verdict on each."""
    with tempfile.TemporaryDirectory(prefix="touchline-probes-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        stage = Stage(tier, Path(folder), hold)
        try:
            return stage.run(list(names) or [*NEEDS, *PROBES])
        finally:
            stage.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description=__doc__)
    parser.add_argument("tier", choices=["bare", "none", "A", "B", "C"])
    parser.add_argument("--user", type=int, help="the user to run as, if this is root")
    parser.add_argument(
        "--no-namespaces", dest="namespaces", action="store_false", help="forbid namespaces, as containers do"
    )
    parser.add_argument("--hold", type=float, default=HOLD)
    parser.add_argument("probes", nargs="*", metavar="PROBE", help="the probes to run; all if none is named")
    given = parser.parse_intermixed_args()
    prepare(given.tier, given.user, ["--hold", str(given.hold), *given.probes], namespaces=given.namespaces)
    verdicts = perform(given.tier, given.probes, given.hold)
    sys.stdout.write(json.dumps({"user": os.getuid(), "tier": given.tier, "probes": verdicts}) + "\n")


assert runner.TOPICS  # importing it fills the table
if __name__ == "__main__":
    main()
