"""`touchline shrink` as a user meets it: programs, files, exit codes."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from cli.commands import TOUCHLINE, environment, touchline
from cli.shell import Shell
from touchline.core.events import Faulted
from touchline.records.replay import Replay

BUG = """
class Bug:
    def choose(self, view, turn):
        if len(view.legal_moves()) < {}:
            raise KeyError("planted")
        return view.legal_moves()[-1]
"""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The record of a match, and a bot that fails on it."""
    folder = tmp_path_factory.mktemp("shrink")
    bot, path = folder / "bug.py", folder / "match.jsonl"
    bot.write_text(BUG.format(3))
    done = touchline("play", "hexapawn", "--rows", "4", "--cols", "3", str(bot), "random", "--seed", "3",
                     "--record", str(path))  # fmt: skip
    assert "was expelled" in done.stdout
    return str(path), str(bot)


def test_a_record_is_shrunk_for_a_python_file(match: tuple[str, str], shell: Shell) -> None:
    """The result is a record that verifies, ends with the fault, and is not overwritten."""
    record, bot = match
    said = shell.result("shrink", record, bot, "--tries", "12")
    target = Path(record).with_name("match.shrunk.jsonl")
    assert said["record"] == str(target)
    assert (said["fails"], said["seat"], said["offence"]) == (True, 0, "gone")
    assert said["moves"] <= said["recorded_moves"]
    assert said["tries"] <= 12
    assert "KeyError: 'planted'" in said["stderr"]
    replay = Replay(target.read_bytes(), "shrunk")
    replay.verify()
    assert any(isinstance(event, Faulted) and event.turn == said["turn"] for event in replay.events)
    assert "--force" in shell.refused("shrink", record, bot)
    again = shell.touchline("shrink", record, bot, "--tries", "2", "--force", "--strict")
    assert again.returncode == 3
    assert "seat 0 fails: gone: exited with 1" in again.stdout
    assert f"written to {target}" in again.stderr


def test_a_bot_that_does_not_fail(match: tuple[str, str], shell: Shell, tmp_path: Path) -> None:
    """Exit code 0, one line, and no file."""
    target = tmp_path / "none.jsonl"
    words = ("shrink", match[0], "random", "--seat", "1", "-o", str(target))
    done = shell.touchline(*words)
    assert (done.returncode, done.stdout) == (0, "random does not fail on this record in seat 1\n")
    assert shell.result(*words) == {"fails": False, "seat": 1}
    assert not target.exists()


def test_ctrl_c_keeps_the_best_so_far(match: tuple[str, str], tmp_path: Path) -> None:
    """The record is written, and the exit code is that of an interrupted command."""
    target, slow = tmp_path / "kept.jsonl", tmp_path / "slow.py"
    words = ["shrink", match[0], str(slow), "--tries", "100000", "-o", str(target), "--json"]
    slow.write_text(BUG.format(3).replace("class Bug:", "import time\ntime.sleep(0.2)\nclass Bug:"))
    with subprocess.Popen(
        [*TOUCHLINE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "Ctrl-C keeps the best" in line:
                break
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert json.loads(out)["record"] == str(target)
    Replay(target.read_bytes(), "kept").verify()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("random", "--seat", "9"), "its seats are 0 to 1"),
        (("nobody", "--seat", "0"), "no bot is called"),
        (("riemann", "--seat", "0"), "riemann plays labyrinth, not hexapawn"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    match: tuple[str, str], shell: Shell, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    """A seat or a name that is not there."""
    assert why in shell.refused("shrink", match[0], *words, "-o", str(tmp_path / "none.jsonl"))


def test_the_seat_must_be_known(shell: Shell, tmp_path: Path) -> None:
    """Without a fault in the record, and with two seats of that name, --seat is required."""
    path = tmp_path / "fair.jsonl"
    shell.touchline("play", "hexapawn", "random", "random", "--seed", "1", "--record", str(path))
    assert "--seat" in shell.refused("shrink", str(path), "random")
    assert shell.result("shrink", str(path), "random", "--seat", "0")["fails"] is False
    same = shell.refused("shrink", str(path), "random", "--seat", "0", "-o", str(path))
    assert "is the record itself" in same
