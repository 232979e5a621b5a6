"""Bots of every language and game: built with the language's own tool, tested, checked and played."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment, result
from touchline.bundles.submissions import read_submission
from touchline.players.project import read_settings
from touchline.templates.bot import language
from touchline.templates.languages import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow
GAMES = ("fish", "hexapawn", "labyrinth")
NEEDED = ("gcc", "g++", "node", "cargo", "javac")
"""What a machine must have that sets TOUCHLINE_NEED_TOOLCHAINS."""
OFFLINE = {"CARGO_NET_OFFLINE": "true", "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH")
OTHER_TABLES = {
    "fish": "random . random --rules commercial",
    "hexapawn": "random . --rows 8 --cols 7",
    "labyrinth": "random . random --goals 3",
}


def test_a_machine_that_must_have_the_tools_has_them() -> None:
    """Where the tools are promised, nothing below is skipped silently."""
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    assert not (os.environ.get("TOUCHLINE_NEED_TOOLCHAINS") and missing), missing


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_bot_is_built_tested_checked_and_played(
    lang: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All commands of its README, in order; then another table, and the zip that the README makes."""
    if missing := [tool for tool in language(lang).tools if shutil.which(tool) is None]:
        pytest.skip(f"{language(lang).title} needs {' and '.join(missing)}, which this machine does not have")
    monkeypatch.chdir(tmp_path)
    made = result("new", "bot", game, "--lang", lang, "my-own")
    assert made["missing"] == {}
    folder = tmp_path / "my-own"
    monkeypatch.chdir(folder)
    for command in made["next"][1:]:
        _ran(command)
    assert json.loads(_said(language(lang).run, game))["type"] == "ready"
    _ran(f"touchline play {game} {OTHER_TABLES[game]} --strict --seed 5")
    zipped = next(line for line in (folder / "README.md").read_text().splitlines() if line.startswith("zip "))
    if shutil.which("zip"):
        _ran(zipped)
        assert (
            read_submission(folder / "my-own.zip").player
            == read_settings((folder / "touchline.toml").read_bytes()).player
        )


def _said(command: str, game: str) -> str:
    """Return the last line that the bot writes when a match begins and ends; it exits by itself."""
    begin = {
        "type": "begin",
        "protocol": 1,
        "game": game,
        "options": {},
        "seat": 0,
        "names": [],
        "position": {},
    }
    over: dict[str, object] = {
        "type": "over",
        "verdict": "void",
        "outcome": None,
        "reason": "",
        "position": {},
    }
    if command.startswith("python "):
        command = f"{TOUCHLINE[0]} {command.removeprefix('python ')}"
    done = subprocess.run(
        ["sh", "-c", command], input=f"{json.dumps(begin)}\n{json.dumps(over)}\n",
        env=environment(**OFFLINE), capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()[-1]


def _ran(command: str) -> None:
    """Run a command as a user does, with `touchline` and `python` those of these tests."""
    words = command.split()
    if words[0] == "touchline":
        strict = ["--strict"] if words[1] == "play" and "--strict" not in words else []
        patient = ["--seconds", "60"] if words[1] == "check" else []
        words = [*TOUCHLINE, *words[1:], *strict, *patient, "--isolation", "none"]
    elif words[0] == "python":
        words = [TOUCHLINE[0], *words[1:]]
    else:
        words = ["sh", "-c", command]
    done = subprocess.run(
        words, env=environment(**OFFLINE), capture_output=True, text=True, timeout=300, check=False
    )
    if command.startswith("npm install") and any(word in done.stderr for word in UNREACHABLE):
        pytest.skip("npm cannot reach its registry, and TypeScript's compiler comes from there")
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    assert "warning" not in done.stderr.lower().replace("npm warn", ""), (command, done.stderr)
