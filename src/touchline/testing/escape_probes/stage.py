"""Run the probes against a referee, a record and an opponent in a tier, and print what got through as JSON.

usage: python -m touchline.testing.escape_probes.stage TIER [--user UID] [--hold SECONDS] [PROBE ...]

TIER is bare, none, A, B or C; bare has not even a supervisor. The referee is this process. Root runs it as the first process of fresh namespaces,
with the command that `command` returns; with --user it gives up root first. Law of this file: outside of fresh
namespaces root runs no probe.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import json
import os
import secrets
import select
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline.players.process import Notes, Program
from touchline.testing.escape_probes import __main__ as runner
from touchline.testing.escape_probes.probe import PROBES, World
from touchline.testing.escape_probes.seats import FOLDERS
from touchline.testing.escape_probes.targets import KEY, SETUID_PROGRAM, Targets, make_setuid_program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

SECONDS = 90.0
"""Timeout of one program with all its probes."""
HOLD = 5.0
"""Seconds that a sandbox has to notice that a program is beyond a limit."""
NAMESPACES = ("pid", "mount", "net", "ipc", "uts")
MODULE = "touchline.testing.escape_probes.stage"


def command(tier: str, *words: str) -> list[str]:
    """Return the command that runs the stage; for root in fresh namespaces."""
    stage = [sys.executable, "-m", MODULE, tier, *words]
    if os.getuid() != 0:
        return stage
    fresh = [f"--{kind}" for kind in NAMESPACES]
    return ["unshare", *fresh, "--mount-proc", "--fork", "--kill-child", "--", *stage]


def furnish() -> None:
    """Bring up loopback, and cover the machine's common folders with empty ones. `/tmp` may hold our source."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for folder in FOLDERS:
        if folder != "/tmp" and os.path.isdir(folder) and not os.path.islink(folder):
            subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "none", folder], check=True)


def stay_behind() -> None:
    """Go on in a child process with a large pid; the first process waits for it, and for all orphans.

    A sandbox counts its processes from 1, and none of those must be mistaken for one of ours.
    """
    with contextlib.suppress(OSError):
        Path("/proc/sys/kernel/ns_last_pid").write_text("20000")
    stage = os.fork()
    if stage == 0:
        return
    while True:
        pid, status = os.wait()
        if pid == stage:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def become(user: int, arguments: Sequence[str]) -> None:
    """Run the stage again as an ordinary user, who may have no access to our folders: mount them elsewhere."""
    places = {
        "python": sys.base_prefix, "src": str(Path(__file__).parents[3]), "site": sysconfig.get_path("platlib"),
    }  # fmt: skip
    subprocess.run(["mount", "-t", "tmpfs", "none", "/mnt"], check=True)
    for place, folder in places.items():
        os.mkdir(f"/mnt/{place}")
        subprocess.run(["mount", "--bind", folder, f"/mnt/{place}"], check=True)
    make_setuid_program(SETUID_PROGRAM)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.chdir("/")
    python = f"/mnt/python/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    environment = {"PATH": os.environ.get("PATH", os.defpath), "PYTHONPATH": "/mnt/src:/mnt/site"}
    again(python, arguments, environment)


def again(python: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run the stage with a token in its environment, which a process only has from its start."""
    os.execve(python, [python, "-m", MODULE, *arguments], {**environment, KEY: secrets.token_hex(16)})


class BareProgram(Program):
    """A program without any sandbox or supervisor, that even inherits a descriptor: all probes may succeed."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.notes = Notes()
        pipe = subprocess.PIPE
        self._leak = os.open(os.devnull, os.O_RDONLY)
        self._bare = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, pass_fds=(self._leak,), bufsize=0
        )
        assert self._bare.stdin and self._bare.stdout and self._bare.stderr
        self.stdin, self.stdout, self.stderr = (
            stream.fileno() for stream in (self._bare.stdin, self._bare.stdout, self._bare.stderr)
        )
        for descriptor in (self.stdout, self.stderr):
            os.set_blocking(descriptor, False)

    def ending(self, seconds: float = 0.2) -> str:
        return f"ended with {self._bare.returncode}"

    def stop(self, grace: float = 0) -> None:
        self._bare.kill()
        self._bare.communicate()
        os.close(self._leak)


def start(tier: str, folder: Path, words: Sequence[str], world: World) -> Program:
    """Start the program of a seat in a tier and tell it about the world."""
    line = [sys.executable, str(folder / "run.py"), *words]
    program = BareProgram(line, folder) if tier == "bare" else Program(line, folder)
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
        together = [name for name in names if not PROBES[name].alone]
        groups = [together] if together else []
        groups += [[name] for name in names if PROBES[name].alone]
        results: dict[str, dict[str, Any]] = {}
        for group in groups:
            results |= self._run_group(group)
        return {name: results[name] for name in names}

    def _run_group(self, names: list[str]) -> dict[str, dict[str, Any]]:
        program = start(self.tier, self.prober, names, self.world)
        try:
            said = self._verdicts(program, len(names))
        finally:
            program.stop()
        ending = f"the program {program.ending()} {program.notes.text()[-300:]}".strip()
        results = {name: said.get(name, {"through": False, "how": ending}) for name in names}
        for name in names:
            if name in JUDGES:
                results[name] |= JUDGES[name](self)
        return results

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
        found = processes_of(self.prober)
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
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
            return stage.run(list(names) or list(PROBES))
        finally:
            stage.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description=__doc__)
    parser.add_argument("tier", choices=["bare", "none", "A", "B", "C"])
    parser.add_argument("--user", type=int, help="the user to run as, if this is root")
    parser.add_argument("--hold", type=float, default=HOLD)
    parser.add_argument("probes", nargs="*", choices=[[], *PROBES])
    given = parser.parse_args()
    words = [given.tier, "--hold", str(given.hold), *given.probes]
    if os.getpid() == 1:
        furnish()
        stay_behind()
        if given.user is not None:
            become(given.user, words)
        again(sys.executable, words, os.environ)
    if KEY not in os.environ:
        if os.getuid() == 0:
            raise SystemExit("root runs the probes in fresh namespaces only")
        again(sys.executable, words, os.environ)
    verdicts = perform(given.tier, given.probes, given.hold)
    sys.stdout.write(json.dumps({"user": os.getuid(), "tier": given.tier, "probes": verdicts}) + "\n")


assert runner.TOPICS  # importing it fills the table
if __name__ == "__main__":
    main()
