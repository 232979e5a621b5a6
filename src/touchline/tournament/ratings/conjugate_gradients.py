"""Conjugate gradients: solve sparse systems of linear equations. Most entrants of a cup met few others."""

from __future__ import annotations

from math import fsum
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

TINY = 1e-26
"""A squared error below which an answer counts as exact."""


def conjugate_gradients(
    image_of: Callable[[Sequence[float]], list[float]],
    diagonal: Sequence[float],
    right: Sequence[float],
    precision: float = 0.0,
    total: Callable[[Iterable[float]], float] = fsum,
) -> list[float]:
    """Return x with matrix * x = right, for a symmetric positive definite matrix with this diagonal.

    `image_of` multiplies the matrix by a vector. `precision` is the relative error that is enough.

    >>> found = conjugate_gradients(lambda x: [4 * x[0] + x[1], x[0] + 3 * x[1]], [4, 3], [1, 2])
    >>> [round(part, 9) for part in found]  # 1/11 and 7/11
    [0.090909091, 0.636363636]
    """
    answer, left = [0.0] * len(right), [*right]
    scaled = [part / own for part, own in zip(left, diagonal, strict=True)]
    way, product = [*scaled], total(map(mul, left, scaled))
    enough = max(product * precision**2, TINY)
    for _ in range(2 * len(right) + 10):
        if product <= enough:
            break
        image = image_of(way)
        far = product / total(map(mul, way, image))
        answer = [part + far * there for part, there in zip(answer, way, strict=True)]
        left = [part - far * there for part, there in zip(left, image, strict=True)]
        scaled = [part / own for part, own in zip(left, diagonal, strict=True)]
        before, product = product, total(map(mul, left, scaled))
        way = [part + product / before * there for part, there in zip(scaled, way, strict=True)]
    return answer
