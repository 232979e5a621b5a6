"""The turn clock of a program, whose pipe may be full."""

from __future__ import annotations

import fcntl
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from players.programs import HONEST, honest_won, python, shell
from players.real_match import Job, apart
from players.survivors import APART, needs, until
from touchline.bots.random import Random as RandomBot
from touchline.core import messages
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.events import Event, Moved
from touchline.drivers.match import Watchers, agreed, opened, referee_for
from touchline.drivers.pipes import Pipes, micros_now
from touchline.drivers.programs import keep, play_local
from touchline.drivers.timekeeper import Arrival, Timekeeper
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.players.process import Program

if TYPE_CHECKING:
    from collections.abc import Container


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

    def usage(self, seat: int) -> None:
        return None

    def progress(self, seat: int) -> None:
        return None

    def let_think(self, seats: Container[int]) -> None:
        """Nobody here uses a processor."""

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


def test_a_question_is_handed_over_when_the_pipe_has_taken_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as a part of it waits for room, no clock runs."""
    monkeypatch.setattr("touchline.drivers.pipes.WRITE_LIMIT", micros(60))
    game = Labyrinth(rows=15, cols=15)
    state = game.start(2, Random(1))
    program = Program(shell("sleep 0.5; cat > /dev/null"))
    fcntl.fcntl(program.stdin, fcntl.F_SETPIPE_SZ, 4096)
    try:
        pipes, start = Pipes({0: program}, game), micros_now()
        pipes.tell(0, messages.YourTurn(0, state.view(0), 1))
        assert pipes.handed_over(0) is None
        assert until(lambda: pipes.wait(micros_now() + 1000) == [] and pipes.handed_over(0) is not None, 20)
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
    while True:  # 23 sips for all of it, which is longer than it may take
        time.sleep(0.15)
        os.read(0, 4096)
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
        for turn in range(3):
            pipes.tell(0, messages.Update(turn, state.view(0)))
        pipes.tell(0, messages.YourTurn(3, state.view(0), 1))
        arrivals: list[Any] = []

        def given_up() -> bool:
            arrivals.extend(pipes.wait(micros_now() + 10_000))
            return bool(arrivals)

        assert until(given_up, 20)
        assert arrivals[0].what.offence is Offence.NOT_READING
    finally:
        program.stop()


STALE = """
    import fcntl, os, sys
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
    while True:
        os.write(1, stale)
"""


@pytest.mark.slow
def test_a_stream_of_stale_answers_through_a_pipe_does_not_stop_the_clock(mark: str) -> None:
    """A program that never stops answering a question of long ago is put out, and the match ends."""
    job = Job(commands=[python(STALE), HONEST], mark=mark, seconds=0.5)
    report = apart(job, needs(APART))
    assert honest_won(report)
