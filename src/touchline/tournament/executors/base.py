"""The contract of an executor, and how one is found by name.

An executor is a subclass `(workers, address)` of `WorkerPool`. A worker pool makes a
`concurrent.futures.Executor`, and makes another one after the first has broken. Laws:

1. Only bytes cross the boundary: a job in, its results out. Workers do not touch the ledger.
2. A worker never outlives the process that gave it work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from touchline.core import registry
from touchline.core.errors import BadOptions, UnknownName
from touchline.tournament.worker import cores

if TYPE_CHECKING:
    from concurrent.futures import Executor

SCHEMES = {"tcp": "dask", "tls": "dask", "ws": "dask", "wss": "dask"}
"""Address scheme -> executor, where they differ: a Dask scheduler is named by its address alone."""


class WorkerPool(Protocol):
    """Runs jobs, a limited number of them at a time."""

    slots: int
    """Jobs that run at the same time."""
    at_once: int
    """The most of them that run on one machine, as far as is known."""
    shares_cache: bool = True
    """Whether its workers find what this process has compiled: they run on this machine."""

    def start(self) -> Executor:
        """Return a new executor. Called at the beginning, and again after an executor has broken."""

    def look_after(self) -> None:
        """Check the workers' health; called about twice a second.

        A future whose worker is gone must fail, if the executor does not see to that by itself.
        """

    def stop(self, *, now: bool) -> None:
        """Shut down after the running jobs; with `now`, kill those too."""

    # A pool of workers that are all alike inherits the following from this class.

    def patience(self) -> float | None:
        """Return for how many seconds to wait for workers that are gone; None for ever."""
        return None

    def set_aside(self, worker: str) -> bool:
        """Give a worker no more work; return whether that is possible, and there are others."""
        return False

    def elsewhere(self, avoid: frozenset[str]) -> Executor | None:
        """Return an executor that avoids these workers; None if there are no others, or all are alike."""
        return None

    def refusals(self) -> list[tuple[str, str]]:
        """Return the workers that play nothing, and why, since the last call."""
        return []


def worker_pool(on: str, workers: int | None = None) -> WorkerPool:
    """Return the pool of the executor `on`: its name, or an address such as `tcp://SCHEDULER:PORT`.

    `workers` is the number of games at a time; the default is the number of cores.

    >>> worker_pool("here").slots
    1
    """
    scheme, colon, _ = on.partition("://")
    name = SCHEMES.get(scheme, scheme) if colon else on
    try:
        make = registry.find("executors", name)
    except UnknownName:
        known = ", ".join([*registry.names("executors"), "tcp://SCHEDULER:PORT"])
        raise BadOptions(f"no executor is called {on!r}; --on takes: {known}") from None
    pool: WorkerPool = make(workers or cores(), on if colon else None)
    return pool
