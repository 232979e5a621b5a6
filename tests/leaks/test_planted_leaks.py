"""`check_leaks` finds every planted leak, and none in the code as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from leaks.planted_leaks import PLANTED
from touchline.cli._leak_channels import FEED, PAGE_HINT
from touchline.core import registry
from touchline.games.labyrinth import Labyrinth
from touchline.testing.leaks_check import find_leaks

if TYPE_CHECKING:
    from leaks.planted_leaks import Plant
    from touchline.testing.leak_report import LeakReport

GAME = Labyrinth(rows=5, cols=5, goals=2)


def searched(*dialects: str, page: bool = True) -> LeakReport:
    return find_leaks(
        GAME,
        dialects=[registry.dialect(name) for name in dialects],
        seats=2,
        rounds=2,
        state_channels=[PAGE_HINT] if page else [],
        match_channels=[FEED] if page else [],
    )


@pytest.mark.parametrize(("plant", "dialect", "channel"), PLANTED, ids=[case[0].__name__ for case in PLANTED])
def test_a_planted_leak_is_found(
    plant: Plant, dialect: str, channel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found where it is, with the two worlds' bytes; `PLANTED` has at least ten of them."""
    plant(monkeypatch)
    found = searched(dialect, page="page" in channel)
    assert channel in {leak.channel for leak in found.leaks}, [*map(str, found.leaks)]
    assert all("differs at byte" in str(leak) or "frames in one world" in str(leak) for leak in found.leaks)
    assert len(PLANTED) >= 10


def test_the_code_as_it_is_leaks_nothing() -> None:
    """Every channel of the house is compared, and no seat can tell two worlds apart."""
    dialects = ("labyrinth-course", "native", "seed-003", "seed-004")
    found = searched(*dialects)
    assert found.leaks == []
    channels = {"the record", FEED.name, PAGE_HINT.name, *(f"dialect {name}" for name in dialects)}
    assert all(found.compared[name] > 0 for name in channels)
    assert found.redrawn == ("pool", "reached", "seekers[].found", "seekers[].goal", "seekers[].homeward")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_no_leak_is_found_in_longer_matches(seed: int) -> None:
    """Eight seeds with three seats and six rounds on the default board."""
    game = Labyrinth(goals=3)
    found = find_leaks(game, seed=seed, rounds=6, state_channels=[PAGE_HINT], match_channels=[FEED])
    assert found.leaks == []
