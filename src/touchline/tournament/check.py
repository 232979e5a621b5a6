"""Test the entrants of a cup: start each one, let it play under the cup's own terms, and report faults."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.events import Moved
from touchline.drivers.lineup import Lineup
from touchline.players.by_name import player
from touchline.tournament.cup import REMOTE
from touchline.tournament.pairing import Pairing
from touchline.tournament.seeds import CupSeeds, spec_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from touchline.core.events import Event
    from touchline.tournament.cup import Cup, Entrant


class EntrantCheck(Struct, frozen=True):
    """The outcome of an entrant's test games."""

    entrant: str
    games: int
    slowest: float
    """The time of its slowest move, in seconds."""
    wrong: str
    """Its first fault, in a sentence; empty if there was none."""
    notes: str
    """The end of its stderr, if there was a fault."""


class _MoveTimes:
    """Observes the slowest move of one seat."""

    def __init__(self, seat: int) -> None:
        self._seat, self.slowest = seat, 0.0

    def see(self, event: Event) -> None:
        if isinstance(event, Moved) and event.seat == self._seat:
            self.slowest = max(self.slowest, event.took / 1e6)


def check_entrants(cup: Cup, folder: Path, games: int, isolation: str = "auto") -> Iterator[EntrantCheck]:
    """Let each entrant play against random players, on each seat and each board in turn."""
    seeds = CupSeeds(cup, None)
    for entrant in cup.entrants:
        if entrant.player == REMOTE:
            yield EntrantCheck(
                entrant.name, 0, 0.0, "", "a remote entrant: it cannot be checked before it signs up"
            )
            continue
        yield _check_one(cup, seeds, entrant, folder, games, isolation)


def _check_one(
    cup: Cup, seeds: CupSeeds, entrant: Entrant, folder: Path, games: int, isolation: str
) -> EntrantCheck:
    name = entrant.name
    caged = cup.sandbox([name], isolation, folder)
    seats = cup.rules().seats
    slowest = 0.0
    for number in range(games):
        seat = number % seats
        words = ["random"] * seats
        words[seat] = entrant.player
        names = [f"random {other}" for other in range(seats)]
        names[seat] = name
        game = Pairing(0, number, tuple(names), number)
        spec = spec_of(cup, game, seeds.of(game))
        times = _MoveTimes(seat)
        lineup = Lineup(words, range(seats), partial(player, folder=folder), lenient=True, sandbox=caged)
        result = lineup.play(lineup.fill(spec), [times.see])
        slowest = max(slowest, times.slowest)
        faults = [fault for fault in result.faults if fault.seat == seat]
        if faults:
            first = faults[0]
            wrong = f"{first.offence.value} at turn {first.turn}: {first.reason} -> {first.sanction.value}"
            return EntrantCheck(name, number + 1, slowest, wrong, lineup.notes.get(seat, "")[-2000:])
    return EntrantCheck(name, games, slowest, "", "")
