"""Every dialect, every way of playing, every end: each seat's last words are exactly those of its note."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from last_words.ends import CLAIMS, ENDS, check_last_words
from last_words.ways import WAYS, Played, Table
from touchline.core.clock import micros

if TYPE_CHECKING:
    from pathlib import Path

FOR_EVER = 1000
SOON = 2
"""Turns after which a match is void that is never to count."""

TABLES = {
    "normal": (("strong", "weak"), (), FOR_EVER),
    "won": (("strong",), ("weak",), FOR_EVER),
    "lost": (("weak",), ("strong",), FOR_EVER),
    "expelled": (("rogue",), ("weak",), FOR_EVER),
    "void": (("strong", "weak"), (), SOON),
    "resigned": (("strong",), ("resigns",), FOR_EVER),
}
"""For each end who speaks the dialect, who else is there, and after how many turns it is void."""
PROCESSES = {"program", "class as a program"}
EVERYDAY = {("seed-003", "normal"), ("seed-001", "expelled"), ("seed-000", "expelled"), ("seed-002", "void")}
"""What is also tried every day of those that take long, as each has a process to start."""


def cells() -> list[object]:
    return [
        pytest.param(
            dialect,
            way,
            end,
            marks=[pytest.mark.slow] if way in PROCESSES and (dialect, end) not in EVERYDAY else [],
        )
        for dialect in ENDS
        for way in WAYS
        for end in TABLES
    ]


@pytest.mark.parametrize(("dialect", "way", "end"), cells())
def test_last_words(
    dialect: str, way: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat hears the words of its note, whole and last, and what they say of the winner is so."""
    monkeypatch.setattr("touchline.drivers.pipes.LINGER", micros(20))  # a program that has heard them leaves
    guests, house, turn_cap = TABLES[end]
    table = Table(dialect, guests, house, turn_cap)
    played = WAYS[way](table, tmp_path)
    check_end(end, played)
    for seat, frames in enumerate(played.heard):
        ends = ENDS[dialect]
        if seat in played.result.expelled:
            check_last_words(dialect, frames, ends.expelled)
        elif played.result.outcome is None:
            check_last_words(dialect, frames, ends.void)
            assert not ends.void or dialect not in CLAIMS or not claim(table, seat, frames)
        else:
            check_last_words(dialect, frames, ends.over)
            won = seat in played.result.outcome.winners
            assert dialect not in CLAIMS or claim(table, seat, frames) == won


def claim(table: Table, seat: int, frames: list[bytes]) -> bool | None:
    """Whether the last frame says that this seat has won."""
    return CLAIMS[table.dialect](frames[-1], seat, table.names[seat])


def check_end(end: str, played: Played) -> None:
    """The match ended in the way that is tried here."""
    result = played.result
    winners = () if result.outcome is None else result.outcome.winners
    assert (result.verdict == "void") == (end == "void")
    assert result.expelled == ((0,) if end == "expelled" else ())
    assert result.resigned == ((1,) if end == "resigned" else ())
    if end in ("won", "resigned"):
        assert winners == (0,)
    if end == "lost":
        assert winners == (1,)
    if end == "normal":
        assert winners
