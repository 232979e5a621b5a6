"""Bradley-Terry against choix, and what it promises about order, prior and error bars."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log
from random import Random
from statistics import NormalDist, fmean

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.ratings.base import duels
from touchline.tournament.ratings.bradley_terry import SCALE, bradley_terry, expected


def game(number: int, entrants: tuple[str, ...], ranks: tuple[int | None, ...]) -> Played:
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    return Played(Pairing(number, 0, entrants, number), "finished", winners, ranks)


def tournament(strengths: dict[str, float], games: int, rng: Random, ties: float = 0.0) -> list[Played]:
    names = [*strengths]
    played = []
    for number in range(games):
        one, other = rng.sample(names, 2)
        won = rng.random() < 1 / (1 + exp(strengths[other] - strengths[one]))
        ranks = (1, 1) if rng.random() < ties else (1, 2) if won else (2, 1)
        played.append(game(number, (one, other), ranks))
    return played


def test_the_strengths_are_those_of_choix() -> None:
    """Without ties and with next to no prior, the maximum of the likelihood is the same."""
    rng = Random(3)
    names = [f"p{index}" for index in range(9)]
    played = tournament({name: rng.gauss(0, 1) for name in names}, 700, rng)
    data = []
    for one in played:
        winner, loser = one.pairing.entrants if one.winners == (0,) else one.pairing.entrants[::-1]
        data.append((names.index(winner), names.index(loser)))
    theirs = SCALE * choix.opt_pairwise(len(names), data, alpha=0.0)
    ours = {rating.entrant: rating.value for rating in bradley_terry(played, prior=1e-7)}
    assert [ours[name] - 1500 for name in names] == pytest.approx([*(theirs - theirs.mean())], abs=0.01)


def test_with_many_games_the_error_bars_are_those_of_numpys_inverse() -> None:
    """The Fisher information, written down anew and inverted by another hand; priors matter little then."""
    rng = Random(5)
    names = [f"p{index}" for index in range(6)]
    played = tournament({name: rng.gauss(0, 0.7) for name in names}, 6000, rng, ties=0.2)
    ratings = {rating.entrant: rating for rating in bradley_terry(played)}
    strength = np.array([ratings[name].value / SCALE for name in names])
    information, ties, assumed = np.zeros((6, 6)), 0.0, 0.0
    for one, other, score, weight in duels(played):
        left, right = names.index(one), names.index(other)
        chance = 1 / (1 + np.exp(strength[right] - strength[left]))
        part = np.zeros(6)
        part[left], part[right] = 1, -1
        information += weight * chance * (1 - chance) * np.outer(part, part)
        ties += score == 0.5
        assumed += chance * (1 - chance)
    # A tie is half a win for sure: the variance of the scores is less by a quarter of the share of ties.
    errors = np.sqrt(
        np.diag(np.linalg.pinv(information, rcond=1e-9, hermitian=True)) * (1 - ties / 4 / assumed)
    )
    reach = [(ratings[name].high - ratings[name].low) / 2 / SCALE for name in names]
    assert reach == pytest.approx([*(errors * NormalDist().inv_cdf(0.975))], rel=0.03)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32))
def test_the_order_of_games_does_not_matter(seed: int) -> None:
    rng = Random(seed)
    played = tournament({"a": 0.0, "b": 0.5, "c": 1.0, "d": -2.0}, 40, rng, ties=0.3)
    ends: list[tuple[int | None, ...]] = [(1, 2, 3), (2, 1, 2), (None, 1, 1)]
    played += [game(100 + number, ("a", "c", "d"), rng.choice(ends)) for number in range(9)]
    assert bradley_terry(rng.sample(played, len(played))) == bradley_terry(played)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 12))
def test_the_scores_that_the_ratings_expect_are_those_that_were_made(seed: int, field: int) -> None:
    """At the maximum, the prior's games with them, expected and real score of everybody agree."""
    rng = Random(seed)
    names = [f"p{index:02}" for index in range(field)]
    played = tournament({name: rng.gauss(0, 2) for name in names}, 5 * field, rng, ties=0.1)
    ratings = {rating.entrant: rating for rating in bradley_terry(played, names)}
    assert fmean(rating.value for rating in ratings.values()) == pytest.approx(1500, abs=1e-4)
    surplus = dict.fromkeys(names, 0.0)
    for one, other, score, _ in duels(played):
        surplus[one] += score - expected(ratings[one].value, ratings[other].value)
        surplus[other] += 1 - score - expected(ratings[other].value, ratings[one].value)
    # What is left over is what the one game with the imaginary player, somewhere near 1500, makes up for.
    assert sum(surplus.values()) == pytest.approx(0, abs=1e-6)
    assert all(abs(rest) < 0.5 for rest in surplus.values())
    in_order = [surplus[rating.entrant] for rating in bradley_terry(played, names)]
    assert all(above >= below - 1e-6 for above, below in pairwise(in_order))


