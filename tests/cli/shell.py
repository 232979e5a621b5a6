"""The command line in this process: as `cli.commands`, but without the wait for a new one to begin."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from touchline.cli.main import run

if TYPE_CHECKING:
    import pytest


class Shell:
    """Runs commands, and catches what they print."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.setattr(sys, "path", [*sys.path])  # a player from a file adds its folder
        monkeypatch.setenv("TOUCHLINE_TRACEBACK", "1")  # a bug of ours fails the test where it is

    def touchline(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        self._monkeypatch.setattr(sys, "argv", ["touchline", *words])
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = run()
        out, err = self._capsys.readouterr()
        return subprocess.CompletedProcess(words, code, out, err)

    def result(self, *words: str, stdin: str = "") -> Any:
        """What it prints as JSON: one value on stdout, and nothing else there."""
        done = self.touchline(*words, "--json", stdin=stdin)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refused(self, *words: str) -> str:
        """What it says is wrong; nothing is on stdout."""
        done = self.touchline(*words)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr
