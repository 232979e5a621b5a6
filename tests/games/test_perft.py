"""Counts of lines of play against a table that two other programs agree on."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from random import Random

import pytest

from touchline.core.perft import perft
from touchline.games.hexapawn import Hexapawn

TABLE = Path(__file__).parents[1] / "perft" / "hexapawn.perft"
ROWS = [line.split() for line in TABLE.read_text(encoding="ascii").splitlines()]
BOARDS = [(size, [int(count) for count in counts]) for size, *counts in ROWS]


def assert_counts(size: str, counts: list[int]) -> None:
    rows, cols = map(int, size.split("x"))
    start = Hexapawn(rows=rows, cols=cols).start(2, Random(0))
    assert perft(start, len(counts)) == counts


def test_the_table_is_whole() -> None:
    """The table has every board of 2 to 8 rows and 1 to 8 columns."""
    assert [size for size, _ in BOARDS] == [f"{rows}x{cols}" for rows in range(2, 9) for cols in range(1, 9)]


@pytest.mark.parametrize(("size", "counts"), BOARDS, ids=[size for size, _ in BOARDS])
def test_perft_up_to_a_million(size: str, counts: list[int]) -> None:
    """The counts up to a million are those of the table."""
    assert_counts(size, list(takewhile(lambda count: count <= 10**6, counts)))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "counts"), BOARDS, ids=[size for size, _ in BOARDS])
def test_perft_up_to_ten_millions(size: str, counts: list[int]) -> None:
    """All the counts are those of the table."""
    assert_counts(size, counts)
