"""`play --debug SEAT`: a debugger at a real terminal, while the match goes on around it."""

from __future__ import annotations

import os
import pty
import select
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment, rogue, touchline
from cli.shell import Shell
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Iterator

STOPS = """
class Stops:
    def choose(self, view, turn):
        if turn == 0:
            breakpoint()
        return view.legal_moves()[0]
"""
FAILS = """
class Fails:
    def choose(self, view, turn):
        secret = 6 * 7
        raise ValueError("no idea")
"""
PATIENCE = 60.0
"""Seconds after which something that should have come is missing."""


class Terminal:
    """A command at a terminal of its own, which is its controlling one."""

    def __init__(self, *words: str) -> None:
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execvpe(TOUCHLINE[0], [*TOUCHLINE, *words], environment(TERM="xterm", NO_COLOR="1"))
        self.said = ""
        self.code: int | None = None

    def until(self, words: str) -> str:
        """Read until these words come, and return what came before them and after earlier ones."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.said:
            assert time.monotonic() < deadline, f"{words!r} is missing in {self.said!r}"
            ready, _, _ = select.select([self.descriptor], [], [], 1)
            if ready:
                self.said += os.read(self.descriptor, 4096).decode(errors="replace")
        before, _, self.said = self.said.partition(words)
        return before

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def end(self) -> int:
        """Read to the end, and return the exit code."""
        try:
            while data := os.read(self.descriptor, 4096):
                self.said += data.decode(errors="replace")
        except OSError:  # EIO: the terminal has no reader any more
            pass
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.descriptor)[3] & termios.ECHO)

    def close(self) -> None:
        if self.code is None:
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)


@pytest.fixture
def stops(tmp_path: Path) -> str:
    file = tmp_path / "stops.py"
    file.write_text(STOPS)
    return str(file)


@pytest.fixture
def debugged(stops: str, tmp_path: Path) -> Iterator[Terminal]:
    """A match at its first breakpoint; the time to get ready is far shorter than Python needs to start."""
    words = ("--isolation", "none", "--seed", "1", "--set-up", "0.001", "--record", str(tmp_path / "m.jsonl"))
    terminal = Terminal("play", "hexapawn", stops, "random", "--debug", "0", *words)
    terminal.until("(Pdb) ")
    yield terminal
    terminal.close()


def test_a_breakpoint_opens_the_debugger(debugged: Terminal, tmp_path: Path) -> None:
    """The user looks at a value and goes on; the match finishes, and its record says what was allowed."""
    debugged.type("p 'seat', view.to_move, 20 + turn\n")
    debugged.until("('seat', 0, 20)")
    debugged.type("c\n")
    assert debugged.end() == 0
    assert "won with 1" in debugged.said
    replay = Replay.read(tmp_path / "m.jsonl")
    replay.verify()
    assert (replay.begun.limits.untimed, replay.begun.isolation) == ((0,), ("none", None))


def test_ctrl_c_leaves_a_usable_terminal(debugged: Terminal) -> None:
    """The match ends at once, and the line editor of the debugger leaves nothing behind."""
    debugged.type("\x03")
    assert debugged.end() == 130
    assert debugged.echoes()


def test_an_exception_opens_the_debugger(tmp_path: Path) -> None:
    """Where it was raised, with the player's own variables; leaving it, the player is gone."""
    (tmp_path / "fails.py").write_text(FAILS)
    words = ("play", "hexapawn", str(tmp_path / "fails.py"), "random", "--debug", "0", "--seed", "1")
    done = touchline(*words, "--isolation", "none", stdin="p secret\nq\n")
    assert done.returncode == 0
    assert "ValueError: no idea" in done.stderr
    assert "(Pdb) 42" in done.stderr
    assert "was expelled" in done.stdout


@pytest.mark.parametrize(
    ("stop", "said"),
    [("breakpoint()", "breakpoint() is ignored; play with --debug SEAT"), ("input()", "EOFError")],
)
def test_without_a_debugger_nothing_waits(stop: str, said: str, tmp_path: Path) -> None:
    """A forgotten breakpoint is ignored and named; input() finds the end of its input, not the protocol."""
    (tmp_path / "stops.py").write_text(STOPS.replace("breakpoint()", stop))
    words = ("play", "hexapawn", str(tmp_path / "stops.py"), "random", "--isolation", "none", "--no-timeout")
    done = touchline(*words, "--seed", "1", "--show-output")
    assert said in done.stderr
    assert ("won with 1: reached" in done.stdout) == (stop == "breakpoint()")


def test_another_program_waits_for_a_debugger() -> None:
    """Its process is named, and nothing begins before the user says so."""
    terminal = Terminal("play", "hexapawn", "random", rogue("honest"), "--debug", "1", "--isolation", "none")
    try:
        terminal.until("its process is ")
        pid = terminal.until(": attach")
        assert b"rogues" in Path(f"/proc/{pid}/cmdline").read_bytes()
        terminal.until("press Enter")
        terminal.type("\n")
        assert terminal.end() == 0
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("random", "random", "--debug", "0"), "no program"),
        (("FILE", "random", "--debug", "7"), "there are: 0 ("),
        (("FILE", "FILE", "--debug", "FILE"), "give a number"),
        (("FILE", "random", "--debug", "0", "--games", "2"), "leave out --games"),
        (("FILE", "human", "--debug", "0"), "both read this terminal"),
    ],
)
def test_what_cannot_be_debugged_is_said(
    words: tuple[str, ...],
    why: str,
    stops: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line says what is wrong, before anything is started."""
    named = [stops if word == "FILE" else word for word in words]
    assert why in Shell(monkeypatch, capsys).refused("play", "hexapawn", *named, "--isolation", "none")
