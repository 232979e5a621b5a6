"""Before a cup: start every entrant, let it play under the cup's own terms, and say what would fail."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from touchline.core.events import Moved
from touchline.drivers.lineup import Seating
from touchline.drivers.match import agreed
from touchline.players.by_name import player
from touchline.tournament.cup import REMOTE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from touchline.core.events import Event
    from touchline.tournament.cup import Cup


class Examined(Struct, frozen=True):
    """What an entrant did."""

    entrant: str
    games: int
    slowest: float
    """Seconds for its slowest move."""
    wrong: str
    """What went wrong first, in a sentence; empty if nothing did."""
    notes: str
    """The end of what it wrote to stderr, if something went wrong."""


class _Watch:
    """How long the moves of one seat take."""

    def __init__(self, seat: int) -> None:
        self._seat, self.slowest = seat, 0.0

    def see(self, event: Event) -> None:
        if isinstance(event, Moved) and event.seat == self._seat:
            self.slowest = max(self.slowest, event.took / 1e6)


def examined(cup: Cup, folder: Path, games: int) -> Iterator[Examined]:
    """Each entrant plays against random players, seat after seat and board after board."""
    for entrant in cup.entrants:
        if entrant.player == REMOTE:
            yield Examined(
                entrant.name, 0, 0.0, "", "it comes over the network: not to be tried before it comes"
            )
            continue
        yield _examined(cup, entrant.name, entrant.player, folder, games)


def _examined(cup: Cup, name: str, word: str, folder: Path, games: int) -> Examined:
    seats: int = cup.rules().seats
    slowest = 0.0
    for number in range(games):
        seat = number % seats
        words = ["random"] * seats
        words[seat] = word
        names = [f"random {other}" for other in range(seats)]
        names[seat] = name
        spec = agreed(cup.board(number), names, cup.seed + number, conduct=cup.conduct, limits=cup.limits)
        spec = replace(spec, turn_cap=cup.turn_cap)
        watch, seating = (
            _Watch(seat),
            Seating(words, range(seats), partial(player, folder=folder), lenient=True),
        )
        result = seating.play(seating.fill(spec), [watch.see])
        slowest = max(slowest, watch.slowest)
        faults = [fault for fault in result.faults if fault.seat == seat]
        if faults:
            first = faults[0]
            wrong = f"{first.offence.value} at turn {first.turn}: {first.reason} -> {first.sanction.value}"
            return Examined(name, number + 1, slowest, wrong, seating.notes.get(seat, "")[-2000:])
    return Examined(name, games, slowest, "", "")
