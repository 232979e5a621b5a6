"""Bots hear how a match ended, whoever drives it."""

from __future__ import annotations

import asyncio
import logging
import sys
import textwrap
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from bots.her_boxes import SMALL
from referee.dialogue import every
from touchline.bots.minimax import Minimax
from touchline.bots.random import Random as RandomBot
from touchline.drivers.event_loop import play
from touchline.drivers.match import Learner, agreed, play_now
from touchline.drivers.programs import play_local
from touchline.players.process import Program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from touchline.core.events import Result
    from touchline.drivers.match import MatchSpec


class Ear:
    """A bot that plays the first move, or another one, and remembers what it was told."""

    def __init__(self, move: Any = None) -> None:
        self._move = move
        self.heard: list[tuple[int, Result]] = []

    def choose(self, view: Any, turn: int) -> Any:
        return self._move or view.legal_moves()[0]

    def told(self, seat: int, result: Result) -> None:
        self.heard.append((seat, result))


class Deafened(Ear):
    def told(self, seat: int, result: Result) -> None:
        super().told(seat, result)
        raise RuntimeError("my ears")


def in_a_loop(spec: MatchSpec, bots: list[Any]) -> Result:
    return asyncio.run(play(spec, bots))


DRIVERS: list[Callable[..., Result]] = [play_now, play_local, in_a_loop]
driven = pytest.mark.parametrize("driver", DRIVERS)


@driven
def test_everybody_is_told_once_how_it_ended(driver: Callable[..., Result]) -> None:
    ears = [Ear(), Ear()]
    assert isinstance(ears[0], Learner)
    result = driver(agreed(SMALL, ["a", "b"], 1), ears)
    assert [ear.heard for ear in ears] == [[(0, result)], [(1, result)]]


@driven
def test_one_bot_on_two_seats_is_told_of_both(driver: Callable[..., Result]) -> None:
    ear = Ear()
    result = driver(agreed(SMALL, ["a", "b"], 1), [ear, ear])
    assert ear.heard == [(0, result), (1, result)]


@driven
@pytest.mark.parametrize(
    ("sanction", "verdict"), [("expel", "finished"), ("void", "void"), ("forfeit", "forfeited")]
)
def test_every_ending_is_told(driver: Callable[..., Result], sanction: str, verdict: str) -> None:
    """Also to the one who was the cause of it."""
    ears = [Ear(), Ear(move="nonsense")]
    result = driver(agreed(SMALL, ["a", "b"], 1, conduct=every(sanction)), ears)
    assert result.verdict == verdict
    assert result.expelled == ((1,) if sanction == "expel" else ())
    assert [ear.heard for ear in ears] == [[(0, result)], [(1, result)]]


@driven
def test_who_fails_when_it_is_told_harms_nobody(
    driver: Callable[..., Result], caplog: pytest.LogCaptureFixture
) -> None:
    ears = [Deafened(), Ear()]
    with caplog.at_level(logging.ERROR):
        result = driver(agreed(SMALL, ["a", "b"], 1), ears)
    assert (result.verdict, result.faults) == ("finished", ())
    assert [len(ear.heard) for ear in ears] == [1, 1]
    assert "my ears" in caplog.text


def test_bots_that_do_not_want_to_hear_it() -> None:
    assert play_now(agreed(SMALL, ["a", "b"], 1), [RandomBot(Random(0)), Minimax(depth=2)]).faults == ()


HOSTED = """
    class Ear:
        def choose(self, view, turn):
            return view.legal_moves()[0]

        def told(self, seat, result):
            with open({where!r}, "a") as file:
                print(seat, result.verdict, result.outcome.winners, result.reason, file=file)
            {then}
"""


@pytest.mark.parametrize("then", ["pass", "raise RuntimeError('my ears')"])
def test_a_python_file_in_a_process_of_its_own_hears_it_too(tmp_path: Path, then: str) -> None:
    where, file = tmp_path / "heard", tmp_path / "ear.py"
    file.write_text(textwrap.dedent(HOSTED.format(where=str(where), then=then)))
    program = Program([sys.executable, "-m", "touchline.players.python_file", str(file)])
    try:
        result = play_local(agreed(SMALL, ["a", "b"], 1), [Ear(), program])
    finally:
        program.hang_up()
        program.stop(10)
    assert result.outcome is not None
    assert where.read_text() == f"1 finished {result.outcome.winners} {result.reason}\n"
    assert ("my ears" in program.notes.text()) == (then != "pass")
