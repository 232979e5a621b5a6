"""The sequential test against the likelihood solved by scipy, by hand, and its error rates by simulation."""

from __future__ import annotations

from math import log
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.ratings.sprt import Sprt, elo, five, ratio, score, three

if TYPE_CHECKING:
    from collections.abc import Sequence


def normal_approximation(counts: Sequence[int], first: float, second: float) -> float:
    """The ratio for scores taken as normal with the variance that was seen."""
    total, last = sum(counts), len(counts) - 1
    mean = sum(count * index / last for index, count in enumerate(counts)) / total
    spread = sum(count * (index / last - mean) ** 2 for index, count in enumerate(counts)) / total
    return total * (second - first) * (2 * mean - first - second) / (2 * spread)


def solved_by_scipy(counts: Sequence[int], mean: float) -> float:
    """The greatest log-likelihood of the counts over all chances with this mean."""
    last = len(counts) - 1
    values = np.arange(last + 1) / last
    weights = np.array(counts, dtype=float)
    start = np.full(last + 1, 1 / (last + 1))
    found = minimize(
        lambda chances: -float(weights @ np.log(chances)) / weights.sum(),
        start,
        jac=lambda chances: -weights / chances / weights.sum(),
        bounds=[(1e-9, 1)] * (last + 1),
        constraints=[
            {
                "type": "eq",
                "fun": lambda chances: chances.sum() - 1,
                "jac": lambda chances: np.ones(last + 1),
            },
            {"type": "eq", "fun": lambda chances: chances @ values - mean, "jac": lambda chances: values},
        ],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return -float(found.fun) * float(weights.sum())


def test_a_known_value() -> None:
    """1200 wins, 5000 ties, 1100 losses for 0 against 5: 2.16906, or 2.16967 if scores were normal."""
    counts = (1100, 5000, 1200)
    assert ratio(counts, score(0), score(5)) == pytest.approx(2.16906, abs=5e-6)
    assert normal_approximation(counts, score(0), score(5)) == pytest.approx(2.16967, abs=5e-6)


@pytest.mark.parametrize(
    "counts", [(1100, 5000, 1200), (40, 3, 57), (10, 10, 10), (12, 40, 110, 52, 16), (3, 9, 5, 2, 30)]
)
def test_the_ratio_is_that_of_the_likelihoods_solved_by_scipy(counts: tuple[int, ...]) -> None:
    for first, second in ((0, 5), (-10, 10), (0, 60)):
        theirs = solved_by_scipy(counts, score(second)) - solved_by_scipy(counts, score(first))
        assert ratio(counts, score(first), score(second)) == pytest.approx(theirs, rel=1e-3, abs=2e-3)


COUNTS = st.integers(0, 200)


@settings(deadline=None)
@given(st.lists(COUNTS, min_size=5, max_size=5) | st.lists(COUNTS, min_size=3, max_size=3))
def test_the_other_sides_view_is_the_mirror_image(counts: list[int]) -> None:
    there = ratio(counts, score(-3), score(8))
    assert ratio(counts[::-1], score(3), score(-8)) == pytest.approx(there, abs=1e-6)
    ours, theirs = elo(counts), elo(counts[::-1])
    assert (ours.value, ours.low) == pytest.approx((-theirs.value, -theirs.high), abs=1e-4)
    assert ours.low <= ours.value <= ours.high


def test_the_verdicts() -> None:
    test = Sprt(0, 10)
    assert test.judge((0, 0, 0)).verdict == "continue"
    assert test.judge((0, 0, 0)).llr == 0
    assert test.judge((100, 500, 100)).verdict == "continue"
    assert test.judge((1000, 5000, 1500)).verdict == "H1"
    assert test.judge((1500, 5000, 1000)).verdict == "H0"
    assert test.judge((0, 0, 0, 0, 400)).verdict == "H1", "a clean sheet is no division by nought"
    judgement = test.judge((10, 20, 30, 25, 15))
    assert (judgement.lower, judgement.upper) == pytest.approx((log(0.05 / 0.95), log(0.95 / 0.05)))
    assert judgement.count == 100
    assert Sprt(0, 10, alpha=0.01, beta=0.1).bounds == pytest.approx((log(0.1 / 0.99), log(0.9 / 0.01)))


def test_the_estimate_by_hand() -> None:
    """A score of 3/4 is 400 log10 3; its error is that of the mean."""
    interval = elo((25, 0, 75))
    assert interval.value == pytest.approx(400 * log(3) / log(10), abs=0.01)
    reach = 1.959964 * (0.75 * 0.25 / 100) ** 0.5
    assert score(interval.low) == pytest.approx(0.75 - reach, abs=1e-4)
    assert score(interval.high) == pytest.approx(0.75 + reach, abs=1e-4)
    assert (elo((0, 0, 0)).low, elo((0, 0, 0)).high) == (-2000.0, 2000.0)


def test_two_that_were_removed_are_equal() -> None:
    """Neither has shown that it is better."""
    pairings = [Pairing(0, 0, ("new", "old"), 0), Pairing(0, 1, ("old", "new"), 0)]
    games = [Played(pairing, "finished", (), (None, None), expelled=(0, 1)) for pairing in pairings]
    assert three(games, "new") == (0, 2, 0)
    assert five(games, "new") == (0, 0, 1, 0, 0)


def test_games_are_counted_as_pairs_by_their_boards() -> None:
    def game(board: int, first: str, ranks: tuple[int, ...], table: int = 0) -> Played:
        entrants = ("new", "old") if first == "new" else ("old", "new")
        return Played(Pairing(0, 2 * board + (first == "old"), entrants, board), "finished", (), ranks)

    played = [
        game(0, "new", (1, 2)), game(0, "old", (2, 1)),
        game(1, "new", (1, 2)), game(1, "old", (1, 1)),
        game(2, "new", (2, 1)), game(2, "old", (1, 2)),
        game(3, "new", (1, 2)),
        game(4, "new", (1, 2)), Played(Pairing(0, 9, ("old", "new"), 4), "void"),
    ]  # fmt: skip
    assert five(played, "new") == (1, 0, 0, 1, 1)
    assert three(played, "new") == (2, 1, 5)
    assert five(played, "old") == (1, 1, 0, 0, 1)


@pytest.mark.parametrize(("elo0", "elo1", "alpha"), [(5, 5, 0.05), (5, 0, 0.05), (0, 5, 0.0), (0, 5, 0.7)])
def test_a_test_that_makes_no_sense_is_refused(elo0: float, elo1: float, alpha: float) -> None:
    with pytest.raises(ValueError, match=r"elo0 must be less|error probabilities"):
        Sprt(elo0, elo1, alpha)


def test_counts_of_another_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="three counts"):
        Sprt(0, 5).judge((1, 2))


