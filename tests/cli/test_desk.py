"""The desk of people at a terminal: which screen they get, and what the plain one does over a pipe."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest

from cli.commands import touchline
from touchline.cli import _desk

SMALL = ("--rows", "3", "--cols", "3", "--seed", "1")


class Stream:
    """A standard stream of some kind."""

    def __init__(self, *, terminal: bool = True, encoding: str = "utf-8") -> None:
        self.encoding, self._terminal = encoding, terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("stdin", "stdout", "env", "full"),
    [
        (Stream(), Stream(), {}, True),
        (Stream(terminal=False), Stream(), {}, False),
        (Stream(), Stream(terminal=False), {}, False),
        (Stream(), Stream(encoding="ascii"), {}, False),
        (Stream(), Stream(), {"TERM": "dumb"}, False),
        (Stream(), Stream(), {"LC_ALL": "C"}, False),
        (Stream(), Stream(), {"LANG": "POSIX"}, False),
        (Stream(), Stream(), {"NO_COLOR": "1"}, True),
    ],
)
def test_the_full_screen_needs_a_terminal_that_can(
    monkeypatch: pytest.MonkeyPatch, stdin: Stream, stdout: Stream, env: dict[str, str], full: bool
) -> None:
    """Both streams are terminals, it is not dumb, and it shows UTF-8."""
    for name, value in {"TERM": "xterm", "LC_ALL": "", "LANG": "C.UTF-8", **env}.items():
        monkeypatch.setenv(name, value)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        patch.setattr(sys, "stdout", stdout)
        found = _desk.full_screen()
    assert found == full


def test_without_textual_there_is_no_full_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is an extra, and a note says how to get it."""

    def find_spec(name: str, *more: Any) -> None:
        assert name == "textual"

    for name, value in {"TERM": "xterm", "LC_ALL": "", "LANG": "C.UTF-8"}.items():
        monkeypatch.setenv(name, value)
    with monkeypatch.context() as patch:
        patch.setattr(importlib.util, "find_spec", find_spec)
        patch.setattr(sys, "stdin", Stream())
        patch.setattr(sys, "stdout", Stream())
        found = _desk.full_screen()
    assert not found
    assert "pip install 'touchline[tui]'" in capsys.readouterr().err


def test_an_ascii_terminal_costs_nobody_the_game() -> None:
    """What it cannot show is drawn in ASCII: a failure of ours is no player's loss."""
    lines = "?\n0 1 1 1\nresign\nyes\n"
    done = touchline("play", "hexapawn", "human", "random", *SMALL, stdin=lines, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "expelled" not in done.stdout
    assert " 1  .  .  .\n" in done.stdout
    assert "random (blue): 2," in done.stdout
    assert "human (seat 0) resigned" in done.stdout


def test_two_people_hand_over_the_keyboard_at_the_prompt() -> None:
    """Where something is hidden; each sees only the own goal."""
    lines = "\n0 LEFT 0 ?\n? 0 LEFT\npass\n\nresign\nyes\n"
    done = touchline("play", "labyrinth", "human", "human", "--seed", "1", stdin=lines)
    red, _, blue = done.stdout.partition("blue is next: hand over the keyboard, then press Enter")
    assert red.startswith("red is next: hand over the keyboard, then press Enter")
    assert red.count("*") == blue.partition("your move")[0].count("*") == 1
    assert "you are blue (B), human is red" in blue


def test_two_people_share_an_open_board_at_the_prompt() -> None:
    """Nobody is asked to hand anything over, and the end names both."""
    done = touchline("play", "hexapawn", "human", "human", *SMALL, stdin="0 1 1 1\nresign\nyes\n")
    assert "hand over" not in done.stdout
    assert "human (red): 0,1 → 1,1" in done.stdout
    assert "human (red) won: opponent removed. Scores: human (red) 1, human (blue) 0" in done.stdout
