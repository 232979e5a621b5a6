"""Share out the boards of a cup: which of them each match is played on.

Law of this file: over a tournament whose games are known beforehand, the numbers of an entrant's games on two
boards differ by at most one, wherever that is possible; otherwise a match is played on the board that keeps
its entrants nearest to that. A board here is a number below the number of boards in the cup.
"""

from __future__ import annotations

from collections import defaultdict, deque
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PASSES = 12
"""How often all entrants are gone through, when matches of two change boards."""
STEPS = 3_000
"""Limits the search at tables of more than two: matches that change boards."""
TABU = 7
"""The least number of steps before a match of more than two may go back to a board."""


class BoardCounts:
    """Counts the games of each entrant on each board, and chooses the board of the next match."""

    def __init__(self, boards: int) -> None:
        self._boards = boards
        self._counts: dict[str, list[int]] = defaultdict(lambda: [0] * boards)

    def add(self, group: Sequence[str], board: int) -> None:
        for entrant in group:
            self._counts[entrant][board] += 1

    def choose(self, group: Sequence[str], turn: int, ahead: Sequence[int] = ()) -> int:
        """Return the board of a match: the one whose turn it is, if that keeps its entrants within one.

        Else the one that comes nearest to it. `ahead` has the later games that each entrant is expected to
        play on each board.

        >>> counts = BoardCounts(2)
        >>> counts.add(["a", "b"], 0)
        >>> counts.choose(["a", "c"], turn=0), counts.choose(["c", "d"], turn=0)
        (1, 0)
        """
        turns: list[int] = [*range(turn % self._boards, self._boards), *range(turn % self._boards)]
        found = [self.expected(entrant, ahead) for entrant in group]

        def cost(board: int) -> tuple[int, bool, int]:
            beyond = [excess_with(counts, board) for counts in found]
            return (
                sum(excess * excess for excess in beyond),
                board != turns[0],
                sum(counts[board] for counts in found),
            )

        return min(turns, key=cost)

    def expected(self, entrant: str, ahead: Sequence[int] = ()) -> list[int]:
        """Return an entrant's numbers of games on each board, with those that are ahead."""
        counts = self._counts[entrant]
        return [one + more for one, more in zip(counts, ahead, strict=True)] if ahead else counts


def excess_with(counts: Sequence[int], board: int) -> int:
    """Return by how much the counts differ beyond one, after one more game on `board`.

    >>> excess_with([1, 0], 0), excess_with([1, 0], 1)
    (1, 0)
    """
    least = min(count + (index == board) for index, count in enumerate(counts))
    most = max(*counts, counts[board] + 1)
    return max(0, most - least - 1)


def spread(groups: Sequence[Sequence[str]], boards: int) -> tuple[int, ...]:
    """Return the board of each match, when all are known beforehand: within one for every entrant.

    Each match gets the board that its entrants need most. Then, while an entrant has two games more on one
    board than on another, matches change boards: along alternating paths of matches between two; by a tabu
    search at larger tables, which may leave an entrant uneven where a solution exists.

    >>> spread([("a", "b"), ("c", "d"), ("a", "c"), ("b", "d")], 2)
    (0, 0, 1, 1)
    """
    if boards == 1:
        return (0,) * len(groups)
    return _spread(tuple(map(tuple, groups)), boards)


@lru_cache(maxsize=8)
def _spread(groups: tuple[tuple[str, ...], ...], boards: int) -> tuple[int, ...]:
    given = _Spread(groups, boards)
    if all(len(group) == 2 for group in groups):
        given.swap_along_paths()
    else:
        given.search()
    return tuple(given.board_of)


