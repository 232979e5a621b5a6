"""Play games in worker processes on this machine."""

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
from typing import TYPE_CHECKING, Any

from touchline.tournament.executors.base import WorkerPool

if TYPE_CHECKING:
    from concurrent.futures import Executor

PR_SET_PDEATHSIG = 1
"""Linux: the option of `prctl` that sets the signal a process gets when its parent dies."""


class Cores(WorkerPool):
    """A pool of worker processes. It takes no address."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.slots = self.at_once = workers
        self._pool: ProcessPoolExecutor | None = None
        self._dead: set[int] = set()
        """Process ids of the workers that were dead at the last health check."""

    def start(self) -> Executor:
        self.stop(now=True)
        # A fork server, because this process may have threads by now, and a fork of it could deadlock.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["touchline.tournament.worker"])
        self._pool = ProcessPoolExecutor(self.slots, context, initializer=_start_worker)
        return self._pool

    def look_after(self) -> None:
        """Break the pool if it has missed the death of a worker.

        A worker that dies while it sends a result leaves the pool waiting for the rest of that result. A
        healthy pool notices a death at once, so a worker that is dead in two checks in a row was missed.
        """
        workers = {} if self._pool is None else dict(self._pool._processes or {})
        sentinels = {worker.sentinel: pid for pid, worker in workers.items()}
        dead = {sentinels[ready] for ready in wait([*sentinels], timeout=0) if ready in sentinels}
        if self._pool is not None and dead & self._dead:
            _kill(self._pool)
        self._dead = dead

    def set_aside(self, worker: str) -> bool:
        """Kill a worker; the pool breaks, and the next one has a new worker in its place."""
        workers = {} if self._pool is None else dict(self._pool._processes or {})
        pid = worker.rpartition(":")[2]
        if pid.isdecimal() and int(pid) in workers:
            workers[int(pid)].kill()
        return True

    def stop(self, *, now: bool) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        self._dead.clear()
        if now:
            _kill(pool)
        pool.shutdown(wait=True, cancel_futures=True)


def _kill(pool: ProcessPoolExecutor) -> None:
    """Kill the workers of a pool and close its result queue; the pool has no public method for this."""
    for worker in [*(pool._processes or {}).values()]:
        worker.kill()
    pool._result_queue._writer.close()  # type: ignore[attr-defined]


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


def die_with_parent() -> None:
    """Have this process killed when its parent dies, where the system can do that."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):  # not Linux
        return
