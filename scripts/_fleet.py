"""Start a Dask scheduler and workers, each in mount and pid namespaces of its own, that share no folder.

Each process sees the system's programs, this Python and this package, all read-only, and private empty
folders instead of everything else: so it has no file of a cup but those that the coordinator sends. They talk
over the loopback network. All of them end with this script.

usage: _fleet.py [--workers N] [--port P] [--without PROGRAM]
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

INSIDE = "--inside"
SYSTEM = {"usr", "bin", "sbin", "lib", "lib32", "lib64", "etc", "opt", "nix", "proc", "sys", "dev", "run"}
"""What everybody sees of the root folder; the rest is replaced by empty folders."""
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
PR_SET_PDEATHSIG = 1
PATIENCE = 60.0
"""Seconds in which the scheduler and the workers must have started."""
SCHEDULER = re.compile(r"Scheduler at:\s+(\S+)")
REGISTERED = re.compile(r"Registered to:\s+(\S+)")
WORKER = re.compile(r"Start worker at:\s+(\S+)")


# -- inside the namespaces -------------------------------------------------------------------------


def mount(source: str | None, target: str, kind: str | None = None, flags: int = 0) -> None:
    words = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    if ctypes.CDLL(None, use_errno=True).mount(words[0], words[1], words[2], flags, None) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"mount {target}: {os.strerror(number)}")


def kept_folders() -> list[str]:
    """Return what is needed to run this package, as named and as it really is."""
    package = Path(__file__).resolve().parents[1] / "src"
    paths = [sys.prefix, sys.base_prefix, str(package), *(path for path in sys.path if "-packages" in path)]
    return sorted(
        {path for named in paths for path in (named, os.path.realpath(named)) if os.path.exists(path)}
    )


def hide_everything_else(without: str | None) -> None:
    """Replace every folder of the root that is not the system's by an empty one, but for what is needed."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    kept = [(path, os.open(path, os.O_PATH)) for path in kept_folders() if path.split("/")[1] not in SYSTEM]
    folders = [entry.path for entry in os.scandir("/") if entry.is_dir(follow_symlinks=False)]
    for folder in [path for path in folders if path[1:] not in SYSTEM] + ["/dev/shm"]:
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV)
    for path, descriptor in kept:
        os.makedirs(path, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", path, None, MS_BIND)
        mount(None, path, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
        os.close(descriptor)
    os.chmod("/tmp", 0o1777)
    if without is not None and (found := shutil.which(without)) is not None:
        mount("/dev/null", os.path.realpath(found), None, MS_BIND)
    os.chdir("/tmp")


def inside(words: list[str]) -> None:
    """Hide the folders of this machine, and become the scheduler or a worker."""
    without, *command = words
    hide_everything_else(without or None)
    os.environ["HOME"] = os.environ["TMPDIR"] = "/tmp"
    os.execv(sys.executable, [sys.executable, "-m", *command])


# -- outside ---------------------------------------------------------------------------------------


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Member:
    """The scheduler or a worker."""

    def __init__(self, *command: str, without: str = "") -> None:
        spaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        if os.getuid() != 0:
            spaces += ["--user", "--map-root-user"]
        words = [*spaces, sys.executable, os.path.abspath(__file__), INSIDE, without, *command]
        # In a session of its own, so that Ctrl-C comes to this script alone; it ends with this script.
        self.process = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=die_with_parent,
        )  # fmt: skip
        self._lines: list[str] = []
        self._changed = threading.Condition()
        threading.Thread(target=self._read, args=[self.process.stderr], daemon=True).start()

    def _read(self, lines: IO[str]) -> None:
        for line in lines:
            with self._changed:
                self._lines.append(line)
                self._changed.notify_all()
        with self._changed:
            self._lines.append("")
            self._changed.notify_all()

    def said(self, pattern: re.Pattern[str]) -> str:
        """Return what it has logged, when it has; exit with its last words if it ends before."""

        def found() -> str | None:
            return next((match[1] for line in self._lines if (match := pattern.search(line))), None)

        with self._changed:
            self._changed.wait_for(lambda: found() is not None or self._lines[-1:] == [""], PATIENCE)
            if (text := found()) is None:
                sys.exit(f"it did not start:\n{''.join(self._lines[-20:])}")
            return text

    def end(self) -> None:
        """Kill it, with all that runs in its namespaces."""
        self.process.kill()  # unshare ignores SIGTERM; the kernel kills its child with it
        self.process.wait()


def command_line() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="scripts/fleet", description=__doc__.partition("\n")[0])
    words.add_argument("--workers", type=int, default=2)
    words.add_argument("--port", type=int, default=8786, help="0 for any")
    words.add_argument("--without", default="", metavar="PROGRAM",
                       help="the last worker lacks this program, to see how a cup copes")  # fmt: skip
    return words.parse_args()


def main() -> None:
    if sys.argv[1:2] == [INSIDE]:
        inside(sys.argv[2:])
    given = command_line()
    if shutil.which("unshare") is None:
        sys.exit("scripts/fleet needs unshare: install util-linux")
    for stop in (signal.SIGINT, signal.SIGTERM):  # also if it was started in the background of a shell
        signal.signal(stop, signal.default_int_handler)
    with contextlib.ExitStack() as members, contextlib.suppress(KeyboardInterrupt):
        scheduler = Member("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(given.port),
                           "--no-dashboard", "--no-show")  # fmt: skip
        members.callback(scheduler.end)
        address = scheduler.said(SCHEDULER)
        for number in range(1, given.workers + 1):
            without = given.without if number == given.workers else ""
            worker = Member("distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1",
                            "--no-dashboard", without=without)  # fmt: skip
            members.callback(worker.end)
            worker.said(REGISTERED)
            lacks = f", without {without}" if without else ""
            print(f"worker {worker.said(WORKER)}{lacks}")
        print(f"scheduler {address}: {given.workers} workers that share no folder")
        print(f"play a cup over them: touchline tournament run CUP.toml --on {address}")
        print("Ctrl-C ends all of them", flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
