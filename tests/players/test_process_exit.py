"""How programs end, by themselves and when they are stopped."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from players.programs import HONEST, first_fault, honest_won, python, shell
from players.real_match import Job, settled
from players.survivors import MARK, descriptors, gone, marked, until, zombies
from touchline.bots.random import Random as RandomBot
from touchline.core.conduct import Offence
from touchline.players.process import Program

if TYPE_CHECKING:
    from pathlib import Path


# -- how programs end --------------------------------------------------------------------------------


def test_a_program_that_greets_before_it_is_asked(mark: str) -> None:
    """A banner on stdout is no message of the protocol."""
    banner = shell(f"echo Welcome to my bot; exec {sys.executable} -m touchline.testing.rogues honest")
    report = settled(Job(commands=[banner, HONEST], mark=mark))
    assert first_fault(report).offence is Offence.MALFORMED
    assert honest_won(report)


@pytest.mark.parametrize(
    ("code", "ending"),
    [("exit 0", "exited with 0, as if the match were over: go on reading until the last message"),
     ("exit 3", "exited with 3"), ("exit 127", "exited with 127"),
     ("exit 200", "exited with 200"), ("exit 255", "exited with 255"),
     ("kill -9 $$", "was killed by signal 9 (SIGKILL: perhaps by the system, for lack of memory)"),
     ("kill -15 $$", "was killed by signal 15 (SIGTERM)"),
     ("kill -11 $$", "was killed by signal 11 (SIGSEGV: it used memory that is not its own; gcc -g "
      "-fsanitize=address shows where)"),
     ("echo first >&2; echo no memory >&2; exit 9", "exited with 9: no memory")],
)  # fmt: skip
def test_how_a_program_ended_is_told(code: str, ending: str, mark: str) -> None:
    """The exit code or the signal stands in the verdict, with the last line of the program's stderr."""
    report = settled(Job(commands=[shell(f"ulimit -c 0; {code}"), HONEST], mark=mark))
    assert (first_fault(report).offence, first_fault(report).reason) == (Offence.GONE, ending)
    assert honest_won(report)


def test_a_program_that_closes_its_output_and_lives_on(mark: str) -> None:
    """It is as good as gone, and soon it is."""
    report = settled(Job(commands=[shell("exec >&-; exec sleep 30"), HONEST], mark=mark))
    assert (first_fault(report).offence, first_fault(report).reason) == (Offence.GONE, "closed its output")
    assert honest_won(report)


def test_a_program_that_closes_its_input(mark: str) -> None:
    """It cannot be told anything, says nothing, and is late."""
    report = settled(Job(commands=[shell("exec <&-; exec sleep 30"), HONEST], mark=mark, set_up=2))
    assert first_fault(report).offence is Offence.LATE
    assert honest_won(report)


def test_a_program_that_stops_itself(mark: str) -> None:
    """A program under SIGSTOP is late, and can still be made to end."""
    report = settled(Job(commands=[shell("kill -STOP $$; exec sleep 30"), HONEST], mark=mark, set_up=2))
    assert first_fault(report).offence is Offence.LATE
    assert honest_won(report)


@pytest.mark.parametrize(
    ("command", "why"),
    [(["/no/such/program"], "No such file"), (["no-such-program"], "No such file"),
     (["/etc"], "Permission denied"), (["/proc/version"], "Permission denied")],
)  # fmt: skip
def test_a_program_that_cannot_be_started(command: list[str], why: str, mark: str) -> None:
    """Its seat is gone, the reason is on its stderr, and the other one wins."""
    report = settled(Job(commands=[command, HONEST], mark=mark))
    assert first_fault(report).offence is Offence.GONE
    assert f"cannot start {command[0]}: {why}" in report.notes[0]
    assert honest_won(report)


def test_a_program_sees_only_its_three_pipes(mark: str) -> None:
    """Nothing else of the referee's is open in a program."""
    seen = python("import os, sys; sys.stderr.write(' '.join(sorted(os.listdir('/proc/self/fd'))))")
    with open(os.devnull) as other:
        os.set_inheritable(other.fileno(), True)
        report = settled(Job(commands=[seen, HONEST], mark=mark))
    assert report.notes[0].split() == ["0", "1", "2", "3"], "the fourth is the folder that is listed"
    assert honest_won(report)


def test_the_signals_of_a_program_are_as_usual(mark: str) -> None:
    """A shell's pipe ends as it does everywhere: Python's own habit of ignoring SIGPIPE is not handed on."""
    seen = python(
        "import os; os.write(2, [s for s in open('/proc/self/status') if 'SigIgn' in s][0].encode())"
    )
    report = settled(Job(commands=[["env", *seen], HONEST], mark=mark))
    ignored = int(report.notes[0].split()[1], 16)
    assert not ignored & ~(1 << 12 | 1 << 24), "the interpreter itself ignores SIGPIPE and SIGXFSZ"


