"""A cup goes on with the players that it began with, or says that it does not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from touchline.tournament.entrant_files import changed_entrants, hash_of, named_files

from touchline.sandbox.tiers import best
from touchline.tournament import run as run_module
from touchline.tournament.ledger import Conflict, open_ledger
from touchline.tournament.report.data import build_report
from touchline.tournament.verify import verify
from tournament.cups import cup, played

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.run import Run


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "MOST_IN_BATCH", 1)
    monkeypatch.setattr(run_module, "UNSAVED_SECONDS", 0.0)


# The programs cannot be started, because their files are not executable: that is quick, and loses games.


def stop_early(run: Run) -> None:
    run.stopping = run.stopping or len(run.played) > 0


def test_an_entrant_that_changed_is_refused_and_named(tmp_path: Path) -> None:
    bot, where = tmp_path / "bot", str(tmp_path / "cup.db")
    made = cup(options="games = 6", ann="random", bob="process:./bot")
    bot.write_text("one")
    assert not played(made, where, tmp_path, stop_early)[0]
    bot.write_text("two")
    with pytest.raises(Conflict, match=r"bob: bot has changed since the cup began: .* --accept-changes"):
        played(made, where, tmp_path)
    assert not played(made, where, tmp_path, stop_early, accept_changes=True)[0]
    assert played(made, where, tmp_path)[0], "the change was accepted once and for all"
    with open_ledger(where, readonly=True) as ledger:
        acts = [(entry.act, entry.about) for entry in ledger.log()]
        told, proven = build_report(ledger), verify(ledger)
    tier = best()
    assert acts == [
        ("commit", acts[0][1]), ("files", "bob"), ("isolation", tier), ("changed", "bob"),
        ("reveal", acts[4][1]),
    ]  # fmt: skip
    assert "the files of bob were changed during the cup" in told.notes
    assert any(note.startswith(f"isolation {tier}: ") for note in told.notes)
    assert "the files of bob were changed during the cup" in proven.notes
    assert proven.wrong == ()


def test_an_entrant_that_is_as_it_was_goes_on(tmp_path: Path) -> None:
    """Also if its file was gone and put back, and in a cup that is over nothing is compared."""
    bot, where = tmp_path / "bot", str(tmp_path / "cup.db")
    made = cup(options="games = 6", ann="random", bob="process:./bot")
    bot.write_text("one")
    played(made, where, tmp_path, stop_early)
    bot.unlink()
    with pytest.raises(Conflict, match=r"bob: bot has changed"):
        played(made, where, tmp_path)
    bot.write_text("one")
    assert played(made, where, tmp_path)[0]
    bot.unlink()
    assert played(made, where, tmp_path)[0]
    with open_ledger(where, readonly=True) as ledger:
        assert changed_entrants(ledger.log()) == ()


def test_the_files_of_a_command(tmp_path: Path) -> None:
    """A program that is named by its path, and arguments that are files; not an interpreter on the PATH."""
    (tmp_path / "bot.js").write_text("1")
    assert named_files("process:node --fast bot.js other.js", tmp_path) == [tmp_path / "bot.js"]
    assert named_files("process:./bot.js", tmp_path) == [tmp_path / "bot.js"]
    assert named_files(f"process:{sys.executable} bot.js", tmp_path)[1:] == [tmp_path / "bot.js"]
    assert named_files("process:", tmp_path) == named_files("process:'", tmp_path) == []
    before = hash_of([tmp_path / "bot.js"])
    (tmp_path / "bot.js").write_text("2")
    assert hash_of([tmp_path / "bot.js"]) != before != hash_of([tmp_path / "none"])
