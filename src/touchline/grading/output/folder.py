"""The folder that grading writes: what stands in it already, and what is added.

    index.html, grades.csv, junit.xml, grades.json     of all students, for staff
    students/NAME/results.json, junit.xml, grade.json  of one student, for staff and Gradescope
    students/NAME/page/                                what the student may have: index.html and records/
    students/NAME/unreleased/                          records of steps that are not on that page

Law of this file: a student's folder is complete or not there. It is written under another name and renamed.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import msgspec

from touchline.core.errors import BadInput, BadOptions
from touchline.grading.grades import Graded, read_grade
from touchline.grading.output.gradescope import results_json
from touchline.grading.output.junit import junit_xml
from touchline.grading.output.spreadsheet import grades_csv
from touchline.grading.output.staff_page import staff_page
from touchline.grading.output.student_page import RELEASED, student_page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from touchline.grading.grades import Grade
    from touchline.grading.rubric import Rubric
    from touchline.grading.submissions import HandedIn

MOST_GRADE = 256 << 20
"""The most bytes of a grade.json that is read."""


class GradeFolder:
    """A folder of grades."""

    def __init__(self, folder: Path, *, released: str = "after_published", resume: bool = False) -> None:
        """`released` says which steps the students' pages show. BadOptions if grades are there already."""
        self.folder, self._students = folder, folder / "students"
        self._shown = RELEASED[released]
        if not resume and folder.exists() and any(folder.iterdir()):
            raise BadOptions(
                f"{folder} is not empty: go on there with --resume, or give another folder with --out"
            )

    def standing(self, one: HandedIn, rubric: str) -> Grade | None:
        """Return the grade that stands for a submission; None if it must be graded (again).

        It stands if it is complete, and the submission is the same. BadOptions if the rubric is another.
        """
        file = self._students / one.folder_name / "grade.json"
        try:
            if file.stat().st_size > MOST_GRADE:
                return None
            grade = read_grade(file.read_bytes())
        except (OSError, BadInput):
            return None
        if grade.rubric_digest != rubric:
            raise BadOptions(
                f"{self.folder} was graded by another rubric, or other reference solutions: give another "
                "folder with --out"
            )
        same = (grade.digest, grade.student) == (one.digest, one.student)
        return grade if same and grade.complete else None

    def refresh(self, one: HandedIn, grade: Grade) -> None:
        """Write the folder of a grade that stands again, if its page is to show other steps than before."""
        place = self._students / one.folder_name
        page = student_page(grade, self._shown)
        try:
            if (place / "page" / "index.html").read_text(encoding="utf-8") == page:
                return
        except (OSError, UnicodeDecodeError):
            pass  # it is written again
        files = [*place.glob("page/records/*.jsonl"), *place.glob("unreleased/*.jsonl")]
        self.write(one, Graded(grade, {file.name: file.read_text(encoding="utf-8") for file in files}))

    def write(self, one: HandedIn, graded: Graded) -> None:
        """Write the folder of a student; it replaces an older one."""
        grade, name = graded.grade, one.folder_name
        made = self._students / f".new-{name}"
        _remove(made)
        records, unreleased = made / "page" / "records", made / "unreleased"
        records.mkdir(parents=True)
        for step in grade.steps:
            place = records if step.visibility in self._shown else unreleased
            for game in step.games:
                if game.record in graded.records:
                    place.mkdir(exist_ok=True)
                    (place / game.record).write_text(graded.records[game.record], encoding="utf-8")
        (made / "page" / "index.html").write_text(student_page(grade, self._shown), encoding="utf-8")
        (made / "results.json").write_bytes(results_json(grade))
        (made / "junit.xml").write_bytes(junit_xml([grade]))
        (made / "grade.json").write_bytes(msgspec.json.encode(grade))
        target, old = self._students / name, self._students / f".old-{name}"
        _remove(old)
        if target.exists():
            target.rename(old)
        made.rename(target)
        _remove(old)

    def finish(self, rubric: Rubric, grades: Sequence[Grade], left: int = 0) -> None:
        """Write what is about all students: the index, the table, JUnit XML and a summary."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._replace("index.html", staff_page(rubric, grades, left, self._shown).encode())
        self._replace("grades.csv", grades_csv(rubric, grades).encode())
        self._replace("junit.xml", junit_xml(grades))
        self._replace("grades.json", msgspec.json.format(msgspec.json.encode(summary(grades, left))))

    def _replace(self, name: str, data: bytes) -> None:
        part = self.folder / f".{name}.part"
        part.write_bytes(data)
        part.replace(self.folder / name)


def summary(grades: Sequence[Grade], left: int = 0) -> dict[str, object]:
    """Return all grades in short, for `--json`."""
    return {
        "graded": len(grades), "left": left, "complete": not left and all(one.complete for one in grades),
        "students": [
            {
                "student": grade.student, "points": grade.points if grade.complete else None,
                "out_of": grade.out_of, "complete": grade.complete, "digest": grade.digest,
                "steps": [
                    {"name": step.name, "status": step.status, "points": None if step.open else step.points,
                     "out_of": step.out_of, "why": step.why}
                    for step in grade.steps
                ],
            }
            for grade in grades
        ],
    }  # fmt: skip


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
