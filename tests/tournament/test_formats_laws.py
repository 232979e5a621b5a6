"""What every format keeps to: it ends, it is steady, and its standings add up."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from touchline.core import registry
from touchline.core.errors import BadOptions, UnknownName
from touchline.testing.format_check import by_strength, check_standings, play_out, random_results
from touchline.tournament.formats.base import latest
from touchline.tournament.pairing import Pairing, Played
from tournament.fields import entrants

FORMATS = registry.names("formats")


@st.composite
def formats(draw: st.DrawFn) -> tuple[Any, list[str]]:
    """A format with options that fit a field, and the field."""
    name = draw(st.sampled_from(FORMATS))
    boards = draw(st.integers(1, 3))
    if name == "fish_manager":
        return replace(registry.format(name), boards=boards), entrants(draw(st.integers(2, 17)))
    seats = draw(st.integers(2, 4))
    options: dict[str, Any] = {
        "seats": seats,
        "games": draw(st.integers(1, 3)),
        "paired": draw(st.booleans()),
    }
    field = draw(st.integers(seats, 12))
    if name != "gauntlet":
        options["seed"] = draw(st.integers(0, 3))
    if name in ("swiss", "ladder"):
        options["rounds"] = draw(st.integers(0, 5))
    if name == "gauntlet":
        options["challengers"] = draw(st.integers(1, field - seats + 1))
    if name == "knockout":
        options["through"] = draw(st.sampled_from([m for m in range(1, seats) if seats % m == 0]))
        options["replays"] = draw(st.integers(0, 2))
    return replace(registry.format(name, options), boards=boards), entrants(field)


@settings(deadline=None, max_examples=40)
@given(formats(), st.integers(0, 2**32))
def test_every_format_ends_and_is_steady(case: tuple[Any, list[str]], seed: int) -> None:
    """Whatever the results, in whatever order, while entrants leave: `play_out` watches the laws."""
    rules, names = case
    rng = Random(seed)
    leaving = rng.choice([0.0, 0.1, 0.5])
    played, out = play_out(rules, names, random_results(rng), rng=rng, leaving=leaving)
    check_standings(rules, names, played, out)


@pytest.mark.slow
@settings(deadline=None, max_examples=3000)
@given(formats(), st.integers(0, 2**32))
def test_every_format_ends_and_is_steady_in_many_fields(case: tuple[Any, list[str]], seed: int) -> None:
    rules, names = case
    rng = Random(seed)
    played, out = play_out(rules, names, random_results(rng), rng=rng, leaving=rng.choice([0.02, 0.2, 0.6]))
    check_standings(rules, names, played, out)


@settings(deadline=None, max_examples=40)
@given(formats(), st.integers(0, 2**32))
def test_the_order_of_results_does_not_matter(case: tuple[Any, list[str]], seed: int) -> None:
    rules, names = case
    rng = Random(seed)
    played, out = play_out(rules, names, random_results(rng), rng=rng, leaving=0.2)
    shuffled = rng.sample(played, len(played))
    assert rules.due(names, shuffled, out) is None
    assert rules.standings(names, shuffled, out) == rules.standings(names, played, out)
    some = rng.sample(played, rng.randint(0, len(played)))
    assert rules.due(names, some, out) == rules.due(names, some[::-1], out)


@settings(deadline=None, max_examples=40)
@given(formats(), st.integers(0, 2**32))
def test_all_at_once_or_one_by_one_comes_to_the_same(case: tuple[Any, list[str]], seed: int) -> None:
    """With players that always play alike, the games are the same, however they were handed out."""
    rules, names = case
    at_once, _ = play_out(rules, names, by_strength)
    piecemeal, _ = play_out(rules, names, by_strength, rng=Random(seed))
    assert {*at_once} == {*piecemeal}
    assert rules.standings(names, at_once) == rules.standings(names, piecemeal)


@settings(deadline=None, max_examples=40)
@given(formats(), st.integers(0, 2**32))
def test_a_game_replayed_later_undoes_no_game(case: tuple[Any, list[str]], seed: int) -> None:
    """The organiser declares an old game void and it is replayed with another result."""
    rules, names = case
    rng = Random(seed)
    played, out = play_out(rules, names, random_results(rng), rng=rng, leaving=0.1)
    last = max((game.pairing.round for game in played), default=-1)
    so_far = [game for game in played if game.pairing.round < last or rng.random() < 0.5]
    for index, game in enumerate(so_far):
        if rng.random() < 0.3:
            again = replace(game.pairing, attempt=1)
            so_far[index] = random_results(rng)(again)
    for _ in range(200):
        due = rules.due(names, so_far, out)
        if due is None:
            break
        assert due
        assert not {(game.round, game.table) for game in due} & {
            (game.pairing.round, game.pairing.table) for game in so_far
        }
        if rules.name in ("swiss", "ladder", "fish_manager"):
            for game, one in product(so_far, due):
                seated, sits = {*game.pairing.entrants}, {*one.entrants}
                same_match = sits <= seated or seated <= sits
                assert game.pairing.round != one.round or same_match or not seated & sits
        so_far += map(random_results(rng), due)
    else:
        raise AssertionError("it does not end")
    assert len(rules.standings(names, so_far, out)) == len(names)


def test_the_last_attempt_counts() -> None:
    first = Pairing(0, 0, ("a", "b"), 0)
    second = Pairing(0, 0, ("a", "b"), 0, attempt=1)
    void, won = Played(first, "void"), Played(second, "finished", (0,), (1, 2), (1, 0))
    other = Played(Pairing(0, 1, ("c", "d"), 1), "void")
    assert latest([other, won, void]) == latest([void, won, other]) == [won, other]


def test_the_formats_are_files() -> None:
    assert {"fish_manager", "gauntlet", "knockout", "ladder", "round_robin", "swiss"} <= {*FORMATS}
    for name in FORMATS:
        assert registry.find("formats", name).name == name


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("swiss", {"seats": 1}, r"swiss: .*>= 2.*seats"),
        (
            "swiss",
            {"round": 3},
            r"swiss has no option 'round'; it has: games, paired, rounds, seats, seed, smallest",
        ),
        (
            "knockout",
            {"seats": 3, "through": 2},
            r"knockout: 2 of 3 advance: the first must divide",
        ),
        ("knockout", {"through": 2}, r"knockout: how many of a table advance: 1 to 1, not 2"),
        ("fish-manager", {"seats": 3}, r"fish-manager has no option 'seats'; it has none"),
    ],
)
def test_bad_options_are_named(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOptions, match=said):
        registry.format(name, options)


def test_a_field_that_does_not_fit_is_refused() -> None:
    with pytest.raises(BadOptions, match="4 seats at a table, but only 3 entrants: give fewer seats"):
        registry.format("round_robin", {"seats": 4}).due(entrants(3), [])
    with pytest.raises(BadOptions, match="two entrants have the same name"):
        registry.format("swiss").due(["a", "a"], [])
    with pytest.raises(BadOptions, match="3 challengers leave 1 others for the 2 seats"):
        registry.format("gauntlet", {"challengers": 3, "seats": 3}).due(entrants(4), [])
    with pytest.raises(UnknownName, match="no format is called 'scheveningen'"):
        registry.format("scheveningen")
