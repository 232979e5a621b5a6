"""Round-robin designs: lists of games in which all entrants meet, two or more at a table.

Law of this file: all entrants play the same number of games, and every two meet equally often, or as nearly
so as the numbers allow. Entrants are numbers here; a group is in the order of its seats.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from touchline.tournament.formats.shared.seating import evenly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FEW = 60
"""The most groups for which every group plays."""
WIDE = 400
"""Limits the search for a base block: blocks tried for each seat, and candidates for a member."""


def everybody(count: int, seats: int, times: int) -> list[tuple[int, ...]]:
    """Return the groups of a round robin that is repeated `times` times."""
    if seats == 2:
        return [pair if time % 2 == 0 else pair[::-1] for time in range(times) for pair in pairs(count)]
    if comb(count, seats) <= FEW:
        names = [tuple(map(str, group)) for group in combinations(range(count), seats)]
        return [tuple(map(int, group)) for group in evenly(names * times)]
    return [*developed(count, seats, times)]


def pairs(count: int) -> Iterator[tuple[int, int]]:
    """Return all pairs by the circle method, round by round; seats are balanced to within one game.

    One entrant stands still while the others rotate around it. Among those that rotate, an odd number, each
    has the first seat against the half that follows it on the circle.

    >>> [*pairs(4)]
    [(0, 3), (1, 2), (3, 1), (2, 0), (2, 3), (0, 1)]
    """
    walking = count - 1 + count % 2
    for turn in range(walking):
        if count % 2 == 0:
            yield (turn, walking) if turn % 2 == 0 else (walking, turn)
        for step in range(1, walking // 2 + 1):
            one, two = (turn + step) % walking, (turn - step) % walking
            yield (one, two) if (two - one) % walking <= walking // 2 else (two, one)


def developed(count: int, seats: int, times: int) -> Iterator[tuple[int, ...]]:
    """Return a cyclic design: base blocks that are rotated around the circle of all entrants.

    So each entrant sits in each seat once for every base block, and how often two meet depends only on their
    distance. Base blocks are added, each the one whose distances were met least, until all have met.

    >>> [*developed(7, 3, 1)]
    [(0, 1, 3), (1, 2, 4), (2, 3, 5), (3, 4, 6), (4, 5, 0), (5, 6, 1), (6, 0, 2)]
    """
    met = [0] * (count // 2 + 1)
    while min(met[1:]) < times:
        block = _least_met(count, seats, met)
        for one, two in combinations(block, 2):
            distance = _apart(one, two, count)
            met[distance] += _often(distance, count)
        for turn in range(count):
            yield tuple((place + turn) % count for place in block)


def _apart(one: int, two: int, count: int) -> int:
    return min((one - two) % count, (two - one) % count)


def _often(distance: int, count: int) -> int:
    """Return how often two at this distance meet in a full rotation: twice if it is half the circle."""
    return 2 if 2 * distance == count else 1


def _least_met(count: int, seats: int, met: Sequence[int]) -> tuple[int, ...]:
    """Return the base block whose distances were met least; in a large field by a greedy search."""

    def cost(block: tuple[int, ...]) -> int:
        more: dict[int, int] = {}
        for one, two in combinations(block, 2):
            distance = _apart(one, two, count)
            more[distance] = more.get(distance, 0) + _often(distance, count)
        return sum((met[distance] + plus) ** 2 - met[distance] ** 2 for distance, plus in more.items())

    if comb(count - 1, seats - 1) <= WIDE * seats:
        return min(((0, *rest) for rest in combinations(range(1, count), seats - 1)), key=cost)
    lonely = sorted(range(1, count), key=lambda place: (met[_apart(0, place, count)], place))[: WIDE + seats]
    block: tuple[int, ...] = (0,)
    for _ in range(seats - 1):
        block = min(((*block, place) for place in lonely if place not in block), key=cost)
    while True:
        swapped = (
            (*block[:index], place, *block[index + 1 :])
            for index in range(1, seats)
            for place in lonely
            if place not in block
        )
        better = min(swapped, key=cost)
        if cost(better) >= cost(block):
            return block
        block = better


def in_rounds(groups: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Split groups into rounds: each goes into the first round in which all of its members are free.

    >>> in_rounds([(0, 1), (0, 2), (2, 3)])
    [[(0, 1), (2, 3)], [(0, 2)]]
    """
    busy: dict[int, int] = {}
    rounds: list[list[tuple[int, ...]]] = []
    for group in groups:
        taken = 0
        for member in group:
            taken |= busy.get(member, 0)
        free = ~taken & (taken + 1)
        for member in group:
            busy[member] = busy.get(member, 0) | free
        number = free.bit_length() - 1
        if number == len(rounds):
            rounds.append([])
        rounds[number].append(group)
    return rounds