class _Spread:
    """Boards given to matches, and who plays how often on each."""

    def __init__(self, groups: Sequence[Sequence[str]], boards: int) -> None:
        self._groups, self._boards = groups, boards
        self.board_of: list[int] = []
        self._counts: dict[str, list[int]] = defaultdict(lambda: [0] * boards)
        self._on: dict[tuple[str, int], dict[int, None]] = defaultdict(dict)
        """(entrant, board) -> its matches there, in order."""
        for match, group in enumerate(groups):
            found = [self._counts[entrant] for entrant in group]
            board = min(range(boards), key=lambda one: (sum(counts[one] for counts in found), one))
            self.board_of.append(board)
            for entrant in group:
                self._counts[entrant][board] += 1
                self._on[entrant, board][match] = None

    def swap_along_paths(self) -> None:
        for _ in range(PASSES):
            better = False
            for entrant in [*self._counts]:
                while any(self._swap(entrant, *two) for two in self._uneven(entrant)):
                    better = True
            if not better:
                return

    def search(self) -> None:
        """Move one match at a time, the one that helps most, even if that is for the worse; keep the best."""
        rng, until = Random(0), dict[tuple[int, int], int]()
        best, found = self._badness(), [*self.board_of]
        for step in range(STEPS):
            uneven = [one for one in self._counts if any(self._uneven(one))]
            if not uneven:
                return
            match, board = self._best_move(rng.choice(uneven), step, until, rng)
            until[match, self.board_of[match]] = step + TABU + rng.randrange(len(self._counts) // 4 + 3)
            self._move(match, board)
            if (now := self._badness()) < best:
                best, found = now, [*self.board_of]
        self.board_of = found

    def _best_move(
        self, entrant: str, step: int, until: dict[tuple[int, int], int], rng: Random
    ) -> tuple[int, int]:
        """Return the match of an uneven entrant that should move, and the board."""
        counts = self._counts[entrant]
        much, least = max(range(self._boards), key=counts.__getitem__), min(counts)
        moves = [
            (until.get((match, board), 0) > step, -self._gain(match, much, board), rng.random(), match, board)
            for match in self._on[entrant, much]
            for board in range(self._boards)
            if counts[board] == least
        ]
        return min(moves)[3:]

    def _badness(self) -> tuple[int, int]:
        """Return the largest difference of anybody's counts, and the sum of all beyond one."""
        apart = [max(counts) - min(counts) for counts in self._counts.values()]
        return max(apart), sum(max(0, one - 1) for one in apart)

    def _uneven(self, entrant: str) -> Iterator[tuple[int, int]]:
        """Yield two boards of which an entrant has two games more on the first, the worst first."""
        counts = self._counts[entrant]
        order = sorted(range(self._boards), key=counts.__getitem__)
        for much in reversed(order):
            for little in order:
                if counts[much] - counts[little] < 2:
                    break
                yield much, little

    def _move(self, match: int, board: int) -> None:
        old, self.board_of[match] = self.board_of[match], board
        for entrant in self._groups[match]:
            self._counts[entrant][old] -= 1
            self._counts[entrant][board] += 1
            del self._on[entrant, old][match]
            self._on[entrant, board][match] = None

    def _swap(self, start: str, much: int, little: int) -> bool:
        """Swap two boards along the shortest alternating path that makes nobody else uneven."""
        queue = deque([(start, much)])
        via: dict[tuple[str, int], tuple[tuple[str, int], int]] = {}
        while queue:
            at = queue.popleft()
            entrant, leaving = at
            for match in self._on[entrant, leaving]:
                other = next(one for one in self._groups[match] if one != entrant)
                to = (other, much + little - leaving)
                if to in via or to == (start, much):
                    continue
                via[to] = (at, match)
                if other != start and self._counts[other][leaving] > self._counts[other][to[1]]:
                    path = _traced(via, to)
                    if len({*path}) == len(path):
                        for step in path:
                            self._move(step, much + little - self.board_of[step])
                        return True
                queue.append(to)
        return False

    def _gain(self, match: int, much: int, little: int) -> int:
        return sum(self._counts[one][much] - self._counts[one][little] - 1 for one in self._groups[match])


def _traced(via: dict[tuple[str, int], tuple[tuple[str, int], int]], end: tuple[str, int]) -> list[int]:
    """Return the matches on the path that was found."""
    path = []
    at: tuple[str, int] | None = end
    while at is not None and at in via:
        at, match = via[at]
        path.append(match)
    return path
