"""Gradescope's results.json.

The format is that of https://gradescope-autograders.readthedocs.io/en/latest/specs/. A step that we could not
grade has no score and no status, because it is no lost point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.printable import printable_json
from touchline.grading.grades import RERUN
from touchline.grading.output.words import step_text

if TYPE_CHECKING:
    from touchline.grading.grades import Grade, StepGrade


def results(grade: Grade) -> dict[str, Any]:
    """Return the results of a submission."""
    output = f"{grade.rubric}: each step below says why points were lost."  # no total: steps may be hidden
    if not grade.complete:
        output += f"\n{RERUN}"
    made: dict[str, Any] = {
        "score": grade.points,
        "execution_time": grade.seconds,
        "output": output,
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [_test(number, step) for number, step in enumerate(grade.steps, 1)],
        "extra_data": {
            "complete": grade.complete, "digest": grade.digest, "rubric_digest": grade.rubric_digest,
            "isolation": grade.isolation, "touchline": grade.version,
        },
    }  # fmt: skip
    columns = [step for step in grade.steps if step.leaderboard and step.measured is not None]
    if columns:
        made["leaderboard"] = [{"name": step.leaderboard, "value": step.measured} for step in columns]
    return made


def results_json(grade: Grade) -> bytes:
    """Return the content of results.json."""
    text = msgspec.json.format(msgspec.json.encode(results(grade)), indent=2).decode()
    return b"\n".join(printable_json(line).encode() for line in text.split("\n")) + b"\n"


def _test(number: int, step: StepGrade) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": step.name, "name_format": "text", "number": str(number), "max_score": step.out_of,
        "output": step_text(step), "output_format": "text", "visibility": step.visibility,
    }  # fmt: skip
    if not step.open:
        test["score"] = step.points
        test["status"] = "passed" if step.status == "passed" else "failed"
    return test
