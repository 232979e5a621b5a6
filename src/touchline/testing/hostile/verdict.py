"""What must be true of a match with a player of the hostile corpus: its verdict, and nobody is harmed."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from touchline.core import registry
from touchline.core.clock import micros
from touchline.core.conduct import FINAL, Offence, Sanction
from touchline.core.events import Moved, encode
from touchline.core.registry import CONDUCTS
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.records.replay import Replay
from touchline.testing.hostile.behaviour import Fate
from touchline.testing.hostile.player import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.conduct import Conduct
    from touchline.core.events import Event, Result
    from touchline.core.rules import Game
    from touchline.testing.hostile.behaviour import Cell
    from touchline.testing.hostile.player import DialectPlayer

ROGUE = "mallory"
HONEST = ("anna", "bert", "carla")
THINKS = 0.01
"""Seconds that an honest player thinks about a move, in virtual time."""
OVERHEAD = 0.002
"""Seconds that it may be charged on top of that, in virtual time."""

STARVED = "starved"
"""The offence, where a referee knows it, of a program that is late on a busy machine."""

GAMES: dict[str, tuple[Game, int]] = {
    "hexapawn": (Hexapawn(rows=4, cols=4), 2),
    "fish": (Fish(rows=3, cols=4), 3),
    "labyrinth": (Labyrinth(rows=3, cols=5), 2),
}
"""A small board of each game, and the number of seats."""


def game_of(dialect: str) -> tuple[Game, int]:
    """Return the game that a dialect is tested with: its own, or Fish."""
    return GAMES[(registry.dialect(dialect).games or ("fish",))[0]]


def conduct_of(dialect: str) -> Conduct:
    """Return the conduct of a dialect."""
    return CONDUCTS[registry.dialect(dialect).conduct]


def seats_of(cell: Cell) -> list[str]:
    """Return the players of a cell's match in the order in which they come.

    In the set-up the rogue sits last, so that it is not asked for a move as soon as it has answered.
    """
    _, seats = game_of(cell.dialect)
    rest = list(HONEST[: seats - (cell.expected is not Fate.TURNED_AWAY)])
    return [*rest, ROGUE] if cell.phase is Phase.SET_UP else [ROGUE, *rest]


class Played(NamedTuple):
    """A match with one player of the corpus."""

    result: Result
    events: list[Event]
    names: tuple[str, ...]
    honest: dict[str, DialectPlayer]
    """The honest players by name."""
    left: list[str]
    """What was still there after it: tasks, connections."""


def sanction(cell: Cell, offence: Offence) -> Sanction:
    """Return what the first offence costs: the first step of the ladder, where that can be done."""
    game, seats = game_of(cell.dialect)
    step = conduct_of(cell.dialect).ladder(offence).sanction(1)
    if step in FINAL or offence is Offence.OUT_OF_TURN:
        return step
    if cell.phase is Phase.SET_UP:
        return Sanction.EXPEL
    if step is Sanction.SKIP and not hasattr(game.start(seats, Random(1)), "skip"):
        return Sanction.EXPEL
    return step


def problems(cell: Cell, played: Played, *, thinks: float | None = None) -> list[str]:
    """Return everything that is wrong with a match.

    With `thinks`, which needs virtual time, honest players must be charged exactly that for each move.
    """
    found = [*_honest_problems(cell, played, thinks), *played.left]
    expected = cell.expected
    seated = ROGUE in played.names
    if seated != (expected is not Fate.TURNED_AWAY):
        found.append(f"{ROGUE} has {'a' if seated else 'no'} seat")
    elif seated:
        found += _rogue_problems(cell, played, real=thinks is None)
    Replay(b"".join(encode(event) + b"\n" for event in played.events), str(cell)).verify()
    return found


def _rogue_problems(cell: Cell, played: Played, *, real: bool) -> Iterator[str]:
    seat, expected = played.names.index(ROGUE), cell.expected
    faults = [fault for fault in played.result.faults if fault.seat == seat]
    if expected is Fate.UNPUNISHED:
        if faults:
            yield f"{faults[0]} and no offence was expected"
        return
    assert isinstance(expected, Offence)
    if not faults:
        yield f"no offence, and {expected.value} was expected"
        return
    first, price = faults[0], sanction(cell, expected)
    if real and expected is Offence.LATE and first.offence.value == STARVED:
        return
    if first.offence is not expected:
        yield f"{first}, and {expected.value} was expected"
    elif first.sanction is not price:
        yield f"{first}, and {price.value} was expected"
    elif price is Sanction.EXPEL and played.result.expelled != (seat,):
        yield f"expelled {played.result.expelled}, and it should be seat {seat}"


def _honest_problems(cell: Cell, played: Played, thinks: float | None) -> Iterator[str]:
    result = played.result
    if result.verdict == "void":
        yield f"void: {result.reason}"
    for name, player in played.honest.items():
        if name not in played.names:
            yield f"{name} has no seat"
            continue
        seat = played.names.index(name)
        if any(fault.seat == seat for fault in result.faults) or seat in result.expelled:
            yield f"{name} is blamed: {result.faults}"
        if not player.over:
            yield f"{name} did not hear the last word"
        if thinks is not None:
            yield from _charges(name, seat, played, thinks)
    if cell.phase is Phase.END and result.verdict != "finished":
        yield f"the match was {result.verdict}"


def _charges(name: str, seat: int, played: Played, thinks: float) -> Iterator[str]:
    for event in played.events:
        if isinstance(event, Moved) and event.seat == seat and event.by == "seat":
            over = event.took - micros(thinks)
            if not 0 <= over <= micros(OVERHEAD):
                yield f"{name} was charged {event.took} µs in turn {event.turn}"
                return
