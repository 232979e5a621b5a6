"""Grades that nobody earned, for the tests of what is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.grading.grades import RERUN, CheckGrade, GameGrade, Grade, StepGrade
from touchline.grading.submissions import HandedIn

if TYPE_CHECKING:
    from touchline.grading.grades import Status
    from touchline.grading.rubric import Visibility

EVIL = "<script>alert(1)</script>\x1b[2J\u202e\x00 & \"quoted\" 'too'"


def step(
    name: str, status: Status, points: float, visibility: Visibility = "visible", **more: Any
) -> StepGrade:
    return StepGrade(**{
        "name": name, "status": status, "points": points, "out_of": 10.0, "met": status == "passed",
        "visibility": visibility, "about": "2 games of hexapawn against random, seats in turn", **more,
    })  # fmt: skip


FAULT = GameGrade(
    number=2, seat=1, opponents=("random",), outcome="fault", clean=False, offence="illegal", turn=7, turns=8,
    text="At turn 7 it made a move that the rules do not allow: the square ahead is not empty. It was "
    "expelled from the game.",
    expected="a move that is legal in the position of the question", answer='{"type":"act"}',
    record="02-games-game-002.jsonl", stderr="Traceback:\n  oops",
)  # fmt: skip
WON = GameGrade(
    number=1, seat=0, opponents=("random",), outcome="won", score=1.0, turns=5,
    text="It won after 5 turns: reached the far row", record="02-games-game-001.jsonl",
)  # fmt: skip
CHECKS = (
    CheckGrade(number=1, what="takes its seat when a match begins"),
    CheckGrade(number=2, what="answers a question with a legal move", failure="no move within 5 s",
               talk=("> {}", "< {}"), stderr="oops"),
    CheckGrade(number=3, what="takes the turn's number from the question", skipped="not in this dialect"),
)  # fmt: skip
STEPS = (
    step("checks", "partial", 5, about="3 compliance checks", measures={"passed": 0.5}, checks=CHECKS,
         why="Checks passed: 50 %, and 100 % are needed for all points."),
    step("games", "failed", 0, measures={"wins": 0.5, "score": 0.5, "clean": 0.5}, games=(WON, FAULT),
         why="Games won: 50 %, and 60 % are needed for the points.", leaderboard="wins", measured=0.5),
    step("late secret", "passed", 10, "after_due_date"),
    step("secret", "skipped", 0, "hidden",
         why="Not run: it comes after the step 'games', which was not passed."),
)  # fmt: skip
OPEN = step("lost", "ours", 0, why=f"{RERUN} What failed: no disk")


def grade(student: str = "ann", steps: tuple[StepGrade, ...] = STEPS, **more: Any) -> Grade:
    return Grade(**{
        "student": student, "rubric": "Small", "rubric_digest": "r" * 64, "digest": "d" * 64,
        "player": "bot.py", "isolation": "A", "version": "0", "steps": steps, "seconds": 1.5, **more,
    })  # fmt: skip


def submission(student: str = "ann", digest: str = "d" * 64) -> HandedIn:
    return HandedIn(student=student, digest=digest, player="bot.py")


RECORDS = {"02-games-game-001.jsonl": "{}\n", "02-games-game-002.jsonl": "{}\n"}
