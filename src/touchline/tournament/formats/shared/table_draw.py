"""Draw a round of a Swiss with more than two at a table.

Law of this file: tables are as few as possible and their sizes differ by at most one, so nobody rests while
a smaller table is allowed. Those who had the larger tables most go to the smaller ones, the lowest first.
Tables are filled from the top with those who have met least, then with those of the same points; two swap
tables if that saves rematches, or brings somebody within a game of its share of each seat. Whether none can
be saved is a hard problem: no look-ahead is promised here.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from touchline.tournament.formats.shared.seating import SHARE, fewest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.tournament.formats.shared.schedule import Schedule

NEAR = 24
"""Candidates from which the next entrant at a table is chosen."""
REACH = 6
"""Two may swap tables that are so many apart."""
PASSES = 3
TRIES = 3_000
"""Limits the search for tables at which everybody gets its share of the seats: swaps tried in a round."""


def sizes(count: int, seats: int, smallest: int = 2) -> list[int]:
    """Return the sizes of the tables of a round, the larger first; as few rest as possible.

    >>> sizes(7, 4), sizes(5, 4), sizes(9, 4), sizes(5, 2), sizes(7, 4, smallest=4)
    ([4, 3], [3, 2], [3, 3, 3], [2, 2], [4])
    """
    for playing in range(count, 1, -1):
        tables = -(-playing // seats)
        if playing // tables >= min(smallest, count):
            return [playing // tables + (table < playing % tables) for table in range(tables)]
    return []


def draw_tables(
    ranking: Sequence[str],
    scores: Mapping[str, float],
    schedule: Schedule,
    large: Sequence[int],
    games: int,
) -> list[tuple[str, ...]]:
    """Return the entrants at tables of these sizes; the others rest, those with the fewest byes."""
    lowest = ranking[::-1]
    resting = {*sorted(lowest, key=schedule.byes.__getitem__)[: len(ranking) - sum(large)]}
    playing = [entrant for entrant in ranking if entrant not in resting]
    small = sum(size for size in large if size < large[0])
    company = schedule.company()
    down = {*sorted((one for one in lowest if one not in resting), key=lambda one: -company[one])[:small]}
    tables: list[list[str]] = []
    parts = ([one for one in playing if one not in down], [one for one in playing if one in down])
    for left in parts:
        while left:
            tables.append(_filled(left, large[len(tables)], scores, schedule))
    _swap(tables, schedule)
    _fit_seats(tables, schedule, games)
    # The best of each table begin in another seat, so that they do not need the same one when they meet.
    turns = [place % len(table) for place, table in enumerate(tables)]
    return [(*table[turn:], *table[:turn]) for table, turn in zip(tables, turns, strict=True)]


def _filled(left: list[str], size: int, scores: Mapping[str, float], schedule: Schedule) -> list[str]:
    """Take the first that is left, and those who join it, out of `left`."""
    table = [left.pop(0)]
    while len(table) < size:
        nearest = min(
            range(min(len(left), NEAR)),
            key=lambda index: (_met(left[index], table, schedule), -scores.get(left[index], 0.0), index),
        )
        table.append(left.pop(nearest))
    return table


def _met(entrant: str, table: Sequence[str], schedule: Schedule) -> int:
    """Return how often an entrant has met those at a table, each time beyond the first counting more."""
    opponents = schedule.opponents(entrant)
    return sum(opponents.get(other, 0) ** 2 for other in table if other != entrant)


def _swap(tables: list[list[str]], schedule: Schedule) -> None:
    """Let two at tables of the same size swap, while that saves rematches."""
    for _ in range(PASSES):
        better = False
        for (here, one), (there, two) in combinations(enumerate(tables), 2):
            if there - here <= REACH and len(one) == len(two):
                better |= _swap_between(one, two, schedule)
        if not better:
            return


def _swap_between(one: list[str], two: list[str], schedule: Schedule) -> bool:
    better = False
    for seat, entrant in enumerate(one):
        if not _met(entrant, one, schedule):
            continue
        for other_seat, other in enumerate(two):
            before = _met(entrant, one, schedule) + _met(other, two, schedule)
            rest_one = [name for name in one if name != entrant]
            rest_two = [name for name in two if name != other]
            if _met(entrant, rest_two, schedule) + _met(other, rest_one, schedule) < before:
                one[seat], two[other_seat] = other, entrant
                better = True
                break
    return better


def _fit_seats(tables: list[list[str]], schedule: Schedule, games: int) -> None:
    """Let two swap tables, while that brings somebody nearer to its share of seats and costs no rematch."""
    tries = TRIES
    cost = [_beyond(table, schedule, games) for table in tables]
    for _ in range(PASSES):
        for here, one in enumerate(tables):
            for step in (step for far in range(1, REACH + 1) for step in (-far, far)):
                if not cost[here] or tries <= 0:
                    break
                there = here + step
                if not 0 <= there < len(tables):
                    continue
                two = tables[there]
                if len(one) == len(two):
                    tries -= len(one) * len(two)
                    cost[here], cost[there] = _seat_swap(one, two, schedule, games, (cost[here], cost[there]))


def _seat_swap(
    one: list[str], two: list[str], schedule: Schedule, games: int, cost: tuple[int, int]
) -> tuple[int, int]:
    """Make the best swap between two tables, if one helps; return what is beyond their shares afterwards."""
    best, found = sum(cost), None
    for seat, entrant in enumerate(one):
        for other_seat, other in enumerate(two):
            rest_one = [name for name in one if name != entrant]
            rest_two = [name for name in two if name != other]
            before = _met(entrant, rest_one, schedule) + _met(other, rest_two, schedule)
            if _met(entrant, rest_two, schedule) + _met(other, rest_one, schedule) > before:
                continue
            now = (
                _beyond([*rest_one, other], schedule, games),
                _beyond([*rest_two, entrant], schedule, games),
            )
            if sum(now) < best:
                best, found = sum(now), (seat, other_seat, now)
    if found is None:
        return cost
    seat, other_seat, now = found
    one[seat], two[other_seat] = two[other_seat], one[seat]
    return now


def _beyond(table: Sequence[str], schedule: Schedule, games: int) -> int:
    """Return by how much the entrants at a table are too far from their share of a seat after a match."""
    excess = schedule.seat_excess()
    order = fewest(table, excess, games)
    size, beyond = len(order), 0
    for place, entrant in enumerate(order):
        sits = {(place - game) % size for game in range(games % size)}
        share = SHARE // size * len(sits)
        for seat in range(size):
            after = excess[entrant, seat] - share + (SHARE if seat in sits else 0)
            beyond += max(0, abs(after) - SHARE + 1)
    return beyond
