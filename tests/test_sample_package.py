"""A package of somebody else, `tests/sample`, is installed into an empty environment and used."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

import touchline

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

SAMPLE = Path(__file__).with_name("sample")
SOURCE = Path(touchline.__file__).parents[1]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment with Touchline, what it needs, and the sample package."""
    folder = tmp_path_factory.mktemp("club")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    needed = Path(pytest.__file__).parents[1]
    (packages / "touchline_and_its_needs.pth").write_text(f"{SOURCE}\n{needed}\n")
    shutil.copytree(SAMPLE, folder / "sample")
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", str(folder / "sample")]
    subprocess.run(install, check=True, timeout=300)
    return str(python)


@pytest.fixture
def says(python: str, tmp_path: Path) -> Callable[..., str]:
    """Run a command of Touchline in that environment, in a folder of its own, and return its output."""

    def run(*words: str) -> str:
        done = subprocess.run(
            [python, "-m", "touchline", *words],
            cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


# -- what is listed and checked ------------------------------------------------------------------------


def test_the_sample_has_one_of_everything() -> None:
    """Each kind of the registry has an entry point, and a file of the package behind it."""
    from touchline.core.registry import KINDS

    project = (SAMPLE / "pyproject.toml").read_text()
    groups = re.findall(r'\[project\.entry-points\."touchline\.(\w+)"\]\n\w+ = "sample_club\.(\w+):', project)
    assert {kind for kind, _ in groups} == set(KINDS)
    for _, file in groups:
        assert (SAMPLE / "src" / "sample_club" / f"{file}.py").is_file()


def test_everything_is_listed(python: str) -> None:
    """The registry of that environment finds all of it by name, without importing it."""
    code = "from touchline.core.registry import KINDS; print({k: list(v) for k, v in KINDS.items()})"
    added = {
        "games": "nim", "bots": "careful", "dialects": "plain", "transports": "lane", "conducts": "gentle",
        "formats": "all_play", "executors": "threads", "ledgers": "journal",
    }  # fmt: skip
    from touchline.core.registry import KINDS

    for kind, name in added.items():
        try:
            KINDS[kind].ours()
        except (ImportError, AttributeError):
            continue  # this room is no room of plug-ins yet
        asked = code.replace("KINDS.items()", f"[({kind!r}, KINDS[{kind!r}])]")
        done = subprocess.run(
            [python, "-c", asked], capture_output=True, text=True, check=True, env=environment()
        )
        assert repr(name) in done.stdout


CHECKS = {
    "game_check": "check_game(sample_club.nim.Nim())",
    "bot_check": "check_bot(sample_club.careful.Careful)",
    "dialect_check": "check_dialect(sample_club.plain.Plain)",
    "format_check": "check_format(sample_club.all_play.AllPlay())",
}


@pytest.mark.parametrize("check", CHECKS)
def test_it_passes_our_checks(check: str, python: str) -> None:
    """The checks that we export hold for what others add."""
    call = CHECKS[check]
    module = re.findall(r"sample_club\.\w+", call)[0]
    code = f"import {module}\nfrom touchline.testing.{check} import *\n{call}"
    subprocess.run([python, "-c", code], check=True, timeout=100, env=environment())


# -- the command line ----------------------------------------------------------------------------------


def test_a_game_and_a_conduct_on_the_command_line(says: Callable[..., str]) -> None:
    """The game is listed, drawn, checked and played, under the conduct."""
    assert "nim" in [game["name"] for game in json.loads(says("games", "--json"))]
    assert "16 legal moves" in says("show", "nim", "--seed", "1")
    assert "nim keeps the contract" in says("check", "game", "nim")
    words = (
        "play",
        "nim",
        "random",
        "random",
        "--seed",
        "1",
        "--conduct",
        "gentle",
        "--record",
        "match.jsonl",
    )
    assert json.loads(says(*words, "--json"))["result"]["verdict"] == "finished"
    says("replay", "verify", "match.jsonl")


def test_a_bot_on_the_command_line(says: Callable[..., str]) -> None:
    """The bot plays our games and theirs."""
    assert "careful (seat 0)" in says("play", "nim", "careful", "random", "--seed", "1")
    assert "careful:slack=1 (seat 1)" in says("play", "hexapawn", "random", "careful:slack=1", "--seed", "1")


def test_a_dialect_on_the_command_line(says: Callable[..., str], tmp_path: Path) -> None:
    """A house player and a Python file speak it, and a player of it is checked."""
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def choose(self, view, turn):\n        return view.legal_moves()[0]\n"
    )
    assert "won with 1" in says("play", "hexapawn", "plain+random", "plain+mine.py", "--seed", "1")
    assert "steps passed" in says("check", "player", "--dialect", "plain", "mine.py")


def test_a_transport_carries_a_match(python: str, says: Callable[..., str], tmp_path: Path) -> None:
    """A server listens at its URL, and a player joins there."""
    url = f"lane://{tmp_path}/door.sock/native"
    words = (
        "serve",
        "hexapawn",
        "--listen",
        url,
        "--house",
        "random",
        "--tables",
        "1",
        "--no-page",
        "--json",
    )
    server = subprocess.Popen(
        [python, "-m", "touchline", *words, "--json"], stdout=subprocess.PIPE, text=True, env=environment()
    )
    try:
        says("join", url, "random", "--name", "ann")
        out, _ = server.communicate(timeout=60)
    finally:
        server.kill()
        server.wait()
    assert '"verdict":"finished"' in out.replace(" ", "")


# -- a cup, and the page -------------------------------------------------------------------------------

CUP = """
name = "club cup"
seed = 7
conduct = "gentle"
[game]
name = "nim"
[format]
name = "{format}"
[[entrants]]
name = "ann"
player = "random"
[[entrants]]
name = "bob"
player = "random"
"""


def test_a_cup_of_their_game_is_verified(says: Callable[..., str], tmp_path: Path) -> None:
    """A cup of their game under their conduct is played, and every game verifies."""
    (tmp_path / "cup.toml").write_text(CUP.format(format="round_robin"))
    says("tournament", "run", "cup.toml")
    assert json.loads(says("verify", "cup.db", "--json"))["games_digest"]


def test_a_cup_with_nothing_of_ours_but_the_players(says: Callable[..., str], tmp_path: Path) -> None:
    """Their game, conduct, format, executor and ledger hold a cup, and it verifies."""
    (tmp_path / "cup.toml").write_text(CUP.format(format="all_play"))
    ledger = f"journal://{tmp_path}/cup.journal"
    says("tournament", "run", "cup.toml", "--on", "threads", "--ledger", ledger)
    assert json.loads(says("verify", ledger, "--json"))["games_digest"]


def test_the_page_offers_it(python: str) -> None:
    """The page knows the game, who plays it, the conduct, and serves the game's own art."""
    server = subprocess.Popen(
        [python, "-m", "touchline", "serve", "--page", "127.0.0.1:0"],
        stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    assert server.stderr is not None
    try:
        url = next(line for line in server.stderr if "the page is at" in line).split()[-1].rstrip("/")
        with urlopen(f"{url}/api/games", timeout=60) as answer:
            offered: Any = json.load(answer)
        (nim,) = [game for game in offered["games"] if game["name"] == "nim"]
        assert "random" in [player["player"] for player in nim["house"]]
        assert "gentle" in [conduct["name"] for conduct in offered["conducts"]]
        with urlopen(f"{url}/art/nim.js", timeout=60) as answer:  # art beside the game's module
            assert answer.read().startswith(b'export const behaviour={advice:"Pick a heap, then')
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=60)
        server.stderr.close()
