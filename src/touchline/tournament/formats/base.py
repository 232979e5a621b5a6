"""The contract of a format: from the results so far to the games that are due, and to the standings.

A format is a frozen struct whose fields are its options. Whoever writes another one keeps these laws:

1. It is pure: the same entrants, results and drop-outs give the same games, in the same order. Chance comes
   from the option `seed` alone.
2. It is steady: asked again when a part of a round has been played, it gives the rest of that round and
   changes no game that it gave before.
3. It never hangs: when everything it gave has been played, it gives more, or None for the end. An empty list
   is never given.

What happens when an entrant drops out is the same everywhere. What it played counts. Its other games are no
longer due: the rest of the table, if it is two or more, play without it at a table of their own; one who is
left alone has a walkover, which is worth a win. Who drops out may be drawn once more, as nobody can tell from
the results when it left; once it has missed a game it is drawn no more. Those who dropped out are given in
the order in which they did. A set will do, but then, if two leave who were to meet, nobody can tell which of
them had a walkover, and what has not been played of the next round may be drawn again.

A void game gives no points and is not due again. Who wants it replayed leaves it out of the results, or adds
the next attempt at it.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol, TypeAlias

from msgspec import Meta

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from touchline.tournament.pairing import Pairing, Played
    from touchline.tournament.standings import Standing

MOST_SEATS = 6

Seats: TypeAlias = Annotated[int, Meta(ge=2, le=MOST_SEATS, description="Seats at a table.")]
Games: TypeAlias = Annotated[
    int, Meta(ge=1, le=1000, description="Games that those at a table play, with seats rotated.")
]
Paired: TypeAlias = Annotated[
    bool, Meta(description="Whether the games of one rotation of the seats begin from the same board.")
]
Seed: TypeAlias = Annotated[
    int, Meta(ge=0, description="0 seeds the entrants in the order they are listed; else lots are drawn.")
]


class Format(Protocol):
    """A way to hold a tournament."""

    name: ClassVar[str]
    tiebreaks: ClassVar[tuple[str, ...]]
    """What decides between entrants, the weightiest first: the heads of `Standing.tiebreaks`."""

    @property
    def seats(self) -> int:
        """Seats at a table; a few tables may be smaller where the numbers do not fit."""

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        """Every game that is to be played now and has no result yet; None when the tournament is over."""

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        """The table as it stands, the best first."""


def latest(played: Iterable[Played]) -> list[Played]:
    """The results that count: for each table of each round the last attempt, ordered by round and table."""
    last: dict[tuple[int, int], Played] = {}
    for game in played:
        place = (game.pairing.round, game.pairing.table)
        if place not in last or last[place].pairing.attempt <= game.pairing.attempt:
            last[place] = game
    return [last[place] for place in sorted(last)]


def within(value: int, least: int, most: int, what: str) -> None:
    """Hold code to the bounds that options are held to."""
    if not least <= value <= most:
        raise ValueError(f"{what}: {least} to {most}, not {value}")


def seeded(entrants: Sequence[str], seats: int, seed: int) -> list[str]:
    """The entrants from the first seed to the last.

    >>> seeded(["ann", "bob", "cy"], 2, seed=0), seeded(["ann", "bob", "cy"], 2, seed=1)
    (['ann', 'bob', 'cy'], ['ann', 'cy', 'bob'])
    """
    if len({*entrants}) != len(entrants):
        raise BadOptions("two entrants have the same name: give each a name of its own")
    if len(entrants) < seats:
        raise BadOptions(f"{seats} seats at a table, but only {len(entrants)} entrants: give fewer seats")
    if not seed:
        return [*entrants]
    rng = Random(seed)
    lots = {entrant: rng.random() for entrant in entrants}
    return sorted(entrants, key=lots.__getitem__)
