"""Maximum matching: pair off as many entrants as possible, by preference.

Law of this file: if all can be paired off, they are. Pairs are made greedily in order of preference; the rest
is matched along augmenting paths by Edmonds' blossom algorithm. Entrants are numbers here.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NOBODY = -1


def pair_off(
    count: int, choose: Callable[[int, Sequence[int]], int], may: Callable[[int, int], bool]
) -> list[int]:
    """Return the partner of each, or NOBODY, with as many pairs as possible.

    `choose(one, free)` returns the preferred opponent of `one` among `free`, which all come after it, or
    NOBODY. `may(one, other)` says whether two can meet at all; it is symmetric.

    >>> pair_off(4, lambda one, free: free[-1], lambda one, other: True)
    [3, 2, 1, 0]
    """
    partner = [NOBODY] * count
    free = [*range(count)]
    while free:
        one = free.pop(0)
        if free and (other := choose(one, free)) != NOBODY:
            free.remove(other)
            partner[one], partner[other] = other, one
    if NOBODY in partner:
        # The nearest first, so that those who must change partners get one of similar strength.
        friends = [[other for other in _near(one, count) if may(one, other)] for one in range(count)]
        for one in range(count):
            if partner[one] == NOBODY:
                _augment(one, friends, partner)
    return partner


def _near(one: int, count: int) -> list[int]:
    """Return all others, the nearest first."""
    return sorted((other for other in range(count) if other != one), key=lambda other: abs(one - other))


def _augment(root: int, friends: Sequence[Sequence[int]], partner: list[int]) -> None:
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
