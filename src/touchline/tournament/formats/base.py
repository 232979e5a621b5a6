"""The contract of a format: from the results so far to the games that are due, and to the standings.

A format is a frozen struct whose fields are its options. Its laws, which `touchline.testing.check_format`
checks:

1. It is pure: the same entrants, results and withdrawals give the same games, in the same order. Chance comes
   from the option `seed` alone.
2. It is stable: asked again when a part of a round has been played, it returns the rest of that round and
   changes no game that it returned before.
3. It ends: when all its games have been played, it returns more games, or None at the end. It never returns
   an empty list.

Withdrawals work alike in all formats. The games that an entrant has played count. Its other games are no
longer due: if two or more are left at a table, they play without it at a table of their own; one who is
left alone has a walkover, which is worth a win. An entrant that has withdrawn may be drawn once more,
because the results do not say when it left; once it has missed a game it is drawn no more. `out` lists the
withdrawn entrants in the order in which they left. A set will do, but if two of them were to meet, it does
not say which one had the walkover, and the unplayed part of the next round may be drawn again.

A void game gives no points and is not due again. To have it replayed, leave it out of the results, or add
the next attempt at it. A game that is left out, of an entrant that has withdrawn since, is not replayed: it
becomes a walkover, or is played without it; games and byes that the entrant had later stand.

A cup may have several boards. A format that has a field `boards` is told how many: the board of a game is
then `Pairing.board` modulo that number, and the format shares them out as evenly as it can. `Schedule` does
that.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol, TypeAlias

from msgspec import Meta, Struct

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from touchline.tournament.formats.shared.schedule import Schedule
    from touchline.tournament.pairing import Pairing, Played
    from touchline.tournament.standings import Standing

MOST_SEATS = 6
DRAW = 2
"""The version of the rules by which rounds are drawn; a cup has the one with which it began.

1: boards were not shared out, a Swiss round was drawn without a look at the next ones, and a bye was worth a
win in each game of a match. The rounds of such a cup are taken as they were played.
"""

Seats: TypeAlias = Annotated[int, Meta(ge=2, le=MOST_SEATS, description="Seats at a table.")]
Games: TypeAlias = Annotated[
    int, Meta(ge=1, le=1000, description="Games that the entrants at a table play, with seats rotated.")
]
Paired: TypeAlias = Annotated[
    bool, Meta(description="Whether the games of one rotation of the seats begin from the same board.")
]
Seed: TypeAlias = Annotated[
    int, Meta(ge=0, description="0 seeds the entrants in the order they are listed; else lots are drawn.")
]


class Format(Protocol):
    """A format of tournaments, with its options."""

    name: ClassVar[str]
    """The name in the registry and in a cup."""

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        """The names of the numbers in `Standing.tiebreaks`, the most important first."""

    @property
    def seats(self) -> int:
        """Seats at a table; a few tables may be smaller if the number of entrants does not fit."""

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        """Return every game that can be played now and has no result; None when the tournament is over."""

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        """Return the standings so far, the best first."""


class ScheduledFormat(Struct, frozen=True, kw_only=True, repr_omit_defaults=True):
    """Base of formats that are written as a schedule: subclass it and write `schedule` and `standings`.

    `boards` and `draw` are no options of a format: the cup fills them in.
    """

    boards: Annotated[int, Meta(ge=1)] = 1
    """The number of boards in the cup. Hand it to the `Schedule`, which shares them out."""
    draw: Annotated[int, Meta(ge=1, le=DRAW)] = DRAW
    """The version of the rules by which rounds are drawn."""

    def schedule(self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]) -> Schedule:
        """Return the schedule as far as the results determine it."""
        raise NotImplementedError

    def table_sizes(self, entrants: int) -> set[int]:
        """Return the sizes of tables besides `seats` that so many entrants need; the game must allow them."""
        return set()

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        return self.schedule(entrants, played, out).due or None


def latest(played: Iterable[Played]) -> list[Played]:
    """Return the results that count, by round and table: the last attempt at each game."""
    last: dict[tuple[int, int], Played] = {}
    for game in played:
        place = (game.pairing.round, game.pairing.table)
        if place not in last or last[place].pairing.attempt <= game.pairing.attempt:
            last[place] = game
    return [last[place] for place in sorted(last)]


def check_range(value: int, least: int, most: int, what: str) -> None:
    """Raise ValueError unless an option is in range, also when a format is made by code, not from a file."""
    if not least <= value <= most:
        raise ValueError(f"{what}: {least} to {most}, not {value}")


def seeded(entrants: Sequence[str], seats: int, seed: int) -> list[str]:
    """Return the entrants from the first seed to the last. Raise BadOptions if they do not fill a table.

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
