"""Matches that were played as they are written down here, and their records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.core.clock import UNTIMED
from touchline.core.events import encode
from touchline.drivers.match import agreed, play_now
from touchline.games.hexapawn import Hexapawn, Step
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Game

SMALL = Hexapawn(rows=3, cols=3)


class Scripted:
    """Plays what comes next, whoever's turn it is; an exception is raised, a function asked."""

    def __init__(self, script: Iterator[Any]) -> None:
        self._script = script

    def choose(self, view: Any, turn: int) -> Any:
        chosen = next(self._script)
        if isinstance(chosen, Exception):
            raise chosen
        return chosen(view) if callable(chosen) else chosen


def record(game: Game, seats: int, script: Sequence[Any], seed: int = 1, **terms: Any) -> bytes:
    """The record of a match in which this was played."""
    moves = iter(script)
    events: list[Event] = []
    names = [f"player {seat}" for seat in range(seats)]
    spec = agreed(game, names, seed, **{"limits": UNTIMED, **terms})
    play_now(spec, [Scripted(moves)] * seats, [events.append])
    return b"".join(encode(event) + b"\n" for event in events)


def steps(*texts: str) -> list[Step]:
    """Moves of hexapawn as they are typed: `0,0 1,0`."""
    cells = [[tuple(map(int, cell.split(","))) for cell in text.split()] for text in texts]
    return [Step((a, b), (c, d)) for (a, b), (c, d) in cells]


BLUNDER = steps("0,0 1,0", "2,1 1,1", "0,2 1,2")
"""Seat 1 has won from the beginning, and gives it away with its first move instead of taking the pawn."""
FLAWLESS = steps("0,0 1,0", "2,1 1,0", "0,1 1,1", "1,0 0,0")
"""Seat 1 keeps what it had from the beginning."""


def replay(game: Game, seats: int, script: Sequence[Any], seed: int = 1, **terms: Any) -> Replay:
    return Replay(record(game, seats, script, seed, **terms), "this match")