def test_a_clean_score_is_finite_and_grows_with_the_games() -> None:
    few = bradley_terry([game(n, ("a", "b"), (1, 2)) for n in range(3)])
    many = bradley_terry([game(n, ("a", "b"), (1, 2)) for n in range(300)])
    assert [rating.entrant for rating in few] == ["a", "b"]
    assert 0 < few[0].value - few[1].value < many[0].value - many[1].value < 3000
    assert few[0].value + few[1].value == pytest.approx(3000, abs=1e-5)


def test_two_players_by_hand() -> None:
    """With a score of 3 to 1 and a vanishing prior the distance is 400 log10 3."""
    played = [game(n, ("a", "b"), (1, 2) if n < 3 else (2, 1)) for n in range(4)]
    first, second = bradley_terry(played, prior=1e-9)
    assert first.value - second.value == pytest.approx(400 * log(3) / log(10), abs=1e-3)
    assert first.low < 1500 < first.value < first.high, "four games prove little"


def test_who_never_played_and_groups_that_never_met() -> None:
    played = [game(0, ("a", "b"), (1, 2)), game(1, ("c", "d"), (1, 2))]
    ratings = {rating.entrant: rating for rating in bradley_terry(played, ["a", "b", "c", "d", "e"])}
    assert ratings["e"].value == pytest.approx(1500)
    assert ratings["e"].games == 0
    assert ratings["a"].value == pytest.approx(ratings["c"].value)
    assert ratings["a"].value > 1500 > ratings["b"].value
    assert ratings["e"].high - ratings["e"].low > ratings["a"].high - ratings["a"].low
    assert bradley_terry([]) == []


def test_void_games_count_for_nothing_and_expulsions_do() -> None:
    void = Played(Pairing(0, 0, ("a", "b"), 0), "void")
    assert [rating.games for rating in bradley_terry([void], ["a", "b"])] == [0, 0]
    thrown = game(1, ("a", "b", "c"), (None, 1, 2))
    assert [rating.entrant for rating in bradley_terry([thrown])] == ["b", "c", "a"]
    nobody = game(2, ("a", "b"), (None, None))
    assert [rating.value for rating in bradley_terry([nobody])] == [1500, 1500]
    assert [*duels([nobody])] == []


def test_a_table_of_four_weighs_as_three_games() -> None:
    table = game(0, ("a", "b", "c", "d"), (1, 2, 3, 4))
    assert sum(weight for *_, weight in duels([table])) == pytest.approx(3)
    assert [score for _, _, score, _ in duels([game(0, ("a", "b", "c"), (1, 1, 3))])] == [0.5, 1.0, 1.0]


def test_a_prior_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="prior must be above 0"):
        bradley_terry([], prior=0)


def test_most_error_bars_hold_the_truth() -> None:
    rng = Random(11)
    held = total = 0
    for _ in range(60):
        strengths = {f"p{index}": rng.gauss(0, 0.6) for index in range(5)}
        middle = fmean(strengths.values())
        for rating in bradley_terry(tournament(strengths, 250, rng)):
            truth = 1500 + SCALE * (strengths[rating.entrant] - middle)
            held += rating.low <= truth <= rating.high
            total += 1
    assert 0.92 <= held / total <= 0.98


def test_a_large_field() -> None:
    """Beyond the size where the precision is inverted, ratings and bars are still right."""
    rng = Random(2)
    strengths = {f"p{index:03}": rng.gauss(0, 1.2) for index in range(60)}
    ratings = bradley_terry(tournament(strengths, 600, rng))
    truth = sorted(strengths, key=lambda name: -strengths[name])
    places = {name: index for index, name in enumerate(truth)}
    assert fmean(abs(places[rating.entrant] - index) for index, rating in enumerate(ratings)) < 8
    middle = fmean(strengths.values())
    held = [
        rating.low <= 1500 + SCALE * (strengths[rating.entrant] - middle) <= rating.high for rating in ratings
    ]
    assert 0.88 <= fmean(held) < 1


def test_without_bars_the_ratings_are_the_same() -> None:
    played = tournament({"a": 0.0, "b": 0.5, "c": 1.0}, 40, Random(1))
    plain = bradley_terry(played, bars=False)
    assert [one.value for one in plain] == [one.value for one in bradley_terry(played)]
    assert all(one.low == one.value == one.high for one in plain)
    assert plain[0].text == f"{plain[0].value:.0f}"
