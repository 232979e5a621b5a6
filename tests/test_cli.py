"""The command line as a user meets it: a real process, its output, its exit code."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

TOUCHLINE = [sys.executable, "-m", "touchline"]


def touchline(*words: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TOUCHLINE, *words],
        input=stdin, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "COLUMNS": "100", **env},
    )  # fmt: skip


def result(*words: str, stdin: str = "") -> Any:
    done = touchline(*words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_perft_prints_the_known_numbers() -> None:
    """Hexapawn 3 x 3 has just these sequences."""
    done = touchline("perft", "hexapawn", "--rows", "3", "--cols", "3", "--depth", "7")
    assert (done.returncode, done.stdout, done.stderr) == (0, "3 10 28 56 70 64 20\n", "")


def test_perft_as_json_tells_what_was_counted() -> None:
    """The options, the seats and the seed stand beside the counts."""
    said = result("perft", "fish", "--rows", "3", "--cols", "3", "--depth", "2", "--seed", "4", "--json")
    assert said["perft"] == [9, 72]
    assert (said["seats"], said["seed"], said["options"]["rows"]) == (2, 4, 3)


def test_games_lists_what_can_be_played() -> None:
    """Names and seats for people, and all of it as JSON."""
    done = touchline("games")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["fish", "hexapawn", "labyrinth"]
    said = {entry["name"]: entry for entry in result("games", "--json")}
    assert said["labyrinth"]["seats"] == [2, 3, 4, 5, 6]
    assert said["labyrinth"]["hidden"] is True


def test_show_draws_the_same_position_from_the_same_seed() -> None:
    """A seed that is not given is drawn, and told on stderr."""
    words = ("show", "fish", "--seats", "3", "--moves", "12")
    first = touchline(*words)
    seed = first.stderr.split()[-1]
    assert first.stdout.endswith("legal moves\n")
    assert touchline(*words, "--seed", seed).stdout == first.stdout


@pytest.mark.parametrize("game", ["fish", "hexapawn", "labyrinth"])
def test_show_reads_back_what_it_wrote(game: str, tmp_path: Path) -> None:
    """A position written as JSON is drawn as the position itself."""
    drawn = touchline("show", game, "--seed", "5", "--moves", "9").stdout
    file = tmp_path / "here.json"
    file.write_text(touchline("show", game, "--seed", "5", "--moves", "9", "--json").stdout)
    assert touchline("show", game, "--position", str(file)).stdout == drawn
    bare = json.dumps(json.loads(file.read_text())["position"])
    assert touchline("show", game, "--position", "-", stdin=bare).stdout == drawn


def test_show_keeps_a_seats_secrets() -> None:
    """A spectator's position has nobody's goal, a seat's has its own alone."""
    words = ("show", "labyrinth", "--seed", "5", "--seats", "3", "--json")
    goals = [seeker["goal"] for seeker in result(*words)["position"]["seekers"]]
    seen = [seeker["goal"] for seeker in result(*words, "--view", "1")["position"]["seekers"]]
    assert None not in goals
    assert seen == [None, goals[1], None]
    assert result(*words, "--view", "spectator")["position"]["pool"] is None


def test_show_says_how_a_game_ended() -> None:
    """After the last move there is an outcome."""
    done = touchline("show", "hexapawn", "--rows", "2", "--seed", "1", "--moves", "9")
    assert done.stdout.splitlines()[-1] == "over: reached the far row; winners: seat 0; scores: [1, 0]"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["perft", "hexapawn", "--rows", "1", "--depth", "2"], "hexapawn: Expected `int` >= 2 - at `$.rows`"),
        (["perft", "hexapawn"], "Missing option '--depth'"),
        (["perft", "ludo", "--depth", "2"], "No such game 'ludo'"),
        (["show", "fish", "--seats", "7"], "fish is for 2 to 4 players, not 7"),
        (["show", "fish", "--board", "[[1,"], "not JSON"),
        (["show", "fish", "--board", "[[1]]"], "2 seats place 8 penguins, and there are 1 tiles"),
        (["show", "labyrinth", "--view", "2"], "'2' is neither a seat (0 to 1) nor 'spectator'"),
        (["show", "fish", "--position", "no-such-file"], "No such file"),
        (["show", "fish", "--position", "-"], "not a position of this fish"),
        (["harness", "fish", "xnothing"], "No such command 'xnothing'"),
        (["harness", "fish", "xboard"], "end of input: missing: Board-Posn (value 1 of 1)"),
    ],
)
def test_a_mistake_is_one_clear_error(words: list[str], said: str) -> None:
    """Exit code 2, nothing on stdout, the reason on stderr and no traceback."""
    done = touchline(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_harness_answers_in_json() -> None:
    """The in-value on stdin, the out-value on stdout."""
    asked = '{"position": [0, 0], "board": [[1, 2, 3], [4, 0, 5], [1, 1, 0]]}'
    assert result("harness", "fish", "xboard", stdin=asked) == 3


def test_ill_formed_input_is_one_line_that_says_what_and_where() -> None:
    """And with --json that line is JSON."""
    asked = '{"position": [0, "a"], "board": [[1]]}'
    done = touchline("harness", "fish", "xboard", stdin=asked)
    said = "Board-Posn.position[1]: Expected `int`, got `str`"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"Error: {said}\n")
    done = touchline("harness", "fish", "xboard", "--json", stdin=asked)
    assert (done.returncode, json.loads(done.stderr)) == (2, {"error": said})


