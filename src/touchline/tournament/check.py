"""Test the entrants of a cup: start each one, let it play under the cup's own terms, and report faults."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.errors import BadInput, TouchlineError
from touchline.core.events import Moved
from touchline.drivers.lineup import Lineup
from touchline.players.by_name import is_program, player
from touchline.tournament.cup import REMOTE
from touchline.tournament.entrant_bundles import EntrantFiles
from touchline.tournament.pairing import Pairing
from touchline.tournament.seeds import CupSeeds, spec_of
from touchline.tournament.worker_bundles import stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.events import Event
    from touchline.tournament.cup import Cup


ALL_ERRORS = (TouchlineError, OSError)


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
    """Let each entrant play against random players, on each seat and each board in turn.

    Each runs as in the cup, from a bundle of its files.
    """
    files, seeds = EntrantFiles(cup, folder), CupSeeds(cup, None)
    for entrant in cup.entrants:
        if entrant.player == REMOTE:
            yield EntrantCheck(
                entrant.name, 0, 0.0, "", "a remote entrant: it cannot be checked before it signs up"
            )
        elif not is_program(entrant.player):
            yield _check_one(seeds, entrant.name, entrant.player, None, games, isolation)
        else:
            try:
                own = files.bundle_of(entrant)
            except BadInput as error:
                yield EntrantCheck(entrant.name, 0, 0.0, str(error), str(error))
                continue
            place = stored([own.bundle]).folder_of(own.bundle.digest)
            yield _check_one(seeds, entrant.name, own.player, place, games, isolation)


def _check_one(
    seeds: CupSeeds, name: str, word: str, folder: Path | None, games: int, isolation: str
) -> EntrantCheck:
    cup = seeds.cup
    caged = cup.sandbox([name], isolation, folder or Path(), bundled=cup.names)
    seats = cup.rules().seats
    slowest = 0.0
    for number in range(games):
        seat = number % seats
        words = ["random"] * seats
        words[seat] = word
        names = [f"random {other}" for other in range(seats)]
        names[seat] = name
        game = Pairing(0, number, tuple(names), number)
        spec = spec_of(cup, game, seeds.of(game))
        times = _MoveTimes(seat)
        folders = [folder if one == seat else None for one in range(seats)]
        lineup = Lineup(words, range(seats), player, refuses=ALL_ERRORS, sandbox=caged, folders=folders)
        result = lineup.play(lineup.fill(spec), [times.see])
        slowest = max(slowest, times.slowest)
        faults = [fault for fault in result.faults if fault.seat == seat]
        if faults:
            first = faults[0]
            wrong = f"{first.offence.value} at turn {first.turn}: {first.reason} -> {first.sanction.value}"
            return EntrantCheck(name, number + 1, slowest, wrong, lineup.notes.get(seat, "")[-2000:])
    return EntrantCheck(name, games, slowest, "", "")
