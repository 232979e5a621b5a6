"""A whole class, some of it hostile: nobody's grade depends on the others, and nothing is left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment
from grading.student_bots import FIRST, GAMES, SLEEPER, rubric
from players.survivors import MARK, gone, until
from touchline.bundles.store import BundleStore
from touchline.grading.output.folder import GradeFolder
from touchline.grading.run import GradingRun
from touchline.grading.submissions import read_all
from touchline.sandbox.tiers import STRONG, best
from touchline.testing.rogues import ROGUES
from touchline.tournament.executors.cores import Cores

if TYPE_CHECKING:
    from touchline.grading.grades import Grade

WEAK = () if best() in STRONG else ("--allow-weak-isolation",)
HOSTILE = ("crasher", "liar", "babbler", "flooder", "long_line", "forker", "stubborn", "never_reads")


def graded(folder: Path, names: list[str], workers: int) -> dict[str, Grade]:
    """Grade players of `touchline.testing.rogues`, each handed in under its own name."""
    paths = []
    for name in names:
        path = folder / name
        path.mkdir()
        word = f"process:{sys.executable} -m touchline.testing.rogues {name}"
        (path / "touchline.toml").write_text(f'player = "{word}"')
        paths.append(path)
    store = BundleStore(folder / "store")
    terms = rubric(GAMES.replace("seconds = 30", "seconds = 5"), folder)
    run = GradingRun(terms, read_all(paths, store), GradeFolder(folder / "out"), Cores(workers), best())
    run.go()
    return {grade.student: grade for grade in run.grades}


def supervisors(mark: str) -> int:
    """The living supervisors of programs with this mark; our fork server, which stays, is not one."""
    count, needle = 0, f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and needle in (folder / "environ").read_bytes().split(b"\0"):
                count += b"_supervisor.py" in (folder / "cmdline").read_bytes()
    return count


@pytest.mark.slow
def test_a_hostile_class_changes_nobody_elses_grade(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The honest one has the grade that it has alone; each rogue is blamed for what it did."""
    monkeypatch.setenv(MARK, tmp_path.name)
    together = graded(tmp_path, [*HOSTILE[:4], "honest", *HOSTILE[4:]], 2)
    other = tmp_path_factory.mktemp("alone")
    other.chmod(0o777)
    alone = graded(other, ["honest"], 1)["honest"]
    honest = together["honest"]
    assert (honest.points, honest.steps[0].measures) == (alone.points, alone.steps[0].measures)
    assert [game.turns for game in honest.steps[0].games] == [game.turns for game in alone.steps[0].games]
    for name in HOSTILE:
        grade = together[name]
        assert (grade.points, grade.complete) == (0, True), name
        blamed = {game.offence for game in grade.steps[0].games} - {""}  # a game may end before it misbehaves
        assert blamed == {ROGUES[name][1].value}, name
    assert until(lambda: supervisors(tmp_path.name) == 0, 10)


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_leaves_no_process(tmp_path: Path) -> None:
    """The exit code is 5; the rest can be graded with --resume."""
    rubric_file, names = tmp_path / "rubric.toml", {"ann": FIRST, "bob": SLEEPER}
    rubric_file.write_text(GAMES.replace("seconds = 30", "seconds = 600"))
    for name, text in names.items():
        (tmp_path / f"{name}.py").write_text(text)
    files = [str(tmp_path / f"{name}.py") for name in names]
    words = ["grade", str(rubric_file), *files, "--out", str(tmp_path / "out"), "--workers", "1", *WEAK]
    running = subprocess.Popen(
        [*TOUCHLINE, *words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        env=environment(**{MARK: tmp_path.name}),
    )  # fmt: skip
    assert running.stderr is not None
    with running.stderr:
        for line in running.stderr:
            if line.startswith("1 of 2: ann"):
                os.kill(running.pid, signal.SIGINT)
                break
        said = running.stderr.read()
    assert running.wait(60) == 5
    assert "1 submissions are not graded yet" in said
    assert (tmp_path / "out" / "grades.csv").read_text().count("\n") == 2
    assert gone(tmp_path.name, 10) == []
