"""An executor: games in threads of this process."""

from concurrent.futures import Executor, ThreadPoolExecutor

from touchline.tournament.executors.base import WorkerPool


class Threads(WorkerPool):
    """A pool of threads."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.slots = self.at_once = workers
        self._executor: ThreadPoolExecutor | None = None

    def start(self) -> Executor:
        self._executor = ThreadPoolExecutor(self.slots)
        return self._executor

    def look_after(self) -> None:
        """A thread does not die on its own."""

    def stop(self, *, now: bool) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=now)
