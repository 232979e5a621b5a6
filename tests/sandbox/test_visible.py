"""What a program sees: its runtime and its own folder, and nothing of anybody else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from touchline.players.by_name import command_of, program_files
from touchline.sandbox.visible import named_files, visible_to

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two bots, a record and a subfolder."""
    for name in ("mine.py", "yours.py", "match.jsonl", "match.jsonl.secret"):
        (tmp_path / name).write_text("x")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "net.bin").write_text("x")
    return tmp_path


def test_a_program_sees_its_own_folder(folder: Path) -> None:
    """The folder of the script that its interpreter runs."""
    assert visible_to(["python3", "mine.py"], folder).own == (str(folder),)
    assert visible_to([str(folder / "mine.py")], folder).own == (str(folder),)
    assert visible_to(command_of("mine.py:Name", folder), folder).own == (str(folder),)


def test_hidden_files_are_left_out_of_the_own_folder(folder: Path) -> None:
    """The programs of the others and the running record; what the command names itself stays."""
    hidden = [folder / name for name in ("mine.py", "yours.py", "match.jsonl", "match.jsonl.secret")]
    seen = visible_to(["python3", "mine.py"], folder, hidden).own
    assert seen == (str(folder / "data"), str(folder / "mine.py"))


def test_a_link_does_not_show_what_is_hidden(folder: Path) -> None:
    """Where something is hidden, links are left out: they may lead to it."""
    (folder / "link").symlink_to(folder / "match.jsonl")
    seen = visible_to(["python3", "mine.py"], folder, [folder / "match.jsonl"]).own
    assert str(folder / "link") not in seen


def test_other_paths_of_a_command_are_shown_too(folder: Path) -> None:
    """Folders and files among the arguments, also behind an equals sign."""
    (folder / "bin").mkdir()
    (folder / "bin" / "bot").write_text("x")
    seen = visible_to([str(folder / "bin" / "bot"), "data", "--net=data/net.bin"], folder)
    assert seen.own == (str(folder / "bin"), str(folder / "data"), str(folder / "data" / "net.bin"))


def test_a_home_folder_is_not_shown_as_a_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a folder that many things share, a program sees only what its command names."""
    monkeypatch.setenv("HOME", str(folder))
    assert visible_to(["python3", "mine.py"], folder).own == (str(folder / "mine.py"),)
    assert visible_to([str(folder / "mine.py")], folder).own == (str(folder / "mine.py"),)
    assert str(folder) not in visible_to(["ls", str(folder)], folder).own


def test_the_files_of_programs_are_known_by_their_words(folder: Path) -> None:
    """House players have none, and a program that is not there neither."""
    words = ["random", "mine.py", "seed-000+yours.py:Name", "process:python3 yours.py", "process:./no_such"]
    assert program_files(words, folder) == (folder / "mine.py", folder / "yours.py", folder / "yours.py")
    assert named_files([sys.executable, "-m", "touchline"], folder) == []


def test_packages_on_the_path_are_seen_and_the_current_folder_is_not(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A virtual environment may take its packages from another one, by a line in a .pth file."""
    packages = tmp_path_factory.mktemp("packages")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [str(folder), "", str(folder.parent), str(packages), *sys.path])
    seen = visible_to(["python3", "-c", ""], folder).runtime
    assert str(packages) in seen
    assert not {str(folder), str(folder.parent)} & set(seen)


def test_a_shim_sees_its_version_manager(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python3` of pyenv is a script that starts the manager, which starts the interpreter."""
    manager = folder / ".pyenv"
    for name in ("shims", "libexec", "versions", "cache"):
        (manager / name).mkdir(parents=True)
    shim = manager / "shims" / "python3"
    shim.write_text("#!/bin/sh\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shim.parent))
    seen = visible_to(["python3", "mine.py"], folder).runtime
    assert {str(manager / name) for name in ("shims", "libexec", "versions")} <= {*seen}
    assert str(manager / "cache") not in seen
