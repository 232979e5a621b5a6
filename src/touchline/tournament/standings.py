"""Standings: the points of each entrant, and its rank by tie-breaks.

Law of this file: won, tied and lost count games that ended on the board. Forfeits and expulsions, games lost
by one's own offence, are counted separately, and so are void games, byes and walkovers. The numbers of a line
add up: its games are those won, tied and lost, its forfeits and its expulsions. Entrants that are equal in
all tie-breaks have the same rank.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from math import fsum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from touchline.core.points import score_against
from touchline.tournament.formats.shared.schedule import WALKOVER, shares
from touchline.tournament.pairing import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from touchline.tournament.pairing import Played


class Standing(Struct, frozen=True, kw_only=True):
    """One line of the standings."""

    rank: int = 0
    entrant: str
    points: float = 0.0
    """The share of the opponents that it beat in each game, summed over all games, byes and walkovers."""
    games: int = 0
    won: int = 0
    """Games with no other seat of the same rank or better."""
    tied: int = 0
    """Games with another seat of the same rank, and none better."""
    lost: int = 0
    forfeits: int = 0
    """Games that ended because of an offence of this entrant."""
    expulsions: int = 0
    """Games from which this entrant was expelled, and which the others played to their end."""
    voids: int = 0
    byes: float = 0.0
    """Points for rounds without an opponent."""
    walkovers: int = 0
    """Games won because all opponents had withdrawn."""
    out: bool = False
    """Whether the entrant withdrew or was ejected."""
    tiebreaks: tuple[float, ...] = ()
    """The numbers that decide its rank, the most important first."""


def format_points(points: float) -> str:
    """Format points with at most two decimals.

    >>> format_points(12.0), format_points(2 / 3), format_points(123456.5)
    ('12', '0.67', '123456.5')
    """
    return f"{points:.2f}".rstrip("0").rstrip(".")


class ScoreTable:
    """Sums of all games, from which a format computes its tie-breaks and ranks."""

    def __init__(
        self,
        entrants: Sequence[str],
        games: Sequence[Played],
        byes: Mapping[str, float],
        out: Collection[str],
    ) -> None:
        shares_of: Counter[tuple[str, float]] = Counter()
        heads: Counter[tuple[str, str]] = Counter()
        self._met: Counter[tuple[str, str, float, int]] = Counter()
        """(entrant, opponent, score of 1, ½ or 0, opponents at that table) -> number of games."""
        for game, often in grouped(games):
            for seat, (entrant, share) in enumerate(zip(game.pairing.entrants, shares(game), strict=True)):
                shares_of[entrant, share] += often
                for head in _heads(game, seat):
                    heads[entrant, head] += often
            if game.verdict != "void" and game.reason != WALKOVER:
                for meeting in _meetings(game):
                    self._met[meeting] += often
        parts: dict[str, list[float]] = defaultdict(list)
        for (entrant, share), often in shares_of.items():
            parts[entrant].append(share * often)
        counts: dict[str, dict[str, int]] = defaultdict(dict)
        for (entrant, head), often in heads.items():
            counts[entrant][head] = often
        self.lines = {
            entrant: Standing(
                entrant=entrant,
                points=round(fsum(parts[entrant]) + byes.get(entrant, 0), 9),
                byes=byes.get(entrant, 0),
                out=entrant in out,
                **counts[entrant],  # type: ignore[arg-type]
            )
            for entrant in entrants
        }

    def buchholz(self, points: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return the sum of the opponents' points, at each table divided by the number of opponents.

        `points` may give each entrant something else than its points, such as its points per game.
        """
        return self._summed(lambda won, theirs, others: theirs / others, points)

    def sonneborn_berger(self, points: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return the opponents' points weighted by the score against them, divided likewise."""
        return self._summed(lambda won, theirs, others: won * theirs / others, points)

    def _summed(
        self, worth: Callable[[float, float, int], float], points: Mapping[str, float] | None
    ) -> dict[str, float]:
        theirs = self.points() if points is None else points
        parts: dict[str, list[float]] = defaultdict(list)
        for (one, other, won, others), often in self._met.items():
            parts[one].append(often * worth(won, theirs[other], others))
        return {entrant: round(fsum(parts[entrant]), 9) for entrant in self.lines}

    def direct(self, score: Mapping[str, float]) -> dict[str, float]:
        """Return the mean score among those with equal `score`; 0 unless all of them have met."""
        scored: dict[str, float] = defaultdict(float)
        games: dict[str, int] = defaultdict(int)
        foes: dict[str, set[str]] = defaultdict(set)
        for (one, other, won, _), often in self._met.items():
            if score[one] == score[other]:
                scored[one] += won * often
                games[one] += often
                foes[one].add(other)
        level: dict[float, list[str]] = defaultdict(list)
        for entrant in self.lines:
            level[score[entrant]].append(entrant)
        met = {value: all(len(foes[one]) == len(same) - 1 for one in same) for value, same in level.items()}
        return {
            one: round(scored[one] / games[one], 9) if games[one] and met[score[one]] else 0.0
            for one in self.lines
        }

    def points(self) -> dict[str, float]:
        return {entrant: line.points for entrant, line in self.lines.items()}

    def won(self) -> dict[str, float]:
        return {entrant: float(line.won) for entrant, line in self.lines.items()}

    def ranked(self, *tiebreaks: Mapping[str, float]) -> list[Standing]:
        """Return the lines by these tie-breaks, where more is better; equal in all is equal in rank."""
        keys = {one: tuple(numbers[one] for numbers in tiebreaks) for one in self.lines}
        order = sorted(self.lines, key=keys.__getitem__, reverse=True)
        ranks: dict[tuple[float, ...], int] = {}
        for place, entrant in enumerate(order, 1):
            ranks.setdefault(keys[entrant], place)
        return [replace(self.lines[one], rank=ranks[keys[one]], tiebreaks=keys[one]) for one in order]


def _meetings(game: Played) -> Iterator[tuple[str, str, float, int]]:
    others = len(game.ranks) - 1
    sitting = zip(game.pairing.entrants, game.ranks, strict=True)
    for (one, rank), (other, against) in permutations(sitting, 2):
        yield one, other, score_against(rank, against), others


def _heads(game: Played, seat: int) -> tuple[str, ...]:
    """Return the fields of `Standing` that a game counts in, for a seat."""
    if game.reason == WALKOVER:
        return ("walkovers",) if seat in game.winners else ()
    if game.verdict == "void":
        return ("voids",)
    if seat in game.expelled:
        return ("games", "forfeits" if game.verdict == "forfeited" else "expulsions")
    rank = game.ranks[seat]
    if rank is None or any(other is not None and other < rank for other in game.ranks):
        return ("games", "lost")
    return ("games", "tied" if game.ranks.count(rank) > 1 else "won")
