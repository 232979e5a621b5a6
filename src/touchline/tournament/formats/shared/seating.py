"""Assign seats: rotate them within a match, and balance them over a tournament.

Law of this file: in the games of one rotation every entrant at the table sits in every seat once. Over a
tournament whose games are known beforehand, the numbers of an entrant's games in two seats differ by at most
one; otherwise they are as equal as the past allows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from touchline.tournament.pairing import Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


SHARE = 60
"""A game, in units that all sizes of tables divide."""


def match(
    number: int,
    place: int,
    entrants: Sequence[str],
    *,
    games: int,
    paired: bool,
    places: int,
    spare: int = 0,
) -> list[Pairing]:
    """Return the games of one match of a round, with seats rotated from game to game.

    `number` is the round and `place` the match within it, both counted from 0. `places` is an upper bound of
    the matches in a round, the same for all rounds, so that every match has positions of its own: no table
    needs more of them than one of two. With `paired` the games of one rotation share a position. `spare`
    numbers of tables and positions are kept free after them.

    >>> drawn = match(0, 1, ["a", "b"], games=3, paired=True, places=4)
    >>> [(game.table, game.entrants, game.board) for game in drawn]
    [(3, ('a', 'b'), 2), (4, ('b', 'a'), 2), (5, ('a', 'b'), 3)]
    """
    size = len(entrants)
    first = (number * places + place) * ((-(-games // 2) if paired else games) + spare)
    return [
        Pairing(
            round=number,
            table=place * (games + spare) + game,
            entrants=(*entrants[game % size :], *entrants[: game % size]),
            board=first + (game // size if paired else game),
        )
        for game in range(games)
    ]


def sit(excess: Counter[tuple[str, int]], games: Iterable[Sequence[str]]) -> None:
    """Count games: how much more often than its share each entrant has sat in each seat.

    The share of a seat at a table of four is a quarter; so tables of several sizes can be compared.
    """
    by_size: dict[int, list[Sequence[str]]] = defaultdict(list)
    for entrants in games:
        by_size[len(entrants)].append(entrants)
    for size, tables in by_size.items():
        played = Counter(chain.from_iterable(tables))
        for seat in range(size):
            for entrant, times in Counter(map(itemgetter(seat), tables)).items():
                excess[entrant, seat] += SHARE * times
            for entrant, times in played.items():
                excess[entrant, seat] -= SHARE // size * times


def fewest(entrants: Sequence[str], excess: Counter[tuple[str, int]], games: int = 1) -> tuple[str, ...]:
    """Return the seating in which entrants sit where they sat least; the given order if all are equal.

    It is for the first game of a match of so many games, whose whole rotations change nothing. `excess` has
    the games of each entrant in each seat, or how much they exceed its share. The best seating of the first
    seats is found for each set of entrants, from that of the sets with one less.

    >>> from collections import Counter
    >>> fewest(["a", "b"], Counter({("a", 0): 1, ("b", 1): 1}))
    ('b', 'a')
    """
    size = len(entrants)
    odd = games % size
    cost = [
        [sum(excess[entrant, (seat - game) % size] ** 3 for game in range(odd)) for seat in range(size)]
        for entrant in entrants
    ]
    if size == 2:
        swap = cost[0][1] + cost[1][0] < cost[0][0] + cost[1][1]
        return (entrants[1], entrants[0]) if swap else (entrants[0], entrants[1])
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(size):
        found: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (so_far, order) in best.items():
            for one in range(size):
                if not taken >> one & 1:
                    option = (so_far + cost[one][seat], (*order, one))
                    now = taken | 1 << one
                    found[now] = min(found.get(now, option), option)
        best = found
    return tuple(entrants[one] for one in best[(1 << size) - 1][1])


def seated(groups: Sequence[Sequence[str]], games: int) -> list[tuple[str, ...]]:
    """Order the seats of matches of so many games, which are all known beforehand.

    The numbers of an entrant's games in two seats differ by at most one if `games` is a multiple of the
    seats, or one more; else each match is seated by what its entrants have had before.
    """
    seats = max(map(len, groups), default=2)
    if games % seats <= 1:
        return evenly(groups)
    excess: Counter[tuple[str, int]] = Counter()
    found = []
    for group in groups:
        order = fewest(group, excess, games)
        sit(excess, [(*order[game:], *order[:game]) for game in range(games % len(order))])
        found.append(order)
    return found


def evenly(groups: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Order the seats of each group so that an entrant's numbers of games in two seats differ by at most one.

    The games of an entrant are cut into runs, each as long as there are seats. Runs and games are a bipartite
    graph whose degree is at most the number of seats, so by König's theorem its edges can be coloured with
    the seats: no two of a game alike, and no two of a run.

    >>> evenly([("a", "b"), ("a", "c"), ("b", "c")])
    [('a', 'b'), ('c', 'a'), ('b', 'c')]
    """
    seats = max(map(len, groups), default=0)
    games: list[dict[int, tuple[str, int]]] = [{} for _ in groups]
    runs: dict[tuple[str, int], dict[int, int]] = {}
    visits: dict[str, int] = {}
    for game, group in enumerate(groups):
        for entrant in group:
            visit = visits.get(entrant, 0)
            visits[entrant] = visit + 1
            run = (entrant, visit // seats)
            mine = runs.setdefault(run, {})
            seat = next(seat for seat in range(seats) if seat not in games[game])
            if seat in mine:
                other = next(seat for seat in range(seats) if seat not in mine)
                _change_over(games, runs, run, seat, other)
            games[game][seat], mine[seat] = run, game
    # A smaller table may have been given seat numbers beyond its size.
    return [tuple(taken[seat][0] for seat in sorted(taken)) for taken in games]


def _change_over(
    games: list[dict[int, tuple[str, int]]],
    runs: dict[tuple[str, int], dict[int, int]],
    run: tuple[str, int],
    seat: int,
    other: int,
) -> None:
    """Swap two seats along the alternating path from a run, so that the first seat is free there."""
    path = []
    at: tuple[str, int] | None = run
    while at is not None and seat in runs[at]:
        game = runs[at][seat]
        path.append((at, game, seat))
        at = games[game].get(other)
        if at is not None:
            path.append((at, game, other))
    for at_run, game, old in path:
        del games[game][old], runs[at_run][old]
    for at_run, game, old in path:
        new = other if old == seat else seat
        games[game][new], runs[at_run][new] = at_run, game
