"""The pool of a Dask cluster, over a pretended one: versions, workers set aside, a lost scheduler."""

from __future__ import annotations

import sys
from concurrent.futures import Executor, Future
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from touchline.tournament.executors.dask import Dask
from touchline.tournament.installation import Installation, installed

if TYPE_CHECKING:
    from collections.abc import Callable

ONE, TWO, OLD = "tcp://10.0.0.1:1", "tcp://10.0.0.1:2", "tcp://10.0.0.2:1"


class Cluster:
    """A client and its scheduler. No job is ever done."""

    def __init__(self) -> None:
        self.status = "running"
        self.workers: dict[str, Any] = {ONE: installed(), TWO: installed()}
        self.asked: list[list[str] | None] = []
        self.connections = 0

    def connect(self, *_: object, **__: object) -> Cluster:
        self.connections += 1
        if self.status == "closed" and self.connections > 1:
            raise OSError("timed out")
        return self

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": {worker: {"nthreads": 1} for worker in self.workers}}

    def run(self, work: Callable[[], Any], workers: list[str], on_error: str) -> dict[str, Any]:
        assert (work, on_error) == (installed, "return")
        return {worker: self.workers[worker] for worker in workers}

    def get_executor(self, pure: bool, retries: int, workers: list[str] | None) -> Executor:
        self.asked.append(workers)
        return _Never()

    def close(self, timeout: float) -> None: ...


class _Never(Executor):
    def __init__(self) -> None:
        self._futures: list[Future[Any]] = []

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._futures.append(Future())
        return self._futures[-1]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for future in self._futures:
            future.cancel()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    made = Cluster()
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=made.connect))
    return made


def test_a_worker_with_another_version_is_given_no_work(cluster: Cluster) -> None:
    """Whether it says so, or is so old that it cannot be asked; also if it comes later."""
    other = Installation("9.9", "0123456789ab", "2.7")
    cluster.workers[OLD] = other
    pool = Dask(2, "tcp://scheduler:1")
    assert pool.refusals() == [(OLD, f"it has {other}, the coordinator {installed()}")]
    assert (pool.slots, pool.at_once) == (2, 2)
    cluster.workers["tcp://10.0.0.3:1"] = ModuleNotFoundError("touchline.tournament.installation")
    pool.start().submit(len, b"")
    ((_, why),) = pool.refusals()
    assert "another version or no touchline" in why
    assert cluster.asked == [[ONE, TWO]]


def test_a_worker_that_is_set_aside(cluster: Cluster) -> None:
    pool = Dask(2, "tcp://scheduler:1")
    jobs = pool.start()
    jobs.submit(len, b"")
    assert pool.elsewhere(frozenset({ONE, TWO})) is None
    other = pool.elsewhere(frozenset({ONE}))
    assert other is not None
    other.submit(len, b"")
    assert pool.set_aside(ONE)
    jobs.submit(len, b"")
    assert cluster.asked == [None, [TWO], [TWO]]
    assert pool.slots == 1
    assert not pool.set_aside(TWO), "nobody is left"
    with pytest.raises(OSError, match="has no worker that can play"):
        pool.look_after()


def test_a_job_whose_workers_are_gone_is_given_back(cluster: Cluster) -> None:
    """The scheduler would keep it for them for ever."""
    pool = Dask(2, "tcp://scheduler:1")
    pool.set_aside(ONE)
    stuck, cluster.workers = pool.start().submit(len, b""), {ONE: installed(), OLD: installed()}
    pool.look_after()
    assert stuck.cancelled()
    kept = pool.start().submit(len, b"")
    pool.look_after()
    assert not kept.done()


def test_a_scheduler_that_is_gone(cluster: Cluster) -> None:
    """The client reconnects by itself for a while, then it is closed, and a new one is tried."""
    pool = Dask(2, "tcp://scheduler:1")
    cluster.status = "connecting"
    with pytest.raises(OSError, match="the scheduler at tcp://scheduler:1 does not answer"):
        pool.start()
    cluster.status = "closed"
    with pytest.raises(OSError, match="timed out"):
        pool.look_after()
    cluster.status = "running"
    pool.look_after()
