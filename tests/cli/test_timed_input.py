"""Reading lines with a deadline."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from touchline.cli._timed_input import TimedInput

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe; the test may close the second."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


def test_lines_are_read_one_at_a_time(pipe: tuple[int, int]) -> None:
    """Also if several came at once, and the last has no newline; then the input ends."""
    said: list[str] = []
    reader = TimedInput(said.append, pipe[0])
    os.write(pipe[1], b"0,0 1,0\n?\nlast")
    assert [reader.ask("move: ", 60), reader.ask("move: ", 60)] == ["0,0 1,0", "?"]
    os.close(pipe[1])
    assert reader.ask("move: ", 60) == "last"
    with pytest.raises(EOFError):
        reader.ask("move: ", 60)
    assert said == ["move: "] * 4


def test_nothing_in_time(pipe: tuple[int, int]) -> None:
    """Half a line is dropped."""
    reader = TimedInput(lambda text: None, pipe[0])
    os.write(pipe[1], b"0,0 1")
    with pytest.raises(TimeoutError):
        reader.ask("move: ", 0.05)
    os.write(pipe[1], b"?\n")
    assert reader.ask("move: ", 60) == "?"


def test_a_short_time_is_said(pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it is up, with the prompt again."""
    monkeypatch.setattr("touchline.cli._timed_input.WARNINGS", (0.02,))
    said: list[str] = []
    with pytest.raises(TimeoutError):
        TimedInput(said.append, pipe[0]).ask("(9 s left) your move: ", 0.1)
    assert said == ["(9 s left) your move: ", "\n0 s left\nyour move: "]
