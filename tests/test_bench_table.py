"""The verdicts of `scripts/bench`: a bar is kept only if the measured ratio keeps it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import verdict as table
else:  # `benchmarks` is not on the path: its `referee.py` would hide `tests/referee`
    _path = Path(__file__).parents[1] / "benchmarks" / "verdict.py"
    _spec = importlib.util.spec_from_file_location("bench_verdict", _path)
    table = sys.modules["bench_verdict"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(table)


@pytest.mark.parametrize(
    ("ratio", "low", "high", "word"),
    [
        (1.748, 1.70, 1.80, "missed"),  # 9 % over the bar was once printed as kept
        (1.61, 1.605, 1.62, "missed"),
        (1.61, 1.59, 1.62, "missed, within noise"),
        (1.61, 1.60, 1.62, "missed, within noise"),  # the interval reaches the bar
        (1.60, 1.50, 1.60, "kept"),
        (1.59, 1.50, 1.61, "kept, within noise"),
        (1.40, 1.30, 1.50, "kept"),
    ],
)
def test_a_cost_stays_under_its_bar(ratio: float, low: float, high: float, word: str) -> None:
    assert table.verdict(ratio, table.Interval(low, high), 1.6, cost=True) == word


@pytest.mark.parametrize(
    ("ratio", "low", "high", "word"),
    [
        (0.35, 0.34, 0.36, "missed"),  # 12 % under the bar was once printed as kept
        (0.39, 0.38, 0.40, "missed, within noise"),
        (0.40, 0.40, 0.45, "kept"),
        (0.41, 0.39, 0.45, "kept, within noise"),
        (0.50, 0.45, 0.55, "kept"),
    ],
)
def test_a_rate_reaches_its_bar(ratio: float, low: float, high: float, word: str) -> None:
    assert table.verdict(ratio, table.Interval(low, high), 0.4, cost=False) == word


def test_a_ratio_without_a_bar_is_not_judged() -> None:
    row = table.judge("CPU time", [3.0, 4.0, 5.0], None, cost=True)
    assert (row.verdict, row.kept) == ("no bar", True)


@pytest.mark.parametrize(
    ("rounds", "low", "high"),
    [(1, 0, 0), (2, 0, 1), (5, 0, 4), (7, 0, 6), (8, 0, 7), (9, 1, 7), (12, 2, 9), (30, 9, 20)],
)
def test_the_interval_leaves_out_rounds_only_when_there_are_enough(rounds: int, low: int, high: int) -> None:
    # The ranks are those of the sign test at 95 %: 12 rounds leave out two on each side, 30 leave out nine.
    assert table.interval([float(value) for value in reversed(range(rounds))]) == (low, high)


def test_a_miss_within_noise_is_a_miss() -> None:
    row = table.judge("refereed turn", [1.4, 1.7, 1.8], 1.6, cost=True)
    assert (row.ratio, row.rounds) == (1.7, (1.4, 1.8))
    assert not row.kept
    assert row.as_json()["verdict"] == "missed, within noise"


def test_a_line_prints_the_interval_beside_the_bar() -> None:
    assert table.judge("a turn", [1.5, 1.748, 1.8], 1.6, cost=True).line().split(None, 2)[2] == (
        "1.748 [1.500, 1.800]       <= 1.6      missed, within noise"
    )
