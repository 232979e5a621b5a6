"""Distinct games: copies of a game are found, counted, and are no evidence.

Two deterministic players that begin from the same position with the same seats play the same game again. A
copy has the same entrants on the same seats and the same digest of moves, first position included. It counts
for points like any other game; but error bars and sequential tests take each distinct game once, because a
copy says nothing new.

Law of this file: which players are deterministic is seen from their games, never declared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.tournament.pairing import Interner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.tournament.ledger.base import Finished
    from touchline.tournament.pairing import Played


class DistinctGames:
    """Counts the games that stand and are not void, and collects one of each."""

    def __init__(self) -> None:
        self.games = 0
        self.evidence: list[Played] = []
        """The first of all equal games."""
        self._seen: set[tuple[tuple[str, ...], bytes]] = set()

    def add(self, played: Played, digest: str) -> bool:
        """Count a game that stands; return whether it counts as evidence: it is not void, and no copy.

        `digest` is that of its moves. The game is kept: intern it before.
        """
        if played.verdict == "void":
            return False
        self.games += 1
        mark = (played.pairing.entrants, digest.encode())
        if mark in self._seen:
            return False
        self._seen.add(mark)
        self.evidence.append(played)
        return True

    @property
    def distinct(self) -> int:
        return len(self.evidence)

    def note(self) -> str | None:
        """Return a sentence about copies; None if there are none."""
        if self.distinct == self.games:
            return None
        return (
            f"{self.distinct:,} distinct games of {self.games:,}: a copy of a game counts for points, but "
            "error bars take each distinct game once"
        )


def distinct_games(finished: Iterable[Finished]) -> DistinctGames:
    """Find the distinct games among these results; those that were declared void do not count."""
    found, intern = DistinctGames(), Interner().intern
    for one in finished:
        if one.voided is None:
            found.add(intern(one.played), one.digest)
    return found
