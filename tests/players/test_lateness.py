"""A late answer names its limit, and what the program was doing: reading, writing, computing, or waiting."""

from __future__ import annotations

import shlex
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

import pytest

from players.survivors import until
from touchline.bots.random import Random as RandomBot
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.drivers.lateness import lateness, seen
from touchline.drivers.lineup import Lineup
from touchline.drivers.match import agreed
from touchline.drivers.pipes import Pipes
from touchline.games.hexapawn import Hexapawn
from touchline.matches.result import read_record
from touchline.players.process import Program
from touchline.players.progress import Progress
from touchline.records.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EXAMPLE = 'an answer is like {"type":"act","turn":0,"move":{"from":[0,0],"to":[1,0]}}'
USED = "(1.9 s of processor time)"
SEEN = [
    (Progress(9), True, f"it waits {USED}, and has not read its first message: start faster, or allow more "
     "set-up time"),
    (Progress(9, computes=True), True, f"it still computes {USED}, and has not read its first message: start "
     "faster, or allow more set-up time"),
    (Progress(9), False, f"it waits {USED}, and has not read the question: does it read its stdin?"),
    (Progress(0, computes=True), False, f"it still computes {USED}: a loop without end, or a long search?"),
    (Progress(0, b'{"type":"ready"}'), True,
     'it wrote `{"type":"ready"}` without a newline: end each answer with one'),
    (Progress(0, expected=EXAMPLE), False,
     f"it waits {USED}, and has read what it was sent: for more input? Is "
     f"its answer not flushed? A{EXAMPLE[1:]}"),
]  # fmt: skip


@pytest.mark.parametrize(("progress", "starting", "said"), SEEN)
def test_what_was_seen_of_a_late_program(progress: Progress, starting: bool, said: str) -> None:
    """What is so is stated; what it may mean is a question or advice."""
    assert seen(progress, micros(1.9), starting=starting) == said


def test_only_what_is_known_is_said() -> None:
    """Of a player over the network nothing is known but the limit."""
    assert lateness("goal", 2_500_000) == "did not confirm its goal within 2.5 s"
    busy = lateness("move", 10_000_000, 100_000, Progress(0), starved=True)
    assert busy == "no move within 10 s, because the machine was busy (0.1 s of processor time)"


def test_an_unfinished_line_is_quoted_in_short() -> None:
    """A program may write a mebibyte without a newline, with escape sequences in it."""
    said = seen(Progress(0, b"\x1b[2J" * 200_000))
    assert len(said) < 200
    assert said.isprintable()


@pytest.mark.parametrize(
    ("code", "shows"),
    [("sleep 60", lambda seen: seen.unread == 6 and not seen.computes),
     ("read line; sleep 60", lambda seen: seen.unread == 0 and not seen.computes),
     ("read line; while :; do :; done", lambda seen: seen.unread == 0 and seen.computes),
     ("printf '{\"type'; sleep 60", lambda seen: seen.unfinished == b'{"type')],
)  # fmt: skip
def test_progress_is_seen_from_outside(code: str, shows: Callable[[Progress], bool]) -> None:
    """What a program has read and written, and whether it computes, is known without its help."""
    program = Program(["sh", "-c", code])
    with closing(_Stopped(program)):
        pipes = Pipes({0: program}, Hexapawn())
        program.write(b"hello\n")

        def shown() -> bool:
            pipes.wait(pipes.now() + 10_000)
            progress = pipes.progress(0)
            return progress is not None and shows(progress)

        assert until(shown, 30)


class _Stopped:
    def __init__(self, program: Program) -> None:
        self._program = program

    def close(self) -> None:
        self._program.stop()


@pytest.mark.parametrize("other", ["", "seed-002+"])
def test_a_record_has_the_reason_and_replays(other: str, tmp_path: Path) -> None:
    """On either driver the limit and what was seen is in the record, which follows from the rules."""
    limits = Limits(set_up=micros(30), goodbye=0, clock=Clock(micros(0.3)))
    spec = agreed(Hexapawn(), ["late", "other"], seed=1, limits=limits)
    code = """read line; echo '{"type":"ready"}'; while :; do :; done"""
    lineup = Lineup([f"process:{shlex.join(['sh', '-c', code])}", f"{other}random"], [0, 1])
    spec = lineup.fill(spec, {} if other else {1: RandomBot(Random(0))})
    recording = Recording(tmp_path / "m.jsonl")
    result = lineup.play(spec, recording.open())
    recording.end()
    (fault,) = result.faults
    assert fault.offence in (Offence.LATE, Offence.STARVED)
    assert fault.reason.startswith("no move within 0.3 s")
    assert "s of processor time)" in fault.reason
    replay = read_record(tmp_path / "m.jsonl")
    replay.verify()
    assert replay.ended is not None
    assert replay.ended.result.faults == result.faults
