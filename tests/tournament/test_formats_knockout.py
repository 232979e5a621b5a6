"""Knock-out, the Fish course's manager, and the ladder."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.coursework.courses import fish
from touchline.testing.format_check import by_strength, play_out, ranked
from touchline.tournament.formats import fish_manager
from touchline.tournament.formats.fish_manager import FishManager, allocation
from touchline.tournament.formats.knockout import Knockout
from touchline.tournament.formats.ladder import Ladder
from touchline.tournament.pairing import Pairing, Played
from tournament.fields import entrants

if TYPE_CHECKING:
    from collections.abc import Sequence


def sitting(due: Sequence[Pairing] | None) -> list[set[str]]:
    assert due is not None
    return [{*game.entrants} for game in due]


# -- knock-out ------------------------------------------------------------------------------------


def test_top_seeds_have_byes_and_meet_last() -> None:
    names = entrants(6)
    first = Knockout().due(names, [])
    assert sitting(first) == [{"e02", "e05"}, {"e03", "e04"}]
    played, _ = play_out(Knockout(), names, by_strength)
    assert [{*game.pairing.entrants} for game in played[2:]] == [
        {"e00", "e03"}, {"e01", "e02"}, {"e00", "e01"},
    ]  # fmt: skip
    table = Knockout().standings(names, played)
    assert [(line.rank, line.entrant) for line in table] == [
        (1, "e00"), (2, "e01"), (3, "e02"), (3, "e03"), (5, "e04"), (5, "e05"),
    ]  # fmt: skip


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 40))
def test_one_loses_in_every_match_of_two(field: int) -> None:
    names = entrants(field)
    played, _ = play_out(Knockout(), names, by_strength)
    assert len(played) == field - 1
    table = Knockout().standings(names, played)
    assert [line.entrant for line in table[:2]] == names[:2]
    assert 1 + max(game.pairing.round for game in played) == (field - 1).bit_length()


def test_a_match_does_not_wait_for_the_rest_of_the_round() -> None:
    names = entrants(8)
    due = Knockout().due(names, [])
    assert due is not None
    known = [by_strength(game) for game in due if {"e00", "e03"} & {*game.entrants}]
    later = Knockout().due(names, known)
    assert later is not None
    assert {"e00", "e03"} in sitting(later)
    assert len(later) == 3


def test_a_tie_is_replayed_with_other_seats_and_boards_and_then_the_seed_decides() -> None:
    rules, names = Knockout(replays=2), ["a", "b"]
    seen: list[Pairing] = []

    def tie(game: Pairing) -> Played:
        seen.append(game)
        return ranked(game, (1, 1))

    played, _ = play_out(rules, names, tie)
    assert [game.entrants for game in seen] == [("a", "b"), ("b", "a"), ("a", "b")]
    assert len({game.board for game in seen}) == 3
    assert [(line.rank, line.entrant) for line in rules.standings(names, played)] == [(1, "a"), (2, "b")]
    seen.clear()
    played, _ = play_out(rules, names, lambda game: ranked(game, (1, 1) if game.table == 0 else (1, 2)))
    assert [(line.rank, line.entrant) for line in rules.standings(names, played)] == [(1, "b"), (2, "a")]


def test_of_a_table_of_four_those_level_at_the_line_play_again() -> None:
    rules, names = Knockout(seats=4, through=2), entrants(8)
    due = rules.due(names, [])
    assert sitting(due) == [{"e00", "e03", "e04", "e07"}, {"e01", "e02", "e05", "e06"}]
    assert due is not None
    played = [ranked(due[0], (1, 2, 2, 2)), by_strength(due[1])]
    again = rules.due(names, played)
    assert again is not None
    assert [{*game.entrants} for game in again] == [{*due[0].entrants[1:]}]
    played.append(ranked(again[0], (2, 1, 3)))
    final = rules.due(names, played)
    assert sitting(final) == [{due[0].entrants[0], again[0].entrants[1], "e01", "e02"}]


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 4), st.integers(4, 30), st.integers(0, 2**32))
def test_the_best_wins_whatever_the_tables(seats: int, field: int, seed: int) -> None:
    through = Random(seed).choice([some for some in range(1, seats) if seats % some == 0])
    rules, names = Knockout(seats=seats, through=through), entrants(field)
    played, _ = play_out(rules, names, by_strength)
    table = rules.standings(names, played)
    assert (table[0].rank, table[0].entrant) == (1, names[0])
    assert table[1].rank == 2
    assert all(2 <= len(game.pairing.entrants) <= seats for game in played)


def test_the_opponent_of_one_who_left_goes_on() -> None:
    rules, names = Knockout(), entrants(4)
    due = rules.due(names, [])
    assert due is not None
    played = [by_strength(game) for game in due if "e01" not in game.entrants]
    final = rules.due(names, played, ("e01",))
    assert sitting(final) == [{"e00", "e02"}]
    table = rules.standings(names, played, ("e01",))
    assert {line.entrant: line.walkovers for line in table} == {"e00": 0, "e01": 0, "e02": 1, "e03": 0}


# -- the Fish course's manager --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "games"),
    [
        (2, [2]), (3, [3]), (4, [4]), (5, [3, 2]), (6, [4, 2]), (7, [4, 3]), (8, [4, 4]), (9, [4, 3, 2]),
        (10, [4, 4, 2]), (11, [4, 4, 3]), (12, [4, 4, 4]), (13, [4, 4, 3, 2]),
    ],
)  # fmt: skip
def test_how_the_manager_divides_a_round(players: int, games: list[int]) -> None:
    names = entrants(players)
    due = FishManager().due(names, [])
    assert due is not None
    assert [len(game.entrants) for game in due] == games == allocation(players)
    assert [name for game in due for name in game.entrants] == names, "by age, the youngest first"


def test_the_course_and_the_format_divide_alike() -> None:
    assert vars(fish)["allocation"] is fish_manager.allocation


def tied(game: Pairing) -> Played:
    return ranked(game, [1] * len(game.entrants))


def test_four_or_fewer_play_one_final_game() -> None:
    for players in (2, 3, 4):
        names = entrants(players)
        played, _ = play_out(FishManager(), names, by_strength)
        assert [game.pairing.entrants for game in played] == [tuple(names)]
        played, _ = play_out(FishManager(), names, tied)
        assert len(played) == 1
        assert {line.rank for line in FishManager().standings(names, played)} == {1}


def test_two_rounds_with_the_same_winners_are_the_end() -> None:
    names = entrants(9)
    played, _ = play_out(FishManager(), names, tied)
    assert [game.pairing.round for game in played] == [0, 0, 0, 1, 1, 1]
    assert {line.rank for line in FishManager().standings(names, played)} == {1}


def test_one_round_without_a_loser_is_not_the_end() -> None:
    names = entrants(6)
    played, _ = play_out(FishManager(), names, lambda game: by_strength(game) if game.round else tied(game))
    assert [(game.pairing.round, game.pairing.entrants) for game in played] == [
        (0, ("e00", "e01", "e02", "e03")), (0, ("e04", "e05")),
        (1, ("e00", "e01", "e02", "e03")), (1, ("e04", "e05")),
        (2, ("e00", "e04")),
    ]  # fmt: skip


def test_fewer_than_two_are_left_and_win() -> None:
    """Of the second game nobody is left."""
    names = entrants(5)

    def play(game: Pairing) -> Played:
        if "e03" in game.entrants:
            return Played(game, "finished", (), (None, None), (0, 0), (0, 1))
        return by_strength(game)

    played, _ = play_out(FishManager(), names, play)
    assert len(played) == 2
    table = FishManager().standings(names, played)
    assert (table[0].rank, table[0].entrant) == (1, "e00")
    assert [line.expulsions for line in table] == [0, 0, 0, 1, 1]


def test_all_may_be_thrown_out() -> None:
    def play(game: Pairing) -> Played:
        seats = range(len(game.entrants))
        return Played(game, "finished", (), tuple(None for _ in seats), expelled=tuple(seats))

    played, _ = play_out(FishManager(), entrants(5), play)
    assert len(played) == 2


def test_the_winners_of_a_round_sit_by_age_again() -> None:
    names = entrants(10)
    first = FishManager().due(names, [])
    assert first is not None
    played = [ranked(game, [2] * (len(game.entrants) - 1) + [1]) for game in first]
    final = FishManager().due(names, played)
    assert final is not None
    assert [game.entrants for game in final] == [("e03", "e07", "e09")]


def test_how_many_rounds_players_take_that_never_tie() -> None:
    for players, rounds in ((5, 2), (10, 2), (17, 3)):
        played, _ = play_out(FishManager(), entrants(players), by_strength)
        assert 1 + max(game.pairing.round for game in played) == rounds


# -- ladder ---------------------------------------------------------------------------------------


def test_neighbours_meet_and_the_winner_moves_up() -> None:
    names = ["a", "b", "c", "d", "e"]
    rules = Ladder(rounds=2)
    due = rules.due(names, [])
    assert sitting(due) == [{"a", "b"}, {"c", "d"}]
    assert due is not None
    played = [ranked(game, [2 if name in "ac" else 1 for name in game.entrants]) for game in due]
    assert [line.entrant for line in rules.standings(names, played)] == ["b", "a", "d", "c", "e"]
    second = rules.due(names, played)
    assert sitting(second) == [{"a", "d"}, {"c", "e"}]
    assert second is not None
    played += [ranked(game, (1, 1)) for game in second]
    assert [line.entrant for line in rules.standings(names, played)] == ["b", "a", "d", "c", "e"]
    assert rules.due(names, played) is None


@settings(deadline=None, max_examples=25)
@given(st.permutations(entrants(9)), st.integers(2, 4))
def test_the_best_climbs_to_the_top(names: list[str], seats: int) -> None:
    """As many rounds as entrants sort a ladder of neighbours, if the stronger always wins."""
    rules = Ladder(seats=seats)
    played, _ = play_out(rules, names, by_strength)
    table = rules.standings(names, played)
    assert table[0].entrant == "e00"
    if seats == 2:
        assert [line.entrant for line in table] == sorted(names)


def test_who_left_the_ladder_goes_to_its_foot() -> None:
    names = ["a", "b", "c", "d"]
    rules = Ladder()
    due = rules.due(names, [], ("b",))
    assert sitting(due) == [{"c", "d"}]
    assert due is not None
    played = [by_strength(game) for game in due]
    assert [line.entrant for line in rules.standings(names, played, ("b",))] == ["a", "c", "d", "b"]
    assert sitting(rules.due(names, played, ("b",))) == [{"c", "d"}]


def test_who_leaves_a_table_between_two_games_has_climbed_by_the_first() -> None:
    """The first game is played by three and turns their order around, the second by the two that stayed."""
    names, rules = ["a", "b", "c"], Ladder(seats=3, games=2, rounds=1)
    due = rules.due(names, [])
    assert due is not None
    played = [ranked(due[0], [3 - names.index(name) for name in due[0].entrants])]
    rest = rules.due(names, played, ("a",))
    assert sitting(rest) == [{"b", "c"}]
    assert rest is not None
    played += [ranked(game, [1 if name == "b" else 2 for name in game.entrants]) for game in rest]
    assert [line.entrant for line in rules.standings(names, played, ("a",))] == ["b", "c", "a"]


def test_a_seed_draws_lots() -> None:
    names = entrants(8)
    makes: list[Any] = [Knockout, Ladder]
    for make in makes:
        assert sitting(make(seed=5).due(names, [])) == sitting(make(seed=5).due(names, []))
        assert len({str(make(seed=seed).due(names, [])) for seed in range(6)}) > 3
