"""`touchline grade`: the example of the documentation, Gradescope's layout, exit codes, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.shell import Shell
from grading.student_bots import CHEAT, CRASHER, FIRST, GAMES
from touchline.sandbox.tiers import STRONG, best

if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import CompletedProcess

EXAMPLE = Path(__file__).parents[2] / "examples" / "grading"
WEAK = () if best() in STRONG else ("--allow-weak-isolation",)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.fixture
def grade(shell: Shell) -> Callable[..., CompletedProcess[str]]:
    return lambda *words: shell.touchline("grade", *map(str, words), *WEAK)


def test_reasons_are_written(tmp_path: Path, grade: Callable[..., CompletedProcess[str]]) -> None:
    """A bot that cheats: its page says why it has no points; a second run does not grade it again."""
    (tmp_path / "rubric.toml").write_text(GAMES.replace("games = 2", "games = 1"))
    (tmp_path / "bob.py").write_text(CHEAT)
    words = (tmp_path / "rubric.toml", tmp_path / "bob.py", "--out", tmp_path / "out", "--json")
    done = grade(*words)
    assert done.returncode == 0, done.stderr
    (bob,) = json.loads(done.stdout)["students"]
    assert (bob["points"], [one["status"] for one in bob["steps"]]) == (0, ["failed"])
    page = (tmp_path / "out" / "students" / "bob" / "page" / "index.html").read_text()
    assert "it made a move that the rules do not allow" in page
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"index.html", "grades.csv", "grades.json", "junit.xml", "students"}
    again = grade(*words, "--resume")
    assert "1 of 1 are graded already" in again.stderr
    assert json.loads(again.stdout) == json.loads(done.stdout)


@pytest.mark.slow
def test_the_example_is_graded(tmp_path: Path, grade: Callable[..., CompletedProcess[str]]) -> None:
    """Ann has all points; Bob has the reason for each lost one; a page shows what is released."""
    words = (EXAMPLE / "rubric.toml", "--each", EXAMPLE / "submissions", "--out", tmp_path / "out")
    done = grade(*words, "--json", "--pages", "visible")
    assert done.returncode == 0, done.stderr
    ann, bob = json.loads(done.stdout)["students"]
    assert (ann["student"], ann["points"], bob["points"]) == ("ann", 40, 10)
    assert [step["status"] for step in bob["steps"]] == ["passed", "failed", "failed"]
    assert "without a fault" in bob["steps"][1]["why"]
    page = (tmp_path / "out" / "students" / "bob" / "page" / "index.html").read_text()
    assert "the square ahead is not empty" in page
    assert "holds its own" not in page


def test_gradescope_gets_its_file_and_our_failure_an_exit_code(
    tmp_path: Path, grade: Callable[..., CompletedProcess[str]]
) -> None:
    """One submission in a folder, one file of results; a program that is not installed is no lost point."""
    (tmp_path / "rubric.toml").write_text(GAMES)
    place = tmp_path / "autograder" / "submission"
    place.mkdir(parents=True)
    (place / "touchline.toml").write_text('player = "process:no-such-language bot.x"')
    file = tmp_path / "autograder" / "results" / "results.json"
    done = grade(tmp_path / "rubric.toml", place, "--results", file)
    assert done.returncode == 5
    assert "not graded because of failures on our side: submission" in done.stderr
    (test,) = json.loads(file.read_text())["tests"]
    assert "score" not in test
    assert "'no-such-language' is not installed" in test["output"]


def test_what_is_wrong_is_said_before_anything_is_graded(tmp_path: Path, shell: Shell) -> None:
    """A broken reference solution, a weak cage, an unknown key: exit code 2, and no folder is made."""
    (tmp_path / "ann.py").write_text(FIRST)
    (tmp_path / "bob.py").write_text(FIRST)
    (tmp_path / "ref.py").write_text(CRASHER)
    rubric, out = tmp_path / "rubric.toml", str(tmp_path / "out")
    given = (str(rubric), str(tmp_path / "ann.py"), "--out", out)
    rubric.write_text(GAMES.replace('"random"', '"ref.py"'))
    assert "Nothing is graded" in shell.refused("grade", *given, *WEAK)
    rubric.write_text(GAMES)
    assert "need isolation A or B" in shell.refused("grade", *given, "--isolation", "C")
    both = (*given, str(tmp_path / "bob.py"), "--results", str(tmp_path / "results.json"))
    assert "--results is for one submission" in shell.refused("grade", *both)
    rubric.write_text(GAMES + "colour = 1")
    assert "rubric.toml: steps[0]: Object contains unknown field `colour`" in shell.refused("grade", *given)
    assert not Path(out).exists()
