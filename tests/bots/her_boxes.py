"""Boxes of HER."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from touchline.core.events import Result
from touchline.games.hexapawn import REACHED, Hexapawn, HexapawnState, Step

if TYPE_CHECKING:
    from touchline.bots.her import Her

SMALL = Hexapawn(rows=3, cols=3)
START: Any = SMALL.start(2, Random(0))
LEFT, MIDDLE = Step((0, 0), (1, 0)), Step((0, 1), (1, 1))


def ended(winner: int, **more: Any) -> Result:
    return Result(
        **{"verdict": "finished", "outcome": REACHED[winner], "reason": "reached", "turns": 4, **more}
    )


def beads(player: Her, view: HexapawnState) -> set[Step]:
    return set(player.may_play(view))
