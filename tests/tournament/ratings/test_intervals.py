"""Intervals against scipy, and the law that a clean sheet is no proof."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from touchline.tournament.ratings.intervals import Interval, mean_of_pairs, student, wilson


@pytest.mark.parametrize("games", [1, 2, 7, 10, 100, 12345])
def test_wilson_agrees_with_scipy(games: int) -> None:
    for won in {0, 1, games // 3, games - 1, games}:
        for confidence in (0.9, 0.95, 0.999):
            theirs = stats.binomtest(won, games).proportion_ci(confidence, method="wilson")
            ours = wilson(won, games, confidence)
            assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-8)
            assert ours.value == pytest.approx(won / games, abs=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 10, 31, 100, 200, 999, 1000, 1001, 10**6])
def test_students_t_agrees_with_scipy(freedom: int) -> None:
    for share in (0.01, 0.025, 0.5, 0.6, 0.95, 0.975, 0.995, 0.9995):
        assert student(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), rel=1e-8, abs=1e-9)


def test_the_mean_of_pairs_agrees_with_scipy() -> None:
    scores = [0.5, 0.75, 1.0, 0.25, 0.5, 0.5, 1.0]
    low, high = stats.t.interval(0.95, len(scores) - 1, fmean(scores), stats.sem(scores))
    ours = mean_of_pairs(scores)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-9)


@given(st.integers(1, 500), st.sampled_from([0.0, 0.5, 1.0]))
def test_pairs_that_all_scored_the_same_still_leave_room(pairs: int, score: float) -> None:
    ours = mean_of_pairs([score] * pairs)
    assert ours.high - ours.low > 0.0
    assert ours == wilson(score * pairs, pairs)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=40))
def test_the_range_holds_the_mean_and_stays_within_bounds(scores: list[float]) -> None:
    ours = mean_of_pairs(scores)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1
    mirrored = mean_of_pairs([1 - score for score in scores])
    assert mirrored.low == pytest.approx(1 - ours.high, abs=1e-9)


def test_nothing_seen_says_nothing() -> None:
    assert wilson(0, 0) == mean_of_pairs([]) == Interval(0.5, 0.0, 1.0)


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="3 wins in 2 games"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="halve the sum"):
        mean_of_pairs([0.5, 1.5])
    with pytest.raises(ValueError, match="degrees of freedom"):
        student(0.975, 0)


def test_coverage_of_the_mean_of_pairs() -> None:
    """Of many samples, about 95 of 100 ranges hold the truth."""
    rng = Random(7)
    held = 0
    for _ in range(2000):
        pairs = [rng.choice((0.0, 0.5, 0.5, 0.75, 1.0)) for _ in range(30)]
        interval = mean_of_pairs(pairs)
        held += interval.low <= 0.55 <= interval.high
    assert 0.94 <= held / 2000 <= 0.965
