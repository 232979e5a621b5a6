"""Swiss: equals meet, and nobody twice while it can be helped, against brute force."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from touchline.testing.format_check import by_strength, play_out, random_results, ranked
from touchline.tournament.formats.shared.matching import NOBODY, pair_off
from touchline.tournament.formats.swiss import Swiss
from tournament.fields import entrants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.tournament.pairing import Pairing, Played

Pair = frozenset[str]


def all_pairings(names: list[str]) -> Iterator[list[Pair]]:
    """Every way to pair off an even number."""
    if not names:
        yield []
        return
    first, *rest = names
    for other in rest:
        for more in all_pairings([name for name in rest if name != other]):
            yield [frozenset((first, other)), *more]


def possible_without_repeats(names: list[str], met: set[Pair], may_rest: set[str]) -> bool:
    if len(names) % 2 == 0:
        return any(not {*pairs} & met for pairs in all_pairings(names))
    return any(
        possible_without_repeats([name for name in names if name != resting], met, set())
        for resting in may_rest
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 8), st.integers(1, 9), st.integers(0, 2**32))
def test_nobody_meets_twice_while_it_can_be_helped(field: int, rounds: int, seed: int) -> None:
    names, rules, rng = entrants(field), Swiss(rounds=rounds), Random(seed)
    play = random_results(rng)
    played: list[Played] = []
    met: set[Pair] = set()
    rested: Counter[str] = Counter()
    for number in range(rounds):
        due = rules.due(names, played)
        assert due is not None
        assert {game.round for game in due} == {number}
        pairs = [frozenset(game.entrants) for game in due]
        resting = {*names} - {name for pair in pairs for name in pair}
        assert len(resting) == field % 2
        least = min(rested[name] for name in names)
        assert all(rested[name] == least for name in resting), "a second bye before all have had one"
        if possible_without_repeats(names, met, {name for name in names if rested[name] == least}):
            assert not {*pairs} & met
        met |= {*pairs}
        rested.update(resting)
        played += map(play, due)
    assert rules.due(names, played) is None


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 9), st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30))
def test_as_many_are_paired_off_as_can_be(count: int, edges: set[tuple[int, int]]) -> None:
    """The blossoms, against brute force over all sets of pairs."""
    allowed = {frozenset(edge) for edge in edges if len({*edge}) == 2 and max(edge) < count}

    def most(left: frozenset[int]) -> int:
        if not left:
            return 0
        one = min(left)
        without = most(left - {one})
        return max([without, *(1 + most(left - pair) for pair in allowed if one in pair and pair <= left)])

    def may(one: int, other: int) -> bool:
        return frozenset((one, other)) in allowed

    partner = pair_off(
        count, lambda one, free: next((other for other in free if may(one, other)), NOBODY), may
    )
    for one, other in enumerate(partner):
        assert other == NOBODY or (partner[other] == one and may(one, other))
    assert sum(other != NOBODY for other in partner) == 2 * most(frozenset(range(count)))


def test_a_hard_field_is_paired_off() -> None:
    """200 entrants over many rounds: greed alone would leave some without a partner."""
    names = entrants(200)
    played, _ = play_out(Swiss(rounds=9), names, by_strength)
    met = Counter(frozenset(game.pairing.entrants) for game in played)
    assert set(met.values()) == {1}
    small = entrants(8)
    played, _ = play_out(Swiss(rounds=7), small, by_strength)
    met = Counter(frozenset(game.pairing.entrants) for game in played)
    assert met == Counter(frozenset(two) for two in combinations(small, 2)), "as a round robin"


def test_the_upper_half_meets_the_lower_half() -> None:
    due = Swiss().due(entrants(6), [])
    assert due is not None
    assert [{*game.entrants} for game in due] == [{"e00", "e03"}, {"e01", "e04"}, {"e02", "e05"}]
    second = Swiss().due(entrants(6), [by_strength(game) for game in due])
    assert second is not None
    # e00, e01, e02 have a point; the third of them meets the first of the others.
    assert [{*game.entrants} for game in second] == [{"e00", "e01"}, {"e02", "e03"}, {"e04", "e05"}]


@settings(deadline=None, max_examples=40)
@given(st.integers(4, 12), st.integers(3, 6), st.integers(0, 2**32))
def test_seats_are_shared(field: int, rounds: int, seed: int) -> None:
    names, rng = entrants(field), Random(seed)
    played, _ = play_out(
        Swiss(rounds=rounds), names, lambda game: ranked(game, rng.choice([(1, 2), (2, 1), (1, 1)]))
    )
    first = Counter(game.pairing.entrants[0] for game in played)
    second = Counter(game.pairing.entrants[1] for game in played)
    assert all(abs(first[name] - second[name]) <= 2 for name in names)


def test_the_bye_goes_to_the_lowest_that_had_none() -> None:
    names = entrants(5)
    played, _ = play_out(Swiss(rounds=5), names, by_strength)
    playing = [{name for game in played if game.pairing.round == number for name in game.pairing.entrants}
               for number in range(5)]  # fmt: skip
    resting = [({*names} - some).pop() for some in playing]
    assert resting[0] == "e04"
    assert sorted(resting) == names
    table = Swiss(rounds=5).standings(names, played)
    assert [line.byes for line in table] == [0.5] * 5
    assert [line.entrant for line in table] == names


@pytest.mark.parametrize("seats", [3, 4])
def test_tables_of_more_are_of_equals(seats: int) -> None:
    names = entrants(2 * seats * 2)
    played, _ = play_out(Swiss(seats=seats, rounds=2), names, by_strength)
    second = [game.pairing for game in played if game.pairing.round == 1]
    points = {line.entrant: line.points for line in Swiss(seats=seats, rounds=2).standings(names, [
        game for game in played if game.pairing.round == 0])}  # fmt: skip
    top = min(second, key=lambda game: game.table)
    assert {points[name] for name in top.entrants} == {1.0}


def test_a_round_that_has_begun_is_not_drawn_again() -> None:
    """A game of the first round is replayed with another result; what is played of the second stays."""
    names, rules = ["a", "b", "c", "d"], Swiss(games=2)
    first = rules.due(names, [])
    assert first is not None
    played = [by_strength(game) for game in first]
    second = rules.due(names, played)
    assert second is not None
    assert [{*game.entrants} for game in second] == [{"a", "b"}, {"a", "b"}, {"c", "d"}, {"c", "d"}]
    changed = [
        ranked(replace(game, attempt=1), [1 if name == "d" else 2 for name in game.entrants])
        for game in first[2:]
    ]
    # Nothing of the second round has been played: it is drawn anew, a with d.
    anew = rules.due(names, [*played, *changed])
    assert anew is not None
    assert [{*game.entrants} for game in anew[::2]] == [{"a", "d"}, {"b", "c"}]
    # The game of a and b has been: neither is free, and c and d have byes.
    begun = [*played, *changed, *map(by_strength, second[:2])]
    assert rules.due(names, begun) is None
    byes = {line.entrant: line.byes for line in rules.standings(names, begun)}
    assert byes == {"a": 0, "b": 0, "c": 0.5, "d": 0.5}


def test_buchholz_and_sonneborn_berger_by_hand() -> None:
    """Four entrants, two rounds: a beats c and b, b beats d, and c ties with d."""
    names = ["a", "b", "c", "d"]
    rules = Swiss(rounds=2)

    def play(game: Pairing) -> Played:
        if {*game.entrants} == {"c", "d"}:
            return ranked(game, (1, 1))
        return by_strength(game)

    played, _ = play_out(rules, names, play)
    assert [{*game.pairing.entrants} for game in played] == [{"a", "c"}, {"b", "d"}, {"a", "b"}, {"c", "d"}]
    table = {line.entrant: line for line in rules.standings(names, played)}
    assert [table[name].points for name in names] == [2.0, 1.0, 0.5, 0.5]
    # points per game, direct encounter, Buchholz and Sonneborn-Berger of points per game, won
    assert table["a"].tiebreaks == (1.0, 0.0, 0.75, 0.75, 2.0)
    assert table["b"].tiebreaks == (0.5, 0.0, 1.25, 0.25, 1.0)
    assert table["c"].tiebreaks == (0.25, 0.5, 1.25, 0.125, 0.0)
    assert table["d"].tiebreaks == (0.25, 0.5, 0.75, 0.125, 0.0)
    assert [table[name].rank for name in names] == [1, 2, 3, 4]
