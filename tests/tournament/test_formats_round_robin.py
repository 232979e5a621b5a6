"""Round robin and gauntlet: all meet all, equally often, in every seat."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.testing.format_check import by_strength, play_out, ranked
from touchline.tournament.formats.gauntlet import Gauntlet
from touchline.tournament.formats.round_robin import RoundRobin
from touchline.tournament.formats.shared.designs import developed, everybody, in_rounds
from touchline.tournament.formats.shared.seating import evenly
from tournament.fields import entrants

if TYPE_CHECKING:
    from touchline.tournament.pairing import Pairing


def meetings(games: list[Pairing]) -> Counter[frozenset[str]]:
    return Counter(frozenset(two) for game in games for two in combinations(game.entrants, 2))


def unevenness(games: list[Pairing], names: list[str], seats: int) -> int:
    """The most that anybody sits oftener in one seat than in another."""
    sat = Counter((name, seat) for game in games for seat, name in enumerate(game.entrants))
    return max(
        max(sat[name, seat] for seat in range(seats)) - min(sat[name, seat] for seat in range(seats))
        for name in names
    )


@pytest.mark.parametrize("field", range(2, 14))
def test_two_at_a_table_all_meet_once(field: int) -> None:
    names = entrants(field)
    due = RoundRobin().due(names, [])
    assert due is not None
    assert meetings(due) == Counter(frozenset(two) for two in combinations(names, 2))
    assert unevenness(due, names, 2) <= 1
    # In the fewest rounds there can be, and nobody twice in one.
    assert 1 + max(game.round for game in due) == field - 1 + field % 2
    for number in range(field - 1):
        sitting = [name for game in due if game.round == number for name in game.entrants]
        assert len({*sitting}) == len(sitting) == field - field % 2


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("field", [*range(6, 26), 40, 100])
def test_more_at_a_table_all_meet_nearly_equally_often(seats: int, field: int) -> None:
    names = entrants(field)
    due = RoundRobin(seats=seats).due(names, [])
    assert due is not None
    met = meetings(due)
    often = [met[frozenset(two)] for two in combinations(names, 2)]
    assert min(often) >= 1
    assert max(often) - min(often) <= 2
    assert unevenness(due, names, seats) <= 1
    assert {*Counter(name for game in due for name in game.entrants).values()} == {seats * len(due) // field}


@pytest.mark.parametrize(("field", "seats", "games"), [(7, 3, 7), (13, 4, 13), (13, 3, 39), (11, 5, 11)])
def test_cyclic_designs_of_a_known_size(field: int, seats: int, games: int) -> None:
    """Fano's plane and the projective plane of order 3 are found; each pair meets equally often in both."""
    blocks = [*developed(field, seats, 1)]
    assert len(blocks) == games
    met = Counter(frozenset(two) for block in blocks for two in combinations(block, 2))
    if (field, seats) != (13, 3):
        assert len({*met.values()}) == 1
    assert len(met) == field * (field - 1) // 2


@pytest.mark.parametrize(("field", "seats"), [(4, 3), (5, 3), (6, 3), (8, 3), (5, 4), (6, 4), (7, 4)])
def test_few_groups_are_all_played(field: int, seats: int) -> None:
    groups = everybody(field, seats, 1)
    assert sorted(tuple(sorted(group)) for group in groups) == [*combinations(range(field), seats)]


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 10), st.integers(2, 4), st.integers(1, 3), st.integers(1, 5), st.booleans())
def test_seats_rotate_and_pairs_share_a_board(
    field: int, seats: int, rounds: int, games: int, paired: bool
) -> None:
    names = entrants(max(field, seats))
    due = RoundRobin(seats=seats, rounds=rounds, games=games, paired=paired).due(names, [])
    assert due is not None
    assert unevenness(due, names, seats) <= (1 if games == 1 or games % seats == 0 or seats == 2 else 2)
    boards: dict[int, list[Pairing]] = {}
    for game in due:
        boards.setdefault(game.board, []).append(game)
    for together in boards.values():
        assert len(together) <= (seats if paired else 1)
        assert len({frozenset(game.entrants) for game in together}) == 1
        for seat in range(seats):
            assert len({game.entrants[seat] for game in together}) == len(together)
    assert len(boards) == len(due) // games * (-(-games // seats) if paired else games)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=3, max_size=3).map(sorted), max_size=60))
def test_any_list_of_games_can_be_seated_evenly(groups: list[list[str]]) -> None:
    seated = evenly(groups)
    assert [sorted(group) for group in seated] == groups
    sat = Counter((name, seat) for group in seated for seat, name in enumerate(group))
    for name in "abcdefgh":
        counts = [sat[name, seat] for seat in range(3)]
        assert max(counts) - min(counts) <= 1


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.sets(st.integers(0, 9), min_size=2, max_size=4).map(lambda group: (*sorted(group),)), max_size=40
    )
)
def test_nobody_sits_twice_in_a_round(groups: list[tuple[int, ...]]) -> None:
    rounds = in_rounds(groups)
    assert sorted(group for part in rounds for group in part) == sorted(groups)
    for part in rounds:
        sitting = [member for group in part for member in group]
        assert part
        assert len({*sitting}) == len(sitting)


