"""Where games are played: the contract of a worker pool."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

import pytest

import touchline.tournament.executors
from players.survivors import until
from readmes import example, install_example
from touchline.core.errors import BadOptions
from touchline.tournament.executors.base import worker_pool
from touchline.tournament.executors.cores import Cores
from touchline.tournament.executors.here import Here
from tournament.cups import cup, played

if TYPE_CHECKING:
    from pathlib import Path


def doubled(number: int) -> int:
    return 2 * number


def process() -> int:
    return os.getpid()


def dies(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dies_while_it_answers() -> bytes:
    """The first bytes of the answer are on their way when it happens."""
    from multiprocessing import connection

    def send(self: Any, data: Any, write: Any = None) -> None:
        os.write(self.fileno(), bytes(data)[:6])
        dies()

    connection.Connection._send = send  # type: ignore[attr-defined]
    return b"much" * 10_000


def sleeps() -> None:
    time.sleep(60)


def test_here() -> None:
    one = Here()
    assert one.start().submit(doubled, 4).result() == 8
    assert one.start().submit(process).result() == os.getpid()
    assert isinstance(one.start().submit(int, "two").exception(), ValueError)
    one.stop(now=True)


@pytest.mark.parametrize("now", [False, True])
def test_cores(now: bool) -> None:
    two = Cores(2)
    pool = two.start()
    assert sorted(pool.submit(doubled, number).result() for number in (1, 2, 3)) == [2, 4, 6]
    worker = pool.submit(process).result()
    assert worker != os.getpid()
    two.stop(now=now)
    assert until(lambda: not os.path.exists(f"/proc/{worker}"), 5)


def test_stopped_in_the_middle_of_work() -> None:
    two = Cores(2)
    future = two.start().submit(sleeps)
    assert until(future.running, 10)
    two.stop(now=True)
    assert future.done()


def test_a_worker_that_dies() -> None:
    two = Cores(2)
    assert isinstance(two.start().submit(dies).exception(20), BrokenProcessPool)
    assert two.start().submit(doubled, 2).result() == 4
    two.stop(now=False)


def test_a_worker_that_dies_while_it_answers() -> None:
    """The pool would wait for the rest of that answer for ever."""
    two = Cores(2)
    future = two.start().submit(dies_while_it_answers)

    def told() -> bool:
        two.look_after()
        return future.done()

    assert until(told, 20)
    assert isinstance(future.exception(), BrokenProcessPool)
    assert two.start().submit(doubled, 2).result() == 4
    two.stop(now=False)


def test_stopped_while_a_dead_worker_owes_an_answer() -> None:
    two = Cores(2)
    pool = two.start()
    worker = pool.submit(process).result()
    future = pool.submit(dies_while_it_answers)
    assert until(lambda: not os.path.exists(f"/proc/{worker}") or future.done(), 20)
    two.stop(now=True)
    assert future.done()


def test_looking_after_those_who_are_well() -> None:
    two = Cores(2)
    two.look_after()
    pool = two.start()
    assert pool.submit(doubled, 1).result() == 2
    for _ in range(3):
        two.look_after()
    assert pool.submit(doubled, 1).result() == 2
    two.stop(now=False)
    two.look_after()


def test_by_name() -> None:
    assert worker_pool("here").slots == 1
    assert worker_pool("cores", 3).slots == 3
    assert worker_pool("cores").slots == len(os.sched_getaffinity(0))
    with pytest.raises(BadOptions, match="no executor is called 'mars'; --on takes: cores, dask, here, tcp:"):
        worker_pool("mars")


def test_the_example_in_the_readme_plays_a_cup(tmp_path: Path) -> None:
    threads = example(touchline.tournament.executors)["Threads"]
    with_threads = played(cup(), str(tmp_path / "threads.db"), tmp_path, pool=threads(2))
    assert with_threads == played(cup(), str(tmp_path / "here.db"), tmp_path)


def test_other_packages_add_executors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = touchline.tournament.executors
    install_example(monkeypatch, tmp_path, room, "touchline.executors", "threads", "Threads")
    assert worker_pool("threads", 3).slots == 3
    assert worker_pool("threads://over/there", 3).slots == 3
