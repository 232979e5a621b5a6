"""Boards, seats, byes and opponents are shared out within the bounds that docs/tournaments.md states."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from touchline.testing.format_check import by_strength, play_out, ranked
from touchline.tournament.formats.gauntlet import Gauntlet
from touchline.tournament.formats.knockout import Knockout
from touchline.tournament.formats.ladder import Ladder
from touchline.tournament.formats.round_robin import RoundRobin
from touchline.tournament.formats.shared.boards import spread
from touchline.tournament.formats.shared.schedule import Schedule
from touchline.tournament.formats.shared.seating import fewest
from touchline.tournament.formats.swiss import Swiss
from touchline.tournament.pairing import Pairing
from tournament.fairness import bounds, measured, random_cup, simulated
from tournament.fields import entrants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.pairing import Played

EVERYDAY, MANY = 90, 10_000


def check_cups(seeds: range) -> None:
    for seed in seeds:
        rules, names, rng = random_cup(seed)
        played = simulated(rules, names, rng)
        found, promised = measured(rules, names, played), bounds(rules, len(names), played)
        for one, most, what in zip(found, promised, found._fields, strict=True):
            assert one <= most, (seed, rules, len(names), what, found, promised)


def test_cups_keep_the_bounds() -> None:
    """Random cups in all formats, of 2 to 60 entrants, on one to four boards."""
    check_cups(range(EVERYDAY))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_cups_keep_the_bounds(part: int) -> None:
    """As above, with other seeds."""
    check_cups(range(MANY // 10 * part, MANY // 10 * (part + 1)))


# -- boards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boards", [2, 3, 4])
@pytest.mark.parametrize("field", range(2, 15))
def test_pairs_are_spread_over_boards_where_that_is_possible(field: int, boards: int) -> None:
    """It is impossible only if everybody must play each board equally often, which adds up to an odd sum."""
    names = entrants(field)
    played = simulated(RoundRobin(boards=boards), names, Random(0))
    each, rest = divmod(field - 1, boards)
    apart = measured(RoundRobin(boards=boards), names, played).boards
    assert apart == 2 if not rest and field * each % 2 else apart <= 1


def test_three_entrants_on_two_boards_cannot_be_even() -> None:
    """The bound of two is the best there is: with either board for each of three games, one is uneven."""
    games = [*combinations("abc", 2)]
    for boards in range(8):
        counts = Counter((name, boards >> game & 1) for game, two in enumerate(games) for name in two)
        assert max(abs(counts[name, 0] - counts[name, 1]) for name in "abc") == 2


def test_a_knock_out_uses_all_its_boards() -> None:
    """The winner of eight plays its three matches on three boards."""
    names = entrants(8)
    played, _ = play_out(Knockout(boards=3), names, by_strength)
    assert [game.pairing.board % 3 for game in played if "e00" in game.pairing.entrants] == [0, 1, 2]


def test_each_opponent_in_a_gauntlet_plays_every_board() -> None:
    names = entrants(5)
    played, _ = play_out(Gauntlet(rounds=2, boards=2), names, by_strength)
    on = Counter((name, game.pairing.board % 2) for game in played for name in game.pairing.entrants)
    assert all(on[name, 0] == on[name, 1] for name in names)


def test_a_rotation_that_has_begun_stays_on_its_board() -> None:
    """The first game of the position 5 was played on board 2, though it is the turn of board 0."""
    first, second = Pairing(0, 0, ("a", "b"), 5), Pairing(0, 1, ("b", "a"), 5)
    begun = by_strength(replace(first, board=5 * 3 + 2))
    schedule = Schedule([begun], (), ["a", "b"], tables=4, boards=3)
    assert schedule.play([first, second]) is None
    assert schedule.due == [replace(second, board=5 * 3 + 2)]


def test_matches_of_several_sizes_have_positions_of_their_own() -> None:
    """Tables of four and of three need one and two positions for four games."""
    names = entrants(7)
    due = Swiss(seats=4, games=4).due(names, [])
    assert due is not None
    tables: dict[int, set[frozenset[str]]] = {}
    for game in due:
        tables.setdefault(game.board, set()).add(frozenset(game.entrants))
    assert all(len(groups) == 1 for groups in tables.values())


def test_spreading_is_the_same_again() -> None:
    groups = [tuple(group) for group in combinations("abcdefgh", 3)]
    assert spread(groups, 3) == spread([*groups], 3)


# -- Swiss: tables, byes, rematches -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "seats", "sizes"), [(7, 4, [4, 3]), (5, 4, [3, 2]), (9, 4, [3, 3, 3]), (7, 3, [3, 2, 2])]
)
def test_tables_are_smaller_before_anybody_rests(field: int, seats: int, sizes: list[int]) -> None:
    due = Swiss(seats=seats).due(entrants(field), [])
    assert due is not None
    assert [len(game.entrants) for game in due] == sizes


def test_a_smallest_table_lets_the_rest_have_byes() -> None:
    """For a game that four play, and not three: at most one bye each until all have had one."""
    names, rules = entrants(7), Swiss(seats=4, smallest=4, rounds=2)
    played, _ = play_out(rules, names, by_strength)
    assert {len(game.pairing.entrants) for game in played} == {4}
    assert sorted(line.byes for line in rules.standings(names, played)) == [0.0, *[0.5] * 6]


@pytest.mark.parametrize("games", [1, 40])
def test_a_bye_is_worth_the_average_of_one_game(games: int) -> None:
    names, rules = entrants(5), Swiss(games=games, rounds=3)
    played, _ = play_out(rules, names, by_strength)
    table = rules.standings(names, played)
    assert {line.byes for line in table} == {0.0, 0.5}
    assert [line.entrant for line in table] == sorted(names), "and it decides nothing"


def test_one_who_is_always_expelled_is_last() -> None:
    """Seven entrants at tables of four: byes do not save it in any of twenty cups."""
    names, rules = entrants(7), Swiss(seats=4, rounds=5)
    for seed in range(20):
        rng = Random(seed)

        def play(game: Pairing, rng: Random = rng) -> Played:
            others = iter(rng.sample(range(1, len(game.entrants)), len(game.entrants) - 1))
            ranks = [None if name == "e03" else next(others, 1) for name in game.entrants]
            if "e03" not in game.entrants:
                ranks = [*rng.sample(range(1, len(game.entrants) + 1), len(game.entrants))]
            return ranked(game, ranks)

        played, _ = play_out(rules, names, play)
        last = rules.standings(names, played)[-1]
        assert (last.entrant, last.points) == ("e03", 0.0)


@pytest.mark.parametrize("field", [4, 6, 8, 10])
def test_a_swiss_of_all_rounds_is_a_round_robin(field: int) -> None:
    """Whatever the results. Drawn round by round, 6 entrants had 12 rematches in 20 cups."""
    names, rules = entrants(field), Swiss(rounds=field - 1)
    for seed in range(20):
        played = simulated(rules, names, Random(seed))
        assert Counter(frozenset(game.pairing.entrants) for game in played) == Counter(
            frozenset(two) for two in combinations(names, 2)
        )


@pytest.mark.slow
@pytest.mark.parametrize(("field", "rounds"), [(20, 19), (30, 20), (36, 18), (40, 39)])
def test_many_rounds_of_a_larger_field(field: int, rounds: int) -> None:
    """Neither half as many rounds as entrants nor nearly all of them cost a rematch or a seat."""
    names, rules = entrants(field), Swiss(rounds=rounds, boards=2)
    for seed in range(3):
        found = measured(rules, names, simulated(rules, names, Random(seed)))
        assert (found.seats, found.met, found.byes) == (0, 1, 0)
        assert found.boards <= 1


@pytest.mark.parametrize("field", [4, 5, 6, 8])
def test_several_cycles_have_equal_opponents(field: int) -> None:
    """Nobody meets the same opponent a third time before it has met all twice."""
    rounds = 5 * (field - 1) // 2
    names, rules = entrants(field), Swiss(rounds=rounds)
    for seed in range(3):
        found = measured(rules, names, simulated(rules, names, Random(seed)))
        assert found.met == -(-rounds // (field - 1 + field % 2))


def test_a_second_cycle_begins_when_all_have_met() -> None:
    names, rules = entrants(4), Swiss(rounds=7)
    played = simulated(rules, names, Random(3))
    met = Counter(frozenset(game.pairing.entrants) for game in played)
    assert sorted(met.values()) == [2, 2, 2, 2, 3, 3]


def test_an_odd_field_of_all_rounds_gives_everybody_one_bye() -> None:
    names, rules = entrants(7), Swiss(rounds=7)
    for seed in range(10):
        played = simulated(rules, names, Random(seed))
        assert [line.byes for line in rules.standings(names, played)] == [0.5] * 7
        assert len({frozenset(game.pairing.entrants) for game in played}) == 21


# -- withdrawals and void games -----------------------------------------------------------------------


def test_a_game_declared_void_takes_nobodys_later_bye() -> None:
    """An entrant has a bye and later games, and is ejected; then its first game is declared void."""
    names, rules = entrants(5), Swiss(rounds=4)
    played, _ = play_out(rules, names, by_strength)
    for out in names:
        before = {line.entrant: line for line in rules.standings(names, played, [out])}
        mine = [game for game in played if out in game.pairing.entrants]
        left = [game for game in played if game is not mine[0]]
        after = {line.entrant: line for line in rules.standings(names, left, [out])}
        assert after[out].byes == before[out].byes
        (other,) = {*mine[0].pairing.entrants} - {out}
        assert after[other].walkovers == before[other].walkovers + 1
        assert rules.due(names, left, [out]) is None


# -- large fields: work is counted, not timed ---------------------------------------------------------


def test_the_work_of_a_draw_grows_no_faster_than_the_square(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts the questions whether two may meet, over the second round of fields twice as large."""
    from touchline.tournament.formats.shared import pair_draw

    asked: Counter[int] = Counter()
    fit = pair_draw._Field._fit

    def counted(self: pair_draw._Field, one: int, other: int, strict: int) -> bool:
        asked[self.size] += 1
        return fit(self, one, other, strict)

    monkeypatch.setattr(pair_draw._Field, "_fit", counted)
    for field in (100, 200, 400):
        names, rules = entrants(field), Swiss(rounds=4)
        played = [by_strength(game) for game in rules.due(names, []) or ()]
        for _ in range(2):
            played += [by_strength(game) for game in rules.due(names, played) or ()]
    assert asked[400] <= 4.4 * asked[200] <= 4.4 * 4.4 * asked[100]


def test_a_ladder_that_was_played_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the round that is due is seated, however many were played before."""
    names, rules = entrants(20), Ladder(rounds=6)
    played, _ = play_out(rules, names, by_strength)
    seated: list[Sequence[str]] = []

    def counted(group: Sequence[str], excess: Counter[tuple[str, int]], games: int) -> tuple[str, ...]:
        seated.append(group)
        return fewest(group, excess, games)

    monkeypatch.setattr("touchline.tournament.formats.ladder.fewest", counted)
    due = rules.due(names, [game for game in played if game.pairing.round < 5])
    assert due is not None
    assert len(seated) == len(due)
