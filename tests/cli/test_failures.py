"""Failures of our own side: one line, an exit code that means it, and no traceback."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import click
import pytest

from cli.commands import TOUCHLINE, environment
from cli.shell import Shell
from touchline.cli import main
from touchline.core.errors import BadInput, NotWritten
from touchline.core.exit_codes import ExitCode

TABLE = Path(__file__).parents[2] / "docs/reference/exit-codes.md"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def to(path: str, *words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run touchline with its stdout in a file."""
    with open(path, "wb") as out:
        return subprocess.run(
            [*TOUCHLINE, *words], stdout=out, stderr=subprocess.PIPE, timeout=60, check=False,
            env=environment(**env),
        )  # fmt: skip


@pytest.mark.parametrize("words", [["games"], ["show", "labyrinth"], ["games", "--json"]], ids=" ".join)
def test_a_full_disk_is_one_line(words: list[str]) -> None:
    """Output that cannot be written is our failure, said once."""
    done = to("/dev/full", *words)
    assert done.returncode == ExitCode.OURS
    assert done.stderr == b"Error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("game", ["fish", "hexapawn", "labyrinth"])
def test_boards_on_a_terminal_that_knows_only_ascii(game: str, tmp_path: Path) -> None:
    """Drawings use look-alikes where the encoding lacks a character, and keep their shape."""
    there, here = tmp_path / "utf8", tmp_path / "ascii"
    assert to(str(there), "show", game, "--seed", "1", PYTHONIOENCODING="utf-8").returncode == 0
    done = to(str(here), "show", game, "--seed", "1", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    drawn = here.read_text("ascii")
    assert "?" not in drawn
    assert [len(line) for line in drawn.splitlines()] == [
        len(line) for line in there.read_text().splitlines()
    ]


def test_a_reader_that_leaves() -> None:
    """`touchline ... | head` ends quietly, as other programs do."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*TOUCHLINE, "games"], stdout=write, stderr=subprocess.PIPE, timeout=60, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (ExitCode.PIPE_CLOSED, b"")


def raising(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def broken() -> None:
        raise error

    monkeypatch.setattr(main.Commands, "get_command", lambda *_: broken)


def test_an_internal_error_is_two_lines_and_a_file(
    monkeypatch: pytest.MonkeyPatch, shell: Shell, tmp_path: Path
) -> None:
    """What nobody expected is called ours, and its traceback is kept for a report."""
    raising(KeyError("seat\x1b[2J"), monkeypatch)
    monkeypatch.delenv("TOUCHLINE_TRACEBACK")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = shell.touchline("games")
    assert done.returncode == ExitCode.OURS
    assert "internal error of touchline" in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    (kept,) = tmp_path.iterdir()
    assert str(kept) in done.stderr
    assert "KeyError" in kept.read_text()


def test_an_internal_error_on_a_full_disk(monkeypatch: pytest.MonkeyPatch, shell: Shell) -> None:
    """Where no file can be written it says how to see the traceback."""
    raising(ZeroDivisionError(), monkeypatch)
    monkeypatch.delenv("TOUCHLINE_TRACEBACK")
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    assert "TOUCHLINE_TRACEBACK=1" in shell.touchline("games").stderr


def test_a_group_of_errors_is_a_line_each(monkeypatch: pytest.MonkeyPatch, shell: Shell) -> None:
    """Errors of several tasks are those errors, not an exception group."""
    both = ExceptionGroup("tasks", [BadInput("no table"), ExceptionGroup("more", [NotWritten("no room")])])
    raising(both, monkeypatch)
    done = shell.touchline("games")
    assert (done.returncode, done.stderr) == (2, "Error: no table\nError: no room\n")


def test_learning_on_a_full_disk(monkeypatch: pytest.MonkeyPatch, shell: Shell, tmp_path: Path) -> None:
    """A memory that cannot be saved is said in one line for all games, and in the end with its name."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("touchline.bots.her.saved", full)
    done = shell.touchline("learn", "hexapawn", f"her:memory={tmp_path / 'her.json'}", "--games", "5")
    assert done.returncode == ExitCode.OURS
    assert "Traceback" not in done.stderr
    assert done.stderr.endswith("Error: cannot save what it has learnt: No space left on device\n")


def test_each_exit_code_has_one_meaning() -> None:
    """The table for people is the table of the code."""
    table = re.findall(r"^\| (\d+) \| (.*) \|$", TABLE.read_text(), re.MULTILINE)
    assert table == [(str(code.value), code.meaning) for code in ExitCode]
