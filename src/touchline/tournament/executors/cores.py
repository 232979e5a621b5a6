"""Play games in worker processes on this machine."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor

PR_SET_PDEATHSIG = 1
"""Linux: the option of `prctl` that sets the signal a process gets when its parent dies."""


class Cores:
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
    """Set up a worker: it dies with its fork server, which dies with us, and leaves Ctrl-C to us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):  # not Linux: it ends when the pipe to its parent closes
        return
