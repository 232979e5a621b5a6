"""Run a command, kill it with SIGKILL at random instants, and compare its match with an undisturbed one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from touchline.records.replay import Replay
from touchline.records.side_file import side_file
from touchline.records.verification import verify_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from random import Random

SLOW = """
import time
from random import Random


class Slow:
    def __init__(self):
        self.rng = Random(4)

    def choose(self, view, turn):
        time.sleep(0.004)
        return self.rng.choice(view.legal_moves())
"""
"""A program with a memory: its random numbers. It is slow enough to be killed in the middle of a match."""
LONGEST = 60.0
"""Seconds that a step may take on a busy machine before the test gives up."""


def start(*words: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "touchline", *words],
        cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def ended(process: subprocess.Popen[bytes], code: int = 0) -> bytes:
    """Wait for the end of a process; return its output."""
    output, _ = process.communicate(timeout=LONGEST)
    assert process.returncode == code, output.decode()
    return output


def until(true: Callable[[], bool], process: subprocess.Popen[bytes]) -> bool:
    """Wait until something is true; return False if the process ended before."""
    tries = round(LONGEST / 0.005)
    for _ in range(tries):
        if true():
            return True
        if process.poll() is not None:
            return true()
        time.sleep(0.005)
    process.kill()
    output, _ = process.communicate()
    raise AssertionError(f"nothing happened; it had printed: {output.decode()}")


def begun(record: Path, lines: int = 1) -> bool:
    """Return whether a record has so many lines."""
    return record.exists() and record.read_bytes().count(b"\n") >= lines


def kill_in_the_middle(process: subprocess.Popen[bytes], record: Path, chance: Random) -> bool:
    """Kill a process at a random instant of the match that it records; return whether it was in time."""
    there = record.read_bytes().count(b"\n") if record.exists() else 0
    lines = max(1, there + chance.choice((0, 1, 2, 5, 9)))
    until(lambda: begun(record, lines), process)
    time.sleep(chance.random() * 0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=LONGEST)
    if b'{"type":"sealed"' in record.read_bytes():
        side_file(record).unlink(missing_ok=True)  # all that was left to do; a restart does it
        return False
    return process.returncode == -signal.SIGKILL


def course(record: Path) -> tuple[list[Any], Any]:
    """Return the moves of a record and its result; the record must be whole, and nobody at fault."""
    replay = Replay.read(record)
    found = verify_record(replay, digest=replay.seal.digest if replay.seal else None)
    assert found.follows, found.wrong
    assert found.sealed, found.wrong
    assert not side_file(record).exists()
    events = [json.loads(line) for line in replay.lines]
    moves = [(event["seat"], event["turn"], event["move"]) for event in events if event["type"] == "moved"]
    result = events[-1]["result"]
    assert result["faults"] == []
    assert result["expelled"] == []
    return moves, result


def resumed(record: Path) -> int:
    """Return how often a match was resumed."""
    return record.read_bytes().count(b'{"type":"resumed"')


def run(words: Sequence[str], cwd: Path) -> bytes:
    return ended(start(*words, cwd=cwd))
