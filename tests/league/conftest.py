"""Leagues that are closed when their test is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from league.leagues import Hall, league
from tournament.ledger.conftest import postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from touchline.league.league_file import League

__all__ = ["postgres"]


@pytest.fixture
def open_hall(tmp_path: Path) -> Iterator[Callable[..., Hall]]:
    """A function that opens a league in the test's folder, with a worker pool."""
    opened: list[Hall] = []

    def open_one(pool: Any, made: League | None = None) -> Hall:
        opened.append(Hall(tmp_path, made or league(), pool))
        return opened[-1]

    yield open_one
    for hall in opened:
        hall.close()
