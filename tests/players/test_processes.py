"""Real programs at the table: the verdict is right, and nothing is left of them afterwards."""

from __future__ import annotations

import fcntl
import os
import secrets
import shlex
import signal
import subprocess
import sys
import textwrap
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.real_match import Job, Report, apart, rogue, settled
from players.survivors import APART, MARK, UNCONFINED, descriptors, gone, marked, needs, until, zombies
from touchline.bots.random import Random as RandomBot
from touchline.core import messages
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions
from touchline.core.events import Event, Moved
from touchline.drivers.match import Watchers, agreed, opened, referee_for
from touchline.drivers.pipes import Pipes, keep, micros_now, play_local
from touchline.drivers.timekeeper import Arrival, Timekeeper
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.players.process import KEPT, Notes, Program
from touchline.testing.rogues import ROGUES

if TYPE_CHECKING:
    from pathlib import Path

HONEST = rogue("honest")
HARMFUL = {"forker", "flooder", "long_line"}
"""These fork or flood, so they run in namespaces."""
SOME = {"crasher", "dozer", "never_reads", "stubborn"}
"""Of the others, those that are tried as processes every day; all are in virtual time."""


@pytest.fixture
def mark() -> str:
    return secrets.token_hex(8)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(code)]


def shell(code: str) -> list[str]:
    return ["sh", "-c", code]


def first_fault(report: Report, seat: int = 0) -> Any:
    assert report.result is not None
    return next(fault for fault in report.result.faults if fault.seat == seat)


def nothing_left(report: Report) -> bool:
    assert (report.left, report.descriptors, report.zombies) == ([], 0, 0)
    return True


def honest_won(report: Report, seat: int = 1) -> bool:
    """The honest seat won, nobody blames it, and nothing is left of the others."""
    assert report.result is not None
    assert not [fault for fault in report.result.faults if fault.seat == seat]
    assert seat not in report.result.expelled
    assert report.result.outcome is not None
    assert report.result.outcome.winners == (seat,)
    return nothing_left(report)


THOUGHTFUL = """
    import time
    class Thoughtful:
        def choose(self, view, turn: int = 0):
            time.sleep(0.3)
            return view.legal_moves()[0]
"""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in SOME else pytest.mark.slow)
        for name in sorted(ROGUES.keys() - HARMFUL)
    ],
)
def test_a_rogue_as_a_process(name: str, mark: str, tmp_path: Path) -> None:
    """Each gets the declared verdict, the honest one wins, and no process, descriptor or zombie is left."""
    honest = HONEST
    if name == "early_bird":  # it is too early only while the other one thinks
        (tmp_path / "slow.py").write_text(textwrap.dedent(THOUGHTFUL))
        honest = [sys.executable, "-m", "touchline.players.python_file", str(tmp_path / "slow.py")]
    report = settled(Job(commands=[rogue(name), honest], mark=mark, set_up=3 if name == "dozer" else 20))
    assert first_fault(report).offence is ROGUES[name][1]
    assert honest_won(report)


@pytest.mark.parametrize("name", sorted(HARMFUL))
def test_a_harmful_rogue_as_a_process(name: str, mark: str) -> None:
    """The same for those that fork or flood, in namespaces of their own."""
    report = apart(Job(commands=[rogue(name), HONEST], mark=mark), needs(APART))
    assert report.confined
    assert first_fault(report).offence is ROGUES[name][1]
    assert honest_won(report)
    assert gone(mark) == []


@pytest.mark.parametrize("name", sorted(HARMFUL))
def test_a_harmful_rogue_where_no_namespace_can_be_had(name: str, mark: str) -> None:
    """Where no pid namespace is to be had the keeper kills them one by one, and nobody is left either."""
    report = apart(Job(commands=[rogue(name), HONEST], mark=mark), needs(UNCONFINED))
    assert not report.confined
    assert first_fault(report).offence is ROGUES[name][1]
    assert honest_won(report)
    assert gone(mark) == []


@pytest.mark.parametrize("prefix", [APART, UNCONFINED], ids=["confined", "unconfined"])
def test_killing_the_referee_leaves_nobody(prefix: list[str], mark: str) -> None:
    """If the referee is killed with SIGKILL, programs and all they hid are gone within half a second."""
    job = Job(commands=[rogue("forker"), HONEST], mark=mark, seconds=60, kill=6)
    report = apart(job, needs(prefix))
    assert report.confined == (prefix is APART)
    assert report.hidden >= 6
    assert report.left == []
    assert gone(mark) == []


