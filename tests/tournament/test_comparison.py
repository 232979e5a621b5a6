"""How strong the players of many matches are: Elo from points, intervals from distinct games."""

from __future__ import annotations

from typing import Any

import pytest

from touchline.core.events import Result
from touchline.core.rules import Outcome
from touchline.games.hexapawn import Hexapawn
from touchline.matches.many import Matches
from touchline.matches.result import MatchResult
from touchline.tournament.comparison import compare


def game(*ranks: int | None, digest: str | None = None, **more: Any) -> MatchResult:
    """A match with these ranks; without ranks it is void."""
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    outcome = Outcome(winners, ranks, tuple(int(rank == 1) for rank in ranks), "over") if ranks else None
    result = Result(verdict="finished" if ranks else "void", outcome=outcome, reason="over", turns=1)
    return MatchResult(
        game=Hexapawn(), players=("a", "b"), seed=1, result=result, moves_digest=digest, **more
    )  # fmt: skip


def series(*games: MatchResult, seats: int = 2) -> Matches:
    names = ["a", "b", "c"][:seats]
    return Matches(names, games, [[(seat + by) % seats for seat in range(seats)] for by in range(len(games))])


def test_the_share_of_points_is_a_difference_in_elo() -> None:
    """Three of four points are 191 Elo, with the interval on both sides of it; the other has the reverse."""
    games = [game(1, 2), game(2, 1), game(1, 1), game(1, 1)] * 25
    ours, theirs = compare(series(*games)).strengths
    assert ours is not None
    assert theirs is not None
    assert (ours.value, theirs.value) == (190.8, -190.8)
    assert ours.low is not None
    assert ours.high is not None
    assert 100 < ours.low < 190.8 < ours.high < 300
    assert (theirs.low, theirs.high) == (-ours.high, -ours.low)


def test_equals_tie() -> None:
    """Ties are half a point for both, and no evidence for either."""
    ours, _ = compare(series(*[game(1, 1)] * 10)).strengths
    assert ours is not None
    assert ours.value == 0
    assert ours.low == -ours.high  # type: ignore[operator]


def test_who_won_everything_has_only_a_lower_bound() -> None:
    """Three wins of three show little: the bound is below 0, and there is none above."""
    found = compare(series(game(1, 2), game(2, 1), game(1, 2)))
    assert [strength and strength.text for strength in found.strengths] == ["over -43", "under +43"]


def test_copies_are_no_evidence() -> None:
    """A hundred copies of two games leave the interval of two games."""
    two = compare(series(game(1, 2, digest="x"), game(1, 2, digest="y")))
    many = compare(series(*[game(1, 2, digest="x"), game(1, 2, digest="y")] * 50))
    assert (many.games, many.distinct) == (100, 2)
    assert many.strengths == two.strengths
    assert many.note is not None
    assert "2 distinct games of 100" in many.note


def test_void_games_count_for_nobody() -> None:
    """Neither as games nor as evidence; nothing but void games says nothing."""
    found = compare(series(game(1, 2), game(), game(1, 2)))
    assert found.games == 2
    assert found.strengths[0] is not None
    assert found.strengths[0].value is None or found.strengths[0].value > 0
    assert compare(series(game(), game())).strengths == (None, None)


def test_more_than_two_have_ratings() -> None:
    """Of mean 1500, with intervals that hold them; the better has more."""
    found = compare(series(*[game(1, 2, 3), game(2, 3, 1), game(3, 1, 2)] * 5, seats=3))
    values = [strength.value for strength in found.strengths if strength and strength.value]
    assert sum(values) == pytest.approx(4500, abs=1)
    assert values[0] > values[1] > values[2]
    assert all(s and s.low and s.value and s.high and s.low < s.value < s.high for s in found.strengths)
