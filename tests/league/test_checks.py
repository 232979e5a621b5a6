"""Compliance checks that workers really play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from league.leagues import LEAGUE, bot, zipped
from touchline.league import checks
from touchline.league.league_file import parse
from touchline.tournament.executors.here import Here

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.leagues import Hall


def test_a_version_that_is_too_slow_for_the_games_is_rejected(open_hall: Callable[..., Hall]) -> None:
    """Its moves are judged by the clock of the league, although its check lets it play to the end."""
    slow = LEAGUE.replace("seconds = 2", "seconds = 0.05").replace("rows = 4\ncols = 4", "rows = 3\ncols = 3")
    hall = open_hall(Here(), parse(slow.format(more=""), "test"))
    source = b"import time\n" + bot().replace(b"        return", b"        time.sleep(0.1)\n        return")
    hall.desk.submit(hall.token("ann"), source, "bot.py")
    hall.until(lambda: hall.run.view.checking == 0)
    version = hall.run.roster.versions["ann v1"]
    assert version.status == "rejected"
    assert "games allow 0.05 s" in version.reason


@pytest.mark.parametrize("word", ["nosuchprogram bot.js", "./missing"])
def test_a_version_that_asks_for_a_missing_program_is_rejected(
    open_hall: Callable[..., Hall], monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """The reason says that it cannot be started, or names the file."""
    monkeypatch.setattr(checks, "AGAIN", 0.0)
    hall = open_hall(Here())
    settings = f'player = "process:{word}"\n'.encode()
    hall.desk.submit(hall.token("ann"), zipped(touchline__toml=settings, bot__js=b"1"), "bot.zip")
    hall.until(lambda: hall.run.view.checking == 0)
    version = hall.run.roster.versions["ann v1"]
    assert version.status == "rejected"
    assert word.split(" ")[0].removeprefix("./") in version.reason
