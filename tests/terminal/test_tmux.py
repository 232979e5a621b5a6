"""The full screen in a real terminal: playing, watching, stepping, and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.commands import touchline

if TYPE_CHECKING:
    from pathlib import Path

    from terminal.tmux import Tmux

SMALL = ("--rows", "3", "--cols", "3", "--seed", "1")


@pytest.mark.slow
def test_a_whole_game_with_the_arrow_keys(terminal: Tmux) -> None:
    """Lit moves, looking ahead, a hint, and the end by name; afterwards the terminal is as before."""
    terminal.run("play", "hexapawn", "human", "greedy", *SMALL)
    terminal.until("you, red", "greedy, blue", "pawn of red", "[    1    ]‹    1    ›‹    1    ›")
    terminal.press("Right")
    terminal.until("‹    1    ›[    1    ]‹    1    ›")
    terminal.press("Enter")
    terminal.until("Your turn: 0,1 → ?", "[         ]")
    terminal.press("u")
    terminal.until("this is what 0,1 → 1,1 would do", "[    1    ]")
    terminal.press("u")
    terminal.until("Your turn: 0,1 → ?", "[         ]")
    terminal.press("Escape")
    terminal.until("pick one of 3 lit spots")
    terminal.press("h")
    terminal.until("hint: play 0,")
    terminal.press("Enter")
    terminal.until("Your turn: 0,1 → ?")
    terminal.press("Enter")
    terminal.until("human (red): 0,1 → 1,1", "greedy (blue): 2,", "Your turn: pick")
    while "won:" not in (seen := terminal.screen()):
        assert "expelled" not in seen
        terminal.press("Enter")
    terminal.until("won:", "Press q to leave")
    terminal.press("q")
    terminal.until(" won with ", "human (seat 0)", "exit code 0")


def test_resigning_is_asked_about(terminal: Tmux) -> None:
    """`n` goes on, `y` gives up."""
    terminal.run("play", "hexapawn", "human", "random", *SMALL)
    terminal.until("Your turn")
    terminal.press("r")
    terminal.until("Do you resign?")
    terminal.press("n")
    terminal.until("Your turn", without="Do you resign?")
    terminal.press("r")
    terminal.until("Do you resign?")
    terminal.press("y")
    terminal.until("random (blue) won: opponent removed", "Press q")
    terminal.press("q")
    terminal.until("human (seat 0) resigned", "exit code 0")


@pytest.mark.slow
def test_a_labyrinth_move_at_eighty_columns(terminal: Tmux) -> None:
    """The whole board is seen; a turn of the spare, a push and a square make a move."""
    terminal.run("play", "labyrinth", "human", "random", "--seed", "3")
    terminal.until("1: 0   2: 90   3: 180   4: 270   5: pass", "goal of red", "▲", "=")
    terminal.press("2")
    terminal.until("Your turn: 90 → ?", "‹ ▼ ›")
    terminal.press("Enter")
    terminal.until("this is what 90 → ", " would do", "Enter plays it", without="‹ ▼ ›")
    terminal.press("Enter")
    terminal.until("human (red): 90 →", "random (blue):", "Your turn: pick")
    terminal.resize(120, 42)
    terminal.until("1: 0   2: 90", "Moves")
    terminal.press("C-c")
    terminal.until("interrupted", "exit code 130")


@pytest.mark.slow
def test_who_leaves_can_resume(terminal: Tmux) -> None:
    """Ctrl-C restores the terminal and closes the record; --resume goes on at the same board."""
    terminal.run("play", "hexapawn", "human", "greedy", *SMALL, "--record", "m.jsonl")
    terminal.until("Your turn: pick")
    terminal.press("Enter")
    terminal.until("Your turn: 0,0 → ?")
    terminal.press("Enter")
    terminal.until("human (red): 0,0 → 1,0", "Your turn: pick")
    terminal.press("C-c")
    terminal.until("go on with: touchline play --resume m.jsonl", "interrupted", "exit code 130")
    terminal.run("play", "--resume", "m.jsonl")
    terminal.until("human (red): 0,0 → 1,0", "the match was resumed", "Your turn: pick")
    terminal.press("r")
    terminal.until("Do you resign?")
    terminal.press("y")
    terminal.until("Press q")
    terminal.press("q")
    terminal.until("human (seat 0) resigned", "recorded in m.jsonl", "exit code 0")


@pytest.mark.slow
def test_watching(terminal: Tmux) -> None:
    """The moves go on by themselves, with who made them; the arrow keys go back."""
    terminal.run("play", "hexapawn", "greedy", "random", *SMALL, "--watch")
    terminal.until("greedy (red): 0,")
    terminal.press("End")
    terminal.until("won:", "5 of 5")
    terminal.press("Left")
    terminal.until("random (blue): 2,2 → 1,2", "4 of 5", without="won:")
    terminal.press("q")
    terminal.until(" won with ", "exit code 0")


@pytest.mark.slow
def test_stepping_through_a_record(terminal: Tmux, tmp_path: Path) -> None:
    """Forwards and backwards, and to the end."""
    record = tmp_path / "m.jsonl"
    touchline("play", "hexapawn", "greedy", "random", *SMALL, "--record", str(record))
    terminal.run("replay", "step", str(record))
    terminal.until("The game begins: greedy (red) and random (blue)", "0 of ")
    terminal.press("Right")
    terminal.until("greedy (red): 0,", "1 of ")
    terminal.press("Left")
    terminal.until("0 of ")
    terminal.press("End")
    terminal.until("won:", "5 of 5")
    terminal.press("?")
    terminal.until("one step forwards")
    terminal.press("Escape")
    terminal.until("5 of 5", without="one step forwards")
    terminal.press("q")
    terminal.until("exit code 0")


@pytest.mark.slow
def test_a_plain_terminal_gets_the_plain_prompt(terminal: Tmux) -> None:
    """One that says it is dumb, for example; so does --plain."""
    terminal.run("play", "hexapawn", "human", "random", *SMALL, TERM="dumb")
    terminal.until("you are red (1), random is blue (2)", "your move:")
    terminal.press("0 1 1 1", "Enter")
    terminal.until("random (blue): 2,", "your move:")
    terminal.press("resign", "Enter")
    terminal.until("Do you resign?")
    terminal.press("yes", "Enter")
    terminal.until("human (seat 0) resigned", "exit code 0")


@pytest.mark.slow
def test_a_clock_that_runs_ends_the_plain_prompt(terminal: Tmux) -> None:
    """The time is seen, the prompt stops by itself, and what was half typed is dropped."""
    terminal.run("play", "hexapawn", "human", "random", *SMALL, "--plain", "--seconds", "2")
    terminal.until(" s left) your move:")
    terminal.press("0,0 1")
    terminal.until("your time is up", "human (seat 0) was expelled at turn 0: late", "exit code 0")
