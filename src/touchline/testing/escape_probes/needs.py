"""What honest programs need: files in the scratch folder, processes, threads, pipes, the runtime."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import threading

from .probe import NEED, World, blocked_unless, probe

SECONDS = 50
"""Timeout of a child process."""


@probe(NEED, "write files to the scratch folder, rename and remove them")
def scratch_files(world: World) -> str:
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/notes", "wb") as file:
            file.write(b"x" * (world.file_size // 2))
        os.rename(f"{folder}/notes", f"{folder}/renamed")
        return f"wrote {os.path.getsize(f'{folder}/renamed')} bytes"


@probe(NEED, "read the own folder")
def read_own_folder(world: World) -> str:
    with open("run.py") as file:
        return f"read {len(file.read())} bytes"


@probe(NEED, "use half of the memory")
def use_memory(world: World) -> str:
    return f"used {len(bytearray(os.urandom(1 << 20) * (world.memory >> 22)))} bytes"


@probe(NEED, "start processes and threads")
def start_processes(world: World) -> str:
    line = [sys.executable, "-c", "print(6 * 7)"]
    done = subprocess.run(line, capture_output=True, timeout=SECONDS, check=True)
    threads = [threading.Thread(target=os.getpid) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    blocked_unless(done.stdout == b"42\n", f"{done.stdout!r}")
    return "started a process and four threads"


@probe(NEED, "run an event loop")
def event_loop(world: World) -> str:
    return asyncio.run(asyncio.sleep(0, "ran an event loop"))


@probe(NEED, "signal the own children")
def signal_children(world: World) -> str:
    with subprocess.Popen(["sleep", "60"]) as child:
        child.terminate()
        blocked_unless(child.wait(SECONDS) == -15, f"ended with {child.returncode}")
    return "ended a child"
