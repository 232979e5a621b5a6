"""The campaign: bars hold the truth in 93 to 97 % of all cases. Its seeds are fixed, so it never flickers."""

from __future__ import annotations

import pytest

from touchline.tournament.formats.round_robin import RoundRobin
from touchline.tournament.formats.swiss import Swiss
from tournament.ratings.interval_coverage import CASES, Case, coverage


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_bars_hold_the_truth(case: Case) -> None:
    """Round robin and Swiss, 4 to 400 entrants, 2 to 6 seats."""
    assert 0.93 <= coverage(case) <= 0.97


@pytest.mark.slow
def test_ties_do_not_spoil_the_bars() -> None:
    """Nearly half of the games are tied: then the scores vary less, and the bars must be shorter."""
    assert 0.93 <= coverage(Case(12, RoundRobin(games=4), 120), halves=True) <= 0.97


@pytest.mark.parametrize(
    "rules", [RoundRobin(games=4), Swiss(rounds=4, games=2), Swiss(seats=3, rounds=4, games=3)], ids=repr
)
def test_the_simulation_in_small(rules: RoundRobin | Swiss) -> None:
    """A few cups of each format, every day."""
    assert 0.9 <= coverage(Case(9, rules, 16)) < 1
