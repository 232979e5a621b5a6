"""Let the reference solutions play before anything is graded: a broken one must not cost a student points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from touchline.core.errors import BadOptions
from touchline.grading.games import Table
from touchline.grading.rubric import SUBMISSION, Opponent
from touchline.grading.starting import Contestant
from touchline.sandbox.limits import DEFAULT

if TYPE_CHECKING:
    from touchline.grading.rubric import Rubric, Step


def try_references(rubric: Rubric, tier: str) -> None:
    """Let each reference solution play against random players. BadOptions if one does not play well."""
    for step in rubric.steps:
        for opponent in dict.fromkeys(one for one in step.opponents if one.folder):
            _try(step, opponent, tier)


def _try(step: Step, opponent: Opponent, tier: str) -> None:
    seats = len(step.opponents)
    others = tuple(Opponent(f"random {place}", "random") for place in range(1, seats + 1))
    limits = DEFAULT if step.cup.program is UNSET else step.cup.program
    own = Contestant(SUBMISSION, opponent.player, opponent.folder)
    table = Table(replace(step, opponents=others), own, tier, limits)
    for number in range(seats + 1):
        game = table.play(number).grade
        if game.outcome in ("fault", "ours") or not game.clean:
            wrote = f"; it wrote to stderr: {game.stderr[-500:]}" if game.stderr else ""
            raise BadOptions(
                f"step {step.name!r}: the reference solution {opponent.name} fails as seat {game.seat} "
                f"against random players: {game.text}{wrote}. Nothing is graded"
            )
