"""The index for staff: all students in one table, what must be run again, and every step in full."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from touchline.grading.output.html import page, points, safe
from touchline.grading.output.student_page import step_section
from touchline.grading.standard import number
from touchline.grading.submissions import folder_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.grading.grades import Grade
    from touchline.grading.rubric import Rubric


def staff_page(rubric: Rubric, grades: Sequence[Grade], left: int, shown: Collection[str]) -> str:
    """Return the index; `left` is the number of submissions that are not graded, `shown` as on the pages."""
    lead = f"{len(grades)} submissions, {number(rubric.points)} points, seed {rubric.seed}"
    again = [grade for grade in grades if not grade.complete]
    return page(
        rubric.name,
        f"<h1>{safe(rubric.name)}</h1>",
        f'<p class="lead">{safe(lead)}. This page is for staff: it shows hidden steps, too.</p>',
        f'<p class="note">Not graded yet: {left}. Go on with --resume.</p>' if left else "",
        _again(again),
        _copies(rubric, grades),
        _table(rubric, grades),
        _unshown(grades, shown),
    )


def _again(grades: Sequence[Grade]) -> str:
    if not grades:
        return ""
    lines = [
        f"<li><b>{safe(grade.student)}</b>, {safe(step.name)}: {safe(step.why)}</li>"
        for grade in grades
        for step in grade.steps
        if step.open
    ]
    return (
        '<div class="note"><p>Not graded, because of failures on our side. Run the command again with '
        f"--resume:</p><ul>{''.join(lines)}</ul></div>"
    )


def _copies(rubric: Rubric, grades: Sequence[Grade]) -> str:
    """Return a note on steps in which a student played the same game more than once."""
    lines = []
    for place, step in enumerate(rubric.steps):
        played = [grade.steps[place] for grade in grades if grade.steps[place].games]
        fewest = min((one.distinct for one in played), default=step.games)
        if fewest < step.games and all(not one.open for one in played):
            lines.append(f"<li>{safe(step.name)}: as few as {fewest} distinct games of {step.games}</li>")
    if not lines:
        return ""
    return (
        '<div class="note"><p>Copies of a game are no new evidence. Add [[boards]], or play fewer games:'
        f"</p><ul>{''.join(lines)}</ul></div>"
    )


def _table(rubric: Rubric, grades: Sequence[Grade]) -> str:
    heads = [f"<th scope=col>{safe(step.name)}</th>" for step in rubric.steps]
    rows = []
    for grade in grades:
        link = f"students/{quote(folder_name(grade.student))}/page/index.html"
        cells = [
            f'<td class="{step.status}">{points(step.points, step.out_of, open_=step.open)}</td>'
            for step in grade.steps
        ]
        total = f"<b>{number(grade.points)}</b>" if grade.complete else '<span class="open">open</span>'
        rows.append(
            f'<tr><td class="name"><a href="{link}">{safe(grade.student)}</a></td><td>{total}</td>'
            f"{''.join(cells)}</tr>"
        )
    return (
        '<div class="scroll" tabindex="0"><table><thead><tr><th scope=col class="name">student</th>'
        f"<th scope=col>total</th>{''.join(heads)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _unshown(grades: Sequence[Grade], shown: Collection[str]) -> str:
    """Return the steps that the students' pages leave out."""
    parts = []
    for grade in grades:
        records = f"students/{quote(folder_name(grade.student))}/unreleased/"
        steps = [step for step in grade.steps if step.visibility not in shown]
        inside = "".join(step_section(step, grade.player, records) for step in steps)
        if inside:
            parts.append(f"<details><summary>{safe(grade.student)}</summary>{inside}</details>")
    return f"<h2>Steps that are not on the students' pages</h2>{''.join(parts)}" if parts else ""
