"""A folder with a `touchline.toml` is a player: in matches, in checks and in cups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import touchline
from cli.commands import refused
from touchline.cli._project import project_player
from touchline.core.errors import BadInput, BadOptions
from touchline.players.project import project_settings, resolved
from touchline.tournament.cup import load

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "class First:\n    def choose(self, view, turn):\n        return view.legal_moves()[0]\n"
CUP = """
name = "cup"
[game]
name = "hexapawn"
[format]
name = "round_robin"
[[entrants]]
name = "ann"
player = "ann/"
[[entrants]]
name = "bob"
player = "random"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a Python player and a few files."""
    monkeypatch.chdir(tmp_path)
    ann = tmp_path / "ann"
    (ann / "build").mkdir(parents=True)
    (ann / "build" / "bot").write_text("")
    (ann / "main.js").write_text("")
    (ann / "first.py").write_text(FIRST)
    _say(ann, "first.py:First")
    return ann


def _say(folder: Path, player: str) -> None:
    (folder / "touchline.toml").write_text(f"game = 'hexapawn'\nplayer = '{player}'\n")


def test_a_match_of_a_folder(folder: Path) -> None:
    """The folder's own name is the player's."""
    match = touchline.play("hexapawn", ["./ann", folder], seed=1, isolation="none")
    assert match.players == ("ann", "ann")
    assert (match.verdict, match.faults) == ("finished", ())


@pytest.mark.parametrize(
    ("player", "word"),
    [
        ("first.py:First", "ann/first.py:First"),
        ("seed-002+first.py", "seed-002+ann/first.py"),
        ("wasm:bot.wasm", "wasm:ann/bot.wasm"),
        ("process:./build/bot --fast", "process:./ann/build/bot --fast"),
        ("process:node main.js 1/2 other", "process:node ann/main.js 1/2 other"),
        ("process:java -cp ./build Main", "process:java -cp ann/build Main"),
        ("process:/usr/bin/env /x", "process:/usr/bin/env /x"),
    ],
)
def test_paths_start_at_the_folder(player: str, word: str, folder: Path) -> None:
    """What exists in the folder, or begins with `./`, is a path; everything else is left as it is."""
    _say(folder, player)
    assert resolved("ann") == word
    assert {resolved(path, folder.parent) for path in ("ann/", "./ann")} == {word}


def test_the_current_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`.` is a folder as well, and `check player` needs no word: it takes the game from the folder, too."""
    monkeypatch.chdir(folder)
    _say(folder, "process:./build/bot")
    assert resolved(".") == "process:./build/bot"
    assert project_player((), None) == (("process:./build/bot",), "hexapawn")
    monkeypatch.chdir(folder.parent)
    assert project_player(("ann/",), None) == (("process:./ann/build/bot",), "hexapawn")
    assert project_player(("ann/",), "fish") == (("process:./ann/build/bot",), "fish")
    assert project_player(("./mybot", "--fast"), None) == (("./mybot", "--fast"), None)


def test_a_house_bot_is_no_folder(folder: Path) -> None:
    """A folder named like a house bot does not take its place, unless it is written as a path."""
    folder.rename(folder.with_name("random"))
    assert resolved("random") == "random"
    assert resolved("./random") == "random/first.py:First"


def test_a_player_that_is_not_built(folder: Path) -> None:
    """The message says what is missing and what to do."""
    for player in ("process:./build/other", "process:node ./build/main.js"):
        _say(folder, player)
        with pytest.raises(
            BadOptions, match=r"ann/ is not built: there is no \./build/.*; build it, as its README"
        ):
            touchline.play("hexapawn", ["ann/", "random"])


def test_folders_that_are_no_players(folder: Path) -> None:
    """A folder that is written as a path must have the file; any other word is left to others."""
    (folder / "touchline.toml").unlink()
    assert project_settings("ann") is None
    with pytest.raises(BadOptions, match=r"ann/ has no touchline.toml"):
        resolved("ann/")
    for text in ("player = 1", "game = 'fish'", "player = 'a'\nrank = 3", "\0", "x" * (65 << 10)):
        (folder / "touchline.toml").write_text(text)
        with pytest.raises(BadInput, match=r"touchline.toml"):
            resolved("ann/")
    _say(folder, "process:'")
    (folder / "touchline.toml").write_text('player = "process:\'"')
    with pytest.raises(BadInput, match="No closing quotation"):
        resolved("ann/")


def test_a_cup_with_a_folder(folder: Path) -> None:
    """An entrant of a cup may be a folder beside the cup's file."""
    (folder.parent / "cup.toml").write_text(CUP)
    cup = load(folder.parent / "cup.toml")
    assert [entrant.player for entrant in cup.entrants] == ["ann/first.py:First", "random"]
    (folder / "cup.toml").write_text(CUP)
    assert load(folder / "cup.toml", folder.parent) == cup
    _say(folder, "process:./build/none")
    with pytest.raises(BadInput, match="not built"):
        load(folder.parent / "cup.toml")


def test_a_folder_joins_a_server(folder: Path) -> None:
    """`join` takes the player in the folder, and says before it connects that there is none."""
    _say(folder, "process:./build/none")
    assert "not built" in refused("join", "tcp://127.0.0.1:9/native", "ann/", "--name", "ann", "--retry", "1")


def test_no_player_to_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a word, and outside of a project, the command says how to get one."""
    monkeypatch.chdir(tmp_path)
    assert "touchline new bot GAME" in refused("check", "player")
