"""Grade one submission: bytes in, bytes out, so that it can be done in another process.

Law of this file: whatever a submission does, it gets a grade with reasons. An error on our side is a step
that is not graded, never a lost point.
"""

from __future__ import annotations

import logging
import re
import time
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Struct

import touchline
from touchline.grading.checks import checked, passed
from touchline.grading.games import Table, measured
from touchline.grading.grades import RERUN, GameGrade, Grade, Graded, StepGrade
from touchline.grading.rubric import SUBMISSION, Rubric
from touchline.grading.standard import scored
from touchline.grading.starting import Contestant, OurFailure, in_dialect, problem_with_start
from touchline.grading.submissions import HandedIn
from touchline.sandbox.limits import DEFAULT

if TYPE_CHECKING:
    from touchline.grading.rubric import Step
    from touchline.sandbox.limits import ProgramLimits

log = logging.getLogger(__name__)


class GradingJob(Struct, frozen=True):
    """A submission to be graded."""

    rubric: Rubric
    submission: HandedIn
    isolation: str


def grade_job(data: bytes) -> bytes:
    """Grade the submission of a job."""
    return msgspec.json.encode(graded(msgspec.json.decode(data, type=GradingJob)))


def graded(job: GradingJob) -> Graded:
    """Run the steps of the rubric one after the other."""
    start, grading = time.perf_counter(), _Grading(job)
    for number, step in enumerate(job.rubric.steps, 1):
        grading.take(number, step)
    return Graded(_grade(job, grading.steps, time.perf_counter() - start), grading.records)


def not_graded(job: GradingJob, why: str) -> Graded:
    """Return the grade of a submission that we could not grade: every step is open."""
    steps = [_open(step, why) for step in job.rubric.steps]
    return Graded(_grade(job, steps, 0.0), {})


def _grade(job: GradingJob, steps: list[StepGrade], seconds: float) -> Grade:
    player = job.submission.player and in_dialect(job.submission.player, job.rubric.dialect)
    return Grade(
        student=job.submission.student, rubric=job.rubric.name, rubric_digest=job.rubric.digest,
        digest=job.submission.digest, player=player, isolation=job.isolation,
        version=touchline.__version__, steps=tuple(steps), seconds=round(seconds, 3),
    )  # fmt: skip


def about(step: Step) -> str:
    """Return what a step is, in a sentence."""
    if step.checks:
        return f"{len(step.checks)} compliance checks, with {step.seconds:g} s for each answer"
    others = ", ".join(one.name for one in step.opponents)
    return f"{step.games} games of {step.cup.game} against {others}, seats in turn"


def file_name(number: int, step: str, game: int) -> str:
    """Return the file name of a record.

    >>> file_name(2, "Beats greedy!", 1)
    '02-beats-greedy-game-001.jsonl'
    """
    words = re.sub(r"[^a-z0-9]+", "-", step.lower()).strip("-")[:40]
    return f"{number:02}-{words or 'step'}-game-{game:03}.jsonl"


def _step_grade(step: Step, status: Any, points: float, **more: Any) -> StepGrade:
    return StepGrade(**{
        "name": step.name, "status": status, "points": points, "out_of": step.standard.points, "met": False,
        "visibility": step.visibility, "about": about(step), "leaderboard": step.leaderboard, **more,
    })  # fmt: skip


def _open(step: Step, why: str, **more: Any) -> StepGrade:
    return _step_grade(step, "ours", 0.0, why=f"{RERUN} What failed: {why}", **more)


class _Grading:
    """The steps of one submission so far."""

    def __init__(self, job: GradingJob) -> None:
        self._job, self._submission = job, job.submission
        self.steps: list[StepGrade] = []
        self.records: dict[str, str] = {}
        self._left = 60 * job.rubric.minutes
        """Seconds of thinking time that the submission may still use."""

    def take(self, number: int, step: Step) -> None:
        """Grade the next step."""
        start = time.perf_counter()
        made = self._not_begun(step) or self._begun(number, step)
        seconds = round(time.perf_counter() - start, 3)
        self.steps.append(msgspec.structs.replace(made, seconds=seconds))

    def _not_begun(self, step: Step) -> StepGrade | None:
        """Return the grade of a step that need not be run, or cannot be; None if it can."""
        if self._submission.trouble:
            return _step_grade(step, "failed", 0.0, why=self._submission.trouble)
        for name in step.after:
            before = next(one for one in self.steps if one.name == name)
            if before.open:
                return _open(step, f"the step {name!r} is not graded yet, and this one comes after it")
            if not before.met:
                return _step_grade(
                    step,
                    "skipped",
                    0.0,
                    why=f"Not run: it comes after the step {name!r}, which was not passed.",
                )
        try:
            one, game = self._submission, step.cup.board(0)
            why = problem_with_start(one.player, one.folder, self._job.rubric.dialect, game)
        except OurFailure as failure:
            return _open(step, str(failure))
        return None if why is None else _step_grade(step, "failed", 0.0, why=why)

    def _begun(self, number: int, step: Step) -> StepGrade:
        try:
            return self._checks(step) if step.checks else self._games(number, step)
        except OurFailure as failure:
            return _open(step, str(failure))
        except Exception as error:
            log.exception("a step could not be graded: %s", step.name)
            return _open(step, f"{type(error).__name__}: {error}")

    def _limits(self, step: Step) -> ProgramLimits:
        return DEFAULT if step.cup.program is UNSET else step.cup.program

    def _own(self) -> Contestant:
        word = in_dialect(self._submission.player, self._job.rubric.dialect)
        return Contestant(SUBMISSION, word, self._submission.folder)

    def _checks(self, step: Step) -> StepGrade:
        found = checked(step, self._own(), self._job.isolation, self._limits(step))
        return self._judged(step, passed(found), checks=tuple(found))

    def _games(self, number: int, step: Step) -> StepGrade:
        table, games = Table(step, self._own(), self._job.isolation, self._limits(step)), list[GameGrade]()
        for game in range(step.games):
            if self._left <= 0:
                games.append(self._unplayed(game, step))
                continue
            played, record = table.play(game)
            if record:
                played = msgspec.structs.replace(played, record=file_name(number, step.name, game + 1))
                self.records[played.record] = record
            self._left -= played.thought
            games.append(played)
            if played.outcome == "ours":
                return _open(step, f"game {game + 1}: {played.text}", games=tuple(games))
        return self._judged(step, measured(games), games=tuple(games))

    def _unplayed(self, game: int, step: Step) -> GameGrade:
        minutes = f"{self._job.rubric.minutes:g} minutes of thinking time"
        why = f"Not played: the submission has used up its {minutes}."
        others = tuple(one.name for one in step.opponents)
        return GameGrade(
            number=game + 1, seat=game % (1 + len(others)), opponents=others, outcome="unplayed", text=why,
            expected="quicker answers", clean=False,
        )  # fmt: skip

    def _judged(self, step: Step, measures: dict[str, float], **more: Any) -> StepGrade:
        points, met, why = scored(step.standard, measures)
        full = points >= step.standard.points and met
        value = measures.get(step.standard.measure or next(iter(step.standard.needs), ""))
        return _step_grade(
            step, "passed" if full else "partial" if points else "failed", points, met=met, why=why,
            measures=measures, measured=value if step.leaderboard else None, **more,
        )  # fmt: skip
