"""Games are found by the name of their file, or by an entry point."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import touchline.conducts
import touchline.games
from touchline import BadOptions, UnknownName, game
from touchline.conducts.base import read
from touchline.core import registry
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn


def test_the_houses_games_are_files() -> None:
    """Every public module in games/ is a game of that name."""
    files = {path.stem for path in Path(touchline.games.__file__).parent.glob("[a-z]*.py")}
    assert files <= set(registry.names("games"))
    for name in files:
        assert registry.find("games", name).name == name


def test_options_may_be_text() -> None:
    """What comes from a command line or a file is turned into what the game wants."""
    assert game("hexapawn", {"rows": "4"}) == Hexapawn(rows=4)
    assert game("fish", {"board": [[1, 2], [3]]}) == Fish(board=((1, 2), (3,)))


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("hexapawn", {"rows": 1}, r"hexapawn: .*>= 2.*rows"),
        ("hexapawn", {"rows": "many"}, r"hexapawn: .*rows"),
        ("hexapawn", {"row": 3}, r"hexapawn has no option 'row'; it has: cols, rows"),
        ("fish", {"rules": "house"}, r"fish: Invalid enum value 'house'.*rules"),
        ("fish", {"board": [[9]]}, r"fish: a tile has 0 to 5 fish"),
        ("fish", {"board": [[1]], "rows": 3}, r"fish: a board says it all"),
        ("fish", {"rows": 2, "cols": 2, "holes": 4}, r"fish: 4 holes leave nothing of 4 tiles"),
        ("labyrinth", {"cols": 51}, r"labyrinth: .*<= 50.*cols"),
    ],
)
def test_bad_options_are_named(name: str, options: dict[str, object], said: str) -> None:
    """The message says which game, which option, and what is wrong."""
    with pytest.raises(BadOptions, match=said):
        game(name, options)


def test_a_constructor_refuses_what_the_options_refuse() -> None:
    """Code that does not go through the registry is held to the same bounds."""
    with pytest.raises(ValueError, match="rows"):
        Hexapawn(rows=1)
    with pytest.raises(ValueError, match="rows"):
        Fish(rows=0)


def test_an_unknown_name_lists_the_known() -> None:
    """Whoever mistypes a name sees what there is."""
    with pytest.raises(UnknownName, match=r"no game is called 'ludo'; there are: .*fish"):
        registry.find("games", "ludo")


class Point:
    """An entry point of another package, without the package."""

    def __init__(self, name: str, found: object) -> None:
        self.name, self.value, self._found = name, f"theirs:{name}", found

    def load(self) -> object:
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> dict[str, Point]:
    """What another package adds to the bots, and nothing else."""
    points: dict[str, Point] = {}
    monkeypatch.setattr(
        registry, "_installed", lambda group, path: points if group == "touchline.bots" else {}
    )
    return points


def test_another_package_adds_a_bot(theirs: dict[str, Point]) -> None:
    """It is listed and found, with a hyphen or an underscore, and not in other kinds."""
    theirs["deep-blue"] = Point("deep-blue", Fish)
    assert "deep_blue" in list(registry.BOTS)
    assert registry.BOTS["deep_blue"] is registry.BOTS["deep-blue"] is Fish
    assert "deep-blue" not in registry.GAMES
    assert len(registry.BOTS) == len(registry.BOTS.ours()) + 1


def test_another_package_cannot_take_our_names(theirs: dict[str, Point]) -> None:
    """Our own file wins."""
    theirs["random"] = Point("random", Fish)
    assert registry.BOTS["random"].__module__ == "touchline.bots.random"


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (ImportError("no module named x"), r"the bot 'blue' \(theirs:blue\) cannot be loaded: ImportError"),
        (ValueError("boom"), "cannot be loaded: ValueError: boom"),
        (print, "is a builtin_function_or_method, not a class"),
        (sys, "is a module, not a class"),
    ],
)
def test_a_plug_in_that_does_not_load_is_named(theirs: dict[str, Point], found: object, why: str) -> None:
    """The error says which entry point it is and what is wrong with it."""
    theirs["blue"] = Point("blue", found)
    with pytest.raises(UnknownName, match=why):
        registry.BOTS["blue"]


@pytest.mark.parametrize("kind", registry.KINDS.values())
def test_every_kind_has_a_room(kind: registry.Kind[object]) -> None:
    """Our own plug-ins load by every name that is listed."""
    assert kind.ours()
    for name in kind.ours():
        assert kind[name] is kind[name.replace("-", "_")] is not None
    with pytest.raises(UnknownName, match=f"no {kind.one} is called 'nope'; there are: "):
        kind["nope"]
    assert kind.get("nope") is None


def test_the_conduct_of_the_readme() -> None:
    """The example of conducts/README.md is a conduct, and its TOML form is the same one."""
    readme = Path(touchline.conducts.__file__).with_name("README.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    written = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)[-1]
    space: dict[str, Any] = {}
    exec(code, space)
    assert space["CONDUCT"] == read(written, "README.md")


def test_a_third_party_adds_a_game_by_an_entry_point(tmp_path: Path) -> None:
    """A game from another package is listed, drawn, counted and checked like our own."""
    readme = Path(touchline.games.__file__).with_name("README.md").read_text()
    code, *_ = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "nim_of_others.py").write_text(code)
    info = tmp_path / "nim_of_others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-of-others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[touchline.games]\nnim = nim_of_others:Nim\n")

    def touchline_says(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "touchline", *words],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True, text=True, check=True, timeout=60,
        ).stdout  # fmt: skip

    assert "nim" in [entry["name"] for entry in json.loads(touchline_says("games", "--json"))]
    assert "seat 0 to move, 16 legal moves" in touchline_says("show", "nim", "--seed", "1")
    assert touchline_says("perft", "nim", "--heaps", "[1,2]", "--depth", "3") == "3 5 3\n"
    assert "nim keeps the contract" in touchline_says("check", "game", "nim")
