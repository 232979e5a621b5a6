"""JUnit XML: a test suite for each student, a test case for each step.

A step with all points passes; one with fewer is a failure, one that depends on a failed step is skipped, and
one that we could not grade is an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from touchline.core.printable import printable, printable_text
from touchline.grading.output.words import points_text, step_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.grading.grades import Grade, StepGrade

TAGS = {"failed": "failure", "partial": "failure", "skipped": "skipped", "ours": "error"}
_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(grades: Sequence[Grade]) -> bytes:
    """Return one file with the suites of these students."""
    root = Xml.Element("testsuites", _counts([step for grade in grades for step in grade.steps]))
    for grade in grades:
        root.append(_suite(grade))
    Xml.indent(root)
    made: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return made + b"\n"


def _counts(steps: Sequence[StepGrade]) -> dict[str, str]:
    tags = [TAGS.get(step.status) for step in steps]
    return {
        "tests": str(len(steps)), "failures": str(tags.count("failure")), "errors": str(tags.count("error")),
        "skipped": str(tags.count("skipped")), "time": f"{sum(step.seconds for step in steps):.3f}",
    }  # fmt: skip


def _suite(grade: Grade) -> Xml.Element:
    suite = Xml.Element("testsuite", {"name": _line(grade.student), **_counts(grade.steps)})
    for step in grade.steps:
        case = Xml.SubElement(suite, "testcase", {
            "classname": _line(grade.student), "name": _line(step.name), "time": f"{step.seconds:.3f}",
        })  # fmt: skip
        if tag := TAGS.get(step.status):
            message = f"{points_text(step)}: {step.why}"
            Xml.SubElement(case, tag, {"message": _line(message)}).text = _text(step_text(step))
    return suite


def _line(text: str) -> str:
    return _text(printable(text))


def _text(text: str) -> str:
    """Return text without the characters that XML cannot hold, such as control characters."""
    return _NOT_XML.sub("\ufffd", printable_text(text))
