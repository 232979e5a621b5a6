"""A terminal for tests: a program in tmux, its screen as text, and keys that are pressed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 45
"""Seconds to wait for something on the screen, on a machine that does much else."""


def needs_tmux() -> None:
    """Skip a test where there is no tmux; fail it if TOUCHLINE_NEED_TMUX is set."""
    if shutil.which("tmux") is None:
        if os.environ.get("TOUCHLINE_NEED_TMUX"):
            pytest.fail("tmux is missing: apt-get install tmux")
        pytest.skip("tmux is missing: apt-get install tmux")


class Tmux:
    """A tmux server of its own with one window, in which one command runs."""

    def __init__(self, folder: Path, columns: int = 80, lines: int = 24) -> None:
        needs_tmux()
        self._folder, self._size, self._runs = folder, (columns, lines), 0

    def run(self, *words: str, **env: str) -> None:
        """Run `touchline` with these words; the window stays when it ends, with its exit code."""
        settings = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **env}
        command = f"{shlex.join(['env', *(f'{key}={value}' for key, value in settings.items())])} "
        command += shlex.join([*TOUCHLINE, *words]) + '; echo "exit code $?"; exec cat'
        columns, lines = self._size
        self.close()
        self._runs += 1
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", f"{columns}", "-y", f"{lines}",
                   "-c", str(self._folder), command)  # fmt: skip

    def _socket(self) -> str:
        return str(self._folder / f"tmux{self._runs}")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket(), *words], capture_output=True, text=True, timeout=30, check=True
        )
        return done.stdout

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names: `Enter`, `Right`, `C-c`."""
        self._tmux("send-keys", *keys)

    def until(self, *texts: str, without: str | None = None) -> str:
        """Wait until the screen shows all of these texts, and return it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            seen = self.screen()
            if all(text in seen for text in texts) and (without is None or without not in seen):
                return seen
            assert time.monotonic() < deadline, f"{texts} did not appear on the screen:\n{seen}"
            time.sleep(0.05)

    def resize(self, columns: int, lines: int) -> None:
        self._tmux("resize-window", "-x", f"{columns}", "-y", f"{lines}")

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket(), "kill-server"], capture_output=True, check=False)
