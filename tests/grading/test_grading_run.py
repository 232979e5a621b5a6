"""Many submissions: one never harms another, dead workers are our failure, and a run can be resumed."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from grading.made import OPEN, RECORDS, STEPS, grade, submission
from grading.student_bots import GAMES, rubric
from touchline.core.errors import BadOptions, TouchlineError
from touchline.grading.grades import Graded
from touchline.grading.output.folder import GradeFolder
from touchline.grading.run import MOST_DEATHS, GradingRun
from touchline.grading.worker import GradingJob
from touchline.tournament.executors.base import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from touchline.grading.grades import Grade
    from touchline.grading.submissions import HandedIn


class Pool(WorkerPool):
    """A pool of workers that grade by a function; when one dies, all jobs of its executor fail."""

    def __init__(self, work: Callable[[HandedIn], Grade], slots: int = 3) -> None:
        self.slots = self.at_once = slots
        self.work, self.graded, self.starts, self.stopped = work, list[str](), 0, False

    def start(self) -> Executor:
        self.starts += 1
        return _Workers(self)

    def look_after(self) -> None:
        """Nothing dies by itself here."""

    def stop(self, *, now: bool) -> None:
        self.stopped = True


class _Workers(Executor):
    def __init__(self, pool: Pool) -> None:
        self._pool, self._broken = pool, False

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self._broken:
            raise BrokenProcessPool("a worker died")
        future: Future[Any] = Future()
        one = msgspec.json.decode(args[0], type=GradingJob).submission
        self._pool.graded.append(one.student)
        try:
            made = self._pool.work(one)
            future.set_result(msgspec.json.encode(Graded(made, RECORDS)))
        except SystemExit:
            self._broken = True
            future.set_exception(BrokenProcessPool("a worker died"))
        return future


def made(
    folder: Path, pool: Pool, students: str = "abc", *, resume: bool = False, **digests: str
) -> GradingRun:
    handed_in = [submission(student, digests.get(student, student)) for student in students]
    out = GradeFolder(folder / "out", resume=resume)
    return GradingRun(rubric(GAMES, folder), handed_in, out, pool, "A")


def graded(run: GradingRun) -> Callable[[HandedIn], Grade]:
    """A worker without faults, for the rubric of the run."""
    return lambda one: grade(one.student, digest=one.digest, rubric_digest=run._rubric.digest)


def test_a_worker_that_dies_is_our_failure_and_harms_nobody_else(tmp_path: Path) -> None:
    """The submission is tried again, alone, and then open; the others have their grades."""

    def work(one: HandedIn) -> Grade:
        if one.student == "b":
            raise SystemExit
        return grade(one.student)

    pool = Pool(work)
    run = made(tmp_path, pool)
    run.go()
    assert [(one.student, one.complete) for one in run.grades] == [("a", True), ("b", False), ("c", True)]
    assert pool.graded.count("b") == MOST_DEATHS
    assert pool.stopped
    assert all(step.open and "ended 3 times" in step.why for step in run.grades[1].steps)


def test_workers_that_cannot_be_started_are_an_error(tmp_path: Path) -> None:
    """The error says how to go on; nothing loops for ever."""
    pool = Pool(lambda one: grade(one.student))

    def start() -> Executor:
        raise OSError("no process left")

    pool.start = start  # type: ignore[method-assign]
    with pytest.raises(TouchlineError, match=r"no worker can be started: no process left.*--resume"):
        made(tmp_path, pool).go()


def test_resume_grades_what_is_open_or_has_changed(tmp_path: Path) -> None:
    """Of four, one stands, one has other content, one was open because of us, and one was never begun."""
    pool = Pool(lambda one: grade(one.student))
    run = made(tmp_path, pool)
    honest = graded(run)
    pool.work = lambda one: (
        honest(one) if one.student != "c" else msgspec.structs.replace(honest(one), steps=(*STEPS[:1], OPEN))
    )
    run.go()
    again = made(tmp_path, pool, "abcd", resume=True, b="changed")
    pool.work, pool.graded = honest, []
    assert again.resume() == 1
    again.go()
    assert sorted(pool.graded) == ["b", "c", "d"]
    assert [(one.student, one.complete) for one in again.grades] == [(name, True) for name in "abcd"]
    assert again.left == 0


def test_an_interrupted_run_keeps_what_is_finished(tmp_path: Path) -> None:
    """Ctrl-C stops the pool; the grades so far are on the disk and stand."""

    def work(one: HandedIn) -> Grade:
        if one.student == "b":
            raise KeyboardInterrupt
        return honest(one)

    pool = Pool(work, slots=1)
    run = made(tmp_path, pool)
    honest = graded(run)
    with pytest.raises(KeyboardInterrupt):
        run.go()
    assert pool.stopped
    assert ([one.student for one in run.grades], run.left) == (["a"], 2)
    assert made(tmp_path, pool, resume=True).resume() == 1


def test_a_damaged_grade_is_graded_again(tmp_path: Path) -> None:
    """A grade that cannot be read does not stand."""
    pool = Pool(lambda one: grade(one.student))
    run = made(tmp_path, pool, "a")
    pool.work = graded(run)
    run.go()
    (tmp_path / "out" / "students" / "a" / "grade.json").write_bytes(b"{")
    assert made(tmp_path, pool, "a", resume=True).resume() == 0


def test_grades_of_another_rubric_are_not_mixed(tmp_path: Path) -> None:
    """Nor is a folder overwritten that has grades already."""
    pool = Pool(lambda one: grade(one.student, digest=one.digest))
    made(tmp_path, pool).go()
    with pytest.raises(BadOptions, match="another rubric"):
        made(tmp_path, pool, resume=True).resume()
    with pytest.raises(BadOptions, match="--resume"):
        made(tmp_path, pool)
