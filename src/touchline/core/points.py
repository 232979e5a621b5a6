"""Points for the ranks of a game: the share of the others that a seat beat."""

from __future__ import annotations

from functools import lru_cache


def score_against(rank: int | None, other: int | None) -> float:
    """Return the score of a seat of one rank against a seat of another: 1, ½ if they tie, or 0.

    A removed seat scores 0, also against another removed seat.

    >>> score_against(1, 2), score_against(2, 2), score_against(2, None), score_against(None, None)
    (1.0, 0.5, 1.0, 0.0)
    """
    if rank is None:
        return 0.0
    return 1.0 if other is None or rank < other else 0.5 if rank == other else 0.0


@lru_cache(maxsize=4096)
def points_of(ranks: tuple[int | None, ...]) -> tuple[float, ...]:
    """Return for each seat the share of the others that it beat, a tie being half.

    >>> points_of((1, 2)), points_of((1, 1)), points_of((1, 2, 2))
    ((1.0, 0.0), (0.5, 0.5), (1.0, 0.25, 0.25))
    """
    others = len(ranks) - 1 or 1
    return tuple(
        sum(score_against(rank, other) for seat, other in enumerate(ranks) if seat != mine) / others
        for mine, rank in enumerate(ranks)
    )
