"""`touchline sprt`: is the new one better?"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from cli.shell import Shell
from touchline.tournament.sprt_run import SprtRun

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from touchline.tournament.ratings.sprt import Judgement

SMALL = ("--game", "hexapawn:rows=4,cols=4", "--elo1", "200", "--on", "here", "--no-timeout")


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("new", "old", "code", "said"),
    [
        ("minimax:depth=2", "random", 0, "the new one is better: it gains at least 200 Elo"),
        ("random", "minimax:depth=2", 4, "the new one is not better: it gains no more than 0 Elo"),
    ],
)
def test_the_verdict(new: str, old: str, code: int, said: str, shell: Shell) -> None:
    done = shell.touchline("sprt", new, old, *SMALL)
    assert done.returncode == code
    verdict, pairs, numbers = done.stdout.splitlines()
    assert verdict == said
    assert "pairs:" in pairs
    assert numbers.startswith("Elo ")


def test_not_decided(shell: Shell) -> None:
    done = shell.touchline("sprt", "random", "random", *SMALL, "--pairs", "2", "--json")
    assert done.returncode == 5
    found = json.loads(done.stdout)
    assert found["judgement"]["verdict"] == "continue"
    assert sum(found["counts"]) == found["judgement"]["count"] == 2
    assert (found["copies"], found["exhausted"]) == (0, False)


def test_two_that_only_repeat_themselves(shell: Shell) -> None:
    """Copies of one pair decide nothing."""
    done = shell.touchline("sprt", "minimax:depth=1", "minimax:depth=1", *SMALL, "--openings", "0")
    assert done.returncode == 5
    assert done.stdout.startswith("no more distinct openings: undecided after 1 distinct pairs\n")
    assert "200 pairs were copies of others" in done.stdout


def test_the_same_seed_the_same_duel(shell: Shell) -> None:
    said = [shell.touchline("sprt", "greedy", "random", *SMALL, "--seed", seed).stdout for seed in "112"]
    assert said[0] == said[1] != said[2]


def test_a_file_against_its_old_self(shell: Shell, tmp_path: Path) -> None:
    for name, move in (("new", -1), ("old", 0)):
        (tmp_path / f"{name}.py").write_text(
            f"class Mine:\n    def choose(self, view, turn):\n        return view.legal_moves()[{move}]\n"
        )
    done = shell.touchline("sprt", "new.py", "old.py", *SMALL, "--pairs", "2", "--json")
    assert sum(json.loads(done.stdout)["counts"]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("random", "nobody"), "nobody"),
        (("random", "missing.py"), "missing.py"),
        (("random", "greedy", "--game", "chess"), "no game is called 'chess'"),
        (("random", "greedy", "--game", "hexapawn:legs=3"), "legs"),
        (("random", "greedy", "--elo0", "5", "--elo1", "5"), "elo0 must be less than elo1"),
        (("random", "greedy", "--alpha", "0.7"), "between 0 and 0.5"),
        (("random", "greedy", "--on", "mars"), "mars"),
    ],
)
def test_mistakes_are_told(words: tuple[str, ...], said: str, shell: Shell) -> None:
    assert said in shell.refused("sprt", *words)


@pytest.mark.parametrize("pairs", [0, 3])
def test_ctrl_c(pairs: int, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted test exits with 130, and says what it has seen so far, if anything."""
    go = SprtRun.go

    def interrupted(run: SprtRun) -> Iterator[Judgement]:
        yield from islice(go(run), pairs)
        raise KeyboardInterrupt

    monkeypatch.setattr(SprtRun, "go", interrupted)
    done = shell.touchline("sprt", "random", "random", *SMALL)
    assert done.returncode == 130
    assert "interrupted" in done.stderr
    assert ("3 pairs:" in done.stdout) == bool(pairs)
