"""The posterior of strengths against numpy's dense matrices, and the dispersion against simulation."""

from __future__ import annotations

from itertools import combinations
from math import log
from random import Random
from typing import Any

import numpy as np
import pytest

from touchline.tournament.ratings import posterior
from touchline.tournament.ratings.evidence import dispersion
from touchline.tournament.ratings.posterior import Duels, estimates


def field(count: int, opponents: int, seed: int) -> list[Duels]:
    """Everybody meets some neighbours on a circle, twice each, at random strengths."""
    rng = Random(seed)
    strengths = [rng.gauss(0, 1) for _ in range(count)]
    met: dict[tuple[int, int], float] = {}
    for one in range(count):
        for step in range(1, opponents // 2 + 1):
            other = (one + step * step) % count
            if other != one and (other, one) not in met:
                chance = 1 / (1 + np.exp(strengths[other] - strengths[one]))
                met[one, other] = float(sum(rng.random() < chance for _ in range(2)))
    rows: list[dict[int, float]] = [{} for _ in range(count)]
    for (one, other), score in met.items():
        rows[one][other], rows[other][one] = score, 2 - score
    return [Duels(tuple(row), (2.0,) * len(row), sum(row.values())) for row in rows]


def by_numpy(duels: list[Duels], spread: float) -> tuple[Any, Any]:
    """The same approximation, written down anew with dense matrices, iterated until nothing changes."""
    count = len(duels)
    games = np.zeros((count, count))
    for one, row in enumerate(duels):
        games[one, list(row.others)] = row.weights
    scores = np.array([row.score for row in duels])
    means: Any = np.zeros(count)
    covariance: Any = np.eye(count)
    for _ in range(20):
        own = np.diag(covariance)
        damp = 1 / np.sqrt(1 + np.pi / 8 * (own[:, None] + own[None, :] - 2 * covariance))
        chance = 1 / (1 + np.exp(damp * (means[None, :] - means[:, None])))
        weights = games * damp * chance * (1 - chance)
        precision = np.diag(weights.sum(1) + 1 / spread**2) - weights
        covariance = np.linalg.inv(precision)
        means = means + covariance @ (scores - (games * chance).sum(1) - means / spread**2)
    return means, np.diag(covariance)


@pytest.mark.parametrize(("count", "opponents"), [(6, 4), (20, 6), (40, 12)])
def test_few_entrants_exactly(count: int, opponents: int) -> None:
    duels = field(count, opponents, count)
    fit = posterior._Fit(duels)
    for spread in posterior.SPREADS[:5]:
        ours = fit.posterior(spread)
        means, variances = by_numpy(duels, spread)
        assert ours.means == pytest.approx([*means], abs=0.05 * spread)
        assert ours.variances == pytest.approx([*variances], rel=0.05)


def test_many_entrants_by_random_vectors() -> None:
    """Each deviation is right within a few percent, and there is no bias."""
    duels = field(70, 8, 3)
    fit = posterior._Fit(duels)
    for spread in posterior.SPREADS[1:4]:
        ours = fit.posterior(spread)
        means, variances = by_numpy(duels, spread)
        ratios = np.sqrt(np.array(ours.variances) / variances)
        assert abs(ratios.mean() - 1) < 0.03
        assert ratios.std() < 0.08
        assert np.abs(np.array(ours.means) - means).max() < 0.1 * spread


def test_a_large_field_in_which_all_have_met() -> None:
    duels = field(59, 120, 4)
    everybody = {(one, other) for one, row in enumerate(duels) for other in row.others}
    assert len(everybody) > posterior.DENSE * 59**2
    ours = posterior._Fit(duels).posterior(posterior.SPREADS[3])
    _, variances = by_numpy(duels, posterior.SPREADS[3])
    assert ours.variances == pytest.approx([*variances], rel=0.12)


def test_who_never_played_is_somewhere_in_the_field() -> None:
    duels = [*field(12, 6, 1), Duels((), (), 0.0)]
    found = estimates(duels)
    assert found[12].mean == pytest.approx(0, abs=0.1)
    assert found[12].deviation > max(one.deviation for one in found[:12])


def test_no_games_at_all() -> None:
    """Then the bars are what is known of fields in general: some hundreds of Elo points."""
    first, second = estimates([Duels((), (), 0.0)] * 2)
    assert first == second
    assert first.mean == 0
    assert 100 < first.deviation * posterior.ELO < 300


@pytest.mark.parametrize("strengths", [[0.0, 0.0], [0.0] * 4, [1.0, 0.0, -0.5], [2.0, 1.0, 0.0, 0.0, -1.0]])
def test_the_dispersion_of_a_table_is_that_of_simulated_games(strengths: list[float]) -> None:
    rng = np.random.default_rng(1)
    size, weight = len(strengths), 2 / len(strengths)
    performance = np.array(strengths) + rng.gumbel(size=(200_000, size))
    beaten = (performance[:, :, None] > performance[:, None, :]).sum(2)
    variance = weight**2 * beaten.var(0).sum()
    chances = [1 / (1 + np.exp(other - one)) for one, other in combinations(strengths, 2)]
    assumed = weight * 2 * sum(chance * (1 - chance) for chance in chances)
    assert dispersion(strengths) == pytest.approx((variance, assumed), rel=0.01)


def test_elo_points() -> None:
    assert pytest.approx(400 / log(10)) == posterior.ELO
