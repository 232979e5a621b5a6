"""`touchline learn` as a user meets it."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import xml.etree.ElementTree as Xml
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import TOUCHLINE, environment, refused, result, touchline
from players.survivors import until
from touchline.bots.her import Her
from touchline.bots.hexapawn.forced_loss import line_against
from touchline.cli._braille import curve
from touchline.cli._players import bot
from touchline.core.errors import BadOptions
from touchline.games.hexapawn import Hexapawn

if TYPE_CHECKING:
    from pathlib import Path

START: Any = Hexapawn(rows=3, cols=3).start(2, Random(0))
HER = ("learn", "hexapawn", "her")


def test_it_learns_and_what_is_claimed_is_so(tmp_path: Path) -> None:
    """After 600 games it is unbeatable, by its own memory too; and it has not lost since it says so."""
    path = tmp_path / "her.json"
    report = result(*HER, "--games", "600", "--seed", "1", "--memory", str(path))
    assert report["options"] == {"rows": 3, "cols": 3}
    assert (report["games"], report["won"] + report["lost"]) == (600, 600)
    assert report["lost"] == len(report["losses"]) == report["learnt"]["beads taken"]
    assert report["seats"] == [
        {"seat": 1, "last_loss": report["losses"][-1], "unbeatable_since": report["losses"][-1]}
    ]
    assert line_against(START, 1, Her(Random(0), memory=str(path)).may_play) is None


def test_what_can_be_beaten_is_not_called_unbeatable() -> None:
    """And the line that beats it is shown."""
    report = result(*HER, "--games", "20", "--seed", "1")
    (standing,) = report["seats"]
    assert "unbeatable_since" not in standing
    assert all(re.fullmatch(r"\d,\d \d,\d", move) for move in standing["beaten_by"])
    said = touchline(*HER, "--games", "20", "--seed", "1").stdout
    assert f"can be beaten: {'; '.join(standing['beaten_by'])}" in said


def test_the_summary_in_words() -> None:
    done = touchline(*HER, "--games", "600", "--seed", "1")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "her against random, 600 games of hexapawn: rows 3, cols 3"
    assert re.fullmatch(r"won \d+, lost \d+ \(resigned \d+\)", lines[1])
    assert re.fullmatch(r"\d+ boxes, \d+ beads, \d+ beads taken", lines[2])
    assert re.fullmatch(r"seat 1: last lost game (\d+); unbeatable since game \1: .*", lines[3])
    assert [line.split()[0] for line in done.stderr.splitlines()] == [str(60 * n) for n in range(1, 11)]


def test_the_same_seed_teaches_the_same() -> None:
    assert result(*HER, "--seed", "5") == result(*HER, "--seed", "5")
    assert result(*HER, "--seed", "5") != result(*HER, "--seed", "6")
    done = touchline(*HER, "--games", "30")
    seed = done.stderr.split("--seed ")[1].strip()
    assert touchline(*HER, "--games", "30", "--seed", seed).stdout == done.stdout


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    memory = ("--memory", str(tmp_path / "her.json"))
    first = result(*HER, "--games", "600", "--seed", "1", *memory)
    second = result(*HER, "--games", "50", "--seed", "2", *memory)
    assert first["lost"] > 8
    assert (second["lost"], second["seats"][0]["unbeatable_since"]) == (0, 0)
    assert "never lost; unbeatable from the start" in touchline(*HER, "--games", "5", *memory).stdout


def test_on_both_seats_by_turns() -> None:
    """On the first it has nothing left in the end, for the game is lost there."""
    report = result(*HER, "--seat", "both", "--games", "1200", "--seed", "3", "--against", "minimax:depth=9")
    first, second = report["seats"]
    assert (first["seat"], second["seat"]) == (0, 1)
    assert first["beaten_by"] == []
    assert first["last_loss"] % 2 == 1
    assert report["resigned"] > 400


def test_the_chart_as_svg(tmp_path: Path) -> None:
    path = tmp_path / "her.svg"
    report = result(*HER, "--games", "100", "--seed", "1", "--svg", str(path))
    svg = Xml.fromstring(path.read_bytes())
    told = svg.findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert f"to {report['lost']} at 100" in told
    assert f"last lost game {report['losses'][-1]}" in told


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("hexapawn", "random"), "random does not learn"),
        (("fish", "her"), "her plays hexapawn, not fish"),
        (("hexapawn", "human"), "only house bots can play here"),
        (("hexapawn", "her", "--against", "process:cat"), "only house bots can play here"),
        (("hexapawn", "her", "--against", "nobody"), "no bot is called 'nobody'"),
        (("hexapawn", "her", "--memory", "/nowhere/her.json"), "/nowhere/her.json"),
        (("hexapawn", "her", "--svg", "/nowhere/her.svg"), "/nowhere"),
        (("hexapawn", "her", "--games", "0"), "--games"),
    ],
)
def test_what_cannot_be_taught(words: tuple[str, ...], why: str) -> None:
    assert why in refused("learn", *words)


def test_a_damaged_memory_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "her.json"
    path.write_text("{}")
    assert str(path) in refused(*HER, "--memory", str(path))
    assert path.read_text() == "{}"


def test_ctrl_c_keeps_what_was_learnt(tmp_path: Path) -> None:
    """The summary is printed all the same, and the memory is whole."""
    path = tmp_path / "her.json"
    process = subprocess.Popen(
        [*TOUCHLINE, *HER, "--games", "20000000", "--seed", "1", "--memory", str(path), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    try:
        assert until(path.exists, 30)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    report = json.loads(out)
    assert process.returncode == 130
    assert f"interrupted after {report['games']} games" in err
    assert "Traceback" not in err
    assert Her(Random(0), memory=str(path)).learnt() == report["learnt"]
    assert list(tmp_path.iterdir()) == [path]


def test_on_a_terminal_a_chart_is_drawn_in_its_place() -> None:
    """Braille on the terminal, and the result alone on stdout."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*TOUCHLINE, *HER, "--games", "50", "--seed", "1"],
        stdout=subprocess.PIPE, stderr=slave, text=True,
        env=environment(COLUMNS="80", LINES="30", TERM="xterm-256color", PYTHONIOENCODING="utf-8"),
    )  # fmt: skip
    os.close(slave)
    seen = b""
    while True:
        try:
            seen += os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            break
    os.close(master)
    out, _ = process.communicate(timeout=60)
    shown = seen.decode()
    assert re.search("[\u2801-\u28ff]", shown)
    assert "\x1b[1A" in shown  # up again, to where it began
    assert "50 games, " in shown
    assert out.startswith("her against random, 50 games")


