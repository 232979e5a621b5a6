"""Assign seats: rotate them within a match, and balance them over a tournament.

Law of this file: in the games of one rotation every entrant at the table sits in every seat once. Over a
tournament whose games are known beforehand, the numbers of an entrant's games in two seats differ by at most
one; otherwise they are as equal as the past allows.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from touchline.tournament.pairing import Pairing

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence


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
    the matches in a round, the same for all rounds, so that every match has boards of its own. With `paired`
    the games of one rotation share a board. `spare` numbers of tables and boards are kept free after them.

    >>> drawn = match(0, 1, ["a", "b"], games=3, paired=True, places=4)
    >>> [(game.table, game.entrants, game.board) for game in drawn]
    [(3, ('a', 'b'), 2), (4, ('b', 'a'), 2), (5, ('a', 'b'), 3)]
    """
    size = len(entrants)
    boards = (-(-games // size) if paired else games) + spare
    first = (number * places + place) * boards
    return [
        Pairing(
            round=number,
            table=place * (games + spare) + game,
            entrants=(*entrants[game % size :], *entrants[: game % size]),
            board=first + (game // size if paired else game),
        )
        for game in range(games)
    ]


def fewest(entrants: Sequence[str], sat: Counter[tuple[str, int]]) -> tuple[str, ...]:
    """Return the seating in which entrants sit where they sat least; the given order if all are equal.

    >>> from collections import Counter
    >>> fewest(["a", "b"], Counter({("a", 0): 1, ("b", 1): 1}))
    ('b', 'a')
    """
    return min(
        permutations(entrants),
        key=lambda order: sum(sat[entrant, seat] for seat, entrant in enumerate(order)),
    )


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
