"""`touchline new bot`: a project that runs at once, and never overwrites anything."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import touchline
from cli.commands import environment, refused, result
from cli.commands import touchline as command
from touchline.bundles.submissions import read_submission
from touchline.core.errors import BadOptions
from touchline.templates.bot import bot_project, language
from touchline.templates.languages import LANGUAGES
from touchline.templates.names import named, spelled
from touchline.templates.project import replaced, templates, write_project

GAMES = ("fish", "hexapawn", "labyrinth")
UNCAGED = ("--isolation", "none")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_python_bot_is_written_tested_checked_and_played(tmp_path: Path) -> None:
    """The commands that `new` prints work as they are printed."""
    made = result("new", "bot", "hexapawn", "pawn-eater")
    assert (made["kind"], made["name"], made["folder"]) == ("bot", "pawn-eater", "pawn-eater")
    folder = tmp_path / "pawn-eater"
    assert sorted(made["files"]) == sorted(path.name for path in folder.iterdir())
    assert made["next"] == [
        "cd pawn-eater", "python -m unittest", "touchline check player", "touchline play hexapawn . random"
    ]  # fmt: skip
    _ran(folder, "-m", "unittest")
    _ran(folder, "-m", "touchline", "check", "player", *UNCAGED, "--seconds", "60")
    _ran(folder, "-m", "touchline", "play", "hexapawn", ".", "random", "--strict", *UNCAGED)
    assert read_submission(folder).player == "bot.py:PawnEater"


@pytest.mark.parametrize("game", GAMES)
def test_a_python_bot_wins_against_chance(game: str, tmp_path: Path) -> None:
    """It plays at either seat without a fault, and is a decent start."""
    write_project(bot_project(game, "python", named("mine"), "mine").files, tmp_path / "mine")
    for seed, players in enumerate((["mine/", "random"], ["random", "mine/"])):
        match = touchline.play(game, players, seed=seed, isolation="none")
        assert (match.verdict, match.faults) == ("finished", ())
        assert "mine" in match.winners


def _ran(folder: Path, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment(), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, (done.stdout, done.stderr)


def test_what_is_printed(tmp_path: Path) -> None:
    """The files and the next commands are the result; a missing tool is a note, no failure."""
    (tmp_path / "bin").mkdir()
    done = command("new", "bot", "fish", "--lang", "rust", "--name", "shark-bait", PATH=str(tmp_path / "bin"))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "shark-bait: a player of fish in Rust"
    assert "  src/bot.rs" in lines
    assert lines[lines.index("next:") + 1 :] == [
        "  cd shark-bait", "  cargo build --release", "  cargo test", "  touchline check player",
        "  touchline play fish . random",
    ]  # fmt: skip
    assert done.stderr == "note: cargo is not on this machine, and this project needs it: https://rustup.rs\n"
    assert (tmp_path / "shark-bait" / "src" / "bot.rs").is_file()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A file that is there already keeps its content, and nothing is written beside it."""
    mine = tmp_path / "mybot"
    mine.mkdir()
    (mine / "README.md").write_text("mine")
    said = refused("new", "bot", "fish")
    assert "mybot/README.md is there already, and nothing was written" in said
    assert [path.name for path in mine.iterdir()] == ["README.md"]
    assert (mine / "README.md").read_text() == "mine"
    (mine / "notes.txt").write_text("notes")
    result("new", "bot", "fish", "--force")
    assert "The next three steps" in (mine / "README.md").read_text()
    assert (mine / "notes.txt").read_text() == "notes"
    assert [path.name for path in tmp_path.iterdir()] == ["mybot"]


def test_a_link_is_not_overwritten(tmp_path: Path) -> None:
    """A link is something that is there already, even if it leads nowhere."""
    (tmp_path / "mybot").mkdir()
    (tmp_path / "mybot" / "bot.py").symlink_to(tmp_path / "elsewhere.py")
    assert "mybot/bot.py is there already" in refused("new", "bot", "fish")
    assert not (tmp_path / "elsewhere.py").exists()


def test_the_current_folder(tmp_path: Path) -> None:
    """A project can be written to the current folder, whose name becomes the bot's, as well as that goes."""
    made = result("new", "bot", "fish", ".")
    assert made["next"][0] == "python -m unittest"
    assert made["name"] == named(spelled(tmp_path.name)).dashed
    assert (tmp_path / "bot.py").is_file()


@pytest.mark.parametrize("when", [1, 3])
@pytest.mark.parametrize("there", [True, False])
def test_an_interrupted_project_leaves_nothing(
    there: bool, when: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while files are written, or moved into a folder that exists, leaves what was there before."""
    folder = tmp_path / "mybot"
    if there:
        folder.mkdir()
        (folder / "notes.txt").write_text("notes")
    left = sorted(tmp_path.rglob("*"))
    calls = 0

    def interrupted(*words: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == when:
            raise KeyboardInterrupt
        move(*words)

    move = shutil.move
    if there:
        monkeypatch.setattr(shutil, "move", interrupted)
    else:
        monkeypatch.setattr(Path, "rename", interrupted)
        calls = when - 1  # there is one rename
    files = bot_project("fish", "go", named("mybot"), "mybot").files
    with pytest.raises(KeyboardInterrupt):
        write_project({**files, "deep/er/file": ""}, folder)
    assert sorted(tmp_path.rglob("*")) == left


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """One line says why."""
    (tmp_path / "file").write_text("")
    assert "file is there already, and it is no folder" in refused(
        "new", "bot", "fish", "file", "--name", "a"
    )
    assert "cannot write" in refused("new", "bot", "fish", "file/below", "--name", "a")


@pytest.mark.parametrize(
    "name", ["", "-", "My-Bot", "my bot", "../x", "1st", "a--b", "class", "x" * 41, "ж", "a\x1b"]
)
def test_names_that_fit_nowhere(name: str) -> None:
    """A name must do as a package, a program and a class in every language."""
    with pytest.raises(BadOptions, match="cannot be a name"):
        named(name)


def test_wrong_words(tmp_path: Path) -> None:
    """A wrong game, language, name or folder is one line that says what would be right."""
    assert "no game is called 'ludo'; there are: fish" in refused("new", "bot", "ludo")
    assert "name the game that it plays: fish, hexapawn, labyrinth" in refused("new", "bot")
    assert "choose one with --name" in refused("new", "bot", "fish", "1234")
    done = command("new", "bot", "fish", "--lang", "cobol")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'typescript'" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_is_complete(lang: str) -> None:
    """It has a part for every game, the files that its README lists, and no name of the template is left."""
    known = language(lang)
    for game in GAMES:
        made = bot_project(game, lang, named("zz-top"), "zz-top")
        listed = {path for paths in known.files for path in paths.split(", ")}
        assert listed <= set(made.files)
        for path in made.files:
            assert not any(
                word in path + made.files[path] for word in ("my-bot", "my_bot", "MyBot", "a-game")
            )
        assert known.edit in made.files
        assert f'game = "{game}"' in made.files["touchline.toml"]
        assert ".gitignore" in made.files


def test_every_template_is_used() -> None:
    """There is no language that cannot be chosen, and no compiled file counts as a template."""
    folders = {item.name for item in templates("bot").iterdir() if item.is_dir()}
    assert folders - {"__pycache__"} == set(LANGUAGES)
    assert not any("__pycache__" in path for path in bot_project("fish", "python", named("a"), "a").files)


def test_words_are_replaced_at_once() -> None:
    """A name that contains another word of the template is not replaced again."""
    assert replaced("my-bot plays a-game", {"my-bot": "a-game", "a-game": "fish"}) == "a-game plays fish"
