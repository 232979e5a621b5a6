"""How long a cup takes: the number of its games, its pace, and the time left, all from virtual numbers."""

from __future__ import annotations

import pytest

from touchline.core import registry
from touchline.tournament.forecast import Expected, Pace, expected_games, forecast

NAMES = [f"e{number}" for number in range(12)]


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [
        ("round_robin", {"rounds": 2}, 132),
        ("round_robin", {"rounds": 1, "games": 3}, 198),
        ("gauntlet", {}, 11),
        ("knockout", {"games": 2}, 22),
        ("swiss", {"rounds": 5, "games": 2}, 60),
        ("ladder", {"rounds": 3}, 17),
    ],
)
def test_the_games_of_a_cup_are_counted_before_it_begins(
    name: str, options: dict[str, int], games: int
) -> None:
    assert expected_games(registry.format(name, options), NAMES) == Expected(games, whole=True)


def test_a_large_swiss_is_counted_as_far_as_it_is_known() -> None:
    many = [f"e{number}" for number in range(400)]
    found = expected_games(registry.format("swiss", {}), many)
    assert found == Expected(200, whole=False)
    assert "later rounds that are not counted yet" in forecast(0, found, 2, 10.0).ahead()


def test_the_pace_is_that_of_the_games_without_the_pauses() -> None:
    """A hundred seconds of pause between do not make a run slower."""
    pace, played, now = Pace(2), 0, 0.0
    for paused in (False, True, False):
        for _ in range(100):
            pace.see(now, played, idle=paused)
            now, played = now + 1, played + 5 * (not paused)
    assert pace.per_second == pytest.approx(5, rel=0.03)


def test_until_there_is_a_pace_the_past_stands_in_for_it() -> None:
    """On two workers, games of half a second are four a second, until a run has enough games of its own."""
    new, again = Pace(2), Pace(2, past_seconds=0.5)
    for pace in (new, again):
        for now, games in ((0.0, 100), (1.0, 101), (1.5, 104)):
            pace.see(now, games, idle=False)
    assert (new.per_second, again.per_second) == (None, 4.0)
    for pace in (new, again):
        pace.see(3.0, 121, idle=False)
        assert pace.per_second == 10.0


def test_the_start_of_the_workers_does_not_count() -> None:
    """Ten seconds pass before the first result; then there are five games a second."""
    pace = Pace(2)
    for now in range(10):
        pace.see(float(now), 0, idle=False)
    for now in range(10, 20):
        pace.see(float(now), 5 * (now - 9), idle=False)
    assert pace.per_second == 5.0


def test_one_long_game_is_enough_after_a_while() -> None:
    pace = Pace(1)
    pace.see(0.0, 0, idle=False)
    pace.see(300.0, 1, idle=False)
    assert pace.per_second == pytest.approx(1 / 300)


def test_the_pace_follows_the_latest_minutes() -> None:
    """A cup whose games get slower does not keep its first pace."""
    pace = Pace(1)
    for now in range(1000):
        pace.see(float(now), 100 * now if now < 500 else 50_000 + (now - 500), idle=False)
    assert pace.per_second == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize(
    ("played", "games", "pace", "ahead", "left"),
    [
        (0, 1200, None, "1,200 games on 2 workers; the first ones will show how long that takes", ""),
        (0, 1200, 1.7, "about 12 minutes: 1,200 games on 2 workers", "about 12 minutes left"),
        (1199, 1200, 0.5, "about 2 seconds: 1 more game on 2 workers", "about 2 seconds left"),
        (1200, 1200, 0.5, "about 1 second: 0 more games on 2 workers", ""),
        (1300, 1200, 0.5, "about 1 second: 0 more games on 2 workers", ""),
    ],
)
def test_a_forecast_in_words(played: int, games: int, pace: float | None, ahead: str, left: str) -> None:
    made = forecast(played, Expected(games, whole=True), 2, pace)
    assert (made.ahead(), made.left()) == (ahead, left)
