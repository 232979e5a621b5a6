"""A step of compliance checks: those of `touchline check player`, on a submission in its cage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.dialects import DEFAULT
from touchline.drivers.runner import run
from touchline.grading.grades import CheckGrade
from touchline.grading.reasons import stderr_tail
from touchline.grading.starting import OurFailure, starts_own_file
from touchline.players.by_name import command_of, dialect_of
from touchline.sandbox.launch import Sandbox
from touchline.testing.player_check import run_player_check
from touchline.testing.player_source import Programs

if TYPE_CHECKING:
    from touchline.grading.rubric import Step
    from touchline.grading.starting import Contestant
    from touchline.sandbox.limits import ProgramLimits
    from touchline.testing.player_check import StepResult


def checked(step: Step, submission: Contestant, tier: str, limits: ProgramLimits) -> list[CheckGrade]:
    """Run the checks of a step on a program. What it raises is a failure on our side."""
    player, folder = submission.player, Path(submission.folder)
    dialect, game = registry.dialect(dialect_of(player) or DEFAULT), step.cup.board(0)
    sandbox = Sandbox(tier=tier, limits=limits, own=folder)
    programs = Programs(command_of(player, folder), dialect, game, step.seconds, sandbox, folder)
    unstarted: list[str] = []

    def told(result: StepResult) -> None:
        if programs.program is not None and programs.program.unstarted is not None:
            unstarted.append(programs.program.unstarted)

    results = run(run_player_check(programs, dialect, game, step.seconds, told, step.checks))
    if unstarted and not starts_own_file(submission.player):
        raise OurFailure(unstarted[0])
    return [_grade(result) for result in results]


def passed(checks: list[CheckGrade]) -> dict[str, float]:
    """Return the share of the checks that were passed; a check that the dialect cannot express is left out.

    >>> passed([CheckGrade(number=1, what="a"), CheckGrade(number=2, what="b", failure="no move")])
    {'passed': 0.5}
    """
    made = [check for check in checks if check.skipped is None]
    return {"passed": sum(check.failure is None for check in made) / len(made) if made else 1.0}


def _grade(result: StepResult) -> CheckGrade:
    failed = result.failure is not None
    return CheckGrade(
        number=result.number, what=result.what, failure=result.failure, skipped=result.skipped,
        talk=tuple(result.talk) if failed else (), stderr=stderr_tail(result.stderr) if failed else "",
    )  # fmt: skip