@pytest.mark.parametrize("prefix", [APART, UNCONFINED], ids=["confined", "unconfined"])
def test_a_child_that_holds_the_pipes_holds_up_nobody(prefix: list[str], mark: str) -> None:
    """A program that ends and leaves a child with its pipes is gone all the same, and so is the child."""
    job = Job(commands=[shell("sleep 30 & exit 3"), HONEST], mark=mark)
    report = apart(job, needs(prefix))
    assert first_fault(report).offence is Offence.GONE
    assert first_fault(report).reason == "exited with 3"
    assert honest_won(report)


def test_an_honest_match_between_processes(mark: str) -> None:
    """Two honest programs play to the end, and nothing is left of them."""
    report = settled(Job(commands=[HONEST, HONEST], mark=mark))
    assert report.result is not None
    assert report.result.verdict == "finished"
    assert report.result.faults == ()
    assert nothing_left(report)


def test_a_trickler_as_a_process_is_never_at_fault(mark: str) -> None:
    """Byte by byte through a real pipe is as good as at once."""
    report = settled(Job(commands=[rogue("trickler"), HONEST], mark=mark, seconds=5))
    assert report.result is not None
    assert report.result.faults == ()
    assert nothing_left(report)


def test_programs_and_bots_at_one_table(mark: str) -> None:
    """Two rogue processes and a bot in this process: the bot wins."""
    job = Job(commands=[rogue("crasher"), rogue("quitter")], mark=mark, game="fish")
    report = settled(job, [RandomBot(Random(1))])
    assert honest_won(report, seat=2)
    assert report.result is not None
    assert set(report.result.expelled) == {0, 1}


def test_the_number_of_players_must_fit() -> None:
    """Two seats take no third player."""
    spec = agreed(Hexapawn(rows=4, cols=4), ["a", "b"], 1)
    with pytest.raises(BadOptions, match="3 players for 2 seats"):
        play_local(spec, [RandomBot(Random(1))] * 3)


# -- how programs end --------------------------------------------------------------------------------


def test_a_program_that_greets_before_it_is_asked(mark: str) -> None:
    """A banner on stdout is no message of the protocol."""
    banner = shell(f"echo Welcome to my bot; exec {sys.executable} -m touchline.testing.rogues honest")
    report = settled(Job(commands=[banner, HONEST], mark=mark))
    assert first_fault(report).offence is Offence.MALFORMED
    assert honest_won(report)


@pytest.mark.parametrize(
    ("code", "ending"),
    [("exit 0", "exited with 0"), ("exit 3", "exited with 3"), ("exit 127", "exited with 127"),
     ("exit 200", "exited with 200"), ("exit 255", "exited with 255"),
     ("kill -9 $$", "was killed by signal 9"), ("kill -15 $$", "was killed by signal 15"),
     ("kill -11 $$", "was killed by signal 11")],
)  # fmt: skip
def test_how_a_program_ended_is_told(code: str, ending: str, mark: str) -> None:
    """The exit code or the signal stands in the verdict."""
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
    """The terminal tells all of a group, and there is an instant before the keeper has left ours."""
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
    assert (program.notes.text(), program.ending()) == ("here\n", "was killed by signal 2")
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
    """If not even the keeper starts, nothing stays open."""
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


# -- stderr -----------------------------------------------------------------------------------------


def test_stderr_is_kept_within_bounds_and_never_blocks(mark: str) -> None:
    """A megabyte on stderr holds up nobody: its beginning and its end are kept, and how much is missing."""
    noisy = shell(
        "printf 'first words\\n' >&2; i=0; "
        "while [ $i -lt 256 ]; do printf '%4096s\\n' $i >&2; i=$((i+1)); done; "
        f"printf 'last words\\n' >&2; exec {sys.executable} -m touchline.testing.rogues honest"
    )
    report = apart(Job(commands=[noisy, HONEST], mark=mark), needs(APART))
    assert report.result is not None
    assert report.result.faults == ()
    text = report.notes[0]
    assert text.startswith("first words\n")
    assert text.endswith("last words\n")
    assert "bytes left out" in text
    assert len(text) < 2 * KEPT + 100
    assert nothing_left(report)