def test_check_game_passes_and_says_what_it_checked() -> None:
    """Each law is a line, and the verdict is the last."""
    lines = touchline("check", "game", "hexapawn").stdout.splitlines()
    assert lines[-1] == "hexapawn keeps the contract"
    assert len(lines) == 11
    assert result("check", "game", "hexapawn", "--json")["failed"] is None


def test_demo_plays_every_game_to_its_end() -> None:
    """A game of each kind, with an outcome; then a match over TCP, in which the cheat is found out."""
    shown = result("demo", "--json", "--no-page")
    assert [entry["game"] for entry in shown["games"]] == ["fish", "hexapawn", "labyrinth"]
    assert all(entry["outcome"]["reason"] for entry in shown["games"])
    assert shown["page"] is None
    match = shown["match"]
    assert match["verified"]
    assert match["result"]["expelled"] == [match["names"].index("Dan")]
    said = touchline("demo", "--no-page").stdout
    assert "won after" in said
    assert "Dan (seat 3) was expelled" in said


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_a_shell(shell: str) -> None:
    """And what it calls back answers."""
    assert "_TOUCHLINE_COMPLETE" in touchline("completion", shell).stdout
    done = touchline(_TOUCHLINE_COMPLETE="bash_complete", COMP_WORDS="touchline per", COMP_CWORD="1")
    assert done.stdout == "plain,perft\n"


def test_every_command_helps_with_examples() -> None:
    """--help works everywhere, and the commands with options show how they are used."""
    commands = ["games", "show", "perft", "harness", "check game", "demo", "completion", "show fish"]
    commands += ["serve fish", "join", "grade"]
    for words in commands:
        done = touchline(*words.split(), "--help")
        assert done.returncode == 0
        assert "Examples:" in done.stdout, words


def test_colour_obeys_the_user() -> None:
    """No colour where there is no terminal, unless it is asked for; and NO_COLOR is heard."""
    words = ("show", "hexapawn", "--rows", "3")
    assert "\x1b[" not in touchline(*words).stdout
    assert "\x1b[" in touchline("--color", "always", *words).stdout
    assert "31m" not in touchline("--color", "always", *words, NO_COLOR="1").stdout
    assert "\x1b[" not in touchline("--color", "never", *words).stdout


def test_a_reader_that_leaves_is_no_error() -> None:
    """`touchline ... | head` says nothing about it."""
    command = f"'{sys.executable}' -m touchline show labyrinth --rows 40 --cols 40 --seed 1 | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == [str(col) for col in range(40)]
    assert done.stderr == ""


def test_ctrl_c_ends_at_once_with_130() -> None:
    """An interrupted count leaves a word on stderr and nothing on stdout; the bar is on the terminal."""
    master, slave = pty.openpty()
    words = ["perft", "hexapawn", "--rows", "8", "--cols", "8", "--depth", "30"]
    running = subprocess.Popen(
        [*TOUCHLINE, *words], stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"}
    )
    os.close(slave)
    seen = b""
    deadline = time.monotonic() + 30
    while b"perft" not in seen and time.monotonic() < deadline:
        seen += os.read(master, 1024)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=30)
    os.close(master)
    assert b"perft" in seen
    assert (running.returncode, out) == (130, b"")
