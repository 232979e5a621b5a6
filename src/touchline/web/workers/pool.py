"""A pool of worker processes for slow jobs: house players' moves, hints, verification, pictures.

Rules of this file: no slow job runs in the process of the web server; a job that exceeds its timeout is
killed with its process; moves have priority over pictures; nothing is pickled.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from touchline.core.errors import BadInput, BadOptions, TouchlineError, UnknownName
from touchline.draw.gif import NotInstalled
from touchline.web.workers import jobs

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)
T = TypeVar("T")

COMMAND = (sys.executable, "-m", "touchline.web.workers.process")
MOST_ANSWER = 128 << 20
"""Bytes of one answer."""
MOST_QUEUED = 64
"""Jobs that may wait in each queue."""
START = 60.0
"""Timeout until a worker starts a job, in seconds: it may have to compile a player's kernels first."""
_ERRORS: dict[str, type[TouchlineError]] = {
    "BadInput": BadInput,
    "BadOptions": BadOptions,
    "UnknownName": UnknownName,
    "NotInstalled": NotInstalled,
}


class Busy(Exception):
    """No worker is free, and the queue is full."""


class Overdue(Exception):
    """The job exceeded its timeout."""


class JobFailed(Exception):
    """The job raised an unexpected exception, or its process died."""


class _Worker:
    """One worker process, which does one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls) -> _Worker:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=pipe, stdout=pipe, limit=1 << 20)
        return cls(process)

    async def do(self, job: jobs.Job, seconds: float, started: Callable[[], None]) -> Any:
        """Run a job and return the answer; the timeout runs from the worker's `JobStarted`."""
        stdin = self._process.stdin
        assert stdin is not None
        packed = jobs.pack(job)
        stdin.write(len(packed).to_bytes(4) + packed)
        async with asyncio.timeout(START):
            await stdin.drain()
            first = await self._answer()
        if not isinstance(first, jobs.JobStarted):
            return first
        started()
        async with asyncio.timeout(seconds):
            return await self._answer()

    async def _answer(self) -> Any:
        stdout = self._process.stdout
        assert stdout is not None
        length = int.from_bytes(await stdout.readexactly(4))
        if length > MOST_ANSWER:
            raise JobFailed("the answer of a worker is too long")
        return jobs.unpack_answer(await stdout.readexactly(length))

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await self._process.stdin.wait_closed()


class JobPool:
    """A few worker processes, started on demand."""

    def __init__(self, count: int | None = None) -> None:
        self.count = max(2, min(4, os.cpu_count() or 2)) if count is None else count
        self._idle: list[_Worker] = []
        self._busy = 0
        self._slow = 0
        self._urgent_queue: deque[asyncio.Future[None]] = deque()
        self._slow_queue: deque[asyncio.Future[None]] = deque()
        self._ending: set[asyncio.Task[None]] = set()

    async def do(
        self,
        job: jobs.Job,
        kind: type[T],
        *,
        seconds: float,
        urgent: bool = False,
        started: Callable[[], None] = lambda: None,
    ) -> T:
        """Run a job. TouchlineError if its input is wrong; else Busy, Overdue or JobFailed."""
        await self._acquire(urgent)
        worker: _Worker | None = None
        try:
            worker = self._idle.pop() if self._idle else await _Worker.started()
            answer = await worker.do(job, seconds, started)
            self._idle.append(worker)
            worker = None
        except TimeoutError:
            raise Overdue(f"the job took longer than {seconds:g} s") from None
        except (EOFError, OSError, msgspec.MsgspecError) as error:
            raise JobFailed(f"a worker process died: {error!r}") from None
        finally:
            if worker is not None:  # it is in the middle of a job, and cannot be used again
                self._kill(worker)
            self._release(urgent)
        if isinstance(answer, jobs.JobRefused):
            if answer.kind in _ERRORS:
                raise _ERRORS[answer.kind](answer.text)
            raise JobFailed(answer.text)
        assert isinstance(answer, jobs.JobDone)
        return msgspec.msgpack.decode(answer.what, type=kind)

    async def _acquire(self, urgent: bool) -> None:
        """Wait for a free worker; one of them is reserved for urgent jobs."""
        most = self.count if urgent else max(1, self.count - 1)
        if self._busy < self.count and (urgent or self._slow < most):
            self._take(urgent)
            return
        queue = self._urgent_queue if urgent else self._slow_queue
        if len(queue) >= MOST_QUEUED:
            raise Busy("all workers are busy; try again soon")
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():  # a worker was already assigned
                self._release(urgent)
            elif waiting in queue:
                queue.remove(waiting)
            raise

    def _take(self, urgent: bool) -> None:
        self._busy += 1
        self._slow += not urgent

    def _release(self, urgent: bool) -> None:
        """Give a worker back, and assign it to the next job in the queues."""
        self._busy -= 1
        self._slow -= not urgent
        for queue, is_urgent in ((self._urgent_queue, True), (self._slow_queue, False)):
            while queue and self._busy < self.count:
                if not is_urgent and self._slow >= max(1, self.count - 1):
                    break
                waiting = queue.popleft()
                if not waiting.done():
                    self._take(is_urgent)
                    waiting.set_result(None)

    def _kill(self, worker: _Worker) -> None:
        ending = asyncio.ensure_future(worker.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        for queue in (self._urgent_queue, self._slow_queue):
            while queue:
                queue.popleft().cancel()
        while self._idle:
            self._kill(self._idle.pop())
        await asyncio.gather(*self._ending, return_exceptions=True)
