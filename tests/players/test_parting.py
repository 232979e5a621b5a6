"""Last words over pipes: everybody hears them, and nobody is waited for longer than the goodbye limit."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from server.rooms import Last
from touchline.bots.euclid import Euclid
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.drivers.match import agreed
from touchline.drivers.pipes import MOST_FRAMES
from touchline.drivers.programs import play_local
from touchline.players.process import Program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from touchline.core.events import Result

MAZE = registry.game("labyrinth", {"rows": 3, "cols": 5})
SCRIPT = """
import json, sys, time
heard = open({heard!r}, "a")
for line in sys.stdin:
    heard.write(line); heard.flush()
    word, arguments = json.loads(line)
    {extra}
    print("null" if word == "RequestMove" else '"void"', flush=True)
"""


@pytest.fixture
def started() -> Iterator[list[Program]]:
    programs: list[Program] = []
    yield programs
    for program in programs:
        program.stop()


def played(
    started: list[Program], folder: Path, extra: str, turn_cap: int = 100, goodbye: float = 20
) -> tuple[Result, list[Any]]:
    """A match of a program of seed 003 against a house player, and what the program heard."""
    heard = folder / "heard"
    script = SCRIPT.format(heard=str(heard), extra=extra)
    started.append(Program([sys.executable, "-c", script]))
    limits = Limits(clock=Clock(micros(20)), set_up=micros(20), goodbye=micros(goodbye))
    spec = agreed(MAZE, ["ann", "bob"], seed=1, limits=limits, turn_cap=turn_cap)
    seed_003 = registry.dialect("seed-003")
    result = play_local(spec, [started[0], Euclid()], (), {0: seed_003(MAZE)})
    started[0].stop(1)
    return result, [msgspec.json.decode(line) for line in heard.read_bytes().splitlines()]


def test_the_last_call_is_made(started: list[Program], tmp_path: Path) -> None:
    """The last state, then that it is over, though each must be answered first."""
    result, heard = played(started, tmp_path, "pass")
    assert result.verdict == "finished"
    assert [word for word, _ in heard[-2:]] == ["NotifyGameState", "NotifyGameOver"]
    assert heard[-1][1][0]["name"] == "bob"


def test_who_does_not_answer_hears_the_rest(started: list[Program], tmp_path: Path) -> None:
    """It answers no state after its first move, and still hears how it ended before its line is closed."""
    stubborn = "if word == 'NotifyGameState' and arguments[0]['lastSlide']: continue"
    result, heard = played(started, tmp_path, stubborn, turn_cap=2, goodbye=4)
    assert result.verdict == "void"
    assert heard[-1] == ["NotifyGameOver", [None]]


def test_who_never_reads_is_not_waited_for(started: list[Program], tmp_path: Path) -> None:
    """It sleeps, and is killed when the goodbye limit is over."""
    sleepy = "time.sleep(60 * (word == 'NotifyGameState' and arguments[0]['lastSlide'] is not None))"
    result, heard = played(started, tmp_path, sleepy, turn_cap=2, goodbye=0.2)
    assert result.verdict == "void"
    assert heard[-1][0] == "NotifyGameState"
    assert started[0].exit_code() == -9


def test_the_timeout_is_what_is_left(started: list[Program], tmp_path: Path) -> None:
    """A player that takes its time over a state is told how much of its time for the move is left."""
    slow = "time.sleep(0.3 * (word == 'NotifyGameState'))"
    _, heard = played(started, tmp_path, slow, turn_cap=4)
    timeouts = [arguments[0] for word, arguments in heard if word == "RequestMove"]
    assert len(timeouts) == 2
    assert timeouts[0] == 20_000, "it was asked when it had answered"
    assert timeouts[1] <= 20_000 - 250, (
        "the state before it was unanswered for 300 ms, some before it was asked"
    )


def test_who_floods_after_its_last_word_is_not_read(started: list[Program], tmp_path: Path) -> None:
    """An expelled program may go on writing: the match goes on, and nothing of it is kept."""
    flood = "while word == 'RequestMove': sys.stdout.write('7' * 100_000 + chr(10)); sys.stdout.flush()"
    result, heard = played(started, tmp_path, flood, goodbye=0.2)
    assert result.expelled == (0,)
    assert result.faults[0].offence.value in ("malformed", "flood")
    assert heard[-1][0] == "RequestMove"


BANNED = """
import json, sys
refused = 0
for line in sys.stdin:
    word, arguments = json.loads(line)
    with open({heard!r}, "a") as heard:
        heard.write(line)
    refused += word == "rejectMove"
    if refused == {requests}:
        break
    if word == "notifyBanned":
        for _ in range({requests}):
            print('["placePenguin",[[0,0]]]', flush=True)
    elif word == "notifyTurn":
        print('["placePenguin",[[99,99]]]', flush=True)
"""


@pytest.mark.parametrize(("requests", "refused"), [(3, 3), (200, None)])
def test_the_banned_are_refused_over_pipes(
    started: list[Program],
    tmp_path: Path,
    requests: int,
    refused: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each request of a banned player is rejected, but not a flood of them."""
    monkeypatch.setattr("touchline.drivers.pipes.LINGER", micros(20))
    game, heard = registry.game("fish", {"rows": 3, "cols": 4}), tmp_path / "heard"
    started.append(Program([sys.executable, "-c", BANNED.format(heard=str(heard), requests=requests)]))
    limits = Limits(clock=Clock(micros(20)), set_up=micros(20), goodbye=micros(20))
    spec = agreed(game, ["ann", "bob"], seed=1, limits=limits, conduct=COURSE)
    result = play_local(spec, [started[0], Last()], (), {0: registry.dialect("seed-001")(game)})
    assert result.expelled == (0,)
    words = [msgspec.json.decode(line)[0] for line in heard.read_bytes().splitlines()]
    after = words[words.index("notifyBanned") + 1 :]
    assert set(after) <= {"rejectMove"}
    assert len(after) == refused if refused is not None else len(after) <= MOST_FRAMES
