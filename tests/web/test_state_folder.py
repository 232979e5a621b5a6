"""The folder in which the page keeps its games by default: the user's own, one per server, and bounded."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from touchline.records.record_folder import RecordFolder
from touchline.web import state_folder
from touchline.web.state_folder import page_folder, state_home

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the XDG base directories say; a relative name does not count, and only the owner can read it."""
    assert state_home({"XDG_STATE_HOME": "relative"}) is None
    assert state_home({"XDG_STATE_HOME": "relative", "HOME": "/h"}) == state_home({"HOME": "/h"})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = page_folder()
    assert folder == tmp_path / "touchline" / "page"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_one_folder_for_each_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(state_folder, "MOST_FOLDERS", 2)
    found = []
    locks = []
    for _ in range(3):
        folder = page_folder()
        found.append(None if folder is None else folder.name)
        if folder is not None:
            locks.append(os.open(folder, os.O_RDONLY))
            fcntl.flock(locks[-1], fcntl.LOCK_EX)
    assert found == ["page", "page-2", None]
    for lock in locks:
        os.close(lock)


def test_no_folder_where_none_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is served all the same."""
    (tmp_path / "touchline").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert page_folder() is None
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    assert page_folder() is None


def test_old_games_are_removed(tmp_path: Path) -> None:
    """The newest are kept, and so is every game that is not over."""
    for number in range(6):
        file = tmp_path / f"{number:06}.jsonl"
        file.write_text("{}\n")
        os.utime(file, (number, number))
    (tmp_path / "000000.jsonl.secret").write_text("{}")
    RecordFolder(tmp_path).tidy()
    assert len([*tmp_path.glob("*.jsonl")]) == 6
    RecordFolder(tmp_path, most=2).tidy()
    assert sorted(file.name for file in tmp_path.glob("*.jsonl")) == [
        "000000.jsonl", "000004.jsonl", "000005.jsonl",
    ]  # fmt: skip