def test_no_two_programs_have_the_same_number(mark: str) -> None:
    """Though each counts its own: what they name after it, as Java's files, would be in each other's way."""
    seen = shell("echo $$ >&2; exec cat")
    report = settled(Job(commands=[seen, seen], mark=mark, set_up=0.5))
    assert len({*map(int, report.notes)}) == 2


def test_ctrl_c_while_a_program_is_started_is_not_for_it(
    mark: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The terminal tells all of a group, and there is an instant before the supervisor has left ours."""
    monkeypatch.setenv(MARK, mark)
    early = tmp_path / "python"
    early.write_text(f'#!/bin/sh\nkill -INT $$\nexec {shlex.quote(sys.executable)} "$@"\n')
    early.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(early))
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    program = Program(shell("echo here >&2; kill -INT $$; sleep 60"))
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == masked
    assert until(lambda: program.exit_code() is not None, 20)
    program.stop()
    assert (program.notes.text(), program.ending()) == (
        "here\n",
        "was killed by signal 2 (SIGINT): here",
    )
    assert gone(mark) == []


def test_ctrl_c_while_a_program_is_started_leaves_nobody(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """We hear it, a little later; nobody has the program then, so it has to go."""
    monkeypatch.setenv(MARK, mark)
    started: list[subprocess.Popen[bytes]] = []

    def interrupted(*words: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*words, **options))
        signal.raise_signal(signal.SIGINT)
        return started[0]

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", interrupted)
    before = descriptors()
    with pytest.raises(KeyboardInterrupt):
        Program(shell("sleep 60"))
    (keeper,) = started
    keeper.wait(20)
    for pipe in (keeper.stdin, keeper.stdout, keeper.stderr):
        assert pipe is not None
        pipe.close()
    assert descriptors() == before
    assert gone(mark) == []


# -- stopping ---------------------------------------------------------------------------------------


def test_a_program_may_end_by_itself(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within its time to say goodbye it is not killed, and what it writes last is kept."""
    monkeypatch.setenv(MARK, mark)
    program = Program(python("import sys; sys.stdin.read(); sys.stderr.write('good bye'); sys.exit(7)"))
    program.stop(20)
    assert (program.exit_code(), program.notes.text()) == (7, "good bye")
    assert gone(mark) == []


def test_the_time_to_leave_is_counted_once(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From when it was parted with: whoever stops it later gives it no more than what is left."""
    monkeypatch.setenv(MARK, mark)
    waits: list[float] = []
    monkeypatch.setattr(Program, "_wait_reading", lambda program, grace: waits.append(grace))
    parted, spent, other = (Program(python("import time; time.sleep(60)")) for _ in range(3))
    parted.leave_within(5)
    parted.leave_within(50)
    spent.leave_within(0)
    for program in (parted, spent, other):
        program.stop(20)
    assert len(waits) == 2, "one has no time left"
    assert waits[0] <= 5
    assert waits[1] == 20
    assert gone(mark) == []


def test_stopping_is_quick_and_can_be_repeated(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that would sleep for long is killed, once, and no descriptor stays open."""
    monkeypatch.setenv(MARK, mark)
    before, unburied = descriptors(), zombies()
    program = Program(shell("trap '' TERM HUP INT; sleep 60"))
    assert until(lambda: "sleep" in marked(mark), 10)
    program.stop()
    program.stop(5)
    assert gone(mark) == []
    assert (descriptors(), zombies()) == (before, unburied)


def test_a_program_that_cannot_be_launched_at_all_leaves_no_descriptor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If not even the supervisor starts, nothing stays open."""
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    before = descriptors()
    with pytest.raises(OSError, match="No such file"):
        Program(["true"])
    assert descriptors() == before


def test_many_matches_leave_nothing(mark: str) -> None:
    """Match after match, the number of descriptors and of zombies stays what it was."""
    for _ in range(5):
        report = settled(Job(commands=[shell("exit 1")], mark=mark), [RandomBot(Random(1))])
        assert honest_won(report)


def test_a_program_that_is_ending_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its output ends before its process does; on a busy machine that does not look like a closed output."""
    monkeypatch.setattr("touchline.players.process.BURIAL", 60)
    program = Program(shell("exit 7"))
    try:
        assert until(lambda: program.read() == b"", 30)
        assert program.ending(0) == "exited with 7"
    finally:
        program.stop()


def test_a_program_cannot_hide_behind_a_name() -> None:
    """One that calls itself like our own processes, and closes its output, is seen to run."""
    named = (
        "import ctypes, os, time; ctypes.CDLL(None).prctl(15, b'touchline-init'); os.close(1); time.sleep(60)"
    )
    program = Program([sys.executable, "-I", "-S", "-c", named])
    try:
        assert until(lambda: program.read() == b"", 30)
        assert program.ending(0.2) == "closed its output"
    finally:
        program.stop()
