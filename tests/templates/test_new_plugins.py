"""`touchline new game|dialect|format`: packages that work as they are written."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import touchline
import touchline.dialects
import touchline.games
import touchline.tournament.formats
from cli.commands import refused, result
from touchline.core.errors import BadOptions, UnknownName
from touchline.templates.names import named
from touchline.templates.plugin import dialect_project, format_project, game_project
from touchline.templates.project import templates

if TYPE_CHECKING:
    from types import ModuleType

SOURCE = Path(touchline.__file__).parents[1]
MADE: dict[str, list[str]] = {
    "game": ["new", "game", "four-in-a-row"],
    "dialect": ["new", "dialect", "club-talk", "--game", "fish"],
    "format": ["new", "format", "big-table"],
}
EXAMPLES: dict[str, tuple[ModuleType, str]] = {
    "game": (touchline.games, "src/touchline_nim/nim.py"),
    "dialect": (touchline.dialects, "src/touchline_plain/plain.py"),
    "format": (touchline.tournament.formats, "src/touchline_all_play/all_play.py"),
}
LEFT = ("Nim", "nim ", "nim.", "_nim", "Plain", "plain+", '"plain"', "_plain", "all_play", "AllPlay")
"""What the templates have where a name belongs."""
each_kind = pytest.mark.parametrize("kind", MADE)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@each_kind
def test_a_template_is_the_example_of_the_readme(kind: str) -> None:
    """There is one source: what the README of the room shows is what `new` writes."""
    room, path = EXAMPLES[kind]
    readme = Path(room.__path__[0], "README.md").read_text()
    assert f"```python\n{templates(kind, path).read_text()}```" in readme


@each_kind
def test_a_package_works_as_it_is_written(kind: str, tmp_path: Path) -> None:
    """Installed, its test passes, and the commands that `new` prints work."""
    made = result(*MADE[kind])
    folder = tmp_path / made["folder"]
    install, *commands = made["next"][1:]
    assert install == "pip install -e ."
    for command in commands:
        if "check player" not in command:  # which starts a dozen processes
            _ran(folder, _installed(folder, tmp_path), command)


@pytest.mark.slow
def test_the_player_of_a_dialect_is_checked(tmp_path: Path) -> None:
    """The player that comes with a dialect passes the steps of its dialect, in any game."""
    for game in ("labyrinth", "hexapawn"):
        made = result("new", "dialect", "club-talk", "--game", game, game)
        folder = tmp_path / game
        (check,) = [command for command in made["next"] if "check player" in command]
        _ran(folder, _installed(folder, tmp_path), f"{check} --seconds 60")
        _ran(folder, _installed(folder, tmp_path), "python -m unittest discover tests")


def _installed(folder: Path, place: Path) -> str:
    """Return a path for Python on which the package is, as if pip had installed it."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = place / "site" / f"{project['name'].replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n")
    ((group, points),) = project["entry-points"].items()
    (info / "entry_points.txt").write_text(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
    )
    return os.pathsep.join([str(place / "site"), str(folder / "src"), str(SOURCE)])


def _ran(folder: Path, path: str, command: str) -> str:
    words = command.split()
    uncaged = ["--isolation", "none"] if words[1] in ("check", "play") and "player" in command else []
    module = ["-m", "touchline", *words[1:], *uncaged] if words[0] == "touchline" else words[1:]
    done = subprocess.run(
        [sys.executable, *module], cwd=folder, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


@each_kind
def test_no_name_of_the_template_is_left(kind: str) -> None:
    """The chosen name is everywhere: in paths, classes, entry points and commands."""
    name = named(MADE[kind][2])
    projects = {
        "game": game_project(name),
        "dialect": dialect_project(name, "fish"),
        "format": format_project(name),
    }
    for path, content in projects[kind].files.items():
        text = path + content
        assert [word for word in LEFT if word in text] == []


def test_names_that_are_taken(tmp_path: Path) -> None:
    """A plug-in cannot take a name of ours, so that is said before anything is written."""
    assert "there is a game fish already" in refused("new", "game", "fish")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadOptions, match="there is a dialect seed-000 already"):
        dialect_project(named("seed_000"), "fish")
    with pytest.raises(BadOptions, match="there is a format round_robin already"):
        format_project(named("round-robin"))
    with pytest.raises(
        BadOptions, match="'take' cannot be the name of a game: Take means something else in it"
    ):
        game_project(named("take"))
    with pytest.raises(UnknownName, match="no game is called 'ludo'"):
        dialect_project(named("x"), "ludo")


def test_a_bot_for_a_game_of_others(tmp_path: Path) -> None:
    """In Python a bot of any game can be started; other languages would need its rules."""
    made = result(*MADE["game"])
    path = _installed(tmp_path / made["folder"], tmp_path)
    _ran(tmp_path, path, "touchline new bot four_in_a_row mine")
    _ran(tmp_path / "mine", path, "python -m unittest")
    done = subprocess.run(
        [sys.executable, "-m", "touchline", "new", "bot", "four_in_a_row", "other", "--lang", "rust"],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no template for a bot of four_in_a_row in Rust" in done.stderr


@pytest.mark.slow
def test_pip_installs_them(tmp_path: Path) -> None:
    """In an environment with the wheel of Touchline, `pip install -e .` makes each known by its name."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    (packages / "needs.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")  # click, msgspec, rich
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    pip = [python, "-m", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, str(SOURCE.parent)], check=True, timeout=300, env=plain)
    for kind, words in MADE.items():
        done = subprocess.run([python, "-m", "touchline", *words], check=True, env=plain, capture_output=True)
        assert b"pip install -e ." in done.stdout
        subprocess.run([*pip, "-e", words[2]], check=True, timeout=300, env=plain)
        subprocess.run(
            [python, "-m", "unittest", "discover", "tests"], cwd=words[2], check=True, timeout=100, env=plain
        )
        where = "touchline.templates.project"
        code = f"import {where} as p; print(p.__file__, p.templates({kind!r}).is_dir())"
        said = subprocess.run([python, "-c", code], check=True, env=plain, capture_output=True, text=True)
        assert said.stdout.split() == [str(packages / "touchline" / "templates" / "project.py"), "True"]
