"""Play games on a Dask cluster: a running one at an address, or our own on this machine."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from concurrent.futures import Executor

CONNECT_SECONDS = 20
"""How long to wait for the scheduler; a cluster that is just starting may need several seconds."""


class Dask:
    """A Dask cluster: the one at `address`, or a new local one with this many workers."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise BadOptions("--on dask needs Dask: pip install 'touchline[cluster]'") from None
        self._cluster: Any = None
        try:
            if address is None:
                self._cluster = _local_cluster(distributed, workers)
            self._client: Any = distributed.Client(self._cluster or address, timeout=CONNECT_SECONDS)
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
        executor: Executor = self._client.get_executor(pure=False, retries=3)
        return executor

    def look_after(self) -> None:
        """Dask's scheduler checks its workers by itself."""

    def stop(self, *, now: bool) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _local_cluster(distributed: Any, workers: int) -> Any:
    """Start a cluster on this machine; its workers do not profile themselves, which costs time."""
    dask: Any = importlib.import_module("dask")
    with dask.config.set({"distributed.worker.profile.enabled": False}):
        return distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
        )