def test_the_best_of_all_comes_first() -> None:
    names = entrants(6)
    played, _ = play_out(RoundRobin(games=2), names, by_strength)
    table = RoundRobin(games=2).standings(names, played)
    assert [(line.rank, line.entrant, line.points) for line in table] == [
        (rank, name, 2.0 * (6 - rank)) for rank, name in enumerate(names, 1)
    ]


def test_direct_encounter_decides_before_sonneborn_berger() -> None:
    """b beat a and both have two points of three."""
    names = ["a", "b", "c", "d"]
    winners = {"ab": "b", "ac": "a", "ad": "a", "bc": "b", "bd": "d", "cd": "c"}

    def play(game: Pairing) -> Any:
        winner = winners["".join(sorted(game.entrants))]
        return ranked(game, [1 if name == winner else 2 for name in game.entrants])

    played, _ = play_out(RoundRobin(), names, play)
    table = RoundRobin().standings(names, played)
    assert [(line.rank, line.entrant, line.points) for line in table] == [
        (1, "b", 2.0), (2, "a", 2.0), (3, "c", 1.0), (4, "d", 1.0),
    ]  # fmt: skip
    # Points, then the game between the two, then the points of those beaten.
    assert table[0].tiebreaks == (2.0, 1.0, 3.0, 2.0)
    assert table[2].tiebreaks == (1.0, 1.0, 1.0, 1.0)


def test_all_equal_is_all_first() -> None:
    names = entrants(4)
    played, _ = play_out(RoundRobin(), names, lambda game: ranked(game, (1, 1)))
    assert [line.rank for line in RoundRobin().standings(names, played)] == [1, 1, 1, 1]


def test_who_drops_out_loses_what_it_has_not_played() -> None:
    names = ["a", "b", "c"]
    due = RoundRobin().due(names, [])
    assert due is not None
    first = next(game for game in due if {*game.entrants} == {"a", "c"})
    played = [ranked(first, [1 if name == "c" else 2 for name in first.entrants])]
    rest = RoundRobin().due(names, played, ("c",))
    assert rest is not None
    assert [{*game.entrants} for game in rest] == [{"a", "b"}]
    played.append(ranked(rest[0], [1 if name == "a" else 2 for name in rest[0].entrants]))
    assert RoundRobin().due(names, played, ("c",)) is None
    lines = {line.entrant: line for line in RoundRobin().standings(names, played, ("c",))}
    assert (lines["c"].points, lines["c"].won, lines["c"].out) == (1.0, 1, True)
    assert (lines["b"].points, lines["b"].games, lines["b"].walkovers) == (1.0, 1, 1)


def test_a_table_that_somebody_left_is_played_by_the_rest() -> None:
    names = ["a", "b", "c", "d"]
    rules = RoundRobin(seats=4)
    due = rules.due(names, [], ("c",))
    assert due is not None
    assert [game.entrants for game in due] == [("a", "b", "d")]
    assert due[0].table != 0, "the game of four may have been given out under that number"
    later = rules.due(names, [], ("c", "a"))
    assert later is not None
    assert [game.entrants for game in later] == [("b", "d")]
    played = [ranked(due[0], (1, 2, 3))]
    assert rules.due(names, played, ("c", "a")) is None


def test_a_gauntlet_is_run_against_all_the_others() -> None:
    names = entrants(7)
    due = Gauntlet(challengers=2, games=2).due(names, [])
    assert due is not None
    assert meetings(due) == Counter({frozenset((one, other)): 2 for one in names[:2] for other in names[2:]})
    assert unevenness(due, names, 2) == 0


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 4), st.integers(4, 12), st.integers(1, 3), st.integers(1, 3))
def test_a_gauntlet_of_more_at_a_table(seats: int, field: int, challengers: int, rounds: int) -> None:
    names = entrants(field)
    challengers = min(challengers, field - seats + 1)
    due = Gauntlet(seats=seats, challengers=challengers, rounds=rounds).due(names, [])
    assert due is not None
    met = meetings(due)
    for one in names[:challengers]:
        for other in names[challengers:]:
            assert rounds <= met[frozenset((one, other))] <= 2 * rounds
    assert unevenness(due, names, seats) <= 1


def test_a_gauntlet_ranks_by_the_share_of_points() -> None:
    names, order = ["challenger", "weak", "strong"], ("strong", "challenger", "weak")
    won = {order[:2], order[1:]}
    played, _ = play_out(
        Gauntlet(), names, lambda game: ranked(game, (1, 2) if game.entrants in won else (2, 1))
    )
    table = Gauntlet().standings(names, played)
    assert [(line.entrant, line.points) for line in table] == [
        ("strong", 1.0), ("challenger", 1.0), ("weak", 0.0),
    ]  # fmt: skip


def test_a_walkover_is_a_game_in_the_share_of_points() -> None:
    """The challenger had half of its points for nothing, and lost the only game that it played."""
    names = ["challenger", "gone", "other"]
    due = Gauntlet().due(names, [])
    assert due is not None
    (game,) = (pairing for pairing in due if "gone" not in pairing.entrants)
    ranks = [1 if entrant == "other" else 2 for entrant in game.entrants]
    table = Gauntlet().standings(names, [ranked(game, ranks)], ["gone"])
    assert [(line.rank, line.entrant, line.tiebreaks[0]) for line in table] == [
        (1, "other", 1.0), (2, "challenger", 0.5), (3, "gone", 0.0),
    ]  # fmt: skip
