"""A pool of worker processes for slow jobs: house players' moves, hints, verification, pictures.

Rules of this file: no slow job runs in the process of the web server; a job that exceeds its timeout, or
whose client hangs up, is killed with its process; jobs wait in lanes (`lanes.py`), each with its own workers;
nothing is pickled.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from touchline.core.errors import BadInput, BadOptions, TouchlineError, UnknownName
from touchline.draw.raster import NotInstalled
from touchline.web.workers import jobs, lanes, player_jobs, record_jobs
from touchline.web.workers.lanes import Busy, Lane, LaneName, WorkerTime, terms_for

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)
T = TypeVar("T")

COMMAND = (sys.executable, "-m", "touchline.web.workers.process")
NICE, BACKGROUND_NICE = 5, 15
"""Workers have a lower priority than the web server; those of long jobs give way to those of quick ones."""
MOST_ANSWER = 128 << 20
"""Bytes of one answer."""
MOST_LONG = 200
"""Kinds of long jobs that are remembered."""
START = 60.0
"""Timeout until a worker starts a job, or has compiled the next of the kernels that it needs, in seconds."""
TRIES = 3
"""How often a job is started whose worker dies: one killed process is no fault of the job, three are."""
FAILED = "our helper process failed; the log of the server has the details"
_ERRORS: dict[str, type[TouchlineError]] = {
    "BadInput": BadInput,
    "BadOptions": BadOptions,
    "UnknownName": UnknownName,
    "NotInstalled": NotInstalled,
}


class Overdue(Exception):
    """The job exceeded its timeout."""


class JobFailed(Exception):
    """The job raised an unexpected exception, or its process died; the log has the details."""


class WorkerDied(JobFailed):
    """The processes of several workers died in the middle of the job."""


class _Died(Exception):
    """The process of the worker died in the middle of the job."""


class _NotQuick(Exception):
    """The job exceeded the quantum of its lane."""


class _Worker:
    """One worker process, which does one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls, nice: int) -> _Worker:
        """Start a process, and wait until it is ready for jobs. Busy if there is no room for it."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *COMMAND, str(nice), stdin=pipe, stdout=pipe, limit=1 << 20
            )
        except OSError as error:  # out of processes, descriptors or memory
            raise Busy(f"no worker can be started: {error.strerror}; try again soon") from None
        worker = cls(process)
        try:
            async with asyncio.timeout(START):
                await worker._answer()
        except BaseException:
            await worker.end()
            raise
        return worker

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def do(
        self,
        packed: bytes,
        seconds: float,
        started: Callable[[], None],
        compiling: Callable[[float], None],
        looked: Callable[[jobs.JobProgress], None],
    ) -> Any:
        """Run a job and return the answer; the timeout runs from the worker's `JobStarted`."""
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(len(packed).to_bytes(4) + packed)
        async with asyncio.timeout(START):
            await stdin.drain()
        first: Any = jobs.JobCompiling()
        while isinstance(first, jobs.JobCompiling):
            async with asyncio.timeout(START):
                first = await self._answer()
            if isinstance(first, jobs.JobCompiling):
                compiling(first.seconds)
        if not isinstance(first, jobs.JobStarted):
            return first
        started()
        async with asyncio.timeout(seconds):
            while isinstance(answer := await self._answer(), jobs.JobCompiling | jobs.JobProgress):
                if isinstance(answer, jobs.JobProgress):
                    looked(answer)
            return answer

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
        """`count` is the number of processors to use."""
        self.count = max(2, min(4, os.cpu_count() or 2)) if count is None else count
        self.time = WorkerTime()
        self.lanes = {name: Lane(name, terms, self.time) for name, terms in terms_for(self.count).items()}
        self._idle: dict[int, list[_Worker]] = {NICE: [], BACKGROUND_NICE: []}
        self._ending: set[asyncio.Task[None]] = set()
        self._long: OrderedDict[bytes, None] = OrderedDict()
        """Kinds of jobs that have exceeded the quantum."""

    async def do(
        self,
        job: jobs.Job,
        kind: type[T],
        *,
        seconds: float,
        lane: LaneName = "requests",
        address: str = "",
        started: Callable[[], None] = lambda: None,
        postponed: Callable[[], None] = lambda: None,
        compiling: Callable[[float], None] = lambda seconds: None,
        looked: Callable[[jobs.JobProgress], None] = lambda progress: None,
    ) -> T:
        """Run a job for an address. TouchlineError if its input is wrong; else Busy, Overdue or JobFailed.

        `started` is called when the job starts, `postponed` when it is to start again, in a slower lane or
        because its worker died, and `compiling` again and again while it waits for kernels to be compiled,
        with the seconds that it will probably take. `looked` is called with the progress of a long job.
        """
        encoded, place, tries = packed(job), self.lanes[self._first_lane(job, lane)], 1
        while True:
            await place.acquire(address)
            begin = asyncio.get_running_loop().time()
            try:
                answer = await self._run(place, encoded, seconds, started, compiling, looked)
                break
            except _NotQuick:
                self._note_long(job)
                assert place.terms.then is not None
                then = self.lanes[place.terms.then]
            except _Died as death:
                log.warning("a worker died during the job %s: %s", type(job).__name__, death)
                if tries == TRIES:
                    raise WorkerDied(f"our helper process stopped {TRIES} times") from None
                tries, then = tries + 1, place
            finally:
                self.time.charge(address, asyncio.get_running_loop().time() - begin)
                place.release(address)
            postponed()
            place = then
        if isinstance(answer, jobs.JobRefused):
            if answer.kind in _ERRORS:
                raise _ERRORS[answer.kind](answer.text)
            log.error("the job %s failed: %s", type(job).__name__, answer.text)
            raise JobFailed(FAILED)
        assert isinstance(answer, jobs.JobDone)
        return msgspec.msgpack.decode(answer.what, type=kind)

    def _first_lane(self, job: jobs.Job, lane: LaneName) -> LaneName:
        """Return the lane to begin with: a job that is known to be long has no business among quick ones."""
        then = self.lanes[lane].terms.then
        if then is not None and isinstance(job, record_jobs.AnimateRecord):
            return then
        if then is None or not isinstance(job, player_jobs.AskPlayer):
            return lane
        return then if job.declared >= lanes.QUANTUM or job.kind in self._long else lane

    def _note_long(self, job: jobs.Job) -> None:
        """Remember that jobs like this one are long; they are tried again when it is forgotten."""
        if isinstance(job, player_jobs.AskPlayer):
            self._long[job.kind] = None
            if len(self._long) > MOST_LONG:
                self._long.popitem(last=False)

    async def _run(
        self,
        lane: Lane,
        packed: bytes,
        seconds: float,
        started: Callable[[], None],
        compiling: Callable[[float], None],
        looked: Callable[[jobs.JobProgress], None],
    ) -> Any:
        """Run a job on an idle or a new worker of a lane. _NotQuick if it exceeds the lane's quantum."""
        nice = BACKGROUND_NICE if lane.terms.background else NICE
        worker: _Worker | None = None
        try:
            worker = self._idle_worker(nice) or await _Worker.started(nice)
            if lane.terms.then is None:
                answer = await worker.do(packed, seconds, started, compiling, looked)
            else:
                answer = await _quickly(worker, packed, seconds, started, compiling, looked)
            self._idle[nice].append(worker)
            worker = None
        except TimeoutError:
            raise Overdue(f"the job took longer than {seconds:g} s") from None
        except (EOFError, OSError, msgspec.MsgspecError) as error:
            raise _Died(repr(error)) from None
        finally:
            if worker is not None:  # it is in the middle of a job, and cannot be used again
                self._kill(worker)
        return answer

    def _idle_worker(self, nice: int) -> _Worker | None:
        """Return an idle worker; one that was killed while it was idle is nobody's."""
        while self._idle[nice]:
            worker = self._idle[nice].pop()
            if worker.alive:
                return worker
            self._kill(worker)
        return None

    def _kill(self, worker: _Worker) -> None:
        ending = asyncio.ensure_future(worker.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        for lane in self.lanes.values():
            lane.close()
        for idle in self._idle.values():
            while idle:
                self._kill(idle.pop())
        await asyncio.gather(*self._ending, return_exceptions=True)


async def _quickly(
    worker: _Worker,
    packed: bytes,
    seconds: float,
    started: Callable[[], None],
    compiling: Callable[[float], None],
    looked: Callable[[jobs.JobProgress], None],
) -> Any:
    """Run a job within the quantum. _NotQuick if it takes longer; compiling does not count."""
    loop = asyncio.get_running_loop()
    quantum = asyncio.timeout(lanes.PREPARING)

    def thinks() -> None:
        quantum.reschedule(loop.time() + lanes.QUANTUM)
        started()

    def compiles(seconds: float) -> None:
        quantum.reschedule(loop.time() + START)
        compiling(seconds)

    try:
        async with quantum:
            return await worker.do(packed, seconds, thinks, compiles, looked)
    except TimeoutError:
        if quantum.expired():
            raise _NotQuick from None
        raise


def packed(job: jobs.Job) -> bytes:
    """Encode a job. BadInput if it holds a value that no game can use, such as 10**30."""
    try:
        return jobs.pack(job)
    except (OverflowError, RecursionError, TypeError, ValueError) as error:
        raise BadInput(f"a value cannot be used: {error}", "the options") from None
