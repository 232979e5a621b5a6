"""A step in lines of plain text, for Gradescope and JUnit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.printable import printable, printable_text
from touchline.grading.standard import MEASURES, number, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.grading.grades import CheckGrade, GameGrade, StepGrade

MOST_LINES = 400
"""Lines about one step."""


def step_text(step: StepGrade) -> str:
    """Return what a student reads about a step: what it is, its points, and the reason for lost ones."""
    lines = [*_lines(step)]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES} more lines"]
    return "\n".join(lines)


def _lines(step: StepGrade) -> Iterator[str]:
    yield f"{step.about}. {points_text(step)}."
    if step.why:
        yield printable(step.why)
    for name, share in step.measures.items():
        yield f"  {MEASURES[name]}: {percent(share)}"
    for check in step.checks:
        yield from check_lines(check)
    for game in step.games:
        yield from _game_lines(game)


def points_text(step: StepGrade) -> str:
    """Return the points of a step in words."""
    if step.open:
        return f"Not graded yet, out of {number(step.out_of)} points"
    return f"{number(step.points)} of {number(step.out_of)} points"


def check_lines(check: CheckGrade) -> Iterator[str]:
    """Yield a check and, if it failed, the last frames and what the program wrote to stderr."""
    verdict = check.failure or (f"left out: {check.skipped}" if check.skipped else "ok")
    yield printable(f"Check {check.number}, {check.what}: {verdict}")
    for line in check.talk:
        yield printable(f"    {line}")
    yield from _stderr_lines(check.stderr)


def game_title(game: GameGrade) -> str:
    """
    >>> from touchline.grading.grades import GameGrade
    >>> game_title(GameGrade(number=3, seat=0, opponents=("greedy",), outcome="won"))
    'Game 3, seat 0, against greedy'
    """
    return f"Game {game.number}, seat {game.seat}, against {', '.join(game.opponents)}"


def _game_lines(game: GameGrade) -> Iterator[str]:
    yield printable(f"{game_title(game)}: {OUTCOMES[game.outcome]}. {game.text}")
    if game.answer:
        yield printable(f"  It sent: {game.answer}")
    if game.expected:
        yield printable(f"  Expected: {game.expected}.")
    yield from _stderr_lines(game.stderr)


OUTCOMES = {
    "won": "won", "tied": "tied", "lost": "lost", "fault": "lost by a fault", "unfinished": "not finished",
    "unplayed": "not played", "ours": "not played, because of us",
}  # fmt: skip


def _stderr_lines(text: str) -> Iterator[str]:
    if text:
        yield "  It wrote to stderr:"
        for line in printable_text(text).splitlines():
            yield f"    {line}"
