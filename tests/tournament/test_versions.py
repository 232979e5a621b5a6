"""A cup goes on with the players that it began with, or says which of them has a new version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from touchline.core.errors import BadInput
from touchline.sandbox.tiers import best
from touchline.tournament import run as run_module
from touchline.tournament.ledger import Conflict, LogEntry, open_ledger
from touchline.tournament.report.data import build_report
from touchline.tournament.verify import verify
from touchline.tournament.versions import Version, changed_entrants, version_marks, versions
from tournament.cups import cup, played

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.run import Run


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "MOST_IN_BATCH", 1)
    monkeypatch.setattr(run_module, "UNSAVED_SECONDS", 0.0)


# The programs end at once: that is quick, and loses games.
ONE, TWO = "#!/bin/sh\nexit 1\n", "#!/bin/sh\nexit 2\n"


def write(bot: Path, text: str) -> None:
    bot.write_text(text)
    bot.chmod(0o755)


def stop_early(run: Run) -> None:
    run.stopping = run.stopping or len(run.played) > 0


def test_an_entrant_that_changed_is_refused_and_named(tmp_path: Path) -> None:
    """With `accept_changes` it goes on as version 2, from the next game on, and every reader is told."""
    bot, where = tmp_path / "bot", str(tmp_path / "cup.db")
    made = cup(options="games = 6", ann="random", bob="process:./bot")
    write(bot, ONE)
    assert not played(made, where, tmp_path, stop_early)[0]
    write(bot, TWO)
    with pytest.raises(Conflict, match=r"bob: the files of process:./bot have changed .* --accept-changes"):
        played(made, where, tmp_path)
    assert not played(made, where, tmp_path, stop_early, accept_changes=True)[0]
    assert played(made, where, tmp_path)[0], "the change was accepted once and for all"
    with open_ledger(where, readonly=True) as ledger:
        log = ledger.log()
        told, proven, games = build_report(ledger), verify(ledger), [*ledger.results()]
    tier = best()
    assert [(entry.act, entry.about) for entry in log] == [
        ("commit", log[0].about), ("files", "bob"), ("isolation", tier), ("changed", "bob"),
        ("reveal", log[4].about),
    ]  # fmt: skip
    first, second = versions(log)["bob"]
    before = sum(game.at < second.at for game in games)
    assert (first.game, second.game, first.digest != second.digest) == (1, before + 1, True)
    assert version_marks(log) == {"bob": f"version 2 from game {before + 1}"}
    note = f"the files of bob were changed during the cup: version 2 from game {before + 1}"
    assert note in told.notes
    assert note in proven.notes
    assert proven.wrong == ()


def test_an_entrant_that_is_as_it_was_goes_on(tmp_path: Path) -> None:
    """Also if its file was gone and put back, and in a cup that is over nothing is compared."""
    bot, where = tmp_path / "bot", str(tmp_path / "cup.db")
    made = cup(options="games = 6", ann="random", bob="process:./bot")
    write(bot, ONE)
    played(made, where, tmp_path, stop_early)
    bot.unlink()
    with pytest.raises(BadInput, match=r"entrant bob: there is no file './bot'"):
        played(made, where, tmp_path)
    write(bot, ONE)
    assert played(made, where, tmp_path)[0]
    bot.unlink()
    assert played(made, where, tmp_path)[0]
    with open_ledger(where, readonly=True) as ledger:
        assert changed_entrants(ledger.log()) == ()
        assert version_marks(ledger.log()) == {}


def test_the_log_of_an_earlier_version(tmp_path: Path) -> None:
    """It has hashes of single files, which are shown and not compared with digests of bundles."""
    old, new = "a" * 64, "b" * 64
    log = [
        LogEntry(1.0, "files", "bob", f"{old} bot"),
        LogEntry(2.0, "changed", "bob", f"{new} bot, was {old}: accepted"),
        LogEntry(3.0, "eject", "bob", "left"),
    ]
    assert versions(log) == {"bob": [Version(old, 1.0, 1), Version(new, 2.0, 0)]}
    assert version_marks(log) == {"bob": "version 2"}
