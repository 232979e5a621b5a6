"""`touchline play` is killed, and goes on with `--resume`: the match ends as if nothing had happened."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from resume.kills import SLOW, course, ended, kill_in_the_middle, resumed, run, start

if TYPE_CHECKING:
    from pathlib import Path

TABLES = {
    "programs": ("hexapawn", "slow.py", "slow.py", "--rows", "5", "--cols", "5"),
    "program and house": ("fish", "slow.py", "random", "slow.py", "--rows", "4", "--cols", "5"),
    "dialects": ("fish", "seed-000+slow.py", "seed-001+random", "--rows", "4", "--cols", "4"),
    "proposals": ("labyrinth", "seed-004+slow.py", "seed-003+random", "slow.py"),
    "course": ("labyrinth", "labyrinth-course+slow.py", "euclid"),
    "ports": ("hexapawn", "seed-002+slow.py", "random", "--rows", "5", "--cols", "4"),
    "house": ("fish", "mcts:playouts=300", "mcts:playouts=300", "--rows", "5", "--cols", "5"),
}


def killed(folder: Path, table: str, seed: int, kills: int) -> int:
    """Play a match and kill it up to so many times; return how often it was resumed."""
    (folder / "slow.py").write_text(SLOW)
    words = ["play", *TABLES[table], "--seed", str(seed)]
    run([*words, "--record", "whole.jsonl"], folder)
    record, chance = folder / "killed.jsonl", Random(f"{table} {seed}")
    process = start(*words, "--record", "killed.jsonl", cwd=folder)
    done = False
    for _ in range(kills):
        if not kill_in_the_middle(process, record, chance):
            done = True
            break
        process = start("play", "--resume", "killed.jsonl", cwd=folder)
    if not done:
        ended(process)
    assert course(record) == course(folder / "whole.jsonl")
    return resumed(record)


@pytest.mark.parametrize("table", ["program and house", "dialects"])
def test_a_killed_match_goes_on(table: str, tmp_path: Path) -> None:
    """Programs are started again and hear their past; the moves and the result are the same."""
    assert killed(tmp_path, table, 1, kills=1) == 1


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("table", TABLES)
def test_killed_at_random_instants(table: str, seed: int, tmp_path: Path) -> None:
    """Killed again and again, also while it catches up: the match ends as the uninterrupted one."""
    killed(tmp_path, table, seed, kills=5)


def test_a_record_that_is_whole_is_not_resumed(tmp_path: Path) -> None:
    """There is nothing to go on with."""
    run(["play", "hexapawn", "random", "random", "--record", "m.jsonl"], tmp_path)
    said = ended(start("play", "--resume", "m.jsonl", cwd=tmp_path), 2)
    assert b"the match ended, and its record is whole" in said


def test_a_match_without_its_side_file_is_not_resumed(tmp_path: Path) -> None:
    """Without the seed nobody can know how the match goes on."""
    run(["play", "hexapawn", "random", "random", "--record", "m.jsonl"], tmp_path)
    lines = (tmp_path / "m.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "m.jsonl").write_bytes(b"".join(lines[:4]))
    said = ended(start("play", "--resume", "m.jsonl", cwd=tmp_path), 2)
    assert b"its side file m.jsonl.secret is missing" in said
