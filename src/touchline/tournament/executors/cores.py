"""Play games in worker processes on this machine."""

from __future__ import annotations

from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from touchline.drivers.worker_processes import kill_workers, worker_processes
from touchline.tournament.executors.base import WorkerPool

if TYPE_CHECKING:
    from concurrent.futures import Executor, ProcessPoolExecutor


class Cores(WorkerPool):
    """A pool of worker processes. It takes no address."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.slots = self.at_once = workers
        self._pool: ProcessPoolExecutor | None = None
        self._dead: set[int] = set()
        """Process ids of the workers that were dead at the last health check."""

    def start(self) -> Executor:
        self.stop(now=True)
        self._pool = worker_processes(self.slots, "touchline.tournament.worker")
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
            kill_workers(self._pool)
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
            kill_workers(pool)
        pool.shutdown(wait=True, cancel_futures=True)
