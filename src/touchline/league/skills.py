"""Ratings with their uncertainty, by openskill's Plackett-Luce model, and the counts of each version.

Laws of this file: games are rated in the order in which they were committed, and those of one commit by round
and table; so whoever reads the ledger gets the same ratings as the coordinator, which rated them one by one.
A copy of a game, with the same versions on the same seats and the same moves, counts as played, but does not
change ratings: deterministic players that repeat a game show nothing new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from touchline.tournament.ratings.base import places
from touchline.tournament.ratings.plackett_luce import NoOpenskill

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.ledger.base import Finished
    from touchline.tournament.pairing import Played


class Skill(Struct):
    """The rating of a version, and what it is from."""

    mu: float
    sigma: float
    """The standard error of `mu`."""
    games: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    faults: int = 0
    """Games that it lost by an offence of its own, which are among the lost ones."""


class Skills:
    """The skills of all versions. `resets` are the times at which ratings began anew, and whose."""

    def __init__(self, resets: Sequence[tuple[float, str]] = ()) -> None:
        self._model = _model()
        self._resets = sorted(resets)
        self._skills: dict[str, Skill] = {}
        self._seen: set[tuple[tuple[str, ...], str]] = set()
        """The versions and the digest of the moves of every game."""
        self.beta: float = self._model.beta
        """How much luck a game has, on the scale of `mu`."""

    def of(self, name: str) -> Skill:
        """Return the skill of a version; of a new one, the prior."""
        found = self._skills.get(name)
        if found is None:
            prior = self._model.rating()
            found = self._skills[name] = Skill(prior.mu, prior.sigma)
        return found

    def add(self, at: float, games: Iterable[Finished]) -> None:
        """Rate the games of one commit. Void games do not count."""
        while self._resets and self._resets[0][0] < at:
            self._forget(self._resets.pop(0)[1])
        for game in sorted(games, key=lambda game: game.played.pairing):
            if game.voided is None and game.played.verdict != "void" and len(game.played.ranks) > 1:
                mark = (game.played.pairing.entrants, game.digest)
                self._count(game.played, new=mark not in self._seen)
                self._seen.add(mark)

    def _forget(self, name: str) -> None:
        """Begin a rating anew, or all of them."""
        if name:
            self._skills.pop(name, None)
            self._seen = {mark for mark in self._seen if name not in mark[0]}
        else:
            self._skills.clear()
            self._seen.clear()

    def settle(self, now: float) -> None:
        """Begin ratings anew that were to begin before `now`."""
        self.add(now, ())

    def _count(self, game: Played, *, new: bool) -> None:
        """Count a game, and rate it if it is no copy."""
        seated, ranks = [self.of(name) for name in game.pairing.entrants], places(game)
        if new:
            teams = [[self._model.rating(mu=one.mu, sigma=one.sigma)] for one in seated]
            after = self._model.rate(teams, ranks=[float(rank) for rank in ranks])
            for one, (rating,) in zip(seated, after, strict=True):
                one.mu, one.sigma = rating.mu, rating.sigma
        best, shared = min(ranks), ranks.count(min(ranks)) > 1
        for seat, one in enumerate(seated):
            first = ranks[seat] == best
            one.games += 1
            one.won += first and not shared
            one.tied += first and shared
            one.lost += not first
            one.faults += seat in game.expelled


def rated(finished: Iterable[Finished], resets: Sequence[tuple[float, str]] = ()) -> Skills:
    """Return the skills after these games of a ledger, in any order. Void games do not count."""
    skills = Skills(resets)
    commits: dict[float, list[Finished]] = {}
    for game in finished:
        commits.setdefault(game.at, []).append(game)
    for at in sorted(commits):
        skills.add(at, commits[at])
    return skills


def _model() -> Any:
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise NoOpenskill from None
    return PlackettLuce()
