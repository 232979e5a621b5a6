"""`touchline play` that is interrupted leaves no process and a record of complete lines."""

from __future__ import annotations

import json
import secrets
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import SMALL, TOUCHLINE, environment, rogue
from players.survivors import MARK, gone, until

if TYPE_CHECKING:
    from pathlib import Path


def in_the_middle(record: Path, mark: str, *extra: str) -> subprocess.Popen[bytes]:
    """A match of two programs, of which each has made a move and will not make a second."""
    words = [
        "play",
        "hexapawn",
        rogue("sleeper"),
        rogue("stubborn"),
        *SMALL,
        "--seconds",
        "60",
        "--seed",
        "1",
    ]
    process = subprocess.Popen(
        [*TOUCHLINE, *words, "--record", str(record), *extra],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(**{MARK: mark}),
    )  # fmt: skip
    assert until(lambda: record.exists() and record.read_bytes().count(b'"type":"moved"') == 2, 30)
    return process


def finished(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    try:
        _, told = process.communicate(timeout=20)
    finally:
        process.kill()
    return process.returncode, told.decode()


def complete_lines(record: Path) -> list[Any]:
    data = record.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


def test_ctrl_c_leaves_no_process_and_a_record_of_complete_lines(tmp_path: Path) -> None:
    """Exit code 130, `interrupted`, everything cleaned up, and what happened is on disk."""
    record, mark = tmp_path / "match.jsonl", secrets.token_hex(8)
    process = in_the_middle(record, mark)
    process.send_signal(signal.SIGINT)
    code, told = finished(process)
    assert code == 130
    assert "Traceback" not in told
    assert "interrupted" in told
    assert gone(mark) == []
    lines = complete_lines(record)
    assert [line["type"] for line in lines] == ["begun", "sat_down", "sat_down", "moved", "moved"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_any_other_end_leaves_no_process_either(tmp_path: Path, number: signal.Signals) -> None:
    """However the command is ended, its programs go with it, and the record has complete lines."""
    record, mark = tmp_path / "match.jsonl", secrets.token_hex(8)
    process = in_the_middle(record, mark)
    process.send_signal(number)
    code, _ = finished(process)
    assert code != 0
    assert gone(mark) == []
    assert complete_lines(record)


def test_ctrl_c_among_many_games_leaves_no_process(tmp_path: Path) -> None:
    """The same with --games; beside the record is the secret with which it can be verified."""
    mark, folder = secrets.token_hex(8), tmp_path / "records"
    process = subprocess.Popen(
        [*TOUCHLINE, "play", "hexapawn", rogue("sleeper"), "random", *SMALL, "--seconds", "60",
         "--games", "5", "--record", str(folder), "--seed", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(**{MARK: mark}),
    )  # fmt: skip
    first = folder / "000000.jsonl"
    assert until(lambda: first.exists() and first.read_bytes().count(b'"type":"moved"') == 2, 30)
    process.send_signal(signal.SIGINT)
    code, _ = finished(process)
    assert code == 130
    assert gone(mark) == []
    assert sorted(path.name for path in folder.iterdir()) == ["000000.jsonl", "000000.jsonl.secret"]


def test_standard_output_may_be_closed() -> None:
    """`touchline play ... | head -0` is no traceback."""
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m touchline play hexapawn random random --seed 1 | true"],
        capture_output=True, text=True, timeout=60, check=False, env=environment(),
    )  # fmt: skip
    assert "Traceback" not in done.stderr
