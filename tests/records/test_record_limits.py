"""Hostile records: whatever is too long or too deep is one line of BadInput, after bounded work."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from recorded import BLUNDER, SMALL, record
from touchline.core.errors import BadInput
from touchline.core.text import MOST_NAME, MOST_RAW, MOST_TEXT
from touchline.records import replay as replay_module
from touchline.records.replay import MOST_LINE, MOST_LINES, Replay, read_file
from touchline.records.side_file import MOST_BYTES as MOST_SECRET
from touchline.records.side_file import read_secret

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.core.events import Event


def with_fields(number: int, **fields: Any) -> bytes:
    lines = record(SMALL, 2, BLUNDER).splitlines()
    changed = {**json.loads(lines[number]), **fields}
    lines[number] = json.dumps(changed, separators=(",", ":"), ensure_ascii=False).encode()
    return b"\n".join(lines) + b"\n"


def refused(data: bytes) -> str:
    """What is said about a record that cannot be read or does not follow: one short line."""
    with pytest.raises(BadInput) as caught:
        Replay(data, "x").verify()
    said = str(caught.value)
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (0, {"names": ["a" * (MOST_NAME + 1), "b"]}),
        (0, {"dialects": ["a" * (MOST_NAME + 1), None]}),
        (0, {"refused": [{"seat": 0, "offence": "refused", "why": "x" * (MOST_TEXT + 1)}]}),
        (1, {"raw": ["x" * (MOST_RAW + 41)]}),
        (1, {"raw": ["x"] * 18}),
        (-1, {"nonce": "0" * (MOST_NAME + 1)}),
    ],
)
def test_a_text_that_is_too_long(number: int, fields: dict[str, Any]) -> None:
    """Names, reasons and raw messages have the limits of the writer."""
    said = refused(with_fields(number, **fields))
    assert "not an event: Expected" in said
    assert len(said) < 200


def test_the_longest_texts_are_read() -> None:
    """The limits themselves are allowed."""
    data = with_fields(1, raw=["x" * MOST_RAW + "… of 12345678 bytes"] + ["x"] * 16)
    Replay(data, "x").verify()
    Replay(with_fields(0, names=["é" * MOST_NAME, "b"]), "x").verify()


@pytest.mark.parametrize("depth", [100, 900, 5000, 100_000])
@pytest.mark.parametrize("field", ["position", "options", "proposals", "move"])
def test_what_is_nested_deeply(field: str, depth: int) -> None:
    """Nested lists in a field of any type are BadInput."""
    number = 1 if field == "move" else 0
    lines = record(SMALL, 2, BLUNDER).splitlines()
    nested = b"[" * depth + b"]" * depth
    value = b'{"rows":%b}' % nested if field == "options" else nested
    written = json.dumps({**json.loads(lines[number]), field: "HERE"}, separators=(",", ":")).encode()
    lines[number] = written.replace(b'"HERE"', value)
    assert len(refused(b"\n".join(lines) + b"\n")) < 1000


def test_a_line_that_is_too_long() -> None:
    """It is named, and not decoded."""
    data = record(SMALL, 2, BLUNDER)
    assert "line 2: not an event: the line is longer" in refused(
        data.replace(b'"move":', b'"x":"' + b"a" * MOST_LINE + b'","move":', 1)
    )


def test_too_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is decoded."""
    decoded: list[bytes] = []
    monkeypatch.setattr(replay_module, "_decode", decoded.append)
    monkeypatch.setattr(replay_module, "_decode_lines", decoded.append)
    first, *_ = record(SMALL, 2, BLUNDER).splitlines(keepends=True)
    assert "more than 1,000,000 lines" in refused(first + b"{}\n" * MOST_LINES)
    assert decoded == []


def test_a_long_record_is_replayed_no_further_than_its_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand lines after an impossible one are not given to the referee."""
    asked: list[object] = []
    happening_of = Replay.happening_of

    def counted(replay: Replay, event: Event) -> Any:
        asked.append(event)
        return happening_of(replay, event)

    monkeypatch.setattr(Replay, "happening_of", counted)
    *lines, end = record(SMALL, 2, BLUNDER).splitlines(keepends=True)
    assert "x, line 3: replayed, this line is" in refused(lines[0] + lines[1] * 100_000 + end)
    assert len(asked) < 10


def test_a_file_that_is_too_long(tmp_path: Path) -> None:
    """A sparse file of a terabyte is refused without reading it all."""
    path = tmp_path / "long.jsonl"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(BadInput, match="longer than 256 MiB"):
        read_file(path)
    side = tmp_path / "long.jsonl.secret"
    side.write_bytes(b" " * (MOST_SECRET + 1))
    with pytest.raises(BadInput, match="at most"):
        read_secret(side)
