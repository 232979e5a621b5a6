"""Worker processes: what a coordinator leaves behind when it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import mkdtemp

import pytest

COORDINATOR = """
import sys, time
from touchline.drivers.worker_processes import worker_processes

if __name__ == "__main__":
    pool = worker_processes(2, "touchline.core.errors")
    print(pool.submit(abs, -3).result(), flush=True)
    time.sleep(600)
"""
DEADLINE = 60
"""Seconds within which everything must be gone, on a machine however busy."""


@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGTERM])
def test_no_folder_is_left(ends: signal.Signals, tmp_path: Path) -> None:
    """The fork server removes its socket and the folder of it."""
    script = tmp_path / "coordinator.py"
    script.write_text(COORDINATOR)
    folder = Path(mkdtemp(prefix="tl-"))  # short: the path of a socket has at most 107 bytes
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)}
    ) as coordinator:
        assert coordinator.stdout is not None
        assert coordinator.stdout.readline() == "3\n"
        assert list(folder.iterdir())  # the folder that must be removed
        coordinator.send_signal(ends)
    until = time.monotonic() + DEADLINE
    while left := list(folder.iterdir()):
        assert time.monotonic() < until, left
        time.sleep(0.02)
    folder.rmdir()
