"""Maximum matching: pair off as many entrants as possible, by preference.

Law of this file: if all can be paired off, they are. Pairs are made greedily in order of preference; the rest
is matched along augmenting paths by Edmonds' blossom algorithm. Entrants are numbers here.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NOBODY = -1
NEAR = 40
"""Those who must change partners look among so many neighbours first, so that a large field is quick."""


def pair_off(
    count: int,
    choose: Callable[[int, Sequence[int]], int],
    may: Callable[[int, int], bool],
    *,
    first: int = 0,
) -> list[int]:
    """Return the partner of each, or NOBODY, with as many pairs as possible.

    `choose(one, free)` returns the preferred opponent of `one` among `free`, in their order, or NOBODY;
    `first` chooses first, then all others in their order. `may(one, other)` says whether two can meet at all;
    it is symmetric.

    >>> pair_off(4, lambda one, free: free[-1], lambda one, other: True)
    [3, 2, 1, 0]
    """
    partner = [NOBODY] * count
    free = [*range(count)]
    at = first
    while free:
        one, at = free.pop(at), 0
        if free and (other := choose(one, free)) != NOBODY:
            free.remove(other)
            partner[one], partner[other] = other, one
    for reach in (NEAR, count):
        friends = _Friends(count, reach, may)
        for one in range(count):
            if partner[one] == NOBODY:
                _augment(one, friends, partner)
        if NOBODY not in partner or reach >= count:
            break
    return partner


class _Friends(dict[int, list[int]]):
    """Those whom each may meet, found when they are first asked for.

    The nearest come first, so that those who must change partners get one of similar strength.
    """

    def __init__(self, count: int, reach: int, may: Callable[[int, int], bool]) -> None:
        super().__init__()
        self._count, self._reach, self._may = count, reach, may

    def __missing__(self, one: int) -> list[int]:
        steps = range(1, min(self._count, self._reach) + 1)
        near = (other for step in steps for other in (one - step, one + step))
        found = [other for other in near if 0 <= other < self._count and self._may(one, other)]
        self[one] = found
        return found


def _augment(root: int, friends: Mapping[int, Sequence[int]], partner: list[int]) -> None:
    """Match `root` along an augmenting path, if there is one: a breadth-first search."""
    count = len(partner)
    parent: list[int] = [NOBODY] * count
    base: list[int] = [*range(count)]
    seen = [False] * count
    seen[root] = True
    queue = deque([root])

    def ancestor(one: int, other: int) -> int:
        passed = set()
        while True:
            one = base[one]
            passed.add(one)
            if partner[one] == NOBODY:
                break
            one = parent[partner[one]]
        while base[other] not in passed:
            other = parent[partner[base[other]]]
        return base[other]

    def contract(one: int, bottom: int, child: int, blossom: set[int]) -> None:
        while base[one] != bottom:
            blossom |= {base[one], base[partner[one]]}
            parent[one] = child
            child = partner[one]
            one = parent[child]

    while queue:
        one = queue.popleft()
        for other in friends[one]:
            if base[one] == base[other] or partner[one] == other:
                continue
            if other == root or (partner[other] != NOBODY and parent[partner[other]] != NOBODY):
                bottom, blossom = ancestor(one, other), set[int]()
                contract(one, bottom, other, blossom)
                contract(other, bottom, one, blossom)
                for member in range(count):
                    if base[member] in blossom:
                        base[member] = bottom
                        if not seen[member]:
                            seen[member] = True
                            queue.append(member)
            elif parent[other] == NOBODY:
                parent[other] = one
                if partner[other] == NOBODY:
                    _flip(other, parent, partner)
                    return
                seen[partner[other]] = True
                queue.append(partner[other])


def _flip(end: int, parent: Sequence[int], partner: list[int]) -> None:
    """Swap the pairs along the augmenting path that ends at `end`."""
    while end != NOBODY:
        before = parent[end]
        rest = partner[before]
        partner[end], partner[before] = before, end
        end = rest
