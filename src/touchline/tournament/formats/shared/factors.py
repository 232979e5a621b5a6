"""Rounds of pairs without rematches: look ahead whether they can be completed.

A round in which everybody is paired is a *factor*, here a list with the partner of each. Law of this file:
`completed` returns factors that share no pair with each other or with those that were taken.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from touchline.tournament.formats.shared.matching import NOBODY, pair_off

if TYPE_CHECKING:
    from collections.abc import Sequence

TRIES = 40
"""How often a completion is tried at random."""


def circle(count: int) -> list[list[int]]:
    """Return the factors of an even field by the circle method: every two are paired once.

    >>> circle(4)
    [[3, 2, 1, 0], [2, 3, 0, 1], [1, 0, 3, 2]]
    """
    last = count - 1
    factors = []
    for turn in range(last):
        partner = [(2 * turn - one) % last for one in range(last)]
        partner[turn] = last
        factors.append([*partner, turn])
    return factors


@lru_cache(maxsize=512)
def completed(taken: tuple[int, ...], rounds: int) -> list[list[int]] | None:
    """Return so many factors in which nobody has a partner that is taken, or None if none are found.

    `taken` has the partners that each has had, as the bits of a number. In a field of n, half of n rounds can
    always be completed; beyond that the search may miss a completion that exists.
    """
    for attempt in range(TRIES):
        rng, left = Random(attempt), [*taken]
        factors = []
        for _ in range(rounds):
            partner = _random_factor(left, rng)
            if NOBODY in partner:
                break
            factors.append(partner)
            left = [used | 1 << other for used, other in zip(left, partner, strict=True)]
        else:
            return factors
    return None


def _random_factor(taken: Sequence[int], rng: Random) -> list[int]:
    count = len(taken)
    order = rng.sample(range(count), count)
    found = pair_off(
        count,
        lambda one, free: next((two for two in free if not taken[order[one]] >> order[two] & 1), NOBODY),
        lambda one, two: one != two and not taken[order[one]] >> order[two] & 1,
    )
    partner = [NOBODY] * count
    for one, two in enumerate(found):
        if two != NOBODY:
            partner[order[one]] = order[two]
    return partner
