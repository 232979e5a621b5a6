"""grades.csv: a row for each student, a column for each step.

Law of this file: names are text to a spreadsheet, never a formula. A total is written only if every step was
graded.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from touchline.core.printable import printable
from touchline.grading.standard import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.grading.grades import Grade
    from touchline.grading.rubric import Rubric

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def grades_csv(rubric: Rubric, grades: Sequence[Grade]) -> str:
    """Return the table of all grades."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    steps = [as_text(step.name) for step in rubric.steps]
    rows.writerow(["student", *steps, "total", "out_of", "complete", "digest"])
    for grade in grades:
        cells = ["" if step.open else number(step.points) for step in grade.steps]
        total = number(grade.points) if grade.complete else ""
        rows.writerow([as_text(grade.student), *cells, total, number(grade.out_of),
                       "yes" if grade.complete else "no", grade.digest])  # fmt: skip
    return text.getvalue()


def as_text(text: str) -> str:
    """Return a text that a spreadsheet does not take for a formula.

    >>> as_text("ann"), as_text("=1+1")
    ('ann', "'=1+1")
    """
    text = printable(text)
    return f"'{text}" if text.startswith(FORMULA) else text
