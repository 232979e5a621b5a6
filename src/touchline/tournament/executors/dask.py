"""Play games on a Dask cluster: a running one at an address, or our own on this machine.

Laws of this file: a worker with another version is given no work; a scheduler that is gone is an OSError, and
its jobs fail, so that the coordinator can wait for it or give up.
"""

from __future__ import annotations

import importlib
import logging
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

from touchline.core.errors import BadOptions
from touchline.drivers.worker_processes import CLEAN_EXIT
from touchline.tournament.executors.base import WorkerPool
from touchline.tournament.installation import Installation, difference, installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CONNECT_SECONDS = 20
"""How long to wait for the scheduler; a cluster that is just starting may need several seconds."""
RECONNECT_SECONDS = 2
"""How long one attempt to reconnect to a scheduler may take."""
PATIENCE = 60.0
"""Seconds to wait for a scheduler or its workers that are gone, before the run ends."""
RETRIES = 3
"""How often the scheduler gives a job to another worker when one dies."""


class Dask(WorkerPool):
    """A Dask cluster: the one at `address`, or a new local one with this many workers."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        try:
            self._distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise BadOptions("--on dask needs Dask: pip install 'touchline[cluster]'") from None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # we say the same ourselves
        self._cluster: Any = None
        self._address = address
        self.slots = self.at_once = workers
        self.shares_cache = address is None
        self._threads: dict[str, int] = {}
        """Worker -> the jobs that it plays at a time."""
        self._aside: set[str] = set()
        self._met: set[str] = set()
        self._restricted: dict[Future[Any], tuple[Any, frozenset[str]]] = {}
        """The jobs that only some workers may play: their executors, and these workers."""
        self._refusals: list[tuple[str, str]] = []
        try:
            if address is None:
                self._cluster = _local_cluster(self._distributed, workers)
            self._client: Any = self._connected(CONNECT_SECONDS)
            self._meet()
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            what = (
                "no cluster could be started here" if address is None else f"no cluster answers at {address}"
            )
            raise BadOptions(f"{what}: {error}; run it again") from None

    def _connected(self, seconds: float) -> Any:
        return self._distributed.Client(self._cluster or self._address, timeout=seconds)

    # -- the contract of a worker pool --------------------------------------------------------

    def start(self) -> Executor:
        self.look_after()
        return _Jobs(self, frozenset())

    def look_after(self) -> None:
        """Reconnect if the scheduler was gone, and meet new workers. OSError if there are none."""
        where = self._address or "this machine"
        if self._client.status == "closed":
            self._close_client()
            self._client = self._connected(RECONNECT_SECONDS)
        if self._client.status != "running":
            raise OSError(f"the scheduler at {where} does not answer")
        self._meet()
        self._release_stuck()
        if not self._usable():
            raise OSError(f"the scheduler at {where} has no worker that can play")

    def patience(self) -> float:
        return PATIENCE

    def refusals(self) -> list[tuple[str, str]]:
        found, self._refusals = self._refusals, []
        return found

    def set_aside(self, worker: str) -> bool:
        """Give a worker no more work; return whether there are others."""
        self._aside.add(worker)
        self._count()
        return bool(self._usable())

    def elsewhere(self, avoid: frozenset[str]) -> Executor | None:
        """Return an executor that avoids these workers; None if there are no others."""
        return _Jobs(self, avoid) if {*self._usable()} - avoid else None

    def stop(self, *, now: bool) -> None:
        self._close_client()
        if self._cluster is not None:
            self._cluster.close()

    # -- the workers --------------------------------------------------------------------------

    def submit(self, avoid: frozenset[str], work: Callable[..., Any], *args: Any) -> Future[Any]:
        """Submit a job, to a worker that is not set aside and that is none of `avoid`."""
        workers = [worker for worker in self._usable() if worker not in avoid]
        restricted = workers if self._aside or avoid else None
        executor: Any = self._client.get_executor(pure=False, retries=RETRIES, workers=restricted)
        future: Future[Any] = executor.submit(work, *args)
        if restricted is not None:
            self._restricted[future] = executor, frozenset(workers)
        return future

    def _release_stuck(self) -> None:
        """Cancel the jobs whose workers are all gone: the scheduler would wait for them for ever."""
        for future, (executor, workers) in [*self._restricted.items()]:
            if not future.done() and workers & self._threads.keys():
                continue
            del self._restricted[future]
            if not future.done():
                executor.shutdown(wait=False)

    def _usable(self) -> Iterable[str]:
        return [worker for worker in self._threads if worker not in self._aside]

    def _meet(self) -> None:
        """Read which workers there are, and compare the versions of the new ones with ours."""
        found = self._client.scheduler_info(n_workers=-1)["workers"]
        self._threads = {worker: facts["nthreads"] for worker, facts in found.items()}
        new = [worker for worker in found if worker not in self._met]
        if new:
            theirs = self._client.run(installed, workers=new, on_error="return")
            for worker, said in theirs.items():
                self._met.add(worker)
                if (why := _problem(said)) is not None:
                    self._aside.add(worker)
                    self._refusals.append((worker, why))
        self._count()

    def _count(self) -> None:
        """Count the jobs that run at a time, and the most of them on one machine."""
        machines: dict[str, int] = {}
        for worker in self._usable():
            host = worker.rpartition(":")[0]
            machines[host] = machines.get(host, 0) + self._threads[worker]
        self.slots = sum(machines.values()) or self.slots
        self.at_once = max(machines.values(), default=1)

    def _close_client(self) -> None:
        self._client.close(timeout=RECONNECT_SECONDS)


class _Jobs(Executor):
    """Submits jobs to the workers that a cluster has at that time."""

    def __init__(self, cluster: Dask, avoid: frozenset[str]) -> None:
        self._cluster, self._avoid = cluster, avoid

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._cluster.submit(self._avoid, work, *args)


def _problem(said: object) -> str | None:
    """Return why a worker that said this cannot play; None if it can."""
    if isinstance(said, Installation):
        return difference(installed(), said)
    return f"it has another version or no touchline ({said!r}), the coordinator {installed()}"


def _local_cluster(distributed: Any, workers: int) -> Any:
    """Start a cluster on this machine.

    Its workers are forked from a server that has loaded everything, which halves the time to start; and they
    do not profile themselves, which costs time.
    """
    dask: Any = importlib.import_module("dask")
    settings = {
        "distributed.worker.profile.enabled": False,
        "distributed.worker.multiprocessing-method": "forkserver",
    }
    with dask.config.set(settings):
        distributed.utils.get_mp_context().set_forkserver_preload([CLEAN_EXIT, "distributed"])
        return distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
        )
