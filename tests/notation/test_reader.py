"""Streams of JSON values: what is read, what is refused, and what the refusal says."""

from __future__ import annotations

from typing import Any

import pytest

from touchline.core.errors import BadInput
from touchline.dialects.notation import json_stream
from touchline.dialects.notation.fish import Position, State
from touchline.dialects.notation.json_stream import arguments, shaped, values
from touchline.dialects.notation.labyrinth import Coordinate


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b" \t\r\n ", []),
        (b"1", [1]),
        (b"  [1,\n 2]\r\n\t{}  ", [[1, 2], {}]),
        (b'"a""b"[]{}', ["a", "b", [], {}]),
        (b"1 2\n3", [1, 2, 3]),
        (b"true false null", [True, False, None]),
        (b'"\\u2502 \\u253c"', ["│ ┼"]),
        ('"┼"'.encode(), ["┼"]),
        (b'"\\ud83d\\ude00"', ["\U0001f600"]),
        (b"-1.5e2", [-150.0]),
        (b" " * 2040 + b'"void"', ["void"]),
        (b"[" * 200 + b"]" * 200, None),
    ],
)
def test_values(data: bytes, expected: list[Any] | None) -> None:
    """Values one after another, with blanks between them or without."""
    found = values(data)
    assert len(found) == 1 if expected is None else found == expected


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"a": 1', "line 1"),
        (b"[1,", "line 1"),
        (b'"abc', "line 1"),
        (b"[1]\n[2,\n}", "line 3, column 1"),
        (b"tru", "line 1, column 1"),
        (b"1 2 x", "line 1, column 5"),
        (b"]", "line 1, column 1"),
        (b'"a\nb"', "line 1"),
        (b"\xef\xbb\xbf1", "line 1, column 1"),
        ("1\u00a02".encode(), "line 1, column 2"),
        (b"1 \x0c 2", "line 1, column 3"),
        (b"NaN", "value 1"),
        (b"1 [Infinity]", "value 2"),
        (b'{"a": -Infinity}', "value 1"),
        (b"1 2 " + b"9" * 10_000, "value 3"),
        (b'"\xff"', "byte 1"),
        (b"1 \xc3", "byte 2"),
        (b'"\xed\xa0\x80"', "byte 1"),
        (b"[" * 100_000, "value 1"),
        (b"1 " + b'{"a":' * 100_000, "value 2"),
    ],
)
def test_refused_with_a_place(data: bytes, where: str) -> None:
    """Whatever is no JSON is refused in one line that begins with the place."""
    with pytest.raises(BadInput) as caught:
        values(data)
    message = str(caught.value)
    assert message.startswith(f"{where}")
    assert "\n" not in message
    assert message.partition(": ")[2]


def test_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Input beyond the limit is refused before it is looked at, input up to the limit is read."""
    monkeypatch.setattr(json_stream, "MOST_BYTES", 1 << 20)
    assert values(b"7".rjust(1 << 20)) == [7]
    with pytest.raises(BadInput, match="longer than 1 MiB"):
        values(b"7".rjust((1 << 20) + 1))


def test_limit() -> None:
    """The limit itself is 16 MiB."""
    with pytest.raises(BadInput, match="longer than 16 MiB"):
        values(bytes(16 * 1024 * 1024 + 1))


def test_arguments() -> None:
    """As many values as names are handed back in order."""
    assert arguments(b'"a" 1', ["Name", "Index"]) == ["a", 1]
    assert arguments(b"", []) == []


def test_arguments_missing() -> None:
    """If values are missing, the first missing one is named."""
    with pytest.raises(BadInput, match=r"end of input: missing: Index \(value 2 of 3\)"):
        arguments(b'"a"', ["Name", "Index", "Degree"])
    with pytest.raises(BadInput, match=r"missing: Name \(value 1 of 1\)"):
        arguments(b" ", ["Name"])


def test_arguments_too_many() -> None:
    """If there are too many values, the first that is too many is named."""
    with pytest.raises(BadInput, match="value 3: there is more than Name, Index"):
        arguments(b'"a" 1 2 3', ["Name", "Index"])


def test_shaped() -> None:
    """A value of the right shape becomes its struct, keys that nobody knows aside."""
    assert shaped({"row#": 1, "column#": 2, "depth#": 3}, Coordinate, "Goal") == Coordinate(1, 2)
    assert shaped([1, 2], Position, "Position") == (1, 2)


@pytest.mark.parametrize(
    ("value", "shape", "message"),
    [
        ([], Coordinate, "Goal: "),
        ({"row#": 1}, Coordinate, "Goal: Object missing required field `column#`"),
        ({"row#": 1, "column#": "2"}, Coordinate, "Goal.column#: "),
        ({"row#": 1, "column#": -2}, Coordinate, "Goal.column#: "),
        ({"row#": 1, "column#": 2.0}, Coordinate, "Goal.column#: "),
        ({"row#": True, "column#": 2}, Coordinate, "Goal.row#: "),
        ({"row#": 10**40, "column#": 2}, Coordinate, "Goal.row#: "),
        ([1], Position, "Goal: "),
        ([1, 2, 3], Position, "Goal: "),
        ({"players": [{"color": "red"}], "board": []}, State, "Goal.players[0]: "),
        ({"players": [], "board": [[1], [1, None]]}, State, "Goal.board[1][1]: "),
    ],
)
def test_shaped_refuses_with_a_place(value: Any, shape: Any, message: str) -> None:
    """A value of the wrong shape is refused, and the message begins with the place, by its given name."""
    with pytest.raises(BadInput) as caught:
        shaped(value, shape, "Goal")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_shaped_survives_deep_values() -> None:
    """A deeply nested value of the wrong shape is refused like any other."""
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    with pytest.raises(BadInput):
        shaped({"row#": deep, "column#": deep}, Coordinate, "Goal")


@pytest.mark.parametrize(
    "value",
    [
        {"\ud800": 1, "row#": 1, "column#": 1},
        {"row#": "\udfff", "column#": 1},
        {"players": [{"color": "\ud800", "score": 0, "places": []}], "board": [[1]]},
    ],
)
def test_shaped_survives_half_characters(value: Any) -> None:
    """Half a surrogate pair, which JSON can spell as an escape, is a value or refused, never a crash."""
    try:
        shaped(value, State if "players" in value else Coordinate, "Goal")
    except BadInput as error:
        message = str(error)
        assert "\n" not in message
