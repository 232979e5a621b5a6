"""Who sits where: games of a match with seats rotated, and seats shared out evenly over a tournament.

Law of this file: in the games of one rotation everybody at the table sits in every seat once; what is left
over is shared out so that nobody sits in one seat more than once oftener than in another, where the games
are known beforehand, and as evenly as the past allows where they are not.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from touchline.tournament.pairing import Pairing

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence


def match(
    number: int, place: int, entrants: Sequence[str], games: int, paired: bool, field: int, spare: int = 0
) -> list[Pairing]:
    """The games that those at one place of a round play; `field` is more than there are places in a round.

    `spare` tables after them are kept free.

    >>> [(game.table, game.entrants, game.board) for game in match(0, 1, ["a", "b"], 3, True, 4)]
    [(3, ('a', 'b'), 2), (4, ('b', 'a'), 2), (5, ('a', 'b'), 3)]
    """
    size = len(entrants)
    boards = (-(-games // size) if paired else games) + spare
    first = (number * field + place) * boards
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
    """The order in which everybody sits where they sat seldom; the given order if all are alike.

    >>> from collections import Counter
    >>> fewest(["a", "b"], Counter({("a", 0): 1, ("b", 1): 1}))
    ('b', 'a')
    """
    return min(
        permutations(entrants),
        key=lambda order: sum(sat[entrant, seat] for seat, entrant in enumerate(order)),
    )


def evenly(groups: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The same groups, each in an order of seats such that over all of them nobody sits in one seat more
    than once oftener than in another.

    The visits of an entrant are cut into runs, each as long as there are seats. Between runs and games this
    is a bipartite graph of no higher degree than there are seats, so by a theorem of König its edges can be
    coloured with the seats: no two of a game alike, and no two of a run.

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
    # A table smaller than the rest may have been given seats that it has not.
    return [tuple(taken[seat][0] for seat in sorted(taken)) for taken in games]


def _change_over(
    games: list[dict[int, tuple[str, int]]],
    runs: dict[tuple[str, int], dict[int, int]],
    run: tuple[str, int],
    seat: int,
    other: int,
) -> None:
    """Exchange two seats along the path that begins at a run, so that the first one is free there."""
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
