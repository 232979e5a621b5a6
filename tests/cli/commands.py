"""Running `touchline` as a user does: a process of its own, its output, its exit code."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import Any

from cli.fork_server import fork_server

TOUCHLINE = [sys.executable, "-m", "touchline"]
SMALL = ("--rows", "4", "--cols", "4")
SANDBOX_NOTE = "isolation "


def environment(**env: str) -> dict[str, str]:
    return {**os.environ, "COLUMNS": "100", **env}


def touchline(*words: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command; if the environment does not change how Python starts, in a forked process."""
    if not any(name.startswith(("PYTHON", "LC_", "LANG")) for name in env):
        return fork_server().run(words, stdin, environment(**env), 60)
    return subprocess.run(
        [*TOUCHLINE, *words],
        input=stdin, capture_output=True, text=True, timeout=60, check=False, env=environment(**env),
    )  # fmt: skip


def result(*words: str, stdin: str = "") -> Any:
    """What it prints as JSON: one value on stdout, and nothing else there."""
    done = touchline(*words, "--json", stdin=stdin)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(done.stdout)


def refused(*words: str, code: int = 2) -> str:
    """The one line that says what is wrong; nothing on stdout, no traceback."""
    done = touchline(*words)
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout == ""
    return done.stderr


def rogue(name: str) -> str:
    """A rogue as a player on the command line."""
    return f"process:{shlex.join([sys.executable, '-m', 'touchline.testing.rogues', name])}"


def shell(code: str) -> str:
    return f"process:{shlex.join(['sh', '-c', code])}"
