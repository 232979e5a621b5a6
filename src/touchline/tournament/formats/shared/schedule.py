"""The schedule of a tournament: settles each drawn game as due, played, or a walkover.

Law of this file: a game that has been played stays as it was drawn. If an earlier result was changed since,
and the draw would now differ, the played games count all the same; of the new draw only the games whose
players are free are used, and an entrant that is left over has a bye.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import fsum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from touchline.tournament.formats.base import latest
from touchline.tournament.pairing import Pairing, Played, points

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

WALKOVER = "walkover"
"""The reason of a game that an entrant won because all its opponents had withdrawn."""


class Schedule:
    """The games drawn so far. A format draws games and enters them here with `play` or `play_round`."""

    def __init__(
        self, played: Iterable[Played], out: Collection[str], entrants: Sequence[str], *, tables: int
    ) -> None:
        """`tables` is an upper bound of the tables in a round, the same for all rounds.

        A game from which an entrant has withdrawn is played at a table of its own: the number of its table
        plus `tables` for each entrant that is missing.
        """
        ordered = out if isinstance(out, Sequence) else [one for one in entrants if one in out]
        self._tables, self._left = tables, {entrant: index for index, entrant in enumerate(ordered)}
        self._results = {(game.pairing.round, game.pairing.table): game for game in latest(played)}
        self._rounds: dict[int, list[Played]] = defaultdict(list)
        for game in self._results.values():
            self._rounds[game.pairing.round].append(game)
        self._last: list[Pairing] = []
        self.due: list[Pairing] = []
        self.games: list[Played] = []
        """The games that count so far: played, or won by walkover."""
        self.byes: Counter[str] = Counter()
        """Points for byes."""
        self.absent: set[str] = set()
        """The withdrawn entrants that have missed a game: they are not drawn any more."""

    def play(self, drawn: Sequence[Pairing]) -> list[Played] | None:
        """Enter drawn games; return their results, or None while some are due."""
        settled = [self._settle(pairing) for pairing in drawn]
        due = [game for game in settled if isinstance(game, Pairing)]
        done = [game for game in settled if isinstance(game, Played)]
        self.due += due
        self.games += done
        for pairing, game in zip(drawn, settled, strict=True):
            if isinstance(game, Played) and (game.reason == WALKOVER or game.pairing != pairing):
                self.absent |= {*pairing.entrants} & self._left.keys() - {*present(game)}
        return None if due else done

    def play_round(self, number: int, drawn: Sequence[Pairing]) -> list[Played] | None:
        """Enter a whole round. Its played games stay, also if the draw would be another one today."""
        self._last = self._with_played(number, drawn)
        return self.play(self._last)

    def rested(self, pool: Iterable[str]) -> list[str]:
        """Return those of `pool` that were not drawn in the last round."""
        drawn = {entrant for pairing in self._last for entrant in pairing.entrants}
        return [entrant for entrant in pool if entrant not in drawn]

    def result(self, number: int, table: int) -> Played | None:
        """Return the result of a table in a round, if there is one."""
        return self._results.get((number, table))

    def _settle(self, pairing: Pairing) -> Pairing | Played:
        """Return the result of a game; or the game, without its withdrawn entrants, if it is due."""
        gone = sorted(self._left.keys() & pairing.entrants, key=self._left.__getitem__)
        for missing in range(len(gone) + 1):
            table = pairing.table + missing * self._tables
            if (game := self._results.get((pairing.round, table))) is not None:
                return game
        if not gone:
            return pairing
        here = tuple(entrant for entrant in pairing.entrants if entrant not in self._left)
        if len(here) >= 2:
            return replace(pairing, table=pairing.table + len(gone) * self._tables, entrants=here)
        # If all have withdrawn, the last one to leave had its walkover before.
        winner = pairing.entrants.index(here[0] if here else gone[-1])
        ranks = tuple(1 if seat == winner else None for seat in range(len(pairing.entrants)))
        return Played(pairing, "forfeited", (winner,), ranks, reason=WALKOVER)

    def _with_played(self, number: int, drawn: Sequence[Pairing]) -> list[Pairing]:
        """Return a round's played games, and the drawn ones whose players are free."""
        fixed = self._rounds[number]
        own = {pairing.table: {*pairing.entrants} for pairing in drawn}
        strays = [
            game.pairing
            for game in fixed
            if not {*game.pairing.entrants} <= own.get(game.pairing.table % self._tables, set())
        ]
        if not strays:
            return [*drawn]
        # An earlier result has been changed since this round was drawn.
        taken = {entrant for pairing in strays for entrant in pairing.entrants}
        tables = {pairing.table % self._tables for pairing in strays}
        free = [
            pairing for pairing in drawn if pairing.table not in tables and not taken & {*pairing.entrants}
        ]
        return sorted([*strays, *free])

    def points(self) -> dict[str, float]:
        """Return the points of each entrant so far, with byes and walkovers."""
        parts: dict[str, list[float]] = defaultdict(list)
        for game in self.games:
            for entrant, share in zip(game.pairing.entrants, shares(game), strict=True):
                parts[entrant].append(share)
        everyone = {*parts, *self.byes}
        return {one: round(fsum(parts[one]) + self.byes[one], 9) for one in everyone}

    def met(self) -> Counter[frozenset[str]]:
        """Count the games of every two entrants with each other."""
        return Counter(frozenset(two) for game in self.games for two in combinations(present(game), 2))

    def sat(self) -> Counter[tuple[str, int]]:
        """Count the games of each entrant in each seat."""
        return Counter(
            (entrant, seat)
            for game in self.games
            if game.reason != WALKOVER
            for seat, entrant in enumerate(game.pairing.entrants)
        )


def present(game: Played) -> tuple[str, ...]:
    """Return the entrants that were at the table; in a walkover only the winner was."""
    if game.reason != WALKOVER:
        return game.pairing.entrants
    return tuple(game.pairing.entrants[seat] for seat in game.winners)


def shares(game: Played) -> tuple[float, ...]:
    """Return the points of each seat; in a walkover the withdrawn entrants have none."""
    if game.reason != WALKOVER:
        return points(game)
    return tuple(float(seat in game.winners) for seat in range(len(game.pairing.entrants)))
