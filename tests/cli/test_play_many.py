"""`play --games N`: the table, rows as JSON and CSV, progress, and Ctrl-C in the middle."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

import touchline
from cli.commands import SMALL, TOUCHLINE, environment
from cli.shell import Shell
from touchline.cli._csv_rows import CsvRows

if TYPE_CHECKING:
    from pathlib import Path

TWO = ("play", "hexapawn", "random", "minimax:depth=2", *SMALL, "--seed", "1")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_the_table_has_elo_with_its_interval(cli: Shell) -> None:
    """Wins, ties and losses add up; the reverse stands in the other line; times and faults are there."""
    done = cli.touchline(*TWO, "--games", "20")
    head, first, second, *_ = done.stdout.splitlines()
    assert head.split() == ["player", "won", "tied", "lost", "points", "%", "Elo", "[95", "%]", "a", "move",
                            "faulty", "games"]  # fmt: skip
    (won, tied, lost), (theirs, _, losses) = (map(int, line.split()[1:4]) for line in (first, second))
    assert (won + tied + lost, won, lost) == (20, losses, theirs)
    assert "[" in second
    assert "20 games in " in done.stdout


def test_copies_of_games_are_named(cli: Shell) -> None:
    """Two that always play alike play two games, however often."""
    words = ("play", "hexapawn", "minimax:depth=1", "minimax:depth=2", *SMALL, "--games", "12", "--seed", "1")
    assert "2 distinct games of 12" in cli.touchline(*words).stdout
    assert cli.result(*words)["distinct"] == 2


def test_json_has_rows_and_totals(cli: Shell, tmp_path: Path) -> None:
    """A row per game and player, as in the CSV file."""
    said = cli.result(*TWO, "--games", "4", "--csv", str(tmp_path / "games.csv"))
    assert (said["games"], said["tied"], said["interrupted"]) == (4, 0, False)
    assert len(said["rows"]) == 8
    totals = {row["player"]: row for row in said["players"]}
    for name, total in totals.items():
        own = [row for row in said["rows"] if row["player"] == name]
        assert total["points"] == sum(row["points"] for row in own)
        assert total["moves"] == sum(row["moves"] for row in own)
    with (tmp_path / "games.csv").open(newline="") as file:
        written = list(csv.DictReader(file))
    assert written == [
        {key: "" if value is None else str(value) for key, value in row.items()} for row in said["rows"]
    ]


def test_csv_on_standard_output(cli: Shell) -> None:
    """Then nothing else is there: the table goes to stderr."""
    done = cli.touchline(*TWO, "--games", "2", "--csv", "-")
    assert [len(row) for row in csv.reader(done.stdout.splitlines())] == [19] * 5
    assert "Elo [95 %]" in done.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--games", "1000000000000000000000"), "1000000"),
        (("--csv", "x.csv"), "--games"),
        (("--games", "2", "--csv", "-", "--json"), "both write to stdout"),
        (("--games", "2", "--csv", "/no/such/folder/x.csv"), "No such file"),
    ],
)
def test_what_cannot_be_done_is_said(cli: Shell, words: tuple[str, ...], why: str) -> None:
    """One clear line, and no game is played."""
    assert why in cli.refused(*TWO, *words)


def test_a_csv_file_is_not_overwritten_silently(cli: Shell, tmp_path: Path) -> None:
    """As a record is not."""
    words = (*TWO, "--games", "2", "--csv", str(tmp_path / "games.csv"))
    assert cli.touchline(*words).returncode == 0
    assert "exists already" in cli.refused(*words)
    assert cli.touchline(*words, "--force").returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_loses_no_result(cli: Shell) -> None:
    """The table is printed, then one line says what is missing."""
    done = cli.touchline(*TWO, "--games", "2", "--csv", "/dev/full", "--force")
    assert done.returncode in (1, 2)
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_disk_that_fills_up_ends_the_rows(tmp_path: Path) -> None:
    """What could not be written is noted, nothing is raised, and the games go on."""
    rows = CsvRows(str(tmp_path / "games.csv"), overwrite=False)
    rows.close()
    with open("/dev/full", "w") as full:
        rows._file = full
        match = touchline.play("hexapawn", ["random", "random"], seed=1)
        rows.add(0, match)
        rows.add(1, match)
        assert rows.failed is not None
        assert "No space left on device" in rows.failed
        assert rows.games == 1
        rows.close()


def test_ctrl_c_shows_what_was_played(tmp_path: Path) -> None:
    """The table and the rows of the finished games, and exit code 130."""
    rows = tmp_path / "games.csv"
    words = ("play", "fish", "random", "random", "--games", "1000000", "--seed", "1", "--csv", str(rows))
    with subprocess.Popen(
        [*TOUCHLINE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        while process.poll() is None and (not rows.exists() or rows.read_bytes().count(b"\n") < 20):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.startswith("player")
    (played,) = [line.split()[2] for line in err.splitlines() if line.startswith("interrupted after ")]
    assert rows.read_text().count("\n") == 1 + 2 * int(played.replace(",", ""))
    assert "Traceback" not in err
