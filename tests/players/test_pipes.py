"""The pipes to programs, without a referee: what arrives, when it counts, and who is given up."""

from __future__ import annotations

import fcntl
import select
import sys
import textwrap
import time
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from players.survivors import until
from touchline.core import messages
from touchline.core.conduct import Offence
from touchline.core.events import encode
from touchline.core.happenings import Failed
from touchline.core.messages import Ready
from touchline.drivers.match import agreed
from touchline.drivers.pipes import MOST_FRAMES, Pipes, micros_now
from touchline.drivers.programs import play_local
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.players.process import Program
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.events import Event
    from touchline.core.rules import Game
    from touchline.drivers.timekeeper import Arrival

HEXAPAWN = Hexapawn(rows=3, cols=3)
READY = '{"type":"ready"}'
SECOND = 1_000_000


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    """Programs that are stopped in the end."""
    started: list[Program] = []
    yield started
    for program in started:
        program.stop()


def piped(programs: list[Program], code: str, game: Game = HEXAPAWN) -> Pipes:
    programs.append(Program([sys.executable, "-c", "import os, time\n" + textwrap.dedent(code)]))
    return Pipes({0: programs[-1]}, game)


def question(game: Game = HEXAPAWN) -> messages.YourTurn:
    return messages.YourTurn(0, game.start(2, Random(1)).view(0), SECOND)


def next_of(pipes: Pipes, seconds: float = 5) -> list[Arrival]:
    return pipes.wait(micros_now() + round(seconds * SECOND))


def failure(arrival: Arrival) -> Offence:
    assert isinstance(arrival.what, Failed)
    return arrival.what.offence


def test_what_lies_there_when_we_wake_late_came_in_time(programs: list[Program]) -> None:
    """What is found after the time is up counts as of that moment: nobody pays for our lateness."""
    pipes = piped(programs, f"os.write(1, b'{READY}\\n'); time.sleep(30)")
    deadline = micros_now()
    for _ in range(1000):
        time.sleep(0.01)
        if arrivals := pipes.wait(deadline):
            break
    assert [(arrival.what, arrival.at) for arrival in arrivals] == [(Ready(), deadline)]


def test_bytes_do_not_start_a_clock_anew(programs: list[Program]) -> None:
    """A program that writes a byte now and then has been asked when it was asked."""
    pipes = piped(programs, "for _ in range(500):\n    os.write(1, b'['); time.sleep(0.01)")
    pipes.tell(0, question())
    asked = pipes.handed_over(0)
    assert asked is not None
    assert until(lambda: pipes.wait(micros_now() + 20_000) == [] and pipes.lines[0].lines.held > 3, 20)
    assert pipes.handed_over(0) == asked


@pytest.mark.parametrize("count", [MOST_FRAMES, MOST_FRAMES + 1])
def test_how_many_messages_may_come_at_once(count: int, programs: list[Program]) -> None:
    """So many are heard, one more is a flood, and nothing of it is heard."""
    pipes = piped(programs, f"os.write(1, b'{READY}\\n' * {count}); time.sleep(30)")
    arrivals = next_of(pipes)
    if count <= MOST_FRAMES:
        assert [arrival.what for arrival in arrivals] == [Ready()] * count
    else:
        assert [failure(arrival) for arrival in arrivals] == [Offence.FLOOD]


def test_a_program_that_ends_is_gone(programs: list[Program]) -> None:
    """What it said before counts, then its end does, once."""
    pipes = piped(programs, f"os.write(1, b'{READY}\\n'); time.sleep(0.1); raise SystemExit(3)")
    assert [arrival.what for arrival in next_of(pipes)] == [Ready()]
    (arrival,) = next_of(pipes)
    assert failure(arrival) is Offence.GONE
    assert isinstance(arrival.what, Failed)
    assert arrival.what.why == "exited with 3"
    assert next_of(pipes, 0.01) == []


def test_who_does_not_read_is_given_up(programs: list[Program], monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that has been full for too long is bad news, though nothing else happens."""
    monkeypatch.setattr("touchline.drivers.pipes.WRITE_LIMIT", SECOND // 10)
    game = Labyrinth(rows=25, cols=25)
    pipes = piped(programs, "time.sleep(30)", game)
    fcntl.fcntl(programs[0].stdin, fcntl.F_SETPIPE_SZ, 4096)
    for _ in range(3):
        pipes.tell(0, question(game))
    assert pipes.handed_over(0) is None
    assert [failure(arrival) for arrival in next_of(pipes, 1)] == [Offence.NOT_READING]
    assert next_of(pipes, 0.01) == []


def test_who_is_parted_with_is_not_heard(programs: list[Program]) -> None:
    """Nothing that it says or does is news any more, and it is killed when its time to leave is up."""
    pipes = piped(programs, f"os.write(1, b'{READY}\\n'); time.sleep(30)")
    pipes.close(0, at_once=True)
    assert next_of(pipes, 0.05) == []
    assert next_of(pipes, 1.2) == []
    assert programs[0].ending(5).startswith("was killed by signal 9")
    pipes.tell(0, question())
    assert pipes.handed_over(0) is None


def test_what_was_written_before_the_question_is_no_answer(programs: list[Program]) -> None:
    """The program writes a move, then it is asked; the move arrives marked as unasked."""
    pipes = piped(programs, f"print('{READY}', flush=True); print('early', flush=True); time.sleep(60)")
    state = HEXAPAWN.start(2, Random(0))
    pipes.tell(0, messages.Begin(0, ("a", "b"), state, 0))
    seen: list[Arrival] = []
    while len(seen) < 2:
        seen += pipes.wait(micros_now() + 30 * SECOND)
    assert [arrival.unasked for arrival in seen] == [False, False], "read while it was not asked"
    programs[0].stop()
    pipes = piped(programs, f"os.write(1, b'{READY}\\n' + b'early\\n'); os.close(1); time.sleep(60)")
    assert until(lambda: _waiting(programs[1]), 30)
    pipes.tell(0, messages.YourTurn(0, state, None))
    seen = pipes.wait(micros_now() + 30 * SECOND)
    assert [arrival.unasked for arrival in seen] == [True, True]


def _waiting(program: Program) -> bool:
    """Whether the program has written something that nobody has read."""
    return bool(select.select([program.stdout], [], [], 0)[0])


EARLY = """
import sys, time
print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    if '"type":"your_turn"' in line:
        print('{"type":"act","turn":0,"move":{"from":[0,0],"to":[1,0]}}', flush=True)
        time.sleep(0.1)
        print('{"type":"act","turn":2,"move":{"from":[0,1],"to":[1,1]}}', flush=True)
"""


def test_an_answer_before_its_question_is_out_of_turn(programs: list[Program]) -> None:
    """A program that sends its next move in advance is not taken at its word when its turn comes."""
    programs.append(Program([sys.executable, "-c", EARLY]))
    events: list[Event] = []
    spec = agreed(HEXAPAWN, ["early", "random"], 1)
    result = play_local(spec, [programs[0], Waiting(programs[0])], [events.append])
    first = result.faults[0]
    assert (first.offence, first.reason) == (Offence.OUT_OF_TURN, "you were not asked yet")
    Replay(b"".join(encode(event) + b"\n" for event in events), "this match").verify()


class Waiting:
    """A bot that moves when the other program has written something."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def choose(self, view: Any, turn: int) -> Any:
        assert until(lambda: _waiting(self._program), 30)
        return view.legal_moves()[0]
