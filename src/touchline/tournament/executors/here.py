"""Play games in this process, one after the other."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

from touchline.tournament.executors.base import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable


class Here(WorkerPool):
    """A worker pool of one: this process. It takes no address and ignores the number of workers."""

    slots = at_once = 1

    def __init__(self, workers: int = 1, address: str | None = None) -> None:
        pass

    def start(self) -> Executor:
        return _Immediate()

    def look_after(self) -> None:
        """There are no workers to check."""

    def stop(self, *, now: bool) -> None:
        """Nothing runs in the background."""


class _Immediate(Executor):
    """An executor whose futures are done when `submit` returns."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
