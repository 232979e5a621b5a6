"""The page of a student: the points, the reason for every lost one, and the records to replay.

Law of this file: steps that are not released are not on the page, neither their names nor their points.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from msgspec.structs import replace

from touchline.grading.grades import RERUN
from touchline.grading.output.html import page, points, preformatted, safe
from touchline.grading.output.words import OUTCOMES, game_title
from touchline.grading.standard import MEASURES, percent

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.grading.grades import CheckGrade, GameGrade, Grade, StepGrade

RELEASED = {
    "visible": ("visible",),
    "after_due_date": ("visible", "after_due_date"),
    "after_published": ("visible", "after_due_date", "after_published"),
}
"""What the pages show -> the visibility of those steps. Hidden steps are never shown."""
MOST_WITH_STDERR = 20
"""Games of a step whose stderr is on the page; the first ones."""


def student_page(grade: Grade, shown: Collection[str]) -> str:
    """Return the page; `shown` are the visibilities of the steps that are on it."""
    steps = tuple(step for step in grade.steps if step.visibility in shown)
    hidden = len(grade.steps) - len(steps)
    part = replace(grade, steps=steps)  # a total of all steps would tell the points of the others
    more = f"Steps that this page does not show, and whose points are not in it: {hidden}." if hidden else ""
    return page(
        f"{grade.student}: {grade.rubric}",
        f"<h1>{safe(grade.student)}</h1>",
        f'<p class="lead">{safe(grade.rubric)}</p>',
        f'<p class="total">{safe(part.total)}</p>',
        f'<p class="lead">{more}</p>' if more else "",
        "" if part.complete else f'<p class="note">{safe(RERUN)}</p>',
        *(step_section(step, grade.player) for step in steps),
        f'<p class="lead">Handed in: {safe(grade.player or "nothing that can be played")}, SHA-256 '
        f"<code>{safe(grade.digest)}</code>.</p>",
    )


def step_section(step: StepGrade, player: str, records: str = "records/") -> str:
    """Return a step with its points, reasons, checks and games; `records` is where the records are."""
    parts = [
        f'<section class="{step.status}">',
        f"<header><h2>{safe(step.name)}</h2>{points(step.points, step.out_of, open_=step.open)}</header>",
        f'<p class="soft">{safe(step.about)}.</p>',
        f"<p>{safe(step.why)}</p>" if step.why else "",
        _measures(step),
        _checks(step.checks),
        _games(step.games, player, records),
        "</section>",
    ]
    return "".join(parts)


def _measures(step: StepGrade) -> str:
    told = "; ".join(f"{MEASURES[name]}: {percent(share)}" for name, share in step.measures.items())
    return f'<p class="soft">{safe(told)}</p>' if told else ""


def _checks(checks: Sequence[CheckGrade]) -> str:
    if not checks:
        return ""
    return f'<ul class="items">{"".join(map(_check, checks))}</ul>'


def _check(check: CheckGrade) -> str:
    title = f"{check.number}. {check.what}"
    if check.failure is None:
        mark = (
            f'<span class="soft">left out: {safe(check.skipped)}</span>'
            if check.skipped
            else '<span class="good">✓ passed</span>'
        )
        return f"<li>{safe(title)} — {mark}</li>"
    talk = "\n".join(check.talk)
    return (
        f'<li>{safe(title)} — <span class="bad">✗ failed: {safe(check.failure)}</span>'
        + (_folded("The last lines to (&gt;) and from (&lt;) your program", talk) if talk else "")
        + (_folded("What your program wrote to stderr", check.stderr) if check.stderr else "")
        + "</li>"
    )


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>{preformatted(text)}</details>"


def _games(games: Sequence[GameGrade], player: str, records: str) -> str:
    if not games:
        return ""
    with_stderr = [game.number for game in games if game.stderr][:MOST_WITH_STDERR]
    items = [_game(game, player, records, stderr=game.number in with_stderr) for game in games]
    return f'<ul class="items">{"".join(items)}</ul>'


def _game(game: GameGrade, player: str, records: str, *, stderr: bool) -> str:
    kind = {"won": "good", "fault": "bad", "lost": "bad", "unplayed": "bad", "ours": "open"}.get(
        game.outcome, "soft"
    )
    title = f'{safe(game_title(game))} — <span class="{kind}">{OUTCOMES[game.outcome]}</span>'
    expected = f"<p><b>Expected:</b> {safe(game.expected)}.</p>" if game.expected else ""
    sent = f"<p><b>It sent:</b></p>{preformatted(game.answer)}" if game.answer else ""
    body = f"<p>{safe(game.text)}</p>{sent}{expected}"
    if game.record:
        body += _replay(game, player, records)
    if stderr:
        body += _folded("What your program wrote to stderr", game.stderr)
    opened = " open" if game.outcome in ("fault", "unplayed", "ours") else ""
    return f"<li><details{opened}><summary>{title}</summary>{body}</details></li>"


def _replay(game: GameGrade, player: str, records: str) -> str:
    """Return the link to the record, and the commands that replay it."""
    record = f"{records}{game.record}"
    commands = [f"touchline replay show {record}"]
    if game.turn is not None and game.offence != "refused":
        commands += [
            f"touchline replay step {record} --turn {game.turn}",
            f"touchline replay into {shlex.quote(player)} {record} --seat {game.seat}",
        ]
    link = f'<a href="{safe(record)}" download>{safe(game.record)}</a>'
    return f"<p>Record: {link}. Replay it:</p>{preformatted(chr(10).join(commands))}"
