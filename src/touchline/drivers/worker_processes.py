"""Pools of worker processes on this machine that leave nothing behind, however the coordinator ends.

Workers are forked from a fork server, because the coordinator may have threads by then and a fork of it could
deadlock. When the coordinator is killed, the fork server and its workers end, and the fork server removes
its socket (`fork_server_exit`).
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import forkserver
from multiprocessing.connection import wait
from typing import Any

PR_SET_PDEATHSIG = 1
"""Linux: the option of `prctl` that sets the signal a process gets when its parent dies."""
CLEAN_EXIT = "touchline.drivers.fork_server_exit"
"""The module that a fork server loads first, to remove its socket when it ends."""


def worker_processes(count: int, preload: str) -> ProcessPoolExecutor:
    """Return a pool of so many processes that have loaded a module already when they start."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([CLEAN_EXIT, preload])
    return ProcessPoolExecutor(count, context, initializer=_start_worker)


def kill_workers(pool: ProcessPoolExecutor) -> None:
    """Kill the workers of a pool and close its result queue; the pool has no public method for this."""
    for worker in [*(pool._processes or {}).values()]:
        worker.kill()
    pool._result_queue._writer.close()  # type: ignore[attr-defined]


def die_with_parent() -> None:
    """Have this process killed when its parent dies, where the system can do that."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):  # not Linux
        return


def _start_worker() -> None:
    """Set up a worker: it dies with the coordinator and with the fork server, and leaves Ctrl-C to us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A worker is given the write end of the pipe by which the fork server notices that the coordinator is
    # gone. As long as a worker holds it, the fork server lives on.
    with contextlib.suppress(AttributeError, OSError):  # another version of Python: the thread below suffices
        server: Any = forkserver
        alive, server._forkserver._forkserver_alive_fd = server._forkserver._forkserver_alive_fd, None
        os.close(alive)
    die_with_parent()
    threading.Thread(target=_die_with_coordinator, name="coordinator", daemon=True).start()


def _die_with_coordinator() -> None:
    """Wait until the coordinator is gone, and kill this worker; its programs end with it."""
    coordinator = multiprocessing.parent_process()
    if coordinator is not None:
        wait([coordinator.sentinel])
        os.kill(os.getpid(), signal.SIGKILL)
