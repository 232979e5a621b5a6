"""`play --show-output` and `--log-players`: what bots print, live and in files."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from cli.commands import shell
from cli.shell import Shell

if TYPE_CHECKING:
    from pathlib import Path

CHATTY = """
import sys
class Chatty:
    def __init__(self):
        print("ready soon")
    def choose(self, view, turn):
        print("I am at", turn)
        print("\\x1b[2J\\x1b]0;mine\\x07", file=sys.stderr)
        return view.legal_moves()[0]
"""
FLOOD = f"{sys.executable} -c 'import os\nwhile True: os.write(2, b\"\\x1b[5mspam\\n\" * 9999)' &"
"""In the background: as much as the pipe takes, as long as the program lives."""
HONEST = f"exec {shlex.quote(sys.executable)} -m touchline.testing.rogues honest"
PLAY = ("play", "hexapawn", "--isolation", "none", "--seed", "1")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.fixture
def chatty(tmp_path: Path) -> str:
    file = tmp_path / "chatty.py"
    file.write_text(CHATTY)
    return str(file)


def test_prints_are_shown_with_the_name(cli: Shell, chatty: str) -> None:
    """Each line behind its player's name, in the order of the turns; nothing on stdout but the result."""
    program = shell("echo 'from the shell' >&2; " + HONEST)
    done = cli.touchline(*PLAY, chatty, program, "--show-output", "--json")
    lines = [line.partition(" | ")[::2] for line in done.stderr.splitlines() if " | " in line]
    mine = [text for name, text in lines if name.startswith(chatty[:10])]
    assert mine[:4] == ["ready soon", "I am at 0", "\\x1b[2J\\x1b]0;mine\\x07", "I am at 2"]
    assert [text for name, text in lines if name.startswith("process:sh")] == ["from the shell"]
    assert "\x1b" not in done.stderr
    assert done.stdout.count("\n") == 1


def test_colours_only_where_they_are_wanted(cli: Shell, chatty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name has the colour of its seat with --color always; NO_COLOR forbids it."""
    words = ("--color", "always", *PLAY, chatty, "random", "--show-output")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[31m" in cli.touchline(*words).stderr
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in cli.touchline(*words).stderr


def test_a_file_for_each_program(cli: Shell, chatty: str, tmp_path: Path) -> None:
    """With the turn and the time of each line; a house player has none. It is not overwritten silently."""
    folder = tmp_path / "logs"
    words = (*PLAY, "random", chatty, "--log-players", str(folder))
    assert cli.touchline(*words).returncode == 0
    assert [path.name for path in folder.iterdir()] == ["seat-1.log"]
    title, *lines = (folder / "seat-1.log").read_text().splitlines()
    assert "chatty.py, seat 1 of hexapawn" in title
    stamps, texts = zip(*[line.split(" s | ") for line in lines], strict=True)
    assert texts[:2] == ("ready soon", "I am at 1")
    assert stamps[0].split()[0] == "start"
    assert stamps[1].split()[:2] == ["turn", "1"]
    assert "seat-1.log exists already" in cli.refused(*words)
    assert cli.touchline(*words, "--force").returncode == 0


def test_a_match_that_does_not_begin_leaves_no_file(cli: Shell, chatty: str, tmp_path: Path) -> None:
    """After a typing error in the second player, the same command works without --force."""
    words = (*PLAY, chatty, "--log-players", str(tmp_path / "logs"))
    cli.refused(*words, "rndom")
    assert cli.touchline(*words, "random").returncode == 0


def test_a_folder_for_each_game(cli: Shell, chatty: str, tmp_path: Path) -> None:
    """The players change seats, and so do their files."""
    folder = tmp_path / "logs"
    words = (*PLAY, "random", chatty, "--log-players", str(folder), "--games", "2")
    assert cli.touchline(*words).returncode == 0
    found = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.log"))
    assert found == ["000000/seat-1.log", "000001/seat-0.log"]
    assert "000000 exists already" in cli.refused(*words)


def test_a_flood_hangs_nothing(cli: Shell, chatty: str, tmp_path: Path) -> None:
    """Megabytes of escape sequences beside a match: it ends, nobody is at fault, the files are bounded."""
    words = (*PLAY, shell(FLOOD + HONEST), chatty, "--show-output", "--log-players", str(tmp_path / "logs"))
    done = cli.touchline(*words, "--strict")
    assert done.returncode == 0, done.stdout
    assert "\x1b" not in done.stderr
    assert "I am at 1" in done.stderr
    assert (tmp_path / "logs" / "seat-0.log").stat().st_size < 20 << 20


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_harms_no_match(cli: Shell, chatty: str, tmp_path: Path) -> None:
    """The match is played, the result is printed, and one line says that the log is not whole."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "seat-0.log").symlink_to("/dev/full")
    done = cli.touchline(*PLAY, chatty, "random", "--log-players", str(folder), "--force")
    assert done.returncode == 1
    assert "won with 1" in done.stdout
    assert "seat-0.log is not a whole log: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
