"""`touchline solve`: told, kept, read again, and gone on with after Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment, refused, touchline
from touchline.bots.shared import table_cache

if TYPE_CHECKING:
    from pathlib import Path

BOARD = ("solve", "hexapawn", "--rows", "4", "--cols")


def without_tablebases(folder: Path) -> dict[str, str]:
    """Nothing has been solved there, but the kernels are there: to compile them takes longest of all."""
    folder.mkdir(exist_ok=True)
    kernels = table_cache.folder() / "kernels"
    kernels.mkdir(parents=True, exist_ok=True)
    (folder / "kernels").symlink_to(kernels)
    return {"TOUCHLINE_CACHE": str(folder)}


@pytest.mark.slow
def test_it_is_solved_once_and_read_after(tmp_path: Path) -> None:
    """The second run says so; solving anew is possible."""
    cache = without_tablebases(tmp_path)
    first = touchline(*BOARD, "4", **cache)
    assert (first.returncode, first.stdout) == (0, "seat 0 wins in 11 plies; 20,286 positions\n")
    assert first.stderr.startswith("solved in ")
    second = touchline(*BOARD, "4", "--json", **cache)
    told = json.loads(second.stdout)
    assert told.pop("seconds") >= 0
    assert told == {
        "game": "hexapawn", "options": {"rows": 4, "cols": 4},
        "winner": 0, "plies": 11, "positions": 20286, "kept": True,
    }  # fmt: skip
    third = touchline(*BOARD, "4", **cache)
    assert third.stdout == first.stdout
    assert f"kept in {tmp_path / 'hexapawn-4x4.table'}" in third.stderr
    assert touchline(*BOARD, "4", "--anew", **cache).stderr.startswith("solved in ")


@pytest.mark.slow
def test_of_a_large_board_the_end_is_found(tmp_path: Path) -> None:
    """Without its positions, which nobody counts; and that is kept, too."""
    cache = without_tablebases(tmp_path)
    for kept in (False, True):
        done = touchline("solve", "hexapawn", "--rows", "7", "--cols", "5", "--json", **cache)
        told = json.loads(done.stdout)
        assert (told["winner"], told["plies"], told["positions"], told["kept"]) == (0, 29, None, kept)


@pytest.mark.slow
def test_what_cannot_be_solved_is_refused() -> None:
    assert "up to 64 squares can be solved, not 9 x 9" in refused(
        "solve", "hexapawn", "--rows", "9", "--cols", "9"
    )
    assert "cannot solve 'fish'; there is: hexapawn" in refused("solve", "fish")


def interrupted(cache: dict[str, str]) -> tuple[int, bytes]:
    """Press Ctrl-C as soon as the bar counts positions; the exit code and what was on the screen."""
    screen, terminal = pty.openpty()
    words = [*TOUCHLINE, *BOARD, "6"]
    process = subprocess.Popen(
        words, stdout=terminal, stderr=terminal, env=environment(TERM="xterm", **cache)
    )
    os.close(terminal)
    seen, deadline = b"", time.monotonic() + 60
    asked = False
    while time.monotonic() < deadline:
        try:
            seen += os.read(screen, 4096)
        except OSError:  # everybody has gone
            break
        if b"positions" in seen and not asked:
            process.send_signal(signal.SIGINT)
            asked = True
    os.close(screen)
    return process.wait(60), seen


@pytest.mark.slow
def test_ctrl_c_leaves_something_to_go_on_from(tmp_path: Path) -> None:
    """It says how, the next run does, and the tablebase is that of a run that nobody stopped."""
    cache = without_tablebases(tmp_path / "stopped")
    code, seen = interrupted(cache)
    assert code == 130, seen
    assert b"the same command resumes from here" in seen
    assert [path.name for path in (tmp_path / "stopped").glob("*.table")] == ["hexapawn-4x6-part.table"]
    resumed = touchline(*BOARD, "6", **cache)
    assert resumed.stderr.startswith("resuming after ")
    assert resumed.stdout == "seat 1 wins in 16 plies; 5,901,150 positions\n"
    assert touchline(*BOARD, "6", **without_tablebases(tmp_path / "straight")).stdout == resumed.stdout
    stopped, straight = (
        (tmp_path / name / "hexapawn-4x6.table").read_bytes() for name in ("stopped", "straight")
    )
    assert stopped.partition(b"\n")[2] == straight.partition(b"\n")[2]
    assert not (tmp_path / "stopped" / "hexapawn-4x6-part.table").exists()
