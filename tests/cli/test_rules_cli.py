"""`touchline rules`: the rules of a game in a terminal, in a pipe and as JSON."""

from __future__ import annotations

import os
import pty
import subprocess
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment
from cli.shell import Shell
from readmes import install_nim

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.mark.parametrize("game", ["fish", "hexapawn", "labyrinth"])
@pytest.mark.parametrize("columns", ["200", "80"])
def test_rules_are_plain_in_a_pipe(
    game: str, columns: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """80 columns, no colours, nothing cut off, the pictures and the options."""
    monkeypatch.setenv("COLUMNS", columns)
    done = shell.touchline("rules", game)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout
    assert "…" not in done.stdout
    assert "docs/pictures" not in done.stdout, "a picture file is of no use here"
    assert lines[1] == "=" * len(game)
    assert "illegal:" in done.stdout
    assert any(line.startswith("--rows ") for line in lines)


def test_a_picture_is_the_drawing_of_show(shell: Shell) -> None:
    """The board of the start is drawn as `touchline show` draws it."""
    drawn = shell.touchline("show", "hexapawn", "--rows", "3", "--cols", "3", "--seed", "0").stdout
    text = shell.touchline("rules", "hexapawn").stdout
    for line in drawn.splitlines()[:4]:
        assert f"  {line}\n" in text


def test_colours_where_they_are_asked_for(shell: Shell) -> None:
    """Seats have colours, and code is not quoted twice."""
    text = shell.touchline("--color", "always", "rules", "hexapawn").stdout
    assert "\x1b[1;31m1\x1b[0m" in text
    assert "`" not in text


def test_the_short_version(shell: Shell) -> None:
    """Five lines on stdout."""
    done = shell.touchline("rules", "fish", "--short")
    assert done.stdout.startswith("Put your penguins on the ice, one a turn")
    assert len(done.stdout.splitlines()) == 5


def test_rules_as_json(shell: Shell) -> None:
    """All of it: text, positions with their moves, options."""
    said = shell.result("rules", "labyrinth")
    assert (said["game"], said["title"], said["from_docstring"]) == ("labyrinth", "Labyrinth", False)
    assert said["text"].startswith("# Labyrinth\n")
    shown = said["positions"][1]
    assert shown["legal"][1] == {"type": "pass"}
    assert shown["illegal"][0]["reason"] == "that would undo the last push"
    assert shown["illegal"][0]["move"]["direction"] == "UP"
    assert said["options"][2]["values"] == "0 or more"


def test_without_a_game_they_are_listed(shell: Shell) -> None:
    done = shell.touchline("rules")
    assert [line.split()[0] for line in done.stdout.splitlines()][:3] == ["fish", "hexapawn", "labyrinth"]
    assert "touchline rules GAME" in done.stderr
    assert shell.result("rules")[0]["short"][0].startswith("Put")


def test_an_unknown_game_is_refused(shell: Shell) -> None:
    assert "no game is called 'chess'; there are: fish, hexapawn" in shell.refused("rules", "chess")


def test_a_game_without_a_file_shows_its_docstring(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so on stderr, and names the file to add."""
    install_nim(monkeypatch, tmp_path)
    done = shell.touchline("rules", "nim")
    assert done.stdout.startswith("Take stones from one heap")
    assert "--heaps" in done.stdout
    assert "can add nim_of_others.md beside the game" in done.stderr


def _on_a_terminal(*words: str) -> str:
    """Return what a terminal of 24 lines shows, through a pager that marks each line."""
    theirs, ours = pty.openpty()
    env = environment(PAGER="sed s/^/paged:/", LINES="24", COLUMNS="80", TERM="xterm")
    with subprocess.Popen([*TOUCHLINE, *words], stdin=ours, stdout=ours, stderr=ours, env=env) as running:
        os.close(ours)
        shown = b""
        while True:
            try:
                some = os.read(theirs, 65536)
            except OSError:  # Linux: the last one has closed the other end
                break
            if not some:
                break
            shown += some
        os.close(theirs)
        assert running.wait() == 0
    return shown.decode()


def test_long_rules_are_paged_on_a_terminal() -> None:
    """What is longer than the screen goes through the pager, unless that is not wanted."""
    shown = _on_a_terminal("rules", "hexapawn")
    assert shown.startswith("paged:Hexapawn")
    unpaged = _on_a_terminal("rules", "hexapawn", "--no-pager")
    assert "paged:" not in unpaged
    assert unpaged.startswith("\x1b[1mHexapawn"), "in colour"
