"""`touchline play` at a terminal: watching a match, and playing in one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment, result, touchline
from players.survivors import until
from touchline.bots.random import Random as RandomBot
from touchline.core.clock import UNTIMED
from touchline.drivers.match import agreed, play_now
from touchline.games.hexapawn import Hexapawn
from touchline.players.terminal import Terminal

if TYPE_CHECKING:
    from touchline.core.sketch import Sketch


def test_watching_draws_the_board_after_every_move() -> None:
    """As many boards as turns, each after who moved what, then the result."""
    words = ("play", "hexapawn", "random", "random", "--rows", "3", "--cols", "3", "--seed", "1")
    turns = result(*words)["result"]["turns"]
    done = touchline(*words, "--watch")
    assert done.stdout.count("    0  1  2\n") == turns
    moved = re.findall(r"^random \((red|blue)\): \d,\d → \d,\d$", done.stdout, re.MULTILINE)
    assert moved == [("red", "blue")[turn % 2] for turn in range(turns)]
    assert " won with " in done.stdout.splitlines()[-2]


def test_watching_does_not_spoil_the_json() -> None:
    """Stdout is the result and nothing else."""
    said = result(
        "play", "hexapawn", "random", "random", "--rows", "3", "--cols", "3", "--seed", "1", "--watch"
    )
    assert said["result"]["verdict"] == "finished"


def lines_of_a_person(seed: int) -> list[str]:
    """What a person must type to play the first legal move each time against `random` at seat 1."""
    game, typed = Hexapawn(rows=3, cols=3), list[str]()
    shown: list[Sketch] = []

    def ask(prompt: str) -> str:
        keys = shown[-1].moves[0]
        typed.append(" ".join(key if isinstance(key, str) else f"{key[0]},{key[1]}" for key in keys))
        return typed[-1]

    person = Terminal(ask, shown.append, lambda text: None)
    spec = agreed(game, ["human", "random"], seed, limits=UNTIMED)
    assert not play_now(spec, [person, RandomBot(Random(f"{seed} 1"))]).faults
    return typed


def test_a_person_plays_at_the_terminal() -> None:
    """Every move is typed, a wrong line is told, and at the end it is said who won."""
    lines = "\n".join(["nonsense", "?", *lines_of_a_person(4)]) + "\n"
    words = ("play", "hexapawn", "human", "random", "--rows", "3", "--cols", "3", "--seed", "4")
    done = touchline(*words, stdin=lines)
    assert done.returncode == 0
    assert "no legal move begins with 'nonsense'" in done.stdout
    assert done.stdout.count("legal moves; type one such as") == len(lines_of_a_person(4))
    assert " won with " in done.stdout.splitlines()[-2]
    assert "expelled" not in done.stdout


@pytest.mark.parametrize("stdin", ["resign\n", ""])
def test_a_person_gives_up(stdin: str) -> None:
    """By saying so, or by closing the input."""
    done = touchline("play", "hexapawn", "human", "random", "--seed", "1", stdin=stdin)
    assert done.returncode == 0
    assert "human (seat 0) resigned" in done.stdout
    assert "expelled" not in done.stdout


def test_ctrl_c_at_the_prompt_ends_the_command() -> None:
    """A person who interrupts wants to leave: exit code 130, and no verdict."""
    process = subprocess.Popen(
        [*TOUCHLINE, "play", "hexapawn", "human", "random", "--seed", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    seen = b""
    while b"your move" not in seen:
        piece = os.read(process.stdout.fileno(), 4096)
        assert piece, seen
        seen += piece

    def interrupted() -> bool:  # again and again: one that comes just before the read begins is not noticed
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.3)
        return process.returncode is not None

    try:
        assert until(interrupted, 10)
        rest = process.stdout.read()
    finally:
        process.kill()
        process.stdin.close()
        process.stdout.close()
    assert process.returncode in (130, -signal.SIGINT), rest  # the latter if one came during its exit
    assert b"won" not in rest
