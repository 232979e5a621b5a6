"""Grade all submissions, several at a time; what is finished is on the disk, and the rest can be resumed.

Law of this file: a submission is graded in a process of its own pool, so one that breaks its worker costs
nobody else a point. A worker that dies is our failure; the submission is tried again, alone.
"""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import TYPE_CHECKING

import msgspec

from touchline.core.errors import TouchlineError
from touchline.grading.grades import Graded
from touchline.grading.submissions import HandedIn
from touchline.grading.worker import GradingJob, grade_job, not_graded
from touchline.tournament.house_kernels import compile_house_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from touchline.grading.grades import Grade
    from touchline.grading.output.folder import GradeFolder
    from touchline.grading.rubric import Rubric
    from touchline.tournament.executors.base import WorkerPool

MOST_DEATHS = 3
"""After so many dead workers a submission is not tried again."""
LOOK = 0.5
"""Seconds without a result after which the workers' health is checked."""


class GradingRun:
    """The grading of submissions by a rubric, into a folder."""

    def __init__(
        self,
        rubric: Rubric,
        submissions: Sequence[HandedIn],
        folder: GradeFolder,
        pool: WorkerPool,
        isolation: str,
        told: Callable[[Grade], None] = lambda grade: None,
    ) -> None:
        """`told` gets each grade as soon as it is on the disk."""
        self._rubric, self._folder, self._pool = rubric, folder, pool
        self._isolation, self._told = isolation, told
        self._order = [one.student for one in submissions]
        self._done: dict[str, Grade] = {}
        self._waiting = deque(submissions)
        self._alone: deque[HandedIn] = deque()
        """Submissions whose worker died: they are tried again one at a time, to see which of them it was."""
        self._deaths: Counter[str] = Counter()
        self._running: dict[Future[bytes], HandedIn] = {}
        self._executor: Executor | None = None
        self._breaks = 0
        """How often in a row no worker could be started."""

    @property
    def grades(self) -> list[Grade]:
        """The grades so far, in the order of the submissions."""
        return [self._done[student] for student in self._order if student in self._done]

    @property
    def left(self) -> int:
        """The number of submissions that are not graded yet."""
        return len(self._order) - len(self._done)

    def resume(self) -> int:
        """Take the grades that stand already; return how many there are."""
        kept = deque[HandedIn]()
        for one in self._waiting:
            grade = self._folder.standing(one, self._rubric.digest)
            if grade is None:
                kept.append(one)
            else:
                self._folder.refresh(one, grade)
                self._done[one.student] = grade
        self._waiting = kept
        return len(self._done)

    def go(self) -> None:
        """Grade what is not graded yet. KeyboardInterrupt leaves what is finished."""
        if self._waiting:
            compile_house_kernels((step.cup for step in self._rubric.steps if step.games), self._pool)
        try:
            while self._waiting or self._alone or self._running:
                self._hand_out()
                done, _ = wait(self._running, timeout=LOOK, return_when=FIRST_COMPLETED)
                if not done:
                    self._pool.look_after()
                for future in done:
                    self._take(future)
        finally:
            self._pool.stop(now=True)

    def _hand_out(self) -> None:
        while (self._waiting or self._alone) and len(self._running) < self._slots():
            queue = self._waiting or self._alone
            try:
                if self._executor is None:
                    self._executor = self._pool.start()
                job = msgspec.json.encode(self._job(queue[0]))
                self._running[self._executor.submit(grade_job, job)] = queue[0]
            except (BrokenExecutor, OSError, EOFError) as error:
                self._broke(error)
                return
            queue.popleft()
            self._breaks = 0

    def _broke(self, error: Exception) -> None:
        """Replace an executor that takes no job, once the jobs that it has taken have failed."""
        if self._running:
            return
        self._executor, self._breaks = None, self._breaks + 1
        if self._breaks > MOST_DEATHS:
            raise TouchlineError(f"no worker can be started: {error}; run it again with --resume") from None

    def _slots(self) -> int:
        return self._pool.slots if self._waiting else 1

    def _job(self, one: HandedIn) -> GradingJob:
        return GradingJob(self._rubric, one, self._isolation)

    def _take(self, future: Future[bytes]) -> None:
        one = self._running.pop(future)
        try:
            graded = msgspec.json.decode(future.result(), type=Graded)
        except Exception as error:  # a dead worker, or an error in ours
            self._worker_died(one, error)
            return
        self._keep(one, graded)

    def _worker_died(self, one: HandedIn, error: Exception) -> None:
        self._deaths[one.student] += 1
        if self._deaths[one.student] >= MOST_DEATHS:
            why = f"the process that graded it ended {MOST_DEATHS} times: {type(error).__name__}: {error}"
            self._keep(one, not_graded(self._job(one), why))
        else:
            self._alone.append(one)

    def _keep(self, one: HandedIn, graded: Graded) -> None:
        self._folder.write(one, graded)
        self._done[one.student] = graded.grade
        self._told(graded.grade)
