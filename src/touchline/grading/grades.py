"""The grade of a submission: its steps, their games and checks, and the reason for every lost point."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from touchline.core.errors import BadInput
from touchline.grading.rubric import Visibility
from touchline.grading.standard import number

RERUN = "Not graded, because of a failure on our side; no point is lost. Staff will run it again."

Outcome: TypeAlias = Literal["won", "tied", "lost", "fault", "unfinished", "unplayed", "ours"]
"""How a game ended for the submission. `ours`: it could not be played, because of us."""
Status: TypeAlias = Literal["passed", "partial", "failed", "skipped", "ours"]
"""How a step ended: with all points, some, none, not begun, or not graded because of us."""


class GameGrade(Struct, frozen=True, kw_only=True):
    """One game of a step."""

    number: int
    """Counted from 1."""
    seat: int
    opponents: tuple[str, ...]
    outcome: Outcome
    score: float = 0.0
    """The share of the opponents that the submission beat."""
    text: str = ""
    """What happened, in a sentence."""
    expected: str = ""
    """What the submission should have done; empty unless it was at fault."""
    answer: str = ""
    """What the submission sent when it was at fault, cut; empty if it sent nothing."""
    offence: str = ""
    turn: int | None = None
    turns: int = 0
    thought: float = 0.0
    """The thinking time of the submission, in seconds."""
    clean: bool = True
    moves: str = ""
    """A hash of all that happened but times: equal for copies of one game."""
    record: str = ""
    """The file name of the record; empty if there is none."""
    stderr: str = ""


class CheckGrade(Struct, frozen=True, kw_only=True):
    """One compliance check of a step."""

    number: int
    what: str
    failure: str | None = None
    skipped: str | None = None
    talk: tuple[str, ...] = ()
    """The last frames that were sent and received, if it failed."""
    stderr: str = ""


class StepGrade(Struct, frozen=True, kw_only=True):
    """The points of one step, and why they are not more."""

    name: str
    status: Status
    points: float
    out_of: float
    met: bool
    visibility: Visibility
    why: str = ""
    """Why points were lost, or why the step was not graded."""
    about: str = ""
    """What the step is, in a sentence."""
    measures: dict[str, float] = {}
    checks: tuple[CheckGrade, ...] = ()
    games: tuple[GameGrade, ...] = ()
    leaderboard: str = ""
    measured: float | None = None
    """The value for the leaderboard."""
    seconds: float = 0.0

    @property
    def distinct(self) -> int:
        """The number of games that are no copies of each other."""
        return len({(game.seat, game.moves) for game in self.games})

    @property
    def open(self) -> bool:
        """Whether the step must be graded again, because we failed."""
        return self.status == "ours"


class Grade(Struct, frozen=True, kw_only=True):
    """The grade of one submission."""

    student: str
    rubric: str
    """The name of the rubric."""
    rubric_digest: str
    digest: str
    """The hash of what was handed in."""
    player: str
    isolation: str
    version: str
    steps: tuple[StepGrade, ...]
    seconds: float = 0.0

    @property
    def points(self) -> float:
        return round(sum(step.points for step in self.steps), 2)

    @property
    def out_of(self) -> float:
        return round(sum(step.out_of for step in self.steps), 2)

    @property
    def complete(self) -> bool:
        """Whether every step was graded."""
        return not any(step.open for step in self.steps)

    @property
    def total(self) -> str:
        """The points in words: `12 of 20 points`."""
        told = f"{number(self.points)} of {number(self.out_of)} points"
        return told if self.complete else f"{told} so far; not all steps are graded"


class Graded(Struct, frozen=True):
    """What a worker returns: the grade, and the records by their file names."""

    grade: Grade
    records: dict[str, str]


def read_grade(data: bytes) -> Grade:
    """Return the grade with these bytes."""
    try:
        return msgspec.json.decode(data, type=Grade)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"not a grade: {error}") from None
