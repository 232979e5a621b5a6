"""Processes that think: a house player's move, a hint, a record played again, a picture of a whole game.

Laws of this file: nothing that takes long is done in the process that serves everybody; a job that takes too
long is ended with its process; whoever asks for a move goes before whoever wants a picture; nothing is
pickled.
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
"""Bytes of an answer."""
MOST_QUEUED = 64
"""Jobs that may wait for a worker."""
START = 60.0
"""Seconds a worker may take until it thinks: it may have to compile the kernels of a player."""
_ERRORS: dict[str, type[TouchlineError]] = {
    "BadInput": BadInput,
    "BadOptions": BadOptions,
    "UnknownName": UnknownName,
    "NotInstalled": NotInstalled,
}


class Busy(Exception):
    """No worker is free, and too many wait already."""


class Overdue(Exception):
    """The job took longer than it may."""


class Failed(Exception):
    """The job raised something that it should not, or its process died."""


class _Worker:
    """One process; it does one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls) -> _Worker:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*COMMAND, stdin=pipe, stdout=pipe, limit=1 << 20)
        return cls(process)

    async def do(self, job: jobs.Job, seconds: float, started: Callable[[], None]) -> Any:
        """The answer; the time runs from when the worker says that it begins."""
        stdin = self._process.stdin
        assert stdin is not None
        packed = jobs.pack(job)
        stdin.write(len(packed).to_bytes(4) + packed)
        async with asyncio.timeout(START):
            await stdin.drain()
            first = await self._answer()
        if not isinstance(first, jobs.Started):
            return first
        started()
        async with asyncio.timeout(seconds):
            return await self._answer()

    async def _answer(self) -> Any:
        stdout = self._process.stdout
        assert stdout is not None
        length = int.from_bytes(await stdout.readexactly(4))
        if length > MOST_ANSWER:
            raise Failed("the answer is too long")
        return jobs.unpack_answer(await stdout.readexactly(length))

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await self._process.stdin.wait_closed()


class Workers:
    """A few processes, started when they are first needed."""

    def __init__(self, count: int | None = None) -> None:
        self.count = max(2, min(4, os.cpu_count() or 2)) if count is None else count
        self._idle: list[_Worker] = []
        self._busy = 0
        self._pictures = 0
        self._moves: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()
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
        """Have a job done. TouchlineError if what it was given is wrong, else Busy, Overdue or Failed."""
        await self._turn(urgent)
        worker: _Worker | None = None
        try:
            worker = self._idle.pop() if self._idle else await _Worker.started()
            answer = await worker.do(job, seconds, started)
            self._idle.append(worker)
            worker = None
        except TimeoutError:
            raise Overdue(f"it took longer than {seconds:g} s") from None
        except (EOFError, OSError, msgspec.MsgspecError) as error:
            raise Failed(f"a worker died: {error!r}") from None
        finally:
            if worker is not None:  # in the middle of something: it cannot be used any more
                self._part(worker)
            self._next(urgent)
        if isinstance(answer, jobs.Wrong):
            if answer.kind in _ERRORS:
                raise _ERRORS[answer.kind](answer.text)
            raise Failed(answer.text)
        assert isinstance(answer, jobs.Done)
        return msgspec.msgpack.decode(answer.what, type=kind)

    async def _turn(self, urgent: bool) -> None:
        """Wait until there is a worker to be had; one is always kept for those who move."""
        most = self.count if urgent else max(1, self.count - 1)
        if self._busy < self.count and (urgent or self._pictures < most):
            self._take(urgent)
            return
        queue = self._moves if urgent else self._others
        if len(queue) >= MOST_QUEUED:
            raise Busy("everybody is busy; try again soon")
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():  # it was our turn already
                self._next(urgent)
            elif waiting in queue:
                queue.remove(waiting)
            raise

    def _take(self, urgent: bool) -> None:
        self._busy += 1
        self._pictures += not urgent

    def _next(self, urgent: bool) -> None:
        """Somebody is done: whose turn is it?"""
        self._busy -= 1
        self._pictures -= not urgent
        for queue, is_urgent in ((self._moves, True), (self._others, False)):
            while queue and self._busy < self.count:
                if not is_urgent and self._pictures >= max(1, self.count - 1):
                    break
                waiting = queue.popleft()
                if not waiting.done():
                    self._take(is_urgent)
                    waiting.set_result(None)

    def _part(self, worker: _Worker) -> None:
        ending = asyncio.ensure_future(worker.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        for queue in (self._moves, self._others):
            while queue:
                queue.popleft().cancel()
        while self._idle:
            self._part(self._idle.pop())
        await asyncio.gather(*self._ending, return_exceptions=True)
