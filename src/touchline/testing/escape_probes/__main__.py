"""Run probes as a player's program: `run.py PROBE ...` or `run.py opponent TOKEN`, with the world on stdin.

Each probe prints one line of JSON: {"probe": name, "through": true or false, "how": text}. Several probes run
in one child process each, so that what one changes or breaks is gone for the next.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys

from . import files, kernel, limits, needs, network, processes, seats, thinking
from .opponent import sit
from .probe import ALL, Blocked, World

SECONDS = 60
"""Timeout of one probe in a child process."""
TOPICS = (processes, network, seats, kernel, files, limits, thinking, needs)


def attempt(name: str, world: World) -> str:
    """Run a probe; return its line."""
    try:
        through, how = True, ALL[name].run(world)
    except (Blocked, OSError) as error:
        through, how = False, str(error) or type(error).__name__
    return json.dumps({"probe": name, "through": through, "how": how})


def attempt_in_child(name: str, world: World) -> str:
    """Run a probe in a child process; one that a sandbox kills is blocked."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(tell, attempt(name, world).encode())
        os._exit(0)
    os.close(tell)
    ready, _, _ = select.select([told], [], [], SECONDS)
    said = os.read(told, 1 << 16) if ready else b""
    os.close(told)
    if not ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if said:
        return said.decode()
    how = f"ended with status {status}" if ready else f"did not end within {SECONDS} s"
    return json.dumps({"probe": name, "through": False, "how": how})


def note_descriptors() -> None:
    """Note which descriptors are open besides the three that a program gets."""
    found = []
    for descriptor in range(3, 256):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(str(descriptor))
    os.environ["PROBE_DESCRIPTORS"] = " ".join(found)


def main() -> None:
    note_descriptors()
    names = sys.argv[1:]
    world = World.from_json(sys.stdin.readline())
    if names[0] == "opponent":
        sit(world)
        return
    signal.signal(signal.SIGWINCH, signal.SIG_IGN)
    run = attempt if len(names) == 1 else attempt_in_child
    for name in names:
        sys.stdout.write(run(name, world) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
