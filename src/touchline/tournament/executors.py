"""Where the games of a tournament are played: here, on all cores, or on a cluster.

The one seam is `concurrent.futures.Executor`: an engine makes one, and makes another when the first has died.
Law of this file: only bytes go in and come out, and a worker never outlives the one who gave it work.
"""

from __future__ import annotations

import ctypes
import importlib
import multiprocessing
import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Protocol

from touchline.core.errors import BadOptions
from touchline.tournament.worker import cores

if TYPE_CHECKING:
    from collections.abc import Callable

PR_SET_PDEATHSIG = 1


class Engine(Protocol):
    """What runs jobs."""

    slots: int
    """How many jobs run at once."""
    at_once: int
    """How many of them on one machine, as far as is known."""

    def start(self) -> Executor:
        """A new executor; after the last one has broken."""

    def look_after(self) -> None:
        """Called now and then: whoever waits for what will never come is told so."""

    def stop(self, *, now: bool) -> None:
        """Run nothing any more; with `now` not even what is running."""


class Here:
    """In this process, one after the other."""

    slots = at_once = 1

    def start(self) -> Executor:
        return _AtOnce()

    def look_after(self) -> None:
        """There is nobody to wait for."""

    def stop(self, *, now: bool) -> None:
        """There is nothing that runs."""


class _AtOnce(Executor):
    """An executor that has done it before it says that it will."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Cores:
    """In so many processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.slots = self.at_once = workers
        self._pool: ProcessPoolExecutor | None = None
        self._dead: set[int] = set()
        """Workers that were dead at the last look."""

    def start(self) -> Executor:
        self.stop(now=True)
        # A fork server, for this process may have threads by now, and a fork of it could hang.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["touchline.tournament.worker"])
        self._pool = ProcessPoolExecutor(self.slots, context, initializer=_begin_work)
        return self._pool

    def look_after(self) -> None:
        """A worker that died while it handed over a result leaves the pool waiting for the rest of it.

        A pool that is well notices a death at once, so one that is still there at the next look was missed.
        """
        workers = {} if self._pool is None else dict(self._pool._processes or {})
        sentinels = {worker.sentinel: pid for pid, worker in workers.items()}
        dead = {sentinels[ready] for ready in wait([*sentinels], timeout=0) if ready in sentinels}
        if self._pool is not None and dead & self._dead:
            _cut_off(self._pool)
        self._dead = dead

    def stop(self, *, now: bool) -> None:
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        self._dead.clear()
        if now:
            _cut_off(pool)
        pool.shutdown(wait=True, cancel_futures=True)


def _cut_off(pool: ProcessPoolExecutor) -> None:
    """End the workers of a pool, in ways that it has no public name for, and let it know that this is all."""
    for worker in [*(pool._processes or {}).values()]:
        worker.kill()
    pool._result_queue._writer.close()  # type: ignore[attr-defined]


def _begin_work() -> None:
    """A worker dies with its fork server, which dies with us; and Ctrl-C is for us to hear, not for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):  # not on this system: it ends when it finds nobody to answer to
        return


class Dask:
    """On a cluster of Dask's: one that runs at an address, or one of our own on this machine."""

    def __init__(self, address: str | None, workers: int) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise BadOptions("--on dask needs Dask: pip install 'touchline[cluster]'") from None
        self._client: Any = None
        self._cluster: Any = None
        try:
            if address is None:
                self._cluster = _cluster(distributed, workers)
            self._client = distributed.Client(self._cluster or address, timeout=20)
            found = self._client.scheduler_info(n_workers=-1)["workers"].values()
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            what = (
                "no cluster could be started here" if address is None else f"no cluster answers at {address}"
            )
            raise BadOptions(f"{what}: {error}; run it again") from None
        self.slots = sum(worker["nthreads"] for worker in found) or workers
        machines: dict[str, int] = {}
        for worker in found:
            machines[worker["host"]] = machines.get(worker["host"], 0) + worker["nthreads"]
        self.at_once = max(machines.values(), default=1)

    def start(self) -> Executor:
        assert self._client is not None
        executor: Executor = self._client.get_executor(pure=False, retries=3)
        return executor

    def look_after(self) -> None:
        """The scheduler does."""

    def stop(self, *, now: bool) -> None:
        if self._client is not None:
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _cluster(distributed: Any, workers: int) -> Any:
    """One of our own, whose workers spend no time on watching what they do."""
    dask: Any = importlib.import_module("dask")
    with dask.config.set({"distributed.worker.profile.enabled": False}):
        return distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
        )


def engine(on: str, workers: int | None = None) -> Engine:
    """`here`, `cores`, `dask`, or the address of a Dask scheduler.

    >>> engine("here").slots
    1
    """
    count = workers or cores()
    if on == "here":
        return Here()
    if on == "cores":
        return Cores(count)
    if on == "dask":
        return Dask(None, count)
    if on.startswith(("tcp://", "tls://", "ws://", "wss://")):
        return Dask(on, count)
    raise BadOptions(f"games are played on: here, cores, dask, tcp://SCHEDULER:PORT; not on {on!r}")