def test_a_curve_in_dots() -> None:
    """From the lower left to the upper right; nothing where there is no value yet."""
    assert curve([0, 1, 2, 3, 4, 5, 6, 7], 7, 4, 2) == ["⠀⠀⡠⠊", "⡠⠊⠀⠀"]
    assert curve([0, 3, 3], 3, 2, 1) == ["⡸⠁"]
    assert curve([0, 0], 0, 3, 1) == ["⣀⠀⠀"]
    assert curve([], 1, 2, 1) == ["⠀⠀"]


def test_options_that_are_text_and_options_that_are_numbers(tmp_path: Path) -> None:
    """A file may have a name that looks like a number; a depth must be one."""
    path = tmp_path / "5"
    made: Any = bot(f"her:memory={path}", "hexapawn", 1)
    made.choose(START.play(START.legal_moves()[0]), 1)
    made.save()
    assert path.exists()
    with pytest.raises(BadOptions, match="minimax: depth is a number, not 'deep'"):
        bot("minimax:depth=deep", "hexapawn", 1)
    with pytest.raises(BadOptions, match="her: an option is written memory=VALUE"):
        bot("her:memory", "hexapawn", 1)
    with pytest.raises(BadOptions, match="her has no option 'depth'; it has: memory"):
        bot("her:depth=1", "hexapawn", 1)


def test_it_learns_in_play_too(tmp_path: Path) -> None:
    """Game after game, as everybody plays: each time a new player with the old memory."""
    path = tmp_path / "her.json"
    word = f"her:memory={path}"
    done = touchline(
        "play", "hexapawn", "random", word, "--rows", "3", "--cols", "3", "--games", "40", "--seed", "1"
    )
    assert done.returncode == 0
    assert Her(Random(0), memory=str(path)).learnt()["beads taken"] > 3
