"""Choose the games that teach most: the version that is known least, against opponents of its strength.

Law of this file: the choice follows from the arguments alone, which follow from the ledger; nothing is drawn.
Two versions of one entrant never meet: an entrant could have its old version lose to its new one.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from touchline.tournament.pairing import Pairing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.league.roster import Version
    from touchline.league.skills import Skill, Skills

VARIETY = 0.2
"""How much less a game is worth for each game that the two have played: another opponent teaches more."""


class Matchmaking:
    """What has been scheduled so far, and the next games."""

    def __init__(self, boards: int, seats: int, most_games: int) -> None:
        """`boards` is the number of kinds of boards; a version with `most_games` is only an opponent."""
        self._boards, self._seats, self._most = boards, seats, most_games
        self._met: Counter[tuple[str, str]] = Counter()
        self._on: Counter[tuple[str, int]] = Counter()
        """(version, kind of board) -> games."""
        self._pending: Counter[str] = Counter()
        self._round = 0

    def note(self, pairing: Pairing, *, done: bool) -> None:
        """Note a game of the ledger, which is finished or not."""
        self._round = max(self._round, pairing.round + 1)
        for one, other in combinations(sorted(pairing.entrants), 2):
            self._met[one, other] += 1
        for name in pairing.entrants:
            self._on[name, pairing.board % self._boards] += 1
            self._pending[name] += not done

    def finished(self, pairing: Pairing) -> None:
        """Note that a game which was pending has a result."""
        for name in pairing.entrants:
            self._pending[name] = max(0, self._pending[name] - 1)

    def next_games(self, playing: Sequence[Version], skills: Skills) -> list[Pairing]:
        """Return the games of the next table: each seat once, on one board. None if nobody needs a game."""
        chosen = self._table(playing, skills)
        if not chosen:
            return []
        kind = min(range(self._boards), key=lambda board: (self._on[chosen[0], board], board))
        board = self._round * self._boards + kind  # a new seed for each table
        games = [
            Pairing(self._round, turn, tuple(chosen[turn:] + chosen[:turn]), board)
            for turn in range(len(chosen))
        ]
        for game in games:
            self.note(game, done=False)
        return games

    def _table(self, playing: Sequence[Version], skills: Skills) -> list[str]:
        active = [one for one in playing if one.status == "active"]
        needing = [one for one in active if self._games(one, skills) < self._most]
        if not needing:
            return []
        first = max(needing, key=lambda one: self._unknown(one, skills))  # the earliest, if several are equal
        mine = skills.of(first.name)
        worth = {
            one.name: self._worth(first.name, mine, one.name, skills.of(one.name), skills.beta)
            for one in playing
        }
        chosen = [first]
        for one in sorted(playing, key=lambda one: -worth[one.name]):
            if len(chosen) == self._seats:
                break
            if one.entrant not in {other.entrant for other in chosen}:
                chosen.append(one)
        return [one.name for one in chosen] if len(chosen) == self._seats else []

    def _games(self, one: Version, skills: Skills) -> int:
        return skills.of(one.name).games + self._pending[one.name]

    def _unknown(self, one: Version, skills: Skills) -> float:
        """Return how uncertain a rating will be after the games that are pending."""
        return skills.of(one.name).sigma / math.sqrt(1 + self._pending[one.name])

    def _worth(self, name: str, mine: Skill, other: str, theirs: Skill, beta: float) -> float:
        """Return the Fisher information of a game about the first version's strength, less for a rematch."""
        spread = math.sqrt(mine.sigma**2 + theirs.sigma**2 + 2 * beta**2)
        wins = 1 / (1 + math.exp((theirs.mu - mine.mu) / spread))
        one, two = sorted((name, other))
        return wins * (1 - wins) / spread**2 / (1 + VARIETY * self._met[one, two])
