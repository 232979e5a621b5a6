"""What a seat hears last in each dialect, by hand from the notes, and what that says about who has won."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.testing.transcript import word_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Ends(NamedTuple):
    """The last words of a seat."""

    over: list[str]
    """When the match is over and counts."""
    expelled: list[str]
    void: list[str]


OVER_001 = ["updateGameState", "notifyGameOver"]
ENDS = {
    "seed-000": Ends(["finalize"], ["terminate"], []),
    "seed-001": Ends(OVER_001, ["notifyBanned"], OVER_001),
    "seed-002": Ends(["gameEnded"], ["gameEnded"], ["gameEnded"]),
    "seed-003": Ends(["NotifyGameState", "NotifyGameOver"], [], ["NotifyGameOver"]),
    "seed-004": Ends(["EndOfGame"], [], []),
    "fish-course": Ends(["end"], [], ["end"]),
    "labyrinth-course": Ends(["win"], [], ["win"]),
    "native": Ends(["over"], ["expelled"], ["over"]),
}  # fmt: skip
LAST = {dialect: {ends.over[-1], *ends.expelled[-1:], *ends.void[-1:]} for dialect, ends in ENDS.items()}
"""The words after which a seat hears nothing more."""
FISH_COLOURS = ("red", "white", "brown", "black")


def words_of(frames: Sequence[bytes]) -> list[str]:
    return [word_of(frame) for frame in frames]


def check_last_words(dialect: str, frames: Sequence[bytes], expected: list[str]) -> None:
    """The frames end with these words, and no last word was said before, or any after."""
    words = words_of(frames)
    if expected:
        assert words[-len(expected) :] == expected
    assert [word for word in words if word in LAST[dialect]] == expected[-1:]


def _arguments(frame: bytes) -> list[Any]:
    arguments: list[Any] = msgspec.json.decode(frame)[1]
    return arguments


def _of_oz(frame: bytes, seat: int, name: str) -> bool | None:
    found = re.fullmatch(rb"gameEnded\(winner:(\w+)\)", frame)
    assert found, frame
    return None if found[1] == b"none" else found[1] == f"p{seat + 1}".encode()


def _of_003(frame: bytes, seat: int, name: str) -> bool | None:
    (winner,) = _arguments(frame)
    return None if winner is None else winner["name"] == name


def _of_native(frame: bytes, seat: int, name: str) -> bool | None:
    outcome = msgspec.json.decode(frame)["outcome"]
    return None if outcome is None else seat in outcome["winners"]


CLAIMS: dict[str, Callable[[bytes, int, str], bool | None]] = {
    "seed-000": lambda frame, seat, name: FISH_COLOURS[seat] in _arguments(frame)[0]["winners"],
    "seed-002": _of_oz,
    "seed-003": _of_003,
    "seed-004": lambda frame, seat, name: _arguments(frame)[1] == "WINNER",
    "fish-course": lambda frame, seat, name: _arguments(frame) == [True],
    "labyrinth-course": lambda frame, seat, name: _arguments(frame) == [True],
    "native": _of_native,
}
"""Whether the last word of a match says that its reader has won; None if it says that nobody has."""
