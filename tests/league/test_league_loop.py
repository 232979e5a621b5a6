"""The coordinator of a league over workers that draw results."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from league.leagues import FakePool, Hall, bot, by_strength, league

if TYPE_CHECKING:
    from pathlib import Path


def test_a_version_is_checked_and_then_plays(tmp_path: Path) -> None:
    """A submission passes its check on every seat, becomes active, and is rated against the house."""
    hall = Hall(tmp_path, league(), FakePool(by_strength(lambda name: 0.0, Random(1))))
    version = hall.desk.submit(hall.token("ann"), bot(), "bot.py")
    assert (version.name, version.status) == ("ann v1", "checking")
    hall.until(lambda: hall.run.gallery.games >= 20)
    assert hall.run.roster.versions["ann v1"].status == "active"
    assert hall.run.skills.of("ann v1").games >= 20
    hall.close()
