"""Clocks are arithmetic: what a move may take, what it costs, and when it is late."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline.core.clock import UNTIMED, Clock, Limits, micros

TIMES = st.integers(0, 10**9)
CLOCKS = st.builds(Clock, per_move=TIMES, bank=TIMES, increment=TIMES)


@pytest.mark.parametrize(
    ("clock", "took", "late", "bank"),
    [
        (Clock(100), 0, False, 0),
        (Clock(100), 99, False, 0),
        (Clock(100), 100, False, 0),
        (Clock(100), 101, True, 0),
        (Clock(0), 0, False, 0),
        (Clock(0), 1, True, 0),
        (Clock(100, bank=50), 100, False, 50),
        (Clock(100, bank=50), 101, False, 49),
        (Clock(100, bank=50), 149, False, 1),
        (Clock(100, bank=50), 150, False, 0),
        (Clock(100, bank=50), 151, True, 0),
        (Clock(100, bank=50, increment=7), 100, False, 57),
        (Clock(100, bank=50, increment=7), 0, False, 57),
        (Clock(100, bank=50, increment=7), 120, False, 37),
        (Clock(100, bank=50, increment=7), 150, False, 7),
        (Clock(100, bank=50, increment=7), 157, True, 7),
        (Clock(0, bank=300), 120, False, 180),
        (Clock(0, bank=300, increment=20), 120, False, 200),
        (Clock(None), 10**12, False, 0),
        (Clock(None, bank=50, increment=7), 10**12, False, 50),
    ],
)
def test_a_move(clock: Clock, took: int, late: bool, bank: int) -> None:
    """Just in time is in time; what goes over the time for a move comes from the bank; a move adds to it."""
    assert clock.late(took) is late
    assert clock.spend(took).bank == bank


def test_a_sequence_of_moves() -> None:
    """The bank goes down by what every move takes too much, and up by the increment."""
    clock = Clock(10, bank=20, increment=3)
    banks = []
    for took in (5, 15, 29, 0, 12):
        assert not clock.late(took)
        clock = clock.spend(took)
        banks.append(clock.bank)
    assert banks == [23, 21, 5, 8, 9]
    assert (clock.per_move, clock.increment) == (10, 3)


@pytest.mark.parametrize(
    ("clock", "budget"),
    [(Clock(100), 100), (Clock(100, bank=50, increment=7), 150), (Clock(None, bank=9), None)],
)
def test_budget(clock: Clock, budget: int | None) -> None:
    """A move may take the time for a move and the whole bank; the increment comes only after it."""
    assert clock.budget == budget


@pytest.mark.parametrize("part", ["per_move", "bank", "increment"])
def test_no_part_is_negative(part: str) -> None:
    """A clock that would run backwards is refused when it is built."""
    with pytest.raises(ValueError, match="negative"):
        Clock(**{part: -1})


def test_usual_times() -> None:
    """Ten seconds for everything, one to say goodbye; without limits nobody is ever late."""
    assert Limits() == Limits(
        launch=micros(10), set_up=micros(10), goodbye=micros(1), clock=Clock(per_move=micros(10))
    )
    assert (UNTIMED.launch, UNTIMED.set_up, UNTIMED.clock.budget) == (None, None, None)
    assert UNTIMED.goodbye == micros(1)


@pytest.mark.parametrize(
    ("seconds", "count"), [(0, 0), (1, 1_000_000), (0.05, 50_000), (0.1 + 0.2, 300_000), (4e-7, 0), (6e-7, 1)]
)
def test_micros(seconds: float, count: int) -> None:
    """Seconds become whole microseconds, the nearest."""
    assert micros(seconds) == count


@given(clock=CLOCKS, took=TIMES)
def test_late_is_over_budget(clock: Clock, took: int) -> None:
    """A move is late exactly if it took more than the budget, and the budget itself is in time."""
    budget = clock.budget
    assert budget is not None
    assert clock.late(took) == (took > budget)
    assert not clock.late(budget)
    assert clock.late(budget + 1)


@given(clock=CLOCKS, took=TIMES, more=TIMES)
def test_thinking_longer_never_pays(clock: Clock, took: int, more: int) -> None:
    """Who thinks longer has no more in the bank afterwards, and a bank grows by the increment at most."""
    left, less = clock.spend(took), clock.spend(took + more)
    assert 0 <= less.bank <= left.bank <= clock.bank + clock.increment
    assert less.bank >= clock.increment


@given(clock=CLOCKS, took=st.lists(TIMES, max_size=10))
def test_time_is_conserved(clock: Clock, took: list[int]) -> None:
    """Without lateness, the bank is what was there, and was added, less what was taken from it."""
    assert clock.per_move is not None
    now, expected = clock, clock.bank
    for time in took:
        budget = now.budget
        assert budget is not None
        time = min(time, budget)
        now = now.spend(time)
        expected += clock.increment - max(0, time - clock.per_move)
    assert now.bank == expected