def decided(test: Sprt, truth: float, rng: Random) -> str:
    """Play pairs until the test is over; the two games of a pair lean on each other through their board."""
    counts = [0] * 5
    mean = score(truth)
    while True:
        for _ in range(10):
            tilt = rng.choice((-0.2, 0.0, 0.2))  # a board that is better for the first seat, or the second
            games = [rng.random() < mean + tilt, rng.random() < mean - tilt]
            ties = [rng.random() < 0.3 for _ in games]
            counts[sum(1 if tie else 2 * won for won, tie in zip(games, ties, strict=True))] += 1
        verdict = test.judge(counts).verdict
        if verdict != "continue":
            return verdict


@pytest.mark.slow
def test_it_errs_no_oftener_than_it_says() -> None:
    rng = Random(17)
    test, runs = Sprt(0, 40), 600
    # Ties pull the mean of a game to one half: 0.7 of the distance is left of what `truth` would give.
    wrong_h1 = sum(decided(test, 0, rng) == "H1" for _ in range(runs)) / runs
    right_h1 = sum(decided(test, 40 / 0.7, rng) == "H1" for _ in range(runs)) / runs
    assert wrong_h1 <= 0.05 + 2.6 * (0.05 * 0.95 / runs) ** 0.5
    assert right_h1 >= 0.95 - 2.6 * (0.05 * 0.95 / runs) ** 0.5


def test_it_comes_to_the_right_end_when_the_truth_is_plain() -> None:
    rng = Random(23)
    assert [decided(Sprt(0, 40), 200, rng) for _ in range(5)] == ["H1"] * 5
    assert [decided(Sprt(0, 40), -150, rng) for _ in range(5)] == ["H0"] * 5
