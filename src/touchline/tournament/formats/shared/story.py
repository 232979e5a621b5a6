"""What has come of the games that a format drew: which are due, which are played, and who has gone.

Law of this file: what has been played stays as it was drawn. If an earlier result was changed since, and
the draw would now be another, the games that were played count all the same; of the new draw only those
stand whose players are free, and who is left over has a bye.
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
"""The reason of a game that one entrant won because all the others had gone."""


class Story:
    """A tournament as far as it has come."""

    def __init__(
        self, played: Iterable[Played], out: Collection[str], entrants: Sequence[str], tables: int
    ) -> None:
        """`tables` is more than there are in any round."""
        ordered = out if isinstance(out, Sequence) else [one for one in entrants if one in out]
        self._tables, self._left = tables, {entrant: index for index, entrant in enumerate(ordered)}
        self._results = {(game.pairing.round, game.pairing.table): game for game in latest(played)}
        self._rounds: dict[int, list[Played]] = defaultdict(list)
        for game in self._results.values():
            self._rounds[game.pairing.round].append(game)
        self._last: list[Pairing] = []
        self.due: list[Pairing] = []
        self.games: list[Played] = []
        """Played, or won by walkover."""
        self.byes: Counter[str] = Counter()
        """Points for nothing."""
        self.absent: set[str] = set()
        """Who has dropped out and missed a game."""

    def play(self, drawn: Sequence[Pairing]) -> list[Played] | None:
        """Enter the games that were drawn; their results, or None while some are due."""
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
        """The same for a whole round, of which some games may have been drawn otherwise."""
        self._last = self._as_drawn_then(number, drawn)
        return self.play(self._last)

    def rested(self, pool: Iterable[str]) -> list[str]:
        """Who was not drawn in the last round."""
        drawn = {entrant for pairing in self._last for entrant in pairing.entrants}
        return [entrant for entrant in pool if entrant not in drawn]

    def result(self, number: int, table: int) -> Played | None:
        return self._results.get((number, table))

    def _settle(self, pairing: Pairing) -> Pairing | Played:
        """The result of a game; or the game itself, or what is left of it, if it is due."""
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
        # If all have gone, the others had gone before the last one, which had its walkover then.
        winner = pairing.entrants.index(here[0] if here else gone[-1])
        ranks = tuple(1 if seat == winner else None for seat in range(len(pairing.entrants)))
        return Played(pairing, "forfeited", (winner,), ranks, reason=WALKOVER)

    def _as_drawn_then(self, number: int, drawn: Sequence[Pairing]) -> list[Pairing]:
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
        """What each entrant has so far, byes and walkovers with it."""
        parts: dict[str, list[float]] = defaultdict(list)
        for game in self.games:
            for entrant, share in zip(game.pairing.entrants, shares(game), strict=True):
                parts[entrant].append(share)
        everyone = {*parts, *self.byes}
        return {one: round(fsum(parts[one]) + self.byes[one], 9) for one in everyone}

    def met(self) -> Counter[frozenset[str]]:
        """How many games each two have played with each other."""
        return Counter(frozenset(two) for game in self.games for two in combinations(present(game), 2))

    def sat(self) -> Counter[tuple[str, int]]:
        """How many games each entrant has played in each seat."""
        return Counter(
            (entrant, seat)
            for game in self.games
            if game.reason != WALKOVER
            for seat, entrant in enumerate(game.pairing.entrants)
        )


def present(game: Played) -> tuple[str, ...]:
    """Who sat at the table when the game was played."""
    if game.reason != WALKOVER:
        return game.pairing.entrants
    return tuple(game.pairing.entrants[seat] for seat in game.winners)


def shares(game: Played) -> tuple[float, ...]:
    """The points of each seat; in a walkover those who had gone have none."""
    if game.reason != WALKOVER:
        return points(game)
    return tuple(float(seat in game.winners) for seat in range(len(game.pairing.entrants)))
