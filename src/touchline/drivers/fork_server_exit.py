"""Loaded by a fork server of multiprocessing: remove its socket when the coordinator was killed.

A coordinator that ends by itself removes the socket. One that is killed leaves a folder `pymp-*` with it in
the temporary folder, for ever. The fork server notices that the coordinator is gone, and ends by itself.
"""

from __future__ import annotations

import atexit
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

PREFIX = "pymp-"
"""How multiprocessing names its temporary folders."""
GONE = 5.0
"""Seconds between the end of a killed coordinator's files, which is noticed, and its own end, at most."""


def _sockets() -> list[Path]:
    """Return the sockets with a path in a folder of multiprocessing that this process holds."""
    found = []
    with suppress(OSError):  # not Linux: nothing is found, and nothing removed
        for number in os.listdir("/proc/self/fd"):
            with suppress(OSError), socket.socket(fileno=os.dup(int(number))) as held:
                name = held.getsockname()
                if isinstance(name, str) and Path(name).parent.name.startswith(PREFIX):
                    found.append(Path(name))
    return found


def _remove(sockets: list[Path], coordinator: int) -> None:
    until = time.monotonic() + GONE
    while os.getppid() == coordinator:
        if time.monotonic() > until:
            return  # it lives, and may start another server in that folder
        time.sleep(0.01)
    for path in sockets:
        with suppress(OSError):
            path.unlink()
        with suppress(OSError):  # not empty, or gone
            path.parent.rmdir()


if held := _sockets():
    atexit.register(_remove, held, os.getppid())
