"""Programs that are stopped while their cage is being set up."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from players.survivors import until
from touchline.players.process import Program
from touchline.sandbox.launch import Sandbox
from touchline.sandbox.tiers import problem


def processes_of(folder: Path) -> list[str]:
    """Return the process ids of all commands that name this folder."""
    found, needle = [], str(folder).encode()
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if needle in (process / "cmdline").read_bytes():
                    found.append(process.name)
            except OSError:
                continue
    return found


def test_a_cage_that_is_stopped_while_it_starts_leaves_nothing(tmp_path: Path) -> None:
    """Bubblewrap, killed at that moment, leaves a process that waits for it for ever: we kill that, too."""
    if (why := problem("A")) is not None:
        pytest.skip(f"tier A does not work here: {why}")
    (tmp_path / "bot.py").write_text("import time\ntime.sleep(100)\n")
    for number in range(90):
        program = Program([sys.executable, str(tmp_path / "bot.py")], tmp_path, Sandbox(tier="A"))
        time.sleep(0.01 + number % 30 * 0.001)  # somewhere in its start
        program.stop()
    until(lambda: not processes_of(tmp_path), 20)
    assert processes_of(tmp_path) == []
