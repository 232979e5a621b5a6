"""openskill behind its adapter."""

from __future__ import annotations

import sys
from random import Random

import pytest
from openskill.models import PlackettLuce

from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.ratings.plackett_luce import NoOpenskill, curve, plackett_luce


def game(number: int, entrants: tuple[str, ...], ranks: tuple[int | None, ...]) -> Played:
    return Played(Pairing(number // 3, number % 3, entrants, number), "finished", (), ranks)


PLAYED = [
    game(0, ("a", "b", "c"), (1, 2, 3)),
    game(1, ("b", "c", "d"), (1, 1, 3)),
    game(2, ("c", "a"), (1, 2)),
    game(3, ("d", "b", "a", "c"), (None, 2, 1, 3)),
]


def test_it_is_openskill_fed_in_the_order_of_the_games() -> None:
    model = PlackettLuce()
    skill = {name: model.rating() for name in "abcd"}
    for names, ranks in (("abc", [1, 2, 3]), ("bcd", [1, 1, 3]), ("ca", [1, 2]), ("dbac", [5, 2, 1, 3])):
        after = model.rate([[skill[name]] for name in names], ranks=[float(rank) for rank in ranks])
        skill |= {name: rating for name, (rating,) in zip(names, after, strict=True)}
    ours = {rating.entrant: rating for rating in plackett_luce(PLAYED)}
    for name in "abcd":
        assert ours[name].value == pytest.approx(skill[name].mu, abs=1e-6)
        assert ours[name].high - ours[name].low == pytest.approx(2 * 1.959964 * skill[name].sigma, abs=1e-5)
    assert [ours[name].games for name in "abcd"] == [3, 3, 4, 2]


def test_the_order_in_which_games_were_finished_does_not_matter() -> None:
    for seed in range(5):
        assert plackett_luce(Random(seed).sample(PLAYED, 4)) == plackett_luce(PLAYED)


def test_the_curve_ends_where_the_ratings_are() -> None:
    last = {rating.entrant: rating for _, after in curve(PLAYED) for rating in after}
    assert sorted(last.values(), key=lambda rating: -rating.value) == plackett_luce(PLAYED)
    assert [number for number, _ in curve(PLAYED)] == [
        "r0000-t0000",
        "r0000-t0001",
        "r0000-t0002",
        "r0001-t0000",
    ]


def test_the_better_one_comes_first_and_void_games_do_not_count() -> None:
    void = Played(Pairing(9, 0, ("b", "a"), 0), "void")
    ratings = plackett_luce([*(game(n, ("a", "b"), (1, 2)) for n in range(10)), void], ["a", "b", "c"])
    assert [(rating.entrant, rating.games) for rating in ratings] == [("a", 10), ("c", 0), ("b", 10)]
    assert ratings[1].value == 25.0


def test_without_openskill_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(NoOpenskill, match=r"pip install 'touchline\[ratings\]'"):
        plackett_luce(PLAYED)