@given(
    st.lists(st.binary(min_size=1, max_size=3 * KEPT // 2).map(lambda data: data[:1] * len(data)), max_size=6)
)
def test_notes_keep_the_beginning_and_the_end(pieces: list[bytes]) -> None:
    """However it comes, what is kept is the first and the last of it, and the gap is named."""
    notes, whole = Notes(), b"".join(pieces)
    for piece in pieces:
        notes.add(piece)
    missing = len(whole) - 2 * KEPT
    if missing <= 0:
        assert notes.text() == whole.decode(errors="replace")
    else:
        middle = f"\n[... {missing} bytes left out ...]\n".encode()
        assert notes.text() == (whole[:KEPT] + middle + whole[-KEPT:]).decode(errors="replace")


def test_of_many_notes_the_last_are_kept() -> None:
    """Line after line, long after there is no room: the end is what was written last."""
    notes = Notes()
    lines = [f"line {number}\n" for number in range(10_000)]
    for line in lines:
        notes.add(line.encode())
    assert notes.text().startswith("line 0\nline 1\n")
    assert notes.text().endswith("line 9998\nline 9999\n")


def test_notes_survive_bytes_that_are_no_text() -> None:
    """What is not UTF-8 is shown as far as it can be."""
    notes = Notes()
    notes.add(b"\xff\xfeoops\xc3")
    assert "oops" in notes.text()


# -- time ---------------------------------------------------------------------------------------------


class Simulated:
    """Ports at which seat 0 moves once and from then on never stops answering the turn that is long over."""

    def __init__(self, game: Hexapawn) -> None:
        self.game, self.time, self.waits, self.asked = game, 0, 0, list[tuple[int, messages.ToPlayer]]()

    def now(self) -> int:
        return self.time

    def tell(self, seat: int, message: messages.ToPlayer) -> None:
        if isinstance(message, messages.Begin | messages.YourTurn):
            self.asked.append((seat, message))

    def handed_over(self, seat: int) -> int | None:
        return 0

    def latency(self, seat: int) -> int:
        return 0

    def close(self, seat: int, *, at_once: bool) -> None:
        pass

    def wait(self, until: int | None) -> list[Arrival]:
        self.waits += 1
        assert self.waits < 1000, "seat 0 has had a hundred seconds, and its time is not up"
        self.time += micros(0.1)
        at = self.time if until is None else min(self.time, until)
        stale = messages.Act(self.game.start(2, Random(1)).legal_moves()[0], 0)
        if not self.asked:
            return [Arrival(0, stale, at)]
        seat, message = self.asked.pop(0)
        if isinstance(message, messages.Begin):
            return [Arrival(seat, messages.Ready(), 0)]
        assert isinstance(message, messages.YourTurn)
        if seat == 0 and message.turn:
            return [Arrival(0, stale, at)]
        return [Arrival(seat, messages.Act(message.view.legal_moves()[0], message.turn), 0)]


def test_a_stream_of_stale_answers_does_not_stop_the_clock() -> None:
    """Whoever never stops answering a question of long ago has no more time than any other."""
    game = Hexapawn(rows=4, cols=4)
    spec = agreed(game, ["stale", "honest"], 1, limits=Limits(clock=Clock(per_move=micros(1))))
    ports = Simulated(game)
    referee = referee_for(spec, opened(spec), (0, 1))
    result = keep(Timekeeper(referee, ports, Watchers([]), {}), ports)
    assert result.expelled == (0,)
    assert ports.waits < 100


SLOW_READER = """
    import sys, time
    import msgspec
    from touchline.core import registry
    from touchline.testing.rogues import legal
    begun = msgspec.json.decode(sys.stdin.buffer.readline())
    game = registry.game(begun["game"], begun["options"])
    print('{"type":"ready"}', flush=True)
    for _ in range(2):
        time.sleep(1.2)
        question = msgspec.json.decode(sys.stdin.buffer.readline())
        sys.stdout.buffer.write(legal(game, question))
        sys.stdout.flush()
"""


def test_the_turn_clock_starts_when_the_question_is_handed_over() -> None:
    """A program that takes longer to take its question than it may think is not late for that."""
    game = Labyrinth(rows=15, cols=15)
    limits = Limits(set_up=micros(20), clock=Clock(per_move=micros(1)))
    spec = agreed(game, ["slow", "bot"], 1, limits=limits, turn_cap=4)
    program, events = Program(python(SLOW_READER)), list[Event]()
    fcntl.fcntl(program.stdin, fcntl.F_SETPIPE_SZ, 4096)
    try:
        result = play_local(spec, [program, RandomBot(Random(1))], [events.append])
    finally:
        program.stop()
    assert result.faults == (), program.notes.text()
    moves = [event for event in events if isinstance(event, Moved) and event.seat == 0]
    assert len(moves) == 2
    assert all(move.took < micros(1) for move in moves)


def test_a_question_is_handed_over_when_the_pipe_has_taken_all_of_it() -> None:
    """As long as a part of it waits for room, no clock runs."""
    game = Labyrinth(rows=15, cols=15)
    state = game.start(2, Random(1))
    program = Program(shell("sleep 0.5; cat > /dev/null"))
    fcntl.fcntl(program.stdin, fcntl.F_SETPIPE_SZ, 4096)
    try:
        pipes, start = Pipes({0: program}, game), micros_now()
        pipes.tell(0, messages.YourTurn(0, state.view(0), 1))
        assert pipes.handed_over(0) is None
        assert until(lambda: pipes.wait(micros_now() + 1000) == [] and pipes.handed_over(0) is not None, 1.9)
        handed_over = pipes.handed_over(0)
        assert handed_over is not None
        assert handed_over - start > micros(0.3)
    finally:
        program.stop()


def test_who_does_not_read_a_full_pipe_is_not_reading(mark: str) -> None:
    """A question that cannot be handed over for two seconds is given up, and its seat with it."""
    game = Labyrinth(rows=15, cols=15)
    limits = Limits(set_up=micros(20), clock=Clock(per_move=micros(1)))
    spec = agreed(game, ["deaf", "bot"], 1, limits=limits, turn_cap=3)
    program = Program(shell("""echo '{"type":"ready"}'; exec sleep 30"""))
    fcntl.fcntl(program.stdin, fcntl.F_SETPIPE_SZ, 4096)
    try:
        result = play_local(spec, [program, RandomBot(Random(1))])
    finally:
        program.stop()
    assert [(fault.seat, fault.offence) for fault in result.faults] == [(0, Offence.NOT_READING)]
    assert result.expelled == (0,)


SIPPER = """
    import os, time
    print('{"type":"ready"}', flush=True)
    for _ in range(12):
        time.sleep(0.15)
        os.read(0, 4096)
    time.sleep(30)
"""


def test_taking_a_question_sip_by_sip_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time to take a message is for the whole of it: each sip does not begin it anew."""
    monkeypatch.setattr("touchline.drivers.pipes.WRITE_LIMIT", micros(0.6))
    game = Labyrinth(rows=25, cols=25)
    state = game.start(2, Random(1))
    program = Program(python(SIPPER))
    fcntl.fcntl(program.stdin, fcntl.F_SETPIPE_SZ, 4096)
    try:
        pipes = Pipes({0: program}, game)
        assert until(lambda: bool(pipes.wait(micros_now() + 10_000)), 20), "it is ready"
        start = micros_now()
        for turn in range(3):
            pipes.tell(0, messages.Update(turn, state.view(0)))
        pipes.tell(0, messages.YourTurn(3, state.view(0), 1))
        arrivals: list[Any] = []

        def given_up() -> bool:
            arrivals.extend(pipes.wait(micros_now() + 10_000))
            return bool(arrivals)

        assert until(given_up, 10)
        assert arrivals[0].what.offence is Offence.NOT_READING
        assert micros_now() - start < micros(1.5)
    finally:
        program.stop()


STALE = """
    import fcntl, os, sys, time
    import msgspec
    from touchline.testing.rogues import legal
    from touchline.core import registry
    fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
    begun = msgspec.json.decode(sys.stdin.buffer.readline())
    game = registry.game(begun["game"], begun["options"])
    os.write(1, b'{"type":"ready"}\\n')
    first = legal(game, msgspec.json.decode(sys.stdin.buffer.readline()))
    os.write(1, first)
    sys.stdin.buffer.readline()
    stale = (first[:-1] + b" " * (1100 - len(first)) + b"\\n") * 50
    end = time.monotonic() + 5
    for _ in range(20_000):
        if time.monotonic() > end:
            break
        os.write(1, stale)
    time.sleep(30)
"""


@pytest.mark.slow
def test_a_stream_of_stale_answers_through_a_pipe_does_not_stop_the_clock(mark: str) -> None:
    """A program that never stops answering a question of long ago has no more time than any other."""
    job = Job(commands=[python(STALE), HONEST], mark=mark, seconds=0.5)
    report = apart(job, needs(APART))
    assert honest_won(report)
    assert report.seconds < 3, "half a second to think, two seconds for us, and what it takes to start"
