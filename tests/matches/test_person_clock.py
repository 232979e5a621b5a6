"""The clock of a person at the terminal: none unless one was asked for; the others keep theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import touchline
from cli.commands import touchline as run
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.drivers import match as driver
from touchline.drivers.terms import terms_of
from touchline.matches.fixture import fixture
from touchline.players.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.core.sketch import Sketch


class Hours:
    """A clock that the tests set, in place of the driver's and the prompt's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        monkeypatch.setattr(driver, "perf_counter_ns", lambda: round(self.seconds * 1e9))

    def __call__(self) -> float:
        return self.seconds


def slow_person(hours: Hours, seconds: float) -> Terminal:
    """Return somebody who plays the first legal move, after this many seconds."""
    shown: list[Sketch] = []

    def ask(prompt: str) -> str:
        hours.seconds += seconds
        return " ".join(key if isinstance(key, str) else f"{key[0]},{key[1]}" for key in shown[-1].moves[0])

    return Terminal(ask, shown.append, lambda text: None)


def slow_bot(hours: Hours, seconds: float) -> Any:
    class Slow:
        def choose(self, view: Any, turn: int) -> Any:
            hours.seconds += seconds
            return view.legal_moves()[0]

    return Slow()


def test_a_person_who_waits_twenty_seconds_plays_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody is late, and the record of it is verified."""
    hours = Hours(monkeypatch)
    played = touchline.play(
        "hexapawn", [slow_person(hours, 20), "random"], seed=1, record=tmp_path / "m.jsonl"
    )
    assert (played.verdict, played.faults) == ("finished", ())
    assert hours.seconds >= 20
    played.replay().verify()


def test_the_others_keep_their_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that thinks for 20 s is late, though the person beside it may."""
    hours = Hours(monkeypatch)
    played = touchline.play("hexapawn", [slow_person(hours, 1), slow_bot(hours, 20)], seed=1)
    assert [(fault.seat, fault.offence) for fault in played.faults] == [(1, Offence.LATE)]


def test_a_clock_that_was_asked_for_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 5 seconds a move a person who takes 20 is late."""
    hours = Hours(monkeypatch)
    played = touchline.play("hexapawn", [slow_person(hours, 20), "random"], seed=1, seconds=5)
    assert [(fault.seat, fault.offence) for fault in played.faults] == [(0, Offence.LATE)]


@pytest.mark.parametrize(
    ("clock", "paced", "untimed"),
    [(Clock(), False, True), (Clock(), True, False), (Clock(bank=micros(60)), False, False)],
)
def test_what_counts_as_asking_for_a_clock(clock: Clock, paced: bool, untimed: bool) -> None:
    """A time for a move does, and so does a time bank."""
    limits = terms_of(["native", None], limits=Limits(clock=clock), paced=paced, people=[0]).limits
    assert (limits.clock_of(0).budget is None) == untimed
    assert limits.clock_of(1).budget is not None


def test_the_terms_say_who_has_a_clock() -> None:
    """In the line before the match."""
    done = run("play", "hexapawn", "human", "random", "--seed", "1", stdin="")
    assert "you have no time limit; 10 s a move for the others" in done.stderr
    done = run("play", "hexapawn", "human", "human", "--seed", "1", stdin="")
    assert "no time limit" in done.stderr
    assert "others" not in done.stderr
    done = run("play", "hexapawn", "human", "random", "--seed", "1", "--seconds", "7", stdin="")
    assert ", 7 s a move\n" in done.stderr


def test_a_person_takes_the_clock_along_to_another_seat() -> None:
    """When the players change seats."""
    match = fixture("hexapawn", [Terminal(input, print, print), "random"])
    assert (match.terms.limits.untimed, match.rotated(1).terms.limits.untimed) == ((0,), (1,))
