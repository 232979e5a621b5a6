"""Compare the players of many matches: Elo with its interval, from distinct games.

Between two players it is the difference in Elo that their share of the points means, with Wilson's interval
of that share. At larger tables it is a rating of each (`ratings/bradley_terry.py`), of mean 1500. The value
comes from all games; the interval takes each distinct game once, because a copy says nothing new
(`distinct.py`).
"""

from __future__ import annotations

from math import inf, log10
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.tournament.distinct import DistinctGames
from touchline.tournament.pairing import Pairing, Played, points
from touchline.tournament.ratings.bradley_terry import bradley_terry
from touchline.tournament.ratings.intervals import wilson
from touchline.tournament.worker import to_played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.matches.many import Matches


class Strength(Struct, frozen=True):
    """How strong a player is, with the 95 % confidence interval; None for what is infinite.

    >>> import touchline
    >>> ours, _ = touchline.compare(touchline.play_many("fish", ["random"] * 2, games=40, seed=1)).strengths
    >>> ours.low < 0 < ours.high  # equals
    True
    """

    value: float | None
    low: float | None
    high: float | None
    relative: bool
    """Whether it is the difference to the other of two players; else it is a rating."""

    @property
    def text(self) -> str:
        """The strength as people read it.

        >>> Strength(89.2, 24.0, 158.1, True).text, Strength(1712.3, 1604.0, 1760.2, False).text
        ('+89 [+24, +158]', '1712 [1604, 1760]')
        >>> Strength(None, 41.5, None, True).text, Strength(None, None, 3.0, True).text
        ('over +42', 'under +3')
        """
        sign = "+" if self.relative else ""
        value, low, high = (
            None if one is None else f"{one:{sign}.0f}" for one in (self.value, self.low, self.high)
        )
        if value is None:
            return f"under {high}" if low is None else f"over {low}"
        return f"{value} [{low or '-inf'}, {high or '+inf'}]"


class Comparison(Struct, frozen=True):
    """What many matches say about the strength of their players.

    >>> import touchline
    >>> found = touchline.compare(touchline.play_many("fish", ["random", "greedy"], games=40, seed=1))
    >>> found.games, found.distinct, found.note
    (40, 40, None)
    """

    games: int
    """The games that count: void ones do not."""
    distinct: int
    """How many of them differ from all earlier ones."""
    strengths: tuple[Strength | None, ...]
    """Of each player: between two the difference in Elo to the other, else a rating; None without games."""
    note: str | None
    """A sentence about copies of games, if there are any."""


def compare(matches: Matches) -> Comparison:
    """Compare the players of these matches.

    >>> import touchline
    >>> matches = touchline.play_many("hexapawn", ["random", "minimax:depth=4"], games=40, seed=1)
    >>> touchline.compare(matches).strengths[1].low > 100
    True
    """
    names = [f"{index}" for index in range(len(matches.players))]  # two players may have the same name
    distinct, games = DistinctGames(), list[Played]()
    for number, match in enumerate(matches):
        entrants = tuple(names[who] for who in matches.seats(number))
        played = to_played(Pairing(number, 0, entrants, number), match.result)
        games.append(played)
        distinct.add(played, match.moves_digest or f"{number}")
    if not distinct.games:
        strengths: tuple[Strength | None, ...] = (None,) * len(names)
    elif len(names) == 2:
        strengths = _difference(games, distinct.evidence)
    else:
        strengths = _ratings(names, games, distinct.evidence)
    return Comparison(distinct.games, distinct.distinct, strengths, distinct.note())


def _difference(games: Sequence[Played], evidence: Sequence[Played]) -> tuple[Strength, Strength]:
    """Return how much better the first player is than the second, and the reverse."""
    share = _share(games) / sum(game.verdict != "void" for game in games)
    bars = wilson(_share(evidence), len(evidence))
    found = [elo(share), elo(min(bars.low, share)), elo(max(bars.high, share))]
    value, low, high = (round(one, 1) if abs(one) < inf else None for one in found)
    ours = Strength(value, low, high, relative=True)
    return ours, Strength(_negated(value), _negated(high), _negated(low), relative=True)


def _negated(number: float | None) -> float | None:
    return None if number is None else -number


def _share(games: Sequence[Played]) -> float:
    """Return the points of the first player; where both were removed, both get half of one."""
    total = 0.0
    for game in games:
        if game.verdict != "void":
            own, other = points(game) if game.pairing.entrants[0] == "0" else points(game)[::-1]
            total += (1 + own - other) / 2
    return total


def elo(share: float) -> float:
    """Return the difference in Elo at which a player is expected to score this share of the points.

    >>> round(elo(0.64)), elo(0.5), elo(1.0)
    (100, 0.0, inf)
    """
    if share <= 0 or share >= 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))


def _ratings(
    names: Sequence[str], games: Sequence[Played], evidence: Sequence[Played]
) -> tuple[Strength, ...]:
    found = {one.entrant: one for one in bradley_terry(games, names, evidence=evidence)}
    return tuple(
        Strength(round(one.value, 1), round(one.low, 1), round(one.high, 1), relative=False)
        for one in map(found.__getitem__, names)
    )
